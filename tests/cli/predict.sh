. "$CASES/common"
perceptron generate halfspace --rows 200 --features 4 -o a.svm
perceptron train a.svm -q -o m
perceptron predict m a.svm > all
cut -d ' ' -f 2- a.svm > unlabelled; perceptron predict m unlabelled > out && same all out
perceptron predict m - < a.svm > out && same all out
perceptron predict m a.svm -o out && same all out
perceptron predict m :and
perceptron convert a.svm a.blocks -q && perceptron predict m a.blocks > out && same all out
sed 's/$/ 77:1 78:2/' a.svm > wide && perceptron predict m wide > out && same all out
perceptron predict m wide -q > out
perceptron test m wide | grep 'left out'
printf '+1 1:1\n+1 1:oops\n' > bad && try perceptron predict m bad -o never
ls never 2>&1
: > empty && try perceptron predict m empty
echo '# margins, losses, and the nearest point of the boundary'
perceptron train :and -q -a perceptron --order file -o and
perceptron predict and :and --projection --margins --losses --scores
perceptron predict and :and --projection --losses --json
printf '1:1 2:1\n1:3\n' | perceptron predict and - --margins
perceptron train :iris -q -o iris && try perceptron predict iris :iris --projection
try perceptron predict and bad --losses -o never
ls never 2>&1
