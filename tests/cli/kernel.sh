# Boundaries that bend: what train, test and inspect say about machines with a kernel.
. "$CASES/common"
facts() { grep -e '^kernel' -e '^end' -e '^mistakes' -e '^training error' -e '^support' -e '^R '; }
perceptron train :xor -a perceptron --kernel poly --degree 2 -o xor.m | untimed
perceptron inspect xor.m
perceptron test xor.m :xor | grep -v '^memory'
perceptron predict xor.m :xor
for kernel in "linear" "poly" "gaussian" "rbf" "sigmoid" "rbf --gamma auto" "poly --gamma scale" \
    "rbf --gamma 0.5 --no-offset" "sigmoid --eta 0.5 --theta -1" "poly --coef0 0 --degree 2"; do
    echo "== $kernel"
    perceptron train :xor --kernel $kernel -a perceptron -o m | facts
done
# Every learner, on data that no line separates.
perceptron generate circles --rows 200 --seed 3 -o circles.csv
perceptron generate spirals --rows 300 --seed 4 -o spirals.csv
for a in perceptron averaged voted pocket margin pa pa1 pa2; do
    echo "== $a"
    perceptron train circles.csv -a $a --scale none --kernel rbf --gamma 1 -o m | facts
    perceptron train spirals.csv -a $a --scale none --kernel rbf --gamma 10 -o m | facts
done
perceptron train :iris -a perceptron --kernel rbf --multiclass native -o native.m | facts
perceptron train :iris -a perceptron --kernel rbf -o ovr.m | facts
perceptron test ovr.m :iris | grep -e '^support' -e '^accuracy'
perceptron inspect native.m --top 4
perceptron inspect native.m --top 3 --class virginica | tail -n 5
perceptron inspect xor.m --all --class 1 | tail -n 3
perceptron inspect ovr.m --json --top 2
perceptron test xor.m :xor --json | tr , '\n' | grep -A 11 '"kernel"'
for kernel in "rbf --gamma auto" "rbf --gamma 0.5" "poly --gamma scale" "gaussian" "sigmoid"; do
    perceptron train :xor --kernel $kernel --json -o m | grep -o '"kernel":{[^}]*}'
done
try perceptron inspect xor.m --class 7
try perceptron predict xor.m :xor --distance
# Calibrated.
perceptron train circles.csv -q --kernel rbf --gamma 1 --calibrate -o m && perceptron inspect m |
    grep -e ^machine -e ^calibrated
perceptron predict m circles.csv --proba | head -n 2
# Steps: the counter of the row shown, in all vectors together.
perceptron trace :xor --kernel rbf --gamma 1 -a margin --epochs 3
printf 'x1,x2,label\n0,0,a\n0,1,b\n1,0,b\n1,1,c\n' >three.csv
perceptron trace three.csv --kernel rbf --gamma 1 --epochs 2
perceptron trace three.csv --kernel rbf --gamma 1 --epochs 2 --csv --multiclass native
perceptron trace :xor --kernel rbf --gamma 1 -a averaged --epochs 2 --json | tr '{' '\n' | tail -n 2
