# Linear programming: a hyperplane that errs on no row, or the answer no.
. "$CASES/common"
perceptron train :and -a lp -q -o m 2>/dev/null || { echo "built without Clp"; exit 77; }
perceptron train :and -a lp -o m | untimed | sed -n '/^algorithm/,$p'
try perceptron train :xor -a lp -o none
ls none
