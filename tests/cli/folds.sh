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
echo "== rows of weight 0 do not make a fold"
printf 'y,a,w\nyes,2,1\nyes,3,0\nyes,2.5,0\nno,-1,1\nno,-2,1\nno,-3,1\n' >w.csv
try perceptron train w.csv --label y --weight w --folds 3 -a svm -o none
echo "== of labels that are one class some may be rare"
awk 'BEGIN { for (i = 0; i < 41; i++) print (i < 20 ? "a" : i < 40 ? "b" : "c") "," i * 37 % 41 }' >p.csv
try perceptron train p.csv --label 1 --folds 5 -o none
perceptron train p.csv --label 1 --folds 5 --positive a -o m | sed -n '/folds/,/accuracy/p'
try perceptron train p.csv --label 1 --folds 5 --positive c -o none
try perceptron train p.csv --label 1 --folds 21 --positive b -o none
ls none
