# Linear programming: a hyperplane without errors, or the answer that there is none.
. "$CASES/common"
perceptron train :and -a lp -q -o m 2>/dev/null || { echo "built without Clp"; exit 77; }
perceptron train :and -a lp -o m | untimed | sed '/^data /,/^memory /d'
try perceptron train :xor -a lp -o none
perceptron train :xor -a lp -o none --json | untimed_json
perceptron train :xor -a lp -o none --json >/dev/null; echo "exit status $?"
printf '1 1:1\n1 1:0\n-1 1:-1\n' >zero
try perceptron train zero -a lp --no-offset -o none
echo "== few of many rows are to blame"
perceptron generate xor --rows 2000 -o many
perceptron train many -a lp -o none 2>&1 | tail -n 1
printf '1 1:1\n-1 1:1.0000000000000002\n' >near
perceptron train near -a lp -o m >report
echo "exit status $?"; grep ^end report
ls none
