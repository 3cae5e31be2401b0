# Rows of one group stay together, and models learn from what is older.
. "$CASES/common"
awk 'BEGIN { print "patient,visit,a,b,ill"; for (i = 0; i < 60; i++) { p = i % 12; y = (p * 7 + 3) % 5 < 2;
    printf "p%d,2024-01-%02d,%.3f,%.3f,%s\n", p, 1 + i / 2, p * p % 11 + i / 1000, p * 5 % 7 - i / 1000, y ? "yes" : "no" } }' > v.csv
perceptron train v.csv --folds 3 --epochs 5 --group patient -q --json -o m | grep -o '"cross_validation":{"folds":3,"group":"patient"'
perceptron train v.csv --folds 3 --epochs 5 --time visit -o m -q --json | grep -o '"cross_validation":{"folds":3,"time":"visit"'
perceptron train v.csv --folds 3 --epochs 5 --time visit -o m | grep -e "folds by" -e accuracy
perceptron train v.csv --holdout 0.25 --epochs 5 --group patient -o m | grep held-out
perceptron train v.csv --search epochs=1,5 --group patient -o m | grep -e folds
perceptron train v.csv --calibrate --group patient --epochs 5 -o m | grep -e folds
perceptron train v.csv --learning-curve --time visit --epochs 2 -q -o m && echo curve
perceptron predict m v.csv | sort | uniq -c | wc -l | tr -d ' '
# As split does it.
for t in 1 2 8; do
    perceptron train v.csv --folds 4 --epochs 3 --group patient --threads $t -q --json -o m | untimed_json > $t.json
done
sed -i 's/"threads":[0-9]*//' 1.json 2.json 8.json
same 1.json 2.json; same 1.json 8.json
try perceptron train v.csv --group patient -o m
try perceptron train v.csv --group patient --time visit --folds 3 -o m
try perceptron train v.csv --group patiend --folds 3 -o m
try perceptron train v.csv --group ill --folds 3 -o m
try perceptron train v.csv --time patient --folds 3 -o m
try perceptron train v.csv --group patient --folds 20 -o m
try perceptron train :iris --group 1 --folds 3 -o m
try perceptron train v.csv --group patient --stream -o m
try perceptron test m v.csv --group patient
printf '1 1:2\n-1 1:3\n' > a.svm
try perceptron train a.svm --group 1 --folds 2 -o m
