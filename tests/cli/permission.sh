. "$CASES/common"
[ "$(id -u)" -ne 0 ] || { echo "root may read everything"; exit 77; }
perceptron generate halfspace --rows 5 -o a.svm && chmod 0 a.svm
try perceptron train a.svm -o m
mkdir closed && chmod 555 closed
try perceptron train :and -o closed/m
