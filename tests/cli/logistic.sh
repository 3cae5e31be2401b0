# Logistic regression: penalties, classes, probabilities, odds, and no optimum.
. "$CASES/common"
for how in "" "--penalty l1" "--penalty elastic-net --offset-free" "--multiclass native"; do
    echo "== $how"
    perceptron train :cancer -a logistic --scale standard $how -o m | untimed
    perceptron predict m :cancer --proba | head -n 1
    perceptron inspect m --top 3 | tail -n 5
done
perceptron inspect m --top 1 --json | sed 's/.*"calibrated"/"calibrated"/'
for how in "" "--multiclass ovr" "--penalty l1 -C 0.1"; do
    echo "== iris $how"
    perceptron train :iris -a logistic $how -o m | untimed
    perceptron predict m :iris --proba | sed -n '1p;51p;101p'
    perceptron inspect m --top 1
done
perceptron test m :iris | grep -e '^log loss' -e '^Brier'
perceptron train :iris -a logistic --folds 3 --search C=0.1,1,10 -q -o m | grep -e best -e '^ *C'
perceptron train :iris -a logistic --threads 1 -q -o one && perceptron train :iris -a logistic --threads 4 -q -o four && same one four
try perceptron train :iris -a logistic --calibrate -q -o m
try perceptron train :iris -a logistic --stream -o m
try perceptron train :iris --resume one -o m
try perceptron trace :iris -a logistic
try perceptron train :iris -a logistic --penalty l1 --multiclass native -o m
try perceptron train :iris -a logistic --penalty none -C 2 -o m
try perceptron train :iris -a logistic --l1-ratio 0.2 -o m
try perceptron train :iris -a logistic --offset-free --no-offset -o m
try perceptron train :iris -a logistic --penalty none -o none
try perceptron train :iris -a logistic --penalty none --positive setosa --folds 3 -o none
test -e none || echo no model
printf 'age,smoker,relapse\n40,0,no\n45,0,yes\n52,0,no\n58,1,yes\n' >patients.csv
try perceptron train patients.csv -a logistic --penalty none -o none
echo 'a 1:1' | perceptron learn one
