# -q: not a word. Without a terminal: no progress line.
. "$CASES/common"
perceptron train :xor -q -o m
perceptron train :xor -o m --epochs 100000 > /dev/null
perceptron convert :and a.svm -q
perceptron convert :and a.svm > /dev/null
