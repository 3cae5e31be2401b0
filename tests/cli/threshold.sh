# From where on the answer is the positive label: given, or the best on rows that were held out.
. "$CASES/common"
for t in best:f1 best:balanced best:cost:1,5 best:recall:0.95 score:0.5; do
    echo "== $t"
    perceptron train :cancer --scale unit --epochs 3 --threshold $t -o m 2>&1 |
        grep -e ^threshold -e E_n -e ^training -e ^baseline -e ^wrong -e '^on the' | grep -v rows/s
done
echo "== with probabilities"
perceptron train :cancer --scale unit --epochs 3 --class-weight malignant=9 --calibrate --threshold probabilities -o m 2>&1 |
    grep -e ^threshold -e ^wrong
perceptron inspect m --top 1 | grep ^threshold
perceptron test m :cancer | grep -e ^threshold -e ^wrong -e ^error -e ^baseline -e probable
perceptron predict m :cancer --proba >own 2>&1
perceptron predict m :cancer --proba --threshold 0.5 >half 2>&1
same own half
perceptron test m :cancer --threshold none | grep -e ^threshold -e ^wrong -e probable
perceptron test m :cancer --threshold 0.2 --trade-off | sed -n '/^Trade/,$p'
perceptron test m :cancer --trade-off --json | grep -o '"score"' | wc -l
echo "== it goes on"
perceptron train :cancer --scale unit --epochs 3 --calibrate --threshold best:f1 --folds 4 -q -o part
perceptron train :cancer --resume part --epochs 6 -o on 2>&1 | grep -e ^threshold -e ^prob
perceptron train :cancer --scale unit --epochs 6 --calibrate --threshold best:f1 --folds 4 -q -o whole
same on whole
perceptron train :cancer --resume part --epochs 6 --threshold none -q -o on
perceptron inspect on | grep ^threshold
awk 'BEGIN { for (i = 0; i < 30; i++) printf "%s%s", 1, i < 29 ? "," : "\n" }' | perceptron learn part -o taught
echo "== nowhere that good"
printf '1,b\n2,a\n3,b\n4,a\n5,b\n6,a\n' >t.csv
try perceptron train t.csv --folds 2 --threshold best:precision:1 -q -o none
perceptron inspect none | grep ^threshold
echo "== refused"
try perceptron train :iris --threshold best:f1 -o no
try perceptron train :cancer --threshold 0.3 -o no
try perceptron train :cancer --threshold best:f3 -o no
try perceptron train :cancer --threshold 7 -o no
try perceptron train :cancer --multiclass ovr --threshold score:1 -o no
try perceptron train :cancer --stream --threshold 0.3 -o no
try perceptron predict m :cancer --threshold best:f1
try perceptron test m :cancer --threshold 1.5
perceptron train :iris -q -o three
try perceptron test three :iris --trade-off
try perceptron test three :iris --threshold probabilities
ls no 2>&1
