# The whole way: train, test, predict, inspect.
. "$CASES/common"
for set in :and :or :not :blobs85; do
    echo "== $set"
    perceptron train $set -a perceptron -o m --order file | untimed
    perceptron test m $set
    perceptron predict m $set | sort | uniq -c
done
perceptron train :and -a perceptron -o m --order file >/dev/null
perceptron predict m :and --scores
perceptron predict m :and --distance
perceptron predict m :and --distance --scores
perceptron predict m :and --scores -o answers; cat answers
perceptron inspect m
perceptron train :and -a perceptron -o - > m2 2> report && untimed < report
perceptron train :and -a perceptron -q -o m && same m m2
ls

echo '# the passes of a long run: every fourth of 20,000'
perceptron train :xor -a perceptron --epochs 20000 --json -q -o long.model | grep -o '"epoch":[0-9]*' > epochs
wc -l < epochs
sed -n '1,3p;$p' epochs
