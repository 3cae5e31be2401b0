# Which classes there are before the first row.
. "$CASES/common"
printf 'low 1:-1\nmiddle 1:0\nhigh 1:1\n' > line.svm
native="-a perceptron --multiclass native"
run() { perceptron train line.svm $native --order file -o m "$@" | grep -e '^labels' -e '^passes' -e '^mistakes'; }
for classes in all seen low,middle,high low,middle,high,none; do
    echo "== $classes"
    run --classes $classes
done
echo "== the default"
run
perceptron inspect m | grep '^labels'
perceptron train line.svm $native --stream -o s | grep -e '^labels' -e '^mistakes'
perceptron train line.svm $native -o s --json | grep -o '"multiclass":"native","classes":"[a-z]*"'
echo "== the same bytes"
list="--classes low,middle,high"
for a in perceptron averaged voted arow pa1; do
    perceptron train line.svm -a $a --multiclass native $list --order file --epochs 3 -q -o m
    perceptron train line.svm -a $a --multiclass native $list --stream --epochs 3 -q -o s && same m s
done
perceptron learn --new $native $list -q -o l < line.svm
printf 'low 1:-2\nother 1:3\n' | perceptron learn l -q
echo "== stopped and resumed"
perceptron train line.svm $native --updates 2 -q -o part
perceptron train line.svm --resume part --updates 0 -q -o whole
perceptron train line.svm $native -q -o once && same whole once
try perceptron train line.svm --resume part --classes seen -o m
echo "== what is refused"
try perceptron train line.svm --classes low,high -o m
try perceptron train line.svm --classes low,high --stream -o m
try perceptron train line.svm --classes low,low,high -o m
try perceptron train line.svm --classes low -o m
try perceptron train line.svm --classes low,,high -o m
try perceptron train line.svm --classes all --stream -o m
try perceptron learn --new --classes all -o m
try perceptron train line.svm --classes all --positive low -o m
try perceptron train line.svm -a mlp --classes seen -o m
try perceptron train line.svm $native --init unit --classes seen -o m
