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
perceptron generate halfspace --rows 20000 -o big.svm && perceptron train big.svm -q -o m --epochs 1
{ perceptron predict m big.svm --scores; echo "exit status $?" >&2; } | head -n 1 > /dev/null
ls
