# The weights with the fewest errors, and when they stood.
. "$CASES/common"
facts() { grep -e '^end' -e '^updates' -e '^training error' -e '^found'; }
for how in literal fast; do
    for set in :xor :cancer :iris; do
        echo "== $how $set"
        perceptron train $set -a pocket --pocket $how --epochs 10 -o m | facts
    done
done
perceptron generate halfspace --rows 500 --features 3 --noise 0.1 --seed 5 -o a.svm
for a in perceptron averaged pocket; do
    perceptron train a.svm -a $a --epochs 10 -o m | grep '^training error'
done
perceptron train a.svm -a pocket --pocket literal --epochs 10 -o m | facts
perceptron train a.svm -a pocket --epochs 10 --json -o m | tr , '\n' |
    grep -e found -e last_error -e training_error
perceptron train a.svm -a pocket --epochs 0 -o m | facts
perceptron trace :xor -a pocket | tail -n 5
