# The index base is decided at training, said, kept, and never decided again.
. "$CASES/common"
printf '+1 0:1 1:2\n-1 0:-1 2:1\n' > zero
printf '+1 1:1 2:2\n-1 1:-1 3:1\n' > one
printf '+1 2:2\n-1 3:1\n' > late
perceptron train zero -a perceptron -o zero.m | grep -e base -e features
perceptron train one -a perceptron -o one.m | grep -e base -e features
perceptron train zero --index 0 -a perceptron -o a.m -q && same zero.m a.m
perceptron train one --index 1 -a perceptron -o a.m -q && same one.m a.m
try perceptron train zero --index 1 -o a.m
perceptron train one --index 0 -a perceptron -o b.m | grep -e base -e features
perceptron inspect zero.m | tail -n 4
perceptron inspect one.m | tail -n 4
perceptron predict one.m late --scores
perceptron predict zero.m late --scores
try perceptron predict one.m zero
printf '+1 1:1 9:5 10:7\n' > wide
perceptron predict one.m wide
