# Where learning starts, and how far a step goes.
. "$CASES/common"
weights() { perceptron inspect "$1" | grep -e offset -e '^[0-9]' -e '^passes'; }
for init in zero unit random; do
    echo "== $init"
    perceptron train :blobs85 -a perceptron -q --order file --init $init -o $init.m && weights $init.m
done
perceptron train :blobs85 -a perceptron -q --order file --init zero.m -o m && weights m
try perceptron train :blobs85 -a averaged --init zero.m -o m
perceptron train :blobs85 -a voted -q -o voted.m
try perceptron train :blobs85 -a voted --init voted.m -o m
try perceptron train :blobs85 -a voted --init unit -o m
try perceptron train :cancer -a perceptron --init zero.m -o m
try perceptron train :iris -a perceptron --init zero.m -o m
perceptron train :blobs85 -a averaged -q -o a.m
perceptron train :blobs85 -a averaged --init a.m -o m | grep '^end'
perceptron train :iris --init random --epochs 3 -o i.m | grep -e labels -e error
perceptron train :iris --init i.m --epochs 3 -o m | grep -e labels -e error
try perceptron train :blobs85 --init nowhere.safetensors -o m
perceptron train :and -a perceptron -q --order file -o one.m && weights one.m
perceptron train :and -a perceptron -q --order file --rate 0.25 -o quarter.m && weights quarter.m
perceptron train :and -a perceptron -q --order file --init unit --rate 0.25 -o m && weights m
perceptron train :not -a perceptron -q --order file --no-offset --epochs 3 -o m && weights m
try perceptron train :and --positive 7 -o m
perceptron train :and -a perceptron -q --order file --float32 -o m && same one.m m
