# Nothing that learn has answered is lost: rows that overflow, indices that take all memory, a second
# learner, another program that writes the file, saves and reads that fail.
. "$CASES/common"
numbers() { sed -e "s/process [0-9]*/process N/" -e "s/m\.[0-9][0-9]*/m.N/"; }

echo '# rows that overflow'
printf '%s\n' '1 1:1 2:0.5' '-1 1:-1 2:0.3' '1 3:1e308' '-1 3:1e308' 'new 3:1e308' '1 1:1' > wild.svm
try perceptron learn --new -q -o a < wild.svm
perceptron inspect a --json | grep -o '"examples":[0-9]*'
try perceptron train wild.svm -q -o b
try perceptron train wild.svm -q --stream --epochs 1 -o b
grep -v new wild.svm > two.svm
try perceptron train two.svm -q --folds 2 -a averaged -o b

echo '# indices'
printf '1 1:1\n-1 1:-1\n1 2147483647:1\n1 1:2\n' | try perceptron learn --new -q -o c
printf '1 1:1\n-1 1:-1\n1 2147483647:1\n' | try perceptron learn --new --hash 8 -q -o c

echo '# two learners'
mkfifo in
perceptron learn --new -q --every 1 -o m < in > answers 2> errors &
exec 3> in
printf '1 1:1\n-1 2:1\n' >&3
until grep -qs 'ack 2' answers; do sleep 0.05; done
try perceptron learn m 2>&1 < wild.svm | numbers
ln -s m link
try perceptron learn link 2>&1 < wild.svm | numbers
echo '# another program'
cp c m
printf '1 3:1\n' >&3
exec 3>&-
wait $! && rc=0 || rc=$?
cat answers errors | numbers
echo "exit status $rc"
same c m
perceptron inspect m.[0-9]* --json | grep -o '"examples":[0-9]*'
rm m.[0-9]*
echo '# a lock that a killed learner has left'
: > m.lock
echo '1 1:1' | try perceptron learn m -q
echo '# a file that only has the name of a lock'
echo "mine" > m.lock
echo "1 1:1" | try perceptron learn m -q 2>&1
printf '1 1:1\n-1 2:1\n' > rows.lock
try perceptron learn --new -q -o rows 2>&1 < rows.lock
cat m.lock rows.lock
rm m.lock rows.lock

echo '# saves and reads that fail'
[ -c /dev/full ] && echo '1 1:1' | try perceptron learn m -q -o /dev/full
( trap '' XFSZ; ulimit -f 8; printf '1 1:1\n-1 4000:1\n1 2:1\n' |
    try perceptron learn --new -q --every 2 -o big 2>&1 ) | cat
mkdir folder
try perceptron learn m -q < folder
try perceptron learn --new -q -o n < folder
ls
