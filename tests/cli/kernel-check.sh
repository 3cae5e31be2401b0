# Is the Gram matrix positive semi-definite? Eigenvalues are rounded: their last digits are
# those of the LAPACK at hand.
. "$CASES/common"
perceptron train :xor -q --kernel rbf --gamma 1 --check-kernel -o m >out 2>&1 || {
    grep -q LAPACK out && { echo "built without LAPACK"; exit 77; }
    cat out
}
rounded() { sed -e 's/\(-\{0,1\}[0-9]\.[0-9]\{3\}\)[0-9]*/\1/g'; }
check() { grep '^kernel' | rounded; }
perceptron train :xor --kernel rbf --gamma 1 --check-kernel -o m | check
perceptron train :iris --kernel rbf --check-kernel=40 -o m | grep '^kernel' | sed -e 's/(.*//'
perceptron train :iris --kernel rbf --check-kernel -o m | grep '^kernel' | sed -e 's/(.*//'
perceptron train :xor --kernel sigmoid --eta 2 --theta 1 -a perceptron --check-kernel -o m | check
perceptron train :xor --kernel rbf --gamma 1 --check-kernel --json -o m |
    sed -e 's/.*"kernel_check":{\([^}]*\)}.*/\1/' | tr , '\n' | grep -v -e tolerance | rounded
perceptron train :xor --kernel rbf --json -o m | tr , '\n' | grep kernel_check
try perceptron train :xor --check-kernel -o none.m
try perceptron train :xor --kernel rbf --check-kernel=1 -o none.m
try perceptron train :xor --kernel rbf --check-kernel=5001 -o none.m
try perceptron train :xor --kernel rbf --check-kernel=many -o none.m
try perceptron train :xor --kernel rbf --gamma 1 --stream --check-kernel -o none.m
try perceptron train :xor --resume m --check-kernel -o none.m
try perceptron train :xor -a svm --check-kernel -o none.m
ls
# It cannot be stopped half way: Ctrl-C ends the program, and does not wait for the eigenvalues.
need timeout
perceptron generate moons --rows 5000 --seed 1 -o moons.csv
timeout --preserve-status -s INT -k 600 1 perceptron train moons.csv -q --kernel rbf \
    --check-kernel=5000 --epochs 1000000 -a perceptron -o long.m 2>/dev/null
echo "exit status $?"
[ ! -e long.m ] || echo "it waited, and trained"
