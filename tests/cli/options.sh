# All ways to write an option mean the same; "--" ends them.
. "$CASES/common"
perceptron train :blobs85 -q --epochs 3 --seed 5 --order shuffle -o a
perceptron train --epochs=3 --seed=5 -qo b :blobs85
perceptron train -ob -q --seed 5 --epochs 9 --epochs 3 -- :blobs85
same a b
perceptron train :blobs85 -q --no-offset -o c
perceptron inspect c | grep offset
perceptron generate halfspace --rows 5 > ./-x
perceptron train -q -o d -- -x && echo "trained on -x"
mkdir 'a dir' && perceptron generate halfspace --rows 5 -o 'a dir/a file.csv'
perceptron train -q -o 'a dir/a model' 'a dir/a file.csv' && ls 'a dir'
echo '# values that are missing'
try perceptron train :blobs85 --schedule 2>&1
try perceptron train :blobs85 --epochs 2>&1
try perceptron train :blobs85 --rate 2>&1
try perceptron train :blobs85 --positive 2>&1
try perceptron train :blobs85 --threads 2>&1
try perceptron generate halfspace --format 2>&1
