# In units of the rate: what is shown is scaled, and nothing else.
. "$CASES/common"
perceptron trace :and --rate 0.1 | tail -6
perceptron train :and -a perceptron --order file --rate 0.1 -o m | untimed
perceptron inspect m
perceptron predict m :and --scores
perceptron test m :and | grep -e '^E_n' -e loss -e margin
perceptron inspect m --json | grep -o '"unit":[^,]*'
echo '1 1:1 2:-4' | perceptron learn m -o m2 2>/dev/null
# Stopped and gone on; a stream.
perceptron train :and -a perceptron -q --order file --rate 0.1 --epochs 3 -o part
perceptron train :and -a perceptron -q --resume part --epochs 100 -o whole && same m whole
printf -- '-1 1:0 2:0\n-1 1:0 2:1\n-1 1:1 2:0\n1 1:1 2:1\n' >and.svm
perceptron train and.svm -a perceptron -q --order file --rate 0.1 -o memory
perceptron train and.svm -a perceptron -q --stream --rate 0.1 -o stream && same memory stream
try perceptron train :and -a perceptron --resume part --rate 0.2 -o m
# The rate in every step.
perceptron train :and -a perceptron --rate 0.1 --init unit -o m | grep '^rate'
perceptron train :and -a averaged --rate 0.1 --schedule 1/t -o m | grep '^rate'
# Answers of three classes and of a kernel are those of rate 1.
for how in '-a averaged' '-a pocket --multiclass native' '-a voted --kernel rbf'; do
    for rate in 1 0.3; do
        perceptron train :iris $how -q --epochs 3 --rate $rate -o m && perceptron predict m :iris | cksum
    done
done
