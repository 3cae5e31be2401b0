# Stopping and going on gives the bytes of one run.
. "$CASES/common"
perceptron generate halfspace --rows 2000 --features 9 --noise 0.1 --seed 3 -o a.svm
for order in file shuffle; do
    perceptron train a.svm -q --order $order --epochs 9 -o whole.m
    perceptron train a.svm -q --order $order --epochs 4 -o part.m
    perceptron train a.svm -q --resume part.m --epochs 9 -o resumed.m && same whole.m resumed.m
done
perceptron train a.svm -q --updates 100 -o part.m
perceptron train a.svm -q --updates 1000 -o whole.m
perceptron train a.svm -q --resume part.m --updates 1000 -o resumed.m && same whole.m resumed.m
perceptron train a.svm -q --epochs 9 --checkpoint last.m --every 4 -o whole.m
perceptron inspect last.m | grep passes
perceptron train a.svm -q --resume last.m --epochs 9 -o resumed.m
perceptron train a.svm -q --epochs 9 -o whole.m && same whole.m resumed.m
try perceptron train :and --resume whole.m -o m
try perceptron train a.svm --resume a.svm -o m
# Options may be said again, of the rule that the model has.
perceptron train a.svm -q --rule pa1 --aggressiveness 0.5 --epochs 2 -o part.m
perceptron train a.svm -q --rule pa1 --aggressiveness 0.5 --epochs 5 -o whole.m
perceptron train a.svm -q --resume part.m --aggressiveness 0.5 --epochs 5 -o m && same whole.m m
try perceptron train a.svm --resume part.m --aggressiveness 0.25 --epochs 5 -o m
try perceptron train a.svm --resume part.m --rule pa2 --epochs 5 -o m
try perceptron train a.svm --resume part.m --margin 2 --epochs 5 -o m
try perceptron train a.svm --resume part.m -a voted --epochs 5 -o m
