# What cannot be proved about is refused, with the reason.
. "$CASES/common"
perceptron prove :and -q 2>/dev/null || { echo "built without exact arithmetic"; exit 77; }
for option in '--scale standard' '--map poly:2' '--hash 8' '--float32' '--missing mean'; do
    try perceptron prove :and $option
done
try perceptron prove :and --scale none -q
try perceptron prove :and --scale wrong
try perceptron prove :xor --kernel sigmoid
try perceptron prove :xor --kernel cubic
try perceptron prove :iris --hulls
try perceptron prove :iris --positive rose
try perceptron prove :xor --degre 2
try perceptron prove
try perceptron prove no-such-file
try perceptron prove :and -o no-such-folder/cert.json
printf '1:1 2:1\n1:2\n' >unlabelled
try perceptron prove unlabelled
printf '1 1:1\n-1 1:1e\n' >bad
try perceptron prove bad
printf 'x,label\n1,a\n,b\n' >missing.csv
try perceptron prove missing.csv
printf '' >empty
try perceptron prove empty
