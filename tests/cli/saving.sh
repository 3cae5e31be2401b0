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
