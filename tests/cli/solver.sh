# What svm says of the problem it has solved.
. "$CASES/common"
for how in "-C 0.1" "-C0.1 --loss hinge" --C=10 --hard; do
    echo "== $how"
    perceptron train :and -a svm $how -o m | untimed | sed -n '/^algorithm/,$p'
done
echo "== JSON"
perceptron train :and -a svm --hard -o m --json | untimed_json
echo "== the answer is no"
try perceptron train :xor -a svm --hard -o none
echo "== undecided"
perceptron train :cancer -a svm --hard --scale standard --epochs 1 -o m >report
echo "exit status $?"; grep ^end report
echo "== a limit that matters less"
perceptron train :cancer -a svm --solver dual --scale standard --epochs 1 -o m >report
echo "exit status $?"; grep ^end report
echo "== the bound of the perceptron's mistakes"
perceptron train :blobs85 -a svm --hard -o m | grep -e ^margin -e ^mistake
perceptron train :blobs85 -a perceptron -o m | grep ^mistakes
echo "== wrong"
try perceptron train :and -a svm -C 0 -o none
try perceptron train :and -a svm -C -1 -o none
try perceptron train :and -a svm -o none -C
try perceptron train :and -C 1 -o none
try perceptron train :and -K 1 -o none
ls none
