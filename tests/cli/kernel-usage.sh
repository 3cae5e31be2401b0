# Kernels that are none, options that cannot be combined, numbers that run away: a clear
# error, and no model file.
. "$CASES/common"
t() { try perceptron train :xor -o m "$@"; }
t --kernel poly --degree 0
t --kernel rbf --gamma -1
t --kernel rbf --gamma 0
t --kernel rbf --gamma foo
t --kernel rbf --gamma nan
t --kernel gaussian --sigma -1
t --kernel rbf --degree 2
t --kernel sigmoid --gamma 1
t --kernel sigmoid --coef0 1
t --kernel gaussian --gamma 1
t --kernel linear --degree 2
t --kernel gauss
t --degree 2
t --cache 10
t --loop textbook
t --kernel rbf -a svm
t -a lp --gamma 1
# Aside and within a budget.
t --kernel rbf --drop-after 3
t --kernel rbf -a voted --drop-after 3
t --kernel rbf -a pocket --drop-after 3
t --kernel rbf -a margin --drop-after 3
t --kernel rbf -a pa1 --drop-after 3
t -a averaged --drop-after 3
t -a perceptron --drop-after 3 --init unit
t --kernel rbf -a perceptron --drop-after -1
t --kernel rbf -a perceptron --drop-after 1
t --kernel rbf -a perceptron --drop-after 3 --budget 5
t --kernel rbf -a voted --budget 5
t --kernel rbf -a averaged --budget 5
t --kernel rbf -a pocket --budget 5
t -a perceptron --budget 5
t --kernel rbf -a perceptron --budget 5 --cache 10
t --kernel rbf -a perceptron --budget 5 --loop textbook
t --kernel rbf -a perceptron --budget-policy random
t --kernel rbf -a perceptron --budget 5 --budget-policy forgetron --multiclass ovr
try perceptron train :iris -a perceptron --kernel rbf --budget 5 --budget-policy forgetron -o m
# Where to begin, and what is not known in time.
t --kernel rbf --init unit
t --kernel rbf --init random
echo '1 1:1 2:1' | try perceptron learn --new --kernel rbf -o m
echo '1 1:1 2:1' | try perceptron learn --new --kernel rbf --gamma scale -o m
echo '1 1:1 2:1' | try perceptron learn --new --kernel sigmoid --eta auto -o m
printf '1 1:1 2:1\n-1 1:2\n' >two.svm
try perceptron train two.svm --stream --epochs 1 --kernel rbf -o m
try perceptron train two.svm --stream --epochs 1 --kernel rbf --gamma auto -o m
try perceptron train two.svm --stream --epochs 1 -a perceptron --kernel rbf --gamma 1 --drop-after 2 -o m
# A cache that does not hold a row.
perceptron generate halfspace --rows 2000 --seed 1 -o a.svm
try perceptron train a.svm --kernel rbf --cache 0.001 --epochs 1 -o m
# Too large to be numbers.
printf '1 1:1 2:1\n-1 1:-1 2:1\n1 1:1e40 2:3\n-1 1:2\n' >large.svm
try perceptron train large.svm --kernel poly --degree 5 -o m
try perceptron train large.svm --kernel poly --degree 5 -a perceptron --loop textbook -o m
try perceptron train :iris --kernel poly --coef0 1e200 -o m
try perceptron train large.svm --kernel poly --degree 5 --stream --epochs 1 -o m
printf '1 1:1e155\n-1 1:-1\n' >edge.svm
try perceptron train edge.svm --kernel linear -a perceptron -o m
printf '1 1:1e80\n-1 1:-1\n' >far.svm
printf '1 1:1 2:1\n-1 1:-1 2:1\n' >small.svm
try perceptron train small.svm --kernel poly --degree 5 --validate far.svm -o m
perceptron train small.svm -q -a perceptron --kernel poly --degree 5 -o small.m
try perceptron predict small.m far.svm --scores
try perceptron test small.m far.svm
printf '1 1:1e80\n1:1e80\n' | try perceptron learn small.m -o online.m
ls
