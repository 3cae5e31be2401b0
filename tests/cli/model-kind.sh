# Data of another kind than the model's are refused, not guessed at; missing cells are
# treated as in training.
. "$CASES/common"
printf '+1 1:5 2:0\n-1 1:0 2:5\n' >m.svm
printf 'a,b,label\n5,0,1\n0,5,-1\n' >m.csv
printf 'a,b,label\n5,,1\n0,5,-1\n' >gap.csv
printf 'a,b,label\n5,,1\n,5,-1\n' >gaps.csv
printf 'a,b,label\n5,1,x\n0,5,y\n' >others.csv
perceptron train m.svm -q -o svm.model
perceptron train m.csv -q -o csv.model
perceptron train gap.csv --missing mean -a perceptron -q -o mean.model
try perceptron predict svm.model m.csv
try perceptron predict csv.model m.svm
try perceptron predict csv.model gap.csv --missing mean
try perceptron predict csv.model gap.csv --missing drop
try perceptron predict csv.model gap.csv --missing zero
try perceptron predict mean.model gap.csv --scores
try perceptron test csv.model others.csv
try perceptron train gaps.csv --missing drop
try perceptron train svm.model
