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
try perceptron train cut.xz -o m
need gzip
gzip -c a.svm | head -c 5000 > cut.gz
try perceptron train cut.gz -o m
# What follows the data is more of them, or damage; after gzip zeros, too.
printf '1 1:1\n-1 1:-1\n' > b.svm
gzip -n -c b.svm > b.gz
{ cat b.gz; head -c 100 /dev/zero; } > zeros.gz
try perceptron convert zeros.gz - --to libsvm
{ cat b.gz; echo more; } > more.gz
try perceptron convert more.gz - --to libsvm 2>&1 | sed 's/byte [0-9]*/byte N/'
# Without a checksum: said once.
need zstd
zstd -q --no-check -c b.svm > loose.zst
try perceptron convert loose.zst - --to libsvm
try perceptron convert loose.zst - --to libsvm -q
perceptron train loose.zst -o m 2>&1 >/dev/null
perceptron train loose.zst --stream -o m 2>&1 >/dev/null
perceptron test m loose.zst 2>&1 >/dev/null
perceptron predict m loose.zst 2>&1 >/dev/null
perceptron predict m loose.zst --margins 2>&1 >/dev/null
perceptron plot m loose.zst 2>&1 >/dev/null
perceptron prove loose.zst -q -o c.json
perceptron verify c.json loose.zst 2>&1 >/dev/null
