# A learning curve: errors on what was learned from, and on what was held out.
. "$CASES/common"
perceptron train :cancer --scale standard --learning-curve -o m 2>&1 | untimed | sed -n '/^model/,$p'
perceptron train :iris --learning-curve --holdout 0.3 --epochs 20 -o m 2>&1 | untimed |
    sed -n '/^Learning/,$p'
perceptron train :iris --learning-curve --folds 3 --epochs 2 --json -o m | untimed_json |
    sed 's/.*"learning_curve"/"learning_curve"/'
