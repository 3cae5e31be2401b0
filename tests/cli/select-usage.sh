# Options of model selection that are wrong, or cannot be combined: exit status 2, before
# anything is read or written.
. "$CASES/common"
bad()
{
    echo "\$ perceptron train $*"
    perceptron train "$@" -o none >out
    rc=$?
    [ $rc -eq 2 ] || echo "EXIT STATUS $rc"
    [ ! -s out ] || echo "STDOUT IS NOT EMPTY"
}
bad :and --folds 1
bad :and --folds 0
bad :and --folds three
bad :and --folds 2000000
bad :and --holdout 0
bad :and --holdout 1
bad :and --holdout 1.5
bad :and --holdout -0.1
bad :and --folds 2 --holdout 0.5
bad :and --folds 2 --validate :or
bad :and --holdout 0.5 --validate :or
bad :and --patience 3
bad :and --patience 3 --folds 2
bad :and --holdout 0.5 --patience -1
bad :and --metric f1
bad :and --metric f1 --folds 2
bad :and --search rate=1,2 --metric speed
bad :and --stream --folds 2
bad :and --stream --holdout 0.5
bad :and --stream --search rate=1,2
bad :and --stream --calibrate
bad :and --stream --learning-curve
bad :and --search ""
bad :and --search " ; "
bad :and --search rate
bad :and --search rate=
bad :and --search rate=1,,2
bad :and --search "rate=1 rate=2"
bad :and --search rat=1,2
bad :and --search C=1,2
bad :and --search rate=1,0
bad :and --search rate=1,x
bad :and --search order=file,sideways
bad :and --search checkpoint=a,b
bad :and --search positive=1,-1
bad :and --search class-weight=balanced
bad :and --search folds=2,3
bad :and --search rate=1,2 --rate 3
bad :and --search margin=1,2
bad :and --search seed=1,2
bad :and --search rate=1,1.0
bad :and --search epochs=1,1
bad :and -a svm --search C=1,1.0
bad :and --search rule=pa1,pa2 --margin 2
bad :and --search "rule=perceptron,pa margin=1,2"
bad :and --holdout 0.5 --patience 2 -a svm
bad :and --validate :or --patience 2 -a lp
bad - --validate -
bad :and --folds 2 --holdout 0.5 --no-calibrate
bad :and --folds 2 --validate :or --learning-curve
bad :iris --search rate=1,2 --metric auc
bad :and --search rate=1,2 --metric auc --multiclass native
perceptron train :and -q -o m
bad :and --resume m --folds 2
bad :and --resume m --validate :or
bad nowhere --folds 2 --holdout 0.5
ls none
