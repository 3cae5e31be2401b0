# Probabilities are fitted to scores of rows that were held out; the weights stay.
. "$CASES/common"
perceptron train :cancer --scale standard --calibrate -o m 2>&1 | untimed |
    sed -n '/^perceptron loss/,$p'
perceptron train :cancer --scale standard -q -o plain
perceptron predict m :cancer >a; perceptron predict plain :cancer >b; same a b
echo "== with folds of one's own"
perceptron train :iris -a perceptron --epochs 20 --calibrate --folds 3 -o m | untimed |
    sed -n '/^perceptron loss/,$p'
echo "== measured on held-out rows"
perceptron train :cancer -a svm -C 0.1 --scale standard --calibrate --holdout 0.3 -o m 2>/dev/null |
    untimed | sed -n '/^held-out/,$p'
perceptron train :cancer -a svm -C 0.1 --scale standard --calibrate --holdout 0.3 -o m --json \
    2>/dev/null | untimed_json | sed 's/.*"log_loss"/"log_loss"/'
echo "== with both: the folds are of the calibration"
perceptron train :iris -a perceptron --epochs 3 --calibrate --holdout 0.3 --folds 3 -o m |
    grep -e ^held -e ^prob -e folds
perceptron train :iris -a perceptron --epochs 3 --calibrate --holdout 0.3 --folds 3 -o m --json |
    grep -o -e '"cross_validation":[^,]*' -e '"calibration":{"folds":[0-9]*'
echo "== too few rows of a label"
awk 'BEGIN { for (i = 0; i < 44; i++) print (i < 20 ? "a" : i < 40 ? "b" : "c") "," i * 37 % 44 }' >p.csv
try perceptron train p.csv --label 1 --holdout 0.25 --calibrate -o none
perceptron train p.csv --label 1 --holdout 0.25 --calibrate --folds 3 -o m | grep -e ^prob
perceptron train p.csv --label 1 --positive a --holdout 0.25 --calibrate -o m | grep -e ^prob
try perceptron train p.csv --label 1 --positive c --calibrate -o none
try perceptron train :and --calibrate -o none
try perceptron train :iris --calibrate --folds 51 -o none
ls none
