# --stream gives the bytes of training in memory in file order.
. "$CASES/common"
perceptron generate halfspace --rows 5000 --features 9 --noise 0.1 --seed 3 -o a.svm
for epochs in 1 3; do
    perceptron train a.svm -q --order file --epochs $epochs -o memory.m
    perceptron train a.svm -q --stream --epochs $epochs -o stream.m && same memory.m stream.m
done
perceptron train a.svm -q --order file --epochs 1 -o memory.m
cat a.svm | perceptron train - -q --stream --epochs 1 -o stream.m && same memory.m stream.m
cat a.svm | perceptron train - -q --stream --epochs 2 -o stream.m
echo "exit status $?"
perceptron train a.svm --stream --epochs 2 -o stream.m | untimed
printf '1 1:1\n2 1:2\n1 1:3\n3 1:4\n' > three
perceptron train three --stream --epochs 1 -o stream.m | untimed
perceptron train three --order file --epochs 1 -q -o memory.m && same memory.m stream.m
perceptron train - --stream --epochs 1 -o m < three | untimed
try perceptron train a.svm --stream --scale standard --epochs 1 -o stream.m
try perceptron train a.svm --stream --order shuffle --epochs 1 -o stream.m
