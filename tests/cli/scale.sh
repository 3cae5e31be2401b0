. "$CASES/common"
for scale in none standard minmax maxabs unit by:10; do
    perceptron train :cancer -a perceptron --scale $scale --epochs 20 -q -o m
    perceptron predict m :cancer --scores | cksum
    perceptron inspect m | grep scale
done
try perceptron train :cancer --scale by:0 -o m
