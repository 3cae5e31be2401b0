# Rows that are held out: training stops when they are answered no better.
. "$CASES/common"
perceptron train :cancer --scale standard --holdout 0.25 -o m 2>&1 | untimed
perceptron inspect m --top 1
echo "== patience"
for n in 0 1 2; do
    perceptron train :cancer --scale standard --holdout 0.25 --patience $n --epochs 30 -o m 2>&1 |
        grep -e ^end -e ^passes -e ^best -e ^held
done
echo "== the model is that of the best pass"
perceptron convert :cancer c.svm 2>/dev/null
head -n 400 c.svm >a.svm; tail -n 169 c.svm >b.svm
perceptron train a.svm --scale standard --validate b.svm --patience 3 -o m 2>&1 | untimed
best=$(perceptron inspect m --json | sed 's/.*"epochs":\([0-9]*\).*/\1/')
perceptron train a.svm --scale standard --epochs "$best" -q -o want
perceptron predict m b.svm --scores >scores; perceptron predict want b.svm --scores >wanted
same scores wanted
perceptron test m b.svm | grep -e E_n -e accuracy
echo "== it can go on"
perceptron train a.svm --resume m --epochs 50 -q -o on
perceptron train a.svm --scale standard --epochs 50 -q -o whole
same on whole
echo "== JSON"
perceptron train :xor --validate :xnor --epochs 3 --json -o m | untimed_json
echo "== no pass was completed"
perceptron train :cancer --holdout 0.25 --updates 3 -o m | grep -e ^end -e ^passes -e ^best -e ^held
perceptron train :cancer --holdout 0.25 --updates 3 --json -o m | grep -o '"best_epoch":[^,]*'
perceptron train :cancer --holdout 0.25 --updates 300 --patience 0 -o m | grep -e ^passes -e ^best
echo "== labels that are missing, or too many"
printf '1,a\n2,a\n3,b\n4,c\n5,c\n' >t.csv; printf '1,a\n3,b\n9,z\n8,y\n' >h.csv
perceptron train t.csv --validate h.csv -o m | grep held
printf '1,x\n3,z\n' >none.csv
try perceptron train t.csv --validate none.csv -o none
try perceptron train t.csv --validate nothing.csv -o none
: >empty.svm; try perceptron train a.svm --validate empty.svm -o none
: >empty.csv; try perceptron train t.csv --validate empty.csv -o none
try perceptron train a.svm --validate - -o none <empty.svm
try perceptron train t.csv --validate a.svm -o none
try perceptron train :and --holdout 0.01 -o none
ls none
