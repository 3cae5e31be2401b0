# Cross-validation: mean and spread of every metric, then a model of all rows.
. "$CASES/common"
perceptron train :cancer --folds 5 -o m | untimed
perceptron train :cancer -q -o all; same m all
echo "== the seed decides the folds, the threads do not"
perceptron train :cancer --folds 5 -o m --threads 1 | untimed >one
perceptron train :cancer --folds 5 -o m --threads 4 | untimed >four
perceptron train :cancer --folds 5 --seed 1 -o m | untimed >other
same one four; same one other
echo "== more than two labels have no AUC"
perceptron train :iris -a perceptron --folds 3 -o m | untimed | sed -n '/folds/,$p'
echo "== scaling looks at all rows"
for scale in standard minmax maxabs unit by:2; do
    perceptron train :iris --folds 3 --scale $scale -o m >/dev/null
done
perceptron train :iris --folds 3 --scale standard -q -o m
echo "== JSON"
perceptron train :xor --folds 2 --epochs 2 --json -o m | untimed_json
echo "== too many folds"
try perceptron train :iris --folds 51 -o none
try perceptron train :and --folds 2 -o none
ls none
