# A result that cannot be written is exit status 4 with a message.
. "$CASES/common"
[ -c /dev/full ] || { echo "no /dev/full here"; exit 77; }
perceptron train :and -q -o m
full() { echo "\$ perceptron $*"; perceptron "$@" > /dev/full; echo "exit status $?"; }
full help
full train :and -o m
full test m :and
full predict m :and
full inspect m
full trace :and
full generate moons
full convert :and - --to csv
full demo
full train :and -q -o -
echo '$ closed'; perceptron inspect m >&-; echo "exit status $?"
echo '$ /dev/full'; perceptron train :and -o /dev/full; echo "exit status $?"
# A reader that has seen enough: nothing is said, and the status is that of other tools. A model is
# saved for all that.
perceptron generate halfspace --rows 20000 -o big.svm && perceptron train big.svm -q -o m --epochs 1
perceptron generate sparse --rows 3000 --features 20000 -o wide.svm && perceptron train wide.svm -q -o wide --epochs 1
head() { { perceptron "$@"; echo "exit status $?: $1" >&2; } | command head -n 1 > /dev/null; }
head predict m big.svm --scores
head predict m big.svm --margins
head generate halfspace --rows 20000
head convert big.svm - --to csv
head convert big.svm - --to libsvm
head trace big.svm
head inspect wide --all
head gate 'a&b&c&d&e&f&g&h&i&j&k&l&m' --rows 10000
head learn m -o l < big.svm
perceptron test l big.svm > test && grep -c '^accuracy' test
ls
