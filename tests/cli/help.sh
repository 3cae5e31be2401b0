# Help goes to stdout with exit status 0, and comes from the tables.
. "$CASES/common"
try perceptron help 2>/dev/null
perceptron --help >a; perceptron -h >b; perceptron help >c
same a b; same b c
perceptron help train >a; perceptron train --help >b
same a b
for command in train test predict learn trace inspect generate convert split sample demo help; do
    try perceptron help $command 2>/dev/null
done
try perceptron help train all 2>/dev/null
perceptron train --help all >a; perceptron train --help=all >b; perceptron help train all >c
same a b; same b c
perceptron help all >all
for command in train test predict learn prove verify gate trace inspect report plot generate convert split sample demo help; do
    perceptron help $command all
    [ $command = help ] || printf '\n\n'
done >each
same all each
try perceptron help train some
try perceptron train --help=some
try perceptron help algorithms 2>/dev/null
try perceptron train -a pa1 --help 2>/dev/null | grep -A 3 pa1
try perceptron generate moons --help 2>/dev/null
