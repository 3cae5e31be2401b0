# What a model cannot give, and what it is then.
. "$CASES/common"
perceptron train :xor -q --epochs 3 -o linear
perceptron train :xor -a voted -q --epochs 3 -o votes
perceptron train :xor --map poly:2 -q --epochs 30 -o products
perceptron train :xor -a mlp --layers 2 -q --epochs 3 -o network
perceptron gate 'a&b' -q -o gate
: | perceptron learn --new -q -o untaught
try perceptron predict untaught :xor
try perceptron predict votes :xor --distance
try perceptron predict products :xor --projection
try perceptron predict network :xor --losses
try perceptron predict network :xor --distance
try perceptron predict gate :xor --distance
try perceptron predict gate :xor --proba
try perceptron predict linear :xor --proba
try perceptron predict linear :xor --margins --losses
printf '1 1:1\n2 1:1\n' > other.svm
try perceptron predict linear other.svm --losses
try perceptron predict linear :xor --margins --json
try perceptron predict none :xor
try perceptron predict linear :xor -o none/out
try perceptron test none :xor
try perceptron test linear none
# Labels longer than the buffer that they are put together in.
{ head -c 20000 /dev/zero | tr '\0' x; echo ' 1:1'; head -c 9000 /dev/zero | tr '\0' y; echo ' 1:-1'; } > long.svm
cat long.svm long.svm > four.svm
perceptron train long.svm -q -o long
perceptron predict long four.svm | awk '{ print substr($0, 1, 1), length }'
