# Labels are exact: which texts are one label, how they are shown, and what proofs say of them.
. "$CASES/common"

# Two numbers that are one double are two labels, and no plane tells equal rows apart.
printf '9007199254740993 1:1\n9007199254740992 1:1\n9007199254740993 1:2\n' >big
try perceptron prove big -o big.json | grep -v -e ^proving
sed -n 's/.*"positive":"\([^"]*\)","negative":"\([^"]*\)".*/\1 against \2/p' big.json
try perceptron verify -q big.json big
# A certificate that names the neighbour's label is about no label of the data.
sed 's/9007199254740992/9007199254740991/' big.json >other.json
try perceptron verify other.json big

# As first written, in the order of the rows; 007 is a word. On any number of threads.
printf '+1 1:1\n1.0 1:2\n1e0 1:3\n-1 1:-1\n007 1:9\n7 1:-9\n' >forms
for threads in 1 4; do
    perceptron train forms -o m$threads --epochs 9 --threads $threads | grep '^labels'
done
same m1 m4
perceptron predict m1 forms
perceptron train forms --stream -o m2 --epochs 9 | grep '^labels'

# A model that says +1 is tested on data that say 1, and picked by either.
printf '+1 1:1\n-1 1:-1\n' >two
printf '1.0 1:1\n-1 1:-1\n' >same
perceptron train two -q -o m
perceptron test m same | grep '^error'
perceptron train two --positive 1 -q -o m && perceptron predict m same
perceptron train two --classes 1,-1 -q -o m && perceptron predict m same
perceptron train two --multiclass ovr -o m -q && perceptron inspect m --class 1.0 | grep '^label'
# The same rows in other words have one certificate.
perceptron prove -q two -o c.json
try perceptron verify -q c.json same
printf '2:1\n1 1:1\n+1 1:2\n1.0 1:-1\n' | perceptron learn --new -o m -q

# Not a number, or too much of one.
printf '1e999 1:1\n' >over
try perceptron train over -o m
printf '1e-9999999 1:1\n' >under
try perceptron train under -o m
