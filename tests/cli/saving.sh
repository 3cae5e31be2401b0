# What cannot be written: a checkpoint is a warning, and the run goes on; the model itself is exit
# status 4, and where a checkpoint is, is said. A limit on the size of files is an error like others.
. "$CASES/common"
perceptron generate moons --rows 50 --seed 1 -o d.csv
try perceptron train d.csv --epochs 5 -q -o m --checkpoint /dev/full
perceptron train d.csv --epochs 5 -q -o m2
same m m2
rm m m2
try perceptron train d.csv --epochs 5 -q -o m --checkpoint none/c
ls m
rm m
echo "\$ a full checkpoint with --json"
perceptron train d.csv --epochs 5 --json -o m --checkpoint /dev/full 2>/dev/null |
    grep -o '"checkpoints[a-z_]*":[0-9]*'
try perceptron train d.csv --epochs 5 -q -o /dev/full --checkpoint c
ls c
echo "\$ ulimit -f"
perceptron generate blobs --rows 400 --features 200 --seed 1 -o wide.csv
(
    ulimit -f 8
    try perceptron train wide.csv -a voted --epochs 1 -q -o big
    try perceptron train wide.csv -a voted --epochs 1 -q -o /dev/null --checkpoint big
)
ls
# More weights than any machine has are refused before they are asked for.
seq 1000 | sed 's/.*/c& 1:1/' > classes.svm
echo 'c1001 2147483647:1' >> classes.svm
try perceptron train classes.svm -q -o huge
# Many labels, met in an order that is not theirs, and known beforehand: the same numbers.
seq 3000 | awk '{ print "c" ($1 * 7919 % 3001), $1 % 7 + 1 ":1", $1 % 11 + 8 ":1" }' > classes.svm
try perceptron train classes.svm -a perceptron --epochs 1 --order file -q -o met
try perceptron train classes.svm -a perceptron --epochs 1 --order file --classes all -q -o known
perceptron predict met classes.svm > a
perceptron predict known classes.svm | cmp - a && echo "the same answers"
