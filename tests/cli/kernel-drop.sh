# Rows set aside at their Nth mistake.
. "$CASES/common"
perceptron generate blobs --rows 60 --seed 2 -o a.csv
# Two rows with the label of the others.
{ cat a.csv; sed -n '2p;40p' a.csv | sed -e 's/,-1$/,x/' -e 's/,1$/,-1/' -e 's/,x$/,1/'; } >b.csv
perceptron train b.csv --scale none -a perceptron --kernel rbf --gamma 1 --epochs 50 -o never.m |
    grep -e ^end -e '^training error'
perceptron train b.csv --scale none -a perceptron --kernel rbf --gamma 1 --drop-after 4 -o m | untimed
perceptron inspect m | grep -e '^support' -e '^counters' -e '^set'
perceptron train b.csv --scale none -a perceptron --kernel rbf --gamma 1 --drop-after 4 --json -o m |
    tr -d '\n' | sed -e 's/.*\("set_aside":\[[^]]*\]\).*/\1/' && echo
perceptron train b.csv --scale none -q -a perceptron --kernel rbf --gamma 1 --drop-after 4 --loop textbook -o t.m
same m t.m
perceptron train b.csv --scale none -q -a perceptron --kernel rbf --gamma 1 --drop-after 4 --epochs 3 -o part.m
perceptron train b.csv -q --resume part.m --epochs 100 -o r.m && same m r.m
perceptron predict m b.csv | sort | uniq -c
printf 'x1,x2,label\n0,0,-1\n0,1,1\n1,0,1\n1,1,-1\n1,1,1\n' >xor.csv
perceptron trace xor.csv --kernel rbf --gamma 1 --drop-after 3 --epochs 20
perceptron train xor.csv -a perceptron --kernel rbf --gamma 1 --drop-after 3 --order file -o m |
    grep -e ^end -e ^set -e '^support' -e '^training error'
perceptron inspect m | tail -n 4
perceptron trace xor.csv --kernel rbf --gamma 1 --drop-after 3 --csv
perceptron trace xor.csv --kernel rbf --gamma 1 --drop-after 3 --json | tr '{' '\n' |
    grep -e '"set_aside":true' -e settled -e line
# A counter belongs to a row, also where others are equal to it.
perceptron train xor.csv -q -a perceptron --kernel rbf --gamma 1 --drop-after 5 --order file -o m
perceptron inspect m | tail -n 6
printf 'x1,x2,label\n0,0,-1\n0,0,1\n0,0,1\n0,0,1\n1,1,-1\n' >dup.csv
perceptron train dup.csv -a perceptron --kernel rbf --gamma 1 --order file --epochs 3 -o m |
    grep -e ^updates -e ^support
perceptron inspect m | tail -n 5
perceptron inspect m --class -1 | tail -n 3
perceptron inspect m --class 1 --json | grep -o '"support_rows.*'
# Lines of the file, which are not the rows where there are others between them.
printf '# c\n\n1 1:0 2:1\n\n-1 1:1 2:1\n# foo\n1 1:1 2:1\n\n-1 1:0 2:0\n' >cm.svm
perceptron train cm.svm -a perceptron --kernel rbf --gamma 1 --order file --drop-after 3 -o m |
    grep -e ^end -e ^set
# Nothing is left where K(x, x) < 0: a row is never learned.
printf '1 1:1\n-1 1:2\n' >none.svm
negative="--kernel sigmoid --eta 1 --theta -9 --no-offset --drop-after 2"
try perceptron train none.svm -a perceptron $negative -o none.m
try perceptron trace none.svm $negative
test ! -e none.m || echo "written"
printf 'x1,x2,label\n0,0,a\n0,1,b\n1,0,b\n1,1,c\n1,1,b\n' >three.csv
perceptron train three.csv -a perceptron --kernel rbf --gamma 1 --drop-after 3 --order file \
    --multiclass native -o m | grep -e ^end -e ^set -e '^support' -e '^training error'
