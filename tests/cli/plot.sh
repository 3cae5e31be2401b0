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

echo '# a model over data: nothing is learned'
perceptron generate moons --rows 60 -o moons.csv >/dev/null
perceptron train moons.csv -q -a perceptron --kernel rbf -o k >/dev/null && perceptron plot k moons.csv -o k-moons/
perceptron train moons.csv -q --scale standard -o s >/dev/null && perceptron plot s moons.csv --picture boundary | head -1
perceptron plot m :iris --features 'petal length,petal width' --picture boundary | tail -2
perceptron plot moons.csv m; echo $?
perceptron plot m :iris --epochs 3; echo $?
perceptron plot m moons.csv; echo $?

echo '# the first to look at, and all'
perceptron plot :or -a perceptron --prove-limit 0 | tail -3
perceptron plot :or -a perceptron --prove-limit 0 --picture all | grep -c -e '-+-'
perceptron plot :or -a perceptron --picture all -o x.svg; echo $?

echo '# what is wrong'
perceptron plot :and --picture bundary; echo $?
perceptron plot :iris --prove-limit 0 --picture roc; echo $?
perceptron plot :and -o one.svg; echo $?
perceptron plot m --epochs 3; echo $?
perceptron plot :and --compare perceptron,pocket --picture weights -o x.svg; echo $?
perceptron plot nothing.csv --picture boundary; echo $?
echo text >file
perceptron plot :and -o file/; echo $?
perceptron plot :and -o no/such/folder/; echo $?
perceptron plot :and --picture boundary -o /dev/full; echo $?

echo '# the strip, one update, a network'
perceptron plot :and -a perceptron --order file --picture strip
perceptron plot :and -a perceptron --order file --show-update 8 --picture update
perceptron plot :and -a perceptron --order file --show-update 8 --picture turn --form threshold -o - | grep desc
perceptron plot :xor -a mlp --layers 2 --epochs 300 --seed 3 --picture network
perceptron plot :and -a perceptron --show-update 99; echo $?
perceptron plot two --show-update 2; echo $?

echo '# several orders'
perceptron plot :blobs85 -a perceptron --prove-limit 0 --orders 3 --picture orders --form threshold
perceptron plot :and -a perceptron --orders 2 --picture order-passes -o - 2>&1 >/dev/null
perceptron plot :blobs85 -a perceptron --orders 9; echo $?
perceptron plot :and -a lp --orders 3; echo $?
perceptron plot two :and --orders 3; echo $?
