# At most B support rows, from a file, a stream, or line by line.
. "$CASES/common"
facts() { grep -e '^end' -e '^kernel' -e '^mistakes' -e '^training error' -e '^support'; }
perceptron generate moons --rows 600 --seed 9 -o moons.csv
perceptron convert moons.csv moons.svm
for policy in random forgetron projectron; do
    echo "== $policy"
    common="-a perceptron --kernel rbf --gamma 2 --budget 20 --budget-policy $policy"
    perceptron train moons.svm $common --epochs 3 -o m | facts
    perceptron inspect m --top 3 | sed -n '/^support/,$p'
    perceptron train moons.svm -q $common --epochs 1 --order file -o file.m
    perceptron train moons.svm -q $common --epochs 1 --stream -o stream.m && same file.m stream.m
    perceptron learn --new $common -o online.m <moons.svm | tail -n 1
    perceptron predict file.m moons.svm --scores >1
    perceptron predict online.m moons.svm --scores >2 && same 1 2
    head -n 300 moons.svm | perceptron learn --new $common -o part.m >/dev/null
    tail -n 300 moons.svm | perceptron learn part.m >/dev/null
    perceptron predict part.m moons.svm --scores >3 && same 1 3
    perceptron train moons.svm -q $common --epochs 2 -o part.m
    perceptron train moons.svm -q --resume part.m --epochs 3 -o resumed.m && same m resumed.m
done
perceptron train :iris -a perceptron --kernel rbf --budget 10 --epochs 3 -o m | facts
perceptron train :iris -a pa1 --kernel rbf --budget 10 --multiclass native --epochs 3 -o m | facts
perceptron test m :iris | grep '^support'
# Neither numbers nor counters are kept: nothing is made up in their place.
perceptron inspect m --all | sed -n '/^support/,$p'
perceptron inspect m --json | grep -o -e '"kernel":{[^}]*}' -e '"counters.*'
perceptron inspect m --class setosa | sed -n '/^support/,$p'
perceptron inspect file.m --class 1 --top 4 | tail -n 6
perceptron inspect file.m --json --top 2 | grep -o '"counters.*'
perceptron train :iris -q -a perceptron --kernel rbf --budget 2 --epochs 1 --positive setosa -o m
perceptron inspect m --top 0 --json | grep -o '"counters.*'
# Without a budget the memory of a stream grows, and that is said.
for kernel in "none" "rbf --gamma 2 --budget 9" "rbf --gamma 2"; do
    perceptron train moons.svm --stream --epochs 1 -a perceptron --kernel $kernel -o m |
        grep -e '^end' -e '^support' -e '^stream'
done
