# What learn refuses before it begins.
. "$CASES/common"
try perceptron learn
try perceptron learn --new
try perceptron learn --new m
try perceptron learn --new -o -
try perceptron learn -
try perceptron learn missing
echo text > text; try perceptron learn text
perceptron train :and -q -o m
try perceptron learn m --rate 2
try perceptron learn m -a pa
try perceptron learn m --radius 2
try perceptron learn m --radius 2 --separation 0
try perceptron learn m --radius 2x --separation 1
try perceptron learn m --every 0
try perceptron learn m --epochs 3
try perceptron learn --new -o n -a perceptrom
try perceptron learn --new -o n -a pa --rate 3
try perceptron learn --new -o n --scale minmax
try perceptron learn --new -o n --class-weight balanced
try perceptron learn --new -o nowhere/n
try perceptron learn --new -o n -a pocket
perceptron train :and -q -a pocket -o pocket
try perceptron learn pocket
