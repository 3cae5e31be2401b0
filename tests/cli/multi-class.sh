. "$CASES/common"
try perceptron train :iris -o m
try perceptron train :iris -o m --positive rose
for label in setosa versicolor virginica; do
    perceptron train :iris -o m --positive $label --epochs 200 |
        grep -e labels -e end -e error
    perceptron test m :iris | grep -A3 truth
done
perceptron inspect m
