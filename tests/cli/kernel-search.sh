# Folds, held-out rows and grids of machines with a kernel: gamma is a text in the table.
. "$CASES/common"
perceptron generate circles --rows 120 --noise 0.1 --seed 7 -o a.csv
perceptron train a.csv --scale none --kernel rbf --epochs 5 --folds 4 -o m | untimed
perceptron train a.csv --scale none --kernel rbf --epochs 5 --folds 4 --search 'gamma=0.01,1,scale,auto' -o m |
    untimed | sed -n '/points/,$p'
perceptron inspect m | grep ^kernel
perceptron train a.csv --kernel poly --epochs 5 --folds 4 --search 'degree=1,2,3' -o m |
    grep -e ^kernel -e ^search
perceptron train a.csv --epochs 5 --folds 4 --search 'kernel=none,linear,rbf' -o m | grep -e ^kernel
perceptron train a.csv --kernel rbf --holdout 0.3 -o m | grep -e ^end -e ^held
try perceptron train a.csv --kernel rbf --search 'gamma=1,foo' -o none.m
try perceptron train a.csv --kernel rbf --search 'degree=1,2' -o none.m
ls
