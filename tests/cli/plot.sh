# Pictures as characters and as SVG files, of data and of models; and what cannot be drawn.
. "$CASES/common"

perceptron plot :and -a perceptron --prove-limit 0 --picture boundary
perceptron plot :and -a perceptron --picture weights -o w.svg && head -c 40 w.svg && echo
perceptron plot :xor -a perceptron --kernel rbf --prove-limit 0 -o pictures/
ls pictures
perceptron plot :and --compare perceptron,pocket --picture confusion

echo '# the same bytes again, on any number of threads'
perceptron plot :iris -q --prove-limit 0 --threads 1 -o one/
perceptron plot :iris -q --prove-limit 0 --threads 3 -o three/
diff -r one three && echo same

echo '# a model'
perceptron train :iris -q -o m >/dev/null && perceptron plot m
perceptron train :and -q -o two >/dev/null && perceptron plot two --picture boundary -o - | tail -1

echo '# what is wrong'
perceptron plot :and --picture bundary; echo $?
perceptron plot :iris --prove-limit 0 --picture roc; echo $?
perceptron plot :and -o one.svg; echo $?
perceptron plot m --epochs 3; echo $?
perceptron plot :and --compare perceptron,pocket --picture weights -o x.svg; echo $?
perceptron plot nothing.csv --picture boundary; echo $?
