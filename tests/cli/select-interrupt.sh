# Ctrl-C while models are compared: nothing is saved, the exit status is 130. While rows are
# held out the best so far is kept: of those passes that were made when the checkpoint is there.
. "$CASES/common"
interrupt()
{
    echo "\$ perceptron train $*"
    heard perceptron train "$@" -o m >report &
    computes $!
    until [ -z "$checkpoint" ] || [ -f $checkpoint ]; do sleep 0.05; done
    kill -INT $!
    wait $!
    echo "exit status $?"
    rm -f $checkpoint
    ls
    rm -f m
}
checkpoint=
interrupt :iris --epochs 1000000000 --folds 2
interrupt :iris --epochs 1000000000 --search "rate=1,2" --holdout 0.5 --patience 0
interrupt :iris --epochs 1000000000 --learning-curve --folds 2
checkpoint=c
interrupt :iris --epochs 1000000000 --holdout 0.5 --patience 0 --checkpoint c
grep -e ^end -e ^best report | sed 's/[0-9][0-9,]*/N/g'
