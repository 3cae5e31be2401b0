# Wrong usage: exit status 2, nothing on stdout, a hint where one is sure.
. "$CASES/common"
bad()
{
    echo "\$ perceptron $*"
    perceptron "$@" >out
    rc=$?
    [ $rc -eq 2 ] || echo "EXIT STATUS $rc"
    [ ! -s out ] || echo "STDOUT IS NOT EMPTY"
}
bad
bad tran :and
bad frobnicate
bad -q train :and
bad help tran
bad train
bad train :and :or
bad train :and --epoch 3
bad train :and --rte 3
bad train :and --ofset
bad train :and --algo perceptron
bad train :and -a perceptrn
bad train :and -a data
bad train :and -a averged
bad train :and -a perceptron --margin 2
bad train :and -a perceptron --rule pa
bad train :and -a pa --rate 2
bad train :and --margin 2
bad train :and --rule pa1 --rate 2
bad train :and -a pocket --rule pa --aggressiveness 2
bad train :and --rule pegasos
bad train :and -a perceptron --pocket fast
bad train :and --multiclass tree
bad train :and --map cubic
bad trace :and --margin 1
bad trace :and --csv --json
bad train :and -z
bad train :and --epochs
bad train :and -o
bad train :and --epochs=
bad train :and --epochs three
bad train :and --epochs 1.5
bad train :and --epochs -1
bad train :and --epochs 99999999999999999999
bad train :and --rate nan
bad train :and --rate 0x10
bad train :and --rate 0
bad train :and --order sideways
bad train :and --no-offset=yes
bad train :and --json=yes
bad train :and --threads 0
bad train :and --threads many
bad train :and --scale big
bad train :and --stream --resume m
bad predict m
bad generate
bad generate mons
bad generate moons --margin 1
bad generate moons --format xml
bad convert :and out
bad convert :and out.xml
bad convert :and - --to xml
bad inspect
bad demo now
# Values that are missing, letters that ask for help, options and names that do not fit.
try perceptron train :xor -o
try perceptron train :xor --output
perceptron train -qh | head -n 1
try perceptron help train --json
try perceptron gate --neuron '1,1:x'
try perceptron gate --neuron '1;1'
try perceptron trace :xor -a svm
try perceptron trace none
try perceptron convert none - --to csv
try perceptron convert :xor - --to nothing
try perceptron report -q -- :none
perceptron gate 'a&b' -q -o gate
try perceptron train --resume gate :xor -o m
# Files in the wrong places: which is which, and what to type.
perceptron train :xor -q -o m
perceptron prove :xor -q -o c.json
perceptron convert :xor x.svm -q
perceptron convert :xor x.blocks -q
for data in x.svm x.blocks :xor; do
    try perceptron predict $data m
    try perceptron test $data m
    try perceptron verify $data c.json
    try perceptron plot $data m
done
for command in train trace prove report; do
    try perceptron $command m
done
try perceptron convert m x.csv
try perceptron inspect x.svm
try perceptron inspect x.blocks
try perceptron inspect c.json
try perceptron learn x.svm
try perceptron predict m c.json
try perceptron predict m m
try perceptron predict - m
try perceptron verify m x.svm
try perceptron verify x.svm m
try perceptron verify c.json m
try perceptron plot x.blocks --picture none
# The version, as people ask for it.
perceptron version
perceptron -V
