# Ctrl-C ends training, the model is saved, the exit status is 130.
. "$CASES/common"
for signal in INT TERM; do
    perceptron train :xor --epochs 1000000000 -o m-$signal > report &
    catches $!
    kill -$signal $!
    wait $!
    echo "exit status $?"
    grep '^end' report | sed 's/pass [0-9]*/pass N/'
    perceptron predict m-$signal :xor | wc -l
done
