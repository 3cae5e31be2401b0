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
perceptron train :iris --json -o i | valid 'three labels'
perceptron test i :iris --json | valid 'three labels tested'
perceptron predict i :iris --json --scores | valid 'three labels predicted'
perceptron inspect i --json | valid 'three labels inspected'
perceptron trace :iris --epochs 1 --json | valid 'three labels traced'
perceptron train :and -a voted --json -o m | valid voted
perceptron test m :and --json | valid 'votes tested'
perceptron inspect m --json | valid 'votes inspected'
printf '"a ""b""\t\\\\c",y\n1,"no\nway"\n2,\303\251\n3,\377\n' > odd.csv
perceptron train odd.csv --label y --positive 'no
way' --json -o m | valid 'odd names'
perceptron inspect m --json | valid 'odd names inspected'
perceptron predict m odd.csv --json | valid 'odd names predicted'
printf '+1\n-1\n' > zero.svm
perceptron train zero.svm --epochs 1 --no-offset -o m -q
perceptron test m zero.svm --json | valid 'undefined numbers'
perceptron train :and -a perceptron --order file -o m --json | untimed_json
perceptron test m :and --json | untimed_json
perceptron inspect m --json
perceptron predict m :and --json --scores --distance
perceptron train :iris -a pocket --json -o m --epochs 1 | untimed_json
perceptron test m :iris --json | untimed_json
perceptron inspect m --json --top 1
perceptron predict m :iris --json --scores | cut -c 1-400
