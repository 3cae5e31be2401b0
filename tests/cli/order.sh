# Each seed is another order; the same seed is the same model.
. "$CASES/common"
for seed in 0 1 2; do
    perceptron train :blobs85 -a perceptron -q --seed $seed -o a && perceptron train :blobs85 -a perceptron -q --seed $seed -o b
    same a b
    perceptron inspect a | grep -e passes -e mistakes -e '|w|'
done
