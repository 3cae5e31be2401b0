# A grid of parameters: one table, the best is trained on all rows and saved.
. "$CASES/common"
perceptron train :cancer --scale standard --search "rule=perceptron,pa1 epochs=1,5,20" -o m 2>&1 |
    untimed
perceptron inspect m --top 1 | grep -v rows
perceptron train :cancer --scale standard --epochs 1 -q -o want; same m want
echo "== by held-out rows, and by F1"
perceptron train :iris -a perceptron --search "rate=1;epochs=5,10,20" --metric f1 --holdout 0.3 -o m 2>&1 |
    untimed
echo "== by more folds, and the AUC"
perceptron train :blobs85 --search "order=file,shuffle" --folds 10 --metric auc -o m 2>&1 | untimed |
    sed -n '/^Search/,$p'
echo "== options that some of the rules use"
perceptron train :cancer --scale standard --search "order=file rule=margin,pa1" --margin 2 --epochs 5 \
    -o m 2>&1 | sed -n '/^Search/,$p'
perceptron train :cancer --scale standard --search "rule=margin margin=1,2" --epochs 5 -o m 2>&1 |
    sed -n '/^Search/,/best/p'
echo "== JSON"
perceptron train :xor --search "epochs=1,2" --folds 2 --json -o m | untimed_json
