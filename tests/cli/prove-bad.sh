# What cannot be proved about is refused, with the reason.
. "$CASES/common"
perceptron prove :and -q 2>/dev/null || { echo "built without exact arithmetic"; exit 77; }
for option in '--scale standard' '--map poly:2' '--hash 8' '--float32' '--missing mean'; do
    try perceptron prove :and $option
done
try perceptron prove :and --scale none -q
try perceptron prove :and --scale wrong
try perceptron prove :xor --kernel sigmoid
try perceptron prove :xor --kernel cubic
try perceptron prove :iris --hulls
try perceptron prove :iris --positive rose
try perceptron prove :xor --degre 2
try perceptron prove
try perceptron prove no-such-file
try perceptron prove :and -o no-such-folder/cert.json
printf '1:1 2:1\n1:2\n' >unlabelled
try perceptron prove unlabelled
printf '1 1:1\n-1 1:1e\n' >bad
try perceptron prove bad
printf 'x,label\n1,a\n,b\n' >missing.csv
try perceptron prove missing.csv
printf '' >empty
try perceptron prove empty
echo "== an option that would do nothing"
try perceptron prove :and --gap 1e-3
try perceptron prove :and --orders 3
try perceptron prove :iris --negative setosa
try perceptron prove :iris --positive setosa --negative setosa
try perceptron prove :iris --positive setosa --negative rose
try perceptron prove :iris --positive setosa --negative virginica --bound
printf 'x,y,class\n1,2,a\n1,2,a\n1,2,b\n3,1e2,b\n' >dup.csv
printf 'a 1:1\na 1:2\n' >one
try perceptron prove one --bound
echo "== the data file is not written over"
cp dup.csv data.csv
ln -s data.csv link.csv
ln data.csv hard.csv
try perceptron prove data.csv -o data.csv
try perceptron prove data.csv -o link.csv
try perceptron prove link.csv -o ./data.csv
try perceptron prove data.csv -o hard.csv
try perceptron prove - -o data.csv <data.csv
try perceptron train data.csv -o data.csv
try perceptron train - -o link.csv <data.csv
perceptron train -q dup.csv -o m.safetensors
try perceptron predict m.safetensors data.csv -o data.csv
try perceptron learn m.safetensors -o data.csv <data.csv
same dup.csv data.csv
try perceptron prove dup.csv -q -o link.csv
[ -L link.csv ] && head -c 27 data.csv && echo
echo "== margins in the space of a kernel"
perceptron generate moons --rows 1001 -o moons.svm
try perceptron prove moons.svm --kernel rbf --margin
try perceptron prove :xor --kernel rbf --hulls
echo "== an answer that nobody could read"
[ -w /dev/full ] || echo "no /dev/full"
perceptron prove :xor >/dev/full
echo "exit status $?"
