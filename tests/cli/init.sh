# Where learning starts, and how far a step goes.
. "$CASES/common"
weights() { perceptron inspect "$1" | grep -e offset -e '^[0-9]' -e '^passes'; }
for init in zero unit random; do
    echo "== $init"
    perceptron train :blobs85 -q --order file --init $init -o $init.m && weights $init.m
done
perceptron train :blobs85 -q --order file --init zero.m -o m && weights m
try perceptron train :blobs85 --init nowhere.safetensors -o m
perceptron train :and -q --order file -o one.m && weights one.m
perceptron train :and -q --order file --rate 0.25 -o quarter.m && weights quarter.m
perceptron train :and -q --order file --init unit --rate 0.25 -o m && weights m
perceptron train :not -q --order file --no-offset --epochs 3 -o m && weights m
try perceptron train :and --positive 7 -o m
perceptron train :and -q --order file --float32 -o m && same one.m m
