# Networks as models: probabilities without calibration, what inspect shows, what is refused.
. "$CASES/common"
perceptron train :iris --algorithm mlp --layers 6,4 --epochs 20 -q -o m
perceptron inspect m --top 2
perceptron inspect m --json --top 1 | sed 's/.*"calibrated"/"calibrated"/'
perceptron predict m :iris > labels
perceptron predict m :iris --proba > p
cut -d ' ' -f 1 p > out && same labels out
awk '{ d = $2 + $3 + $4 - 1; if (d < -1e-15 || d > 1e-15) print "not 1:", $0 }' p
perceptron test m :iris | grep -E 'accuracy|log loss|Brier'
perceptron train :xor --algorithm mlp --layers 4 --no-offset --optimizer sgd --epochs 5 -q -o two
perceptron inspect two | tail -n 12
try perceptron predict two :xor --distance
try perceptron inspect m --class setosa
echo '1 1:1e300' > huge
perceptron train :blobs85 --algorithm mlp --layers 30 --epochs 1 -q -o b
try perceptron predict b huge
perceptron gate 'sum = a ^ b; carry = a & b' -o half > /dev/null
perceptron inspect half
printf 'a,b\n0,1\n1,x\n' | try perceptron predict half -
printf 'a,b\n0,1\n1,3\n' > three.csv
try perceptron predict half three.csv
printf 'b,a\n1,0\n1,1\n' | perceptron predict half -
try perceptron predict half three.csv --proba
