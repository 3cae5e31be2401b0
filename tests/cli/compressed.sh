# Plain or compressed, file or pipe: the same model.
. "$CASES/common"
perceptron generate halfspace --rows 3000 --features 7 --seed 3 -o a.svm
perceptron train a.svm -q -o plain.m
perceptron train - -q -o m < a.svm && same plain.m m
cat a.svm | perceptron train - -q -o m && same plain.m m
for z in gzip bzip2 xz zstd; do
    command -v $z >/dev/null 2>&1 || continue
    $z -c -q < a.svm > a.z
    perceptron train a.z -q -o m && cmp plain.m m || echo "$z differs"
    cat a.z | perceptron train - -q -o m && cmp plain.m m || echo "$z from a pipe differs"
done
need xz
xz -c a.svm | head -c 5000 > cut.xz
perceptron train cut.xz -o m 2>&1 | sed 's/short: .*/short/'
need gzip
gzip -c a.svm | head -c 5000 > cut.gz
perceptron train cut.gz -o m 2>&1 | sed 's/short: .*/short/'
perceptron train cut.gz -o m 2>/dev/null; echo "exit status $?"
