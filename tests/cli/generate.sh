# The same options and seed give the same bytes, everywhere.
. "$CASES/common"
for kind in halfspace sparse blobs xor moons circles spirals; do
    perceptron generate $kind --rows 100 --seed 3 | cksum
    wide=
    [ $kind = sparse ] && wide='--features 6 --nonzeros 2'
    perceptron generate $kind --rows 4 --format csv $wide
done
perceptron generate halfspace --rows 3 -o a.csv && head -n 2 a.csv
perceptron generate halfspace --rows 3 -o a.svm && head -n 2 a.svm
perceptron generate halfspace --rows 3 -o a.blocks && perceptron convert a.blocks - --to libsvm -q
