# Ctrl-C while models are compared: nothing is saved, the exit status is 130. While rows are
# held out the best so far is kept.
. "$CASES/common"
interrupt()
{
    echo "\$ perceptron train $*"
    perceptron train "$@" -o m >report &
    sleep 1
    kill -INT $!
    wait $!
    echo "exit status $?"
    ls
    rm -f m
}
interrupt :iris --epochs 1000000000 --folds 2
interrupt :iris --epochs 1000000000 --search "rate=1,2" --holdout 0.5 --patience 0
interrupt :iris --epochs 1000000000 --learning-curve --folds 2
interrupt :iris --epochs 1000000000 --holdout 0.5 --patience 0
grep -e ^end -e ^best report | sed 's/[0-9][0-9,]*/N/g'
