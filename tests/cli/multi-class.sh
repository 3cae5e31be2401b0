# More than two labels: each against the rest, all at once, or one against the others.
. "$CASES/common"
perceptron train :iris -o m | untimed
perceptron test m :iris
perceptron inspect m
perceptron inspect m --class virginica --top 2 | tail -n 4
perceptron predict m :iris --scores | sed -n '1p;51p;101p'
perceptron predict m :iris | sort | uniq -c
perceptron train :iris --multiclass native -o native.m | grep -e labels -e error
perceptron test native.m :iris | grep -A3 truth
perceptron inspect native.m --top 1 | tail -n 7
perceptron train :and --multiclass native -a perceptron -q -o two.m && perceptron test two.m :and
perceptron predict two.m :and --scores
echo "== one label against the rest, one at a time and together"
perceptron train :iris --multiclass ovr -q --epochs 3 -a perceptron --order file -o all.m
for label in setosa versicolor virginica; do
    perceptron train :iris --positive $label -q --epochs 3 -a perceptron --order file -o m
    perceptron predict m :iris --scores | cut -d ' ' -f 2 > scores-$label
done
perceptron predict all.m :iris --scores | cut -d ' ' -f 2- > together
paste -d ' ' scores-setosa scores-versicolor scores-virginica > apart && same together apart
for label in setosa versicolor virginica; do
    perceptron train :iris -o m -a perceptron --positive $label --epochs 200 |
        grep -e labels -e end -e error
    perceptron test m :iris | grep -A3 truth
done
perceptron inspect m
try perceptron train :iris -o m --positive rose
try perceptron predict all.m :iris --distance
try perceptron inspect all.m --class rose
try perceptron inspect m --class setosa
echo "== labels that training has not met, and none"
perceptron convert :iris iris.csv -q
perceptron train iris.csv -q -o all.m
grep -v -e virginica iris.csv > two.csv && perceptron train two.csv -q -o two.m
sed 's/virginica/rose/' iris.csv > rose.csv
perceptron test two.m iris.csv | grep -e 'left out' -e '^labels' -e '^error'
perceptron test all.m rose.csv | grep -e 'left out' -e '^labels' -e '^error' -A14
perceptron test all.m rose.csv --json | tr , '\n' | grep -e '"unknown":50' -e unlabelled
grep -e label -e virginica iris.csv > other.csv && try perceptron test two.m other.csv
sed 's/setosa/a/; s/versicolor/b/; s/virginica/c/' iris.csv > abc.csv && try perceptron test all.m abc.csv
echo "== many labels"
awk 'BEGIN { for (i = 0; i < 120; i++) print i % 30, i % 30 + 1 ":1" }' > many.svm
perceptron train many.svm -o many.m | grep -e labels -e '^error' -e end
perceptron test many.m many.svm | grep -e confusion -e '^29' -e accuracy
perceptron test many.m many.svm --json | tr '[' '\n' | grep -c '^[0-9]*,[0-9]*,'
perceptron inspect many.m --top 1 | tail -n 3
echo "== step by step"
perceptron trace :iris --epochs 1 | sed -n '1,4p;52,55p;102,105p;156,$p'
perceptron trace :iris --multiclass native --epochs 1 | sed -n '1,4p;102,105p;155,$p'
perceptron trace :iris --multiclass ovr --epochs 1 --csv 2>/dev/null | sed -n '1,3p;52p;102p'
perceptron trace :iris -a averaged --epochs 1 | tail -n 3

echo '# ten labels are all shown'
for n in 10 11; do
    seq $n | sed 's/.*/k& &:1/' > labels.svm
    perceptron train labels.svm -q -o labels.model && perceptron inspect labels.model | grep '^labels'
done
