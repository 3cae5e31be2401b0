# The same bytes for any number of threads.
. "$CASES/common"
perceptron generate sparse --rows 20000 --features 3000 --nonzeros 20 -o a.svm
perceptron generate blobs --rows 20000 --features 5 -o a.csv
for data in a.svm a.csv; do
    perceptron train $data --epochs 2 --threads 1 -q -o one.m
    perceptron predict one.m $data --scores --threads 1 -o one.txt
    for n in 2 3 8; do
        perceptron train $data --epochs 2 --threads $n -q -o m && same one.m m
        perceptron predict one.m $data --scores --threads $n -o out.txt && same one.txt out.txt
    done
done
