# A kernel that is given as a matrix: that of (x.z + 1)^2 for the corners of a square.
. "$CASES/common"
printf '1,1,1,1,-1\n1,4,1,4,1\n1,1,4,4,1\n1,4,4,9,-1\n' >k.csv
printf -- '-1 1:1 2:1 3:1 4:1\n1 1:1 2:4 3:1 4:4\n1 1:1 2:1 3:4 4:4\n-1 1:1 2:4 3:4 4:9\n' >k.svm
printf -- '-1 0:1 1:1 2:1 3:1 4:1\n1 0:2 1:1 2:4 3:1 4:4\n1 0:3 1:1 2:1 3:4 4:4\n-1 0:4 1:1 2:4 3:4 4:9\n' >n.svm
k="-a perceptron --kernel precomputed --order file"
perceptron train k.csv $k -o k.m | untimed
perceptron train :xor -a perceptron --kernel poly --degree 2 --order file -o x.m | grep -e '^mistakes' -e '^passes' -e '^R '
perceptron inspect k.m
perceptron predict x.m :xor --scores
for f in k.csv k.svm n.svm; do
    perceptron train $f $k -q -o m
    perceptron predict m $f --scores
done
# New rows: a rectangle.
printf '1,2.25,2.25,4\n1,6.25,6.25,16\n' >new.csv
perceptron predict k.m new.csv --scores
perceptron convert k.csv k.blocks
perceptron train k.blocks $k -q -o b.m && perceptron predict b.m k.blocks --scores
# A part of the rows, by their numbers.
sed -n -e 4p -e 2p n.svm >part.svm
perceptron train part.svm $k -q -o p.m && perceptron predict p.m n.svm --scores
perceptron train n.svm $k --holdout 0.5 --epochs 3 -o m | grep -e '^support' -e held
perceptron train k.csv $k --folds 2 --epochs 3 -q -o m && echo folds
# Is it a kernel?
perceptron train k.csv $k -q --check-kernel -o m >out 2>&1 || {
    grep -q 'no exact arithmetic' out && { echo "built without GMP"; exit 77; }
    cat out
}
check() { perceptron train "$1" $k --epochs 1 --check-kernel -o m | grep check; }
check k.csv
check part.svm
printf '1,2,a\n2,1,b\n' >no.csv
check no.csv
perceptron train no.csv $k --epochs 1 --check-kernel --json -o m | tr '{' '\n' | sed -n 's/^\("rows":2,"semi[^}]*\).*/\1/p'
printf '0.01,0.1,a\n0.1,0.99999999999999999999999999999,b\n' >near.csv
check near.csv
# What is none.
t() { try perceptron train "$@" $k -o none.m; }
t :xor
t k.svm --index 0
t k.csv --holdout 0.25
t k.csv --scale unit
t k.csv --map poly:2
t k.csv --gamma 1
t k.csv --stream
t k.csv --check-kernel --float32
printf '1,2,a\n3,1,b\n' >not.csv
t not.csv
printf '1,2,a\n2.00000000000000000001,1,b\n' >long.csv
t long.csv --check-kernel
printf 'a 0:1 1:2 2:1\nb 0:1 1:1 2:2\n' >twice.svm
t twice.svm
printf 'a 0:1 1:2 2:1\nb 0:2.5 1:1 2:2\n' >half.svm
t half.svm
perceptron train k.svm $k -q -o m
printf '1 1:1 2:2 3:3\n' >short.svm
printf '1 1:1 2:2 3:3 4:4 5:5\n' >wide.svm
try perceptron predict m short.svm
try perceptron predict m wide.svm
try perceptron predict k.m wide.svm
printf '1,1,1,1,-1\n' | try perceptron learn k.m -o none.m
printf '1,1,1,1,-1\n' | try perceptron learn --new -a perceptron --kernel precomputed -o none.m
try perceptron prove k.csv --kernel precomputed
