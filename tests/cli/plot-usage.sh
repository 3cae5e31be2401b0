# What cannot be drawn: models and data in each other's place, options that do nothing, names of
# pictures, places for them.
. "$CASES/common"
perceptron train :xor -q --epochs 3 -o lin
perceptron generate moons --rows 9 --seed 1 -o d.csv
try perceptron plot none d.csv
try perceptron plot :xor :and
mkfifo pipe && try perceptron plot pipe :and
try perceptron plot lin -a margin
try perceptron plot lin --compare margin,pa
try perceptron plot lin --features 1,2
try perceptron plot lin --epochs 3
try perceptron plot lin d.csv --epochs 3
try perceptron plot :xor --picture qqqqqqqq
try perceptron plot :xor --picture boundaryx
try perceptron plot :xor -o ''
try perceptron plot :xor --axes 1,2
try perceptron plot :xor --orders 2 --compare margin,pa
try perceptron plot :xor --compare perceptron,averaged,voted,pocket,margin,pa,pa1,pa2,svm
mkdir pictures && try perceptron plot :xor --picture boundary -o pictures
: > file && try perceptron plot :xor -o file/
perceptron plot :xor --orders 2 --picture orders -o - 2>&1 >/dev/null | sed -n 1,2p
ls
