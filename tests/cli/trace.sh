# Two traces that course notes get wrong: after the first update (1,2) is a
# mistake, and neither ever settles.
. "$CASES/common"
printf '%s\n' '+1 1:1 2:1' '+1 1:2 2:2' '-1 1:1 2:2' '-1 1:2 2:1' > turned.svm
perceptron trace turned.svm
perceptron trace :xnor --epochs 6
perceptron trace :and
perceptron trace :and --csv
perceptron trace :and --epochs 2 --json | untimed_json
perceptron trace :blobs85 --epochs 1 2>/dev/null | head -n 6
perceptron trace :iris --positive setosa --epochs 1 --csv 2>/dev/null | head -n 3
perceptron trace :iris --positive setosa --order shuffle --epochs 1 | tail -n 3
# Steps too small to move w: at a constant rate that goes on for ever; at one that falls
# nothing follows.
for schedule in constant 1/t; do
    perceptron trace :xor --no-offset --init unit --rate 1e-300 --schedule $schedule |
        tail -n 3
done
printf '+1\n-1\n' > empty.svm
perceptron trace empty.svm --epochs 2
echo '# with a threshold in place of the offset'
perceptron trace :and --epochs 1 --form threshold
perceptron trace :and -a averaged --epochs 1 --form threshold | tail -n 1
perceptron trace :and --epochs 1 --form threshold --csv -q | head -n 2
perceptron trace :iris --epochs 1 --form threshold --json | grep -o '"w":.*"theta":[^}]*' | tail -c 20; echo
perceptron trace :and --form threshhold; echo $?
