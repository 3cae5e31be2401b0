# Formats go round without loss.
. "$CASES/common"
perceptron generate halfspace --rows 500 --features 6 --digits 15 -o a.svm
perceptron convert a.svm a.blocks
perceptron convert a.blocks b.svm && same a.svm b.svm
perceptron convert a.svm a.csv -q && perceptron convert a.blocks b.csv -q && same a.csv b.csv
perceptron train a.svm -q -o svm.m
perceptron train a.blocks -q -o blocks.m && same svm.m blocks.m
perceptron convert :and - --to csv
perceptron convert :and - --to libsvm -q
perceptron convert :iris - --to csv -q | head -n 3
{ head -c 300 a.blocks; printf x; tail -c +302 a.blocks; } > bad.blocks
try perceptron train bad.blocks -o m
head -c 2000 a.blocks > cut.blocks
try perceptron train cut.blocks -o m
