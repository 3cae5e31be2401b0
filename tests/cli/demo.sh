. "$CASES/common"
perceptron demo
