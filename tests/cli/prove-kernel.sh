# Margins and bounds of kernels, several problems, and limits that come first.
. "$CASES/common"
perceptron prove :and -q 2>/dev/null || { echo "built without exact arithmetic"; exit 77; }
exact()
{
    try perceptron prove "$@" 2>&1 | untimed |
        sed -e 's/  *time$//' -e 's/   *[0-9][0-9.]* \(ns\|us\|ms\|s\|min.*\|h.*\)$//'
}
exact :xor --kernel rbf --margin
exact :xor --kernel gaussian --sigma 2 --margin
exact :xor --kernel poly --degree 2 --margin --bound --orders 1
exact :xor --kernel poly --degree 1
exact :and --no-offset --bound
exact :or --no-offset --margin
exact :iris --margin
exact :iris --time-limit 1e-9 -o c
exact :and --hulls --time-limit 1e-9
exact :and --bound --time-limit 1e-9
printf "x,y\n1,a\n2,b\n" > "it's.csv"
cp "it's.csv" "a b.csv"
try perceptron prove "it's.csv" --label y -o c | grep certificate
try perceptron prove "a b.csv" --label y -o c | grep certificate
echo '# more problems than are listed'
seq 12 | awk '{ print "c" $1, "1:" $1, "2:" $1 * $1 }' > many.svm
perceptron prove many.svm -q -o many.json
perceptron verify many.json many.svm | sed -e 1,5b -e '$!d'
