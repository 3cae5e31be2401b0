# Probabilities: only of calibrated models; the answers stay those of the scores.
. "$CASES/common"
perceptron train :blobs85 --epochs 3 -q -o plain
try perceptron predict plain :blobs85 --proba
perceptron train :blobs85 --epochs 3 -q --calibrate -o m
perceptron predict m :blobs85 > labels
perceptron predict m :blobs85 --proba > p
head -n 3 p
cut -d ' ' -f 1 p > out && same labels out
awk '{ d = $2 + $3 - 1; if (d < -1e-15 || d > 1e-15) print "not 1:", $0 }' p
perceptron predict m :blobs85 --proba -q -o out && same p out
perceptron predict m :blobs85 --proba --scores --distance -q | head -n 2
perceptron predict m :blobs85 --proba --json | cut -c 1-220
perceptron test m :blobs85
perceptron test m :blobs85 --json | sed 's/.*"calibrated"/"calibrated"/'
perceptron test plain :blobs85 --json | sed 's/.*"calibrated"/"calibrated"/'
perceptron inspect m
perceptron inspect m --json --top 0 | sed 's/.*"solver"/"solver"/'
perceptron train :iris -q --calibrate -o three
perceptron predict three :iris --proba | sed -n '1p;51p;101p'
perceptron predict three :iris --proba --json | tail -c 120
perceptron test three :iris
perceptron inspect three --top 1
perceptron inspect three --class setosa --top 0
perceptron inspect three --json --top 0 | grep -o '"calibrated".*"features"'
# A label that is just as probable as the answer does not outdo it.
perceptron train :xor -q --calibrate --folds 2 -o even
perceptron predict even :xor --proba
perceptron predict even :xor --proba --json | tail -c 30
perceptron test even :xor | grep '^most'
# What learns more forgets its probabilities.
perceptron train :blobs85 -q --resume m --epochs 5 -o b && perceptron inspect b | grep calibrated
printf '1 1:2 2:3\n' | perceptron learn m -q -o b && perceptron inspect b | grep calibrated
# What a solver has said, its numbers aside.
numbers() { sed 's/[0-9][-+0-9.e]*/N/g'; }
perceptron train :blobs85 -a svm -q -o s
perceptron inspect s | sed -n '/^end/,/^calibrated/p' | numbers
perceptron inspect s --json | grep -o '"solver":{.*"calibrated"' | numbers
perceptron train :blobs85 -a svm --hard -q -o s
perceptron inspect s | sed -n '/^end/,/^calibrated/p' | numbers
perceptron inspect s --json | grep -o '"solver":{.*"calibrated"' | numbers
