# Every --json is one valid document.
. "$CASES/common"
need python3
valid() { python3 -m json.tool > /dev/null && echo "valid: $1"; }
perceptron generate halfspace --rows 50 -o a.svm
perceptron train a.svm --json -o m | valid train
perceptron train a.svm --json --stream -o m | valid stream
perceptron test m a.svm --json | valid test
perceptron predict m a.svm --json | valid predict
perceptron predict m a.svm --json --scores --distance | valid scores
perceptron inspect m --json | valid inspect
perceptron trace :xor --json | valid trace
printf '"a ""b""\t\\\\c",y\n1,"no\nway"\n2,\303\251\n3,\377\n' > odd.csv
perceptron train odd.csv --label y --positive 'no
way' --json -o m | valid 'odd names'
perceptron inspect m --json | valid 'odd names inspected'
perceptron predict m odd.csv --json | valid 'odd names predicted'
printf '+1\n-1\n' > zero.svm
perceptron train zero.svm --epochs 1 --no-offset -o m -q
perceptron test m zero.svm --json | valid 'undefined numbers'
perceptron train :and --order file -o m --json | untimed_json
perceptron test m :and --json | untimed_json
perceptron inspect m --json
perceptron predict m :and --json --scores --distance
