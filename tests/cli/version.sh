. "$CASES/common"
try perceptron --version
try perceptron --version > /dev/null
