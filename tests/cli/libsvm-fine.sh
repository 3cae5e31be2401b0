# Harmless things are accepted and change nothing.
. "$CASES/common"
printf '+1 1:1 2:2\n-1 1:3\n+1\n-1 2:0.5\n' > plain
printf '+1 1:1 2:2\r\n-1 1:3\r\n+1\r\n-1 2:0.5\r\n' > crlf
printf '\357\273\277+1 1:1 2:2\n-1 1:3\n+1\n-1 2:0.5\n' > bom
printf '+1 1:1 2:2\n-1 1:3\n+1\n-1 2:0.5' > no-newline
printf '# a comment\n\n+1 1:1 2:2 # more\n\n\n-1 1:3\n+1\n-1 2:0.5\n' > comments
printf '+1 qid:3 1:1 2:2\n-1 qid:3 1:3\n+1 qid:4\n-1 qid:4 2:0.5\n' > qid
printf '  +1\t1:1   2:2 \n-1 1:3\t\n+1\n-1   2:0.5\n' > blanks
printf '+1 1:1.0 2:2e0\n-1 1:+3\n+1\n-1 2:.5\n' > numbers
printf '+1 2:2 1:1\n-1 1:3\n+1\n-1 2:0.5\n' > mixed
perceptron train plain -q -o plain.m
for f in crlf bom no-newline comments qid blanks numbers; do
    perceptron train $f -q -o m && same plain.m m
done
perceptron train mixed -q -o m; echo "exit status $?"
perceptron train mixed --unsorted -q -o m && same plain.m m
printf '5 1:1\n3 1:-1\n5 1:2\n' > a; perceptron train a -o m | grep labels
printf '3 1:-1\n5 1:1\n5 1:2\n' > a; perceptron train a -o m | grep labels
printf '10 1:-1\n9 1:1\n' > a; perceptron train a -o m | grep labels
printf 'spam 1:1\nham 1:-1\nspam 1:2\n' > a; perceptron train a -o m | grep labels
perceptron predict m a
