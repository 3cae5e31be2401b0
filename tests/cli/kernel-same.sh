# The same model from every road: cache or none, textbook or not, one thread or more, stopped
# and gone on with, dense or sparse.
. "$CASES/common"
perceptron generate moons --rows 400 --seed 5 -o moons.csv
perceptron generate sparse --rows 300 --features 40 --nonzeros 6 --seed 6 -o sparse.svm
awk '{ for (i = 1; i <= 40; i++) v[i] = 0
       for (i = 2; i <= NF; i++) { split($i, p, ":"); v[p[1]] = p[2] }
       printf "%s", $1; for (i = 1; i <= 40; i++) printf " %d:%s", i, v[i]; print "" }' sparse.svm >dense.svm
for a in perceptron averaged voted pocket margin pa1; do
    echo "== $a"
    common="-q -a $a --kernel rbf --gamma 2 --epochs 5"
    perceptron train moons.csv $common -o whole.m
    perceptron train moons.csv $common --cache 0 -o nocache.m && same whole.m nocache.m
    perceptron train moons.csv $common --loop textbook -o textbook.m && same whole.m textbook.m
    perceptron train moons.csv $common --threads 1 -o one.m && same whole.m one.m
    perceptron train moons.csv $common --threads 2 -o two.m && same whole.m two.m
    perceptron train moons.csv $common --epochs 2 -o part.m
    perceptron train moons.csv -q --resume part.m --epochs 5 -o resumed.m && same whole.m resumed.m
    perceptron train sparse.svm -q -a $a --kernel poly --degree 2 --epochs 4 -o fast.m
    perceptron train sparse.svm -q -a $a --kernel poly --degree 2 --epochs 4 --loop textbook \
        -o slow.m && same fast.m slow.m
    perceptron train dense.svm -q -a $a --kernel poly --degree 2 --epochs 4 -o dense.m
    perceptron predict fast.m sparse.svm --scores >1
    perceptron predict dense.m sparse.svm --scores >2 && same 1 2
    perceptron predict whole.m moons.csv --scores --threads 1 >1
    perceptron predict whole.m moons.csv --scores --threads 2 >2 && same 1 2
done
for how in native ovr; do
    echo "== $how"
    perceptron train :iris -q --kernel rbf --multiclass $how --epochs 5 -o whole.m
    perceptron train :iris -q --kernel rbf --multiclass $how --epochs 5 --loop textbook \
        -o textbook.m && same whole.m textbook.m
    perceptron train :iris -q --kernel rbf --multiclass $how --epochs 2 -o part.m
    perceptron train :iris -q --resume part.m --epochs 5 -o resumed.m && same whole.m resumed.m
done
perceptron train :iris -q --resume part.m --epochs 5 --kernel rbf --cache 1 -o resumed.m
same whole.m resumed.m
perceptron train :iris -q --resume part.m --epochs 5 --loop textbook -o resumed.m
same whole.m resumed.m
try perceptron train :iris --resume part.m --gamma 3 -o m
try perceptron train :iris --resume part.m --kernel poly -o m
perceptron train :iris -q --resume part.m --epochs 5 --gamma scale -o resumed.m
same whole.m resumed.m
perceptron train :iris -q -a perceptron --kernel rbf --budget 9 --epochs 1 -o part.m
try perceptron train :iris --resume part.m --budget-policy random -o m
try perceptron train :iris --resume part.m --budget 8 -o m
# The kernel of the products.
perceptron train moons.csv -q --map poly:2 --kernel rbf --gamma 1 --epochs 3 -o mapped.m
perceptron inspect mapped.m | grep -e ^map -e ^kernel -e ^features
# One pass in file order, on a stream, line by line.
perceptron convert moons.csv plain.svm
perceptron train plain.svm -q -a perceptron --kernel rbf --gamma 2 --epochs 1 --order file -o file.m
perceptron train plain.svm -q -a perceptron --kernel rbf --gamma 2 --epochs 1 --stream -o stream.m
perceptron predict file.m plain.svm --scores >1
perceptron predict stream.m plain.svm --scores >2 && same 1 2
perceptron learn --new -a perceptron --kernel rbf --gamma 2 -o online.m <plain.svm | tail -n 2
perceptron predict online.m plain.svm --scores >3 && same 1 3
