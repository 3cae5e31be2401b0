# Products of features: xor is separable then.
. "$CASES/common"
perceptron train :xor --map poly:2 -a perceptron --order file -o m | untimed
perceptron inspect m
perceptron predict m :xor --scores
perceptron test m :xor | grep accuracy
perceptron trace :xor --map poly:2 | tail -n 8
perceptron trace :xor --map poly:2 --csv 2>/dev/null | head -n 2
perceptron train :iris --map poly:2 --scale standard -o m | grep -e '^map' -e error
perceptron inspect m | tail -n 5
perceptron train :xor --map poly:3:hash:6 -o m | grep -e '^map' -e end
perceptron inspect m | grep -e '^map' -e features
perceptron train :xor --map poly:1 -q -o one.m && perceptron train :xor -q -o m && same one.m m
for map in poly poly: poly:0 poly:99 poly:x poly:2:hash poly:2:hash:99 cubic; do
    try perceptron train :xor --map $map -o m
done
printf '1 1:1 100000:1\n2 2:1\n' > wide.svm
try perceptron train wide.svm --map poly:2 -o m
try perceptron predict m :xor --map poly:2
