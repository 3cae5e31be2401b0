# A signal ends training, the model is saved, the exit status is 130. A shell starts what is in the
# background with SIGINT ignored, and who ignores SIGINT or SIGHUP does not hear of it.
. "$CASES/common"
for signal in INT TERM HUP; do
    heard perceptron train :xor --epochs 1000000000 -o m-$signal > report &
    computes $!
    kill -$signal $!
    wait $!
    echo "exit status $?"
    grep '^end' report | sed 's/pass [0-9]*/pass N/'
    perceptron predict m-$signal :xor | wc -l
done
(trap '' INT HUP; exec perceptron train :xor --epochs 1000000000 -o m > report) &
computes $!
kill -INT $!
kill -HUP $!
sed -n 's/^SigIgn.*\(.\)$/ignored: \1/p' /proc/$!/status
kill -TERM $!
wait $!
echo "exit status $?"
grep '^end' report | sed 's/pass [0-9]*/pass N/'
# verify has nothing to save: it ends at once, also where it waits for a certificate, and at its limit.
mkfifo certificate
exec 3<>certificate
heard perceptron verify - :xor <&3 2>&1 &
catches $!
kill -INT $!
wait $!
echo "exit status $?"
perceptron verify - :xor --time-limit 0.1 <&3 2>&1
echo "exit status $?"
# While data are read there is nothing to save: a signal ends the program, and it says so.
mkfifo rows
end_reading()
{
    heard perceptron $2 < rows &
    exec 3> rows
    echo '1 1:1' >&3
    catches $!
    kill -$1 $!
    wait $!
    echo "exit status $?"
    exec 3>&-
}
for command in 'train - -o none' 'prove -' 'convert - none.blocks' 'inspect -' 'test m-INT -' 'predict m-INT -'; do
    end_reading INT "$command"
done 2>&1 | sed 's/\(predict: interrupted\).*/\1/' # before a result, or from some row on
for signal in TERM HUP; do end_reading $signal 'train - -o none'; done 2>&1
# predict answers row by row, and does not wait for the next one; train --stream neither.
end_reading TERM 'predict m-INT -' 2>&1
end_reading HUP 'predict m-INT - -o none' 2>&1
end_reading TERM 'train - --stream --epochs 1 -q -o none' 2>&1
# (A file that is made to see whether it can be is removed by the next run, if a signal was faster.)
ls none none.blocks 2> /dev/null || echo 'nothing was written'
