# Rows set aside at their Nth mistake: by weights, and one class against the rest.
. "$CASES/common"
printf 'x1,x2,label\n0,0,-1\n0,1,1\n1,0,1\n1,1,-1\n1,1,1\n3,3,1\n' >or.csv
try perceptron train or.csv -a perceptron --scale none --order file --drop-after 3 -o m | untimed
try perceptron inspect m
try perceptron trace or.csv --order file --drop-after 3
perceptron trace or.csv --order file --drop-after 3 --json | tr '{' '\n' | grep '"set_aside":true'
perceptron train or.csv -q -a perceptron --scale none --order file --drop-after 3 --epochs 2 -o part.m
perceptron train or.csv -q --resume part.m --epochs 100 -o r.m && same m r.m
echo "== what a linear kernel does, weights do"
perceptron train or.csv -a perceptron --scale none --kernel linear --order file --drop-after 3 -o k.m |
    grep -e ^end -e ^mistakes -e ^set
echo "== one class against the rest: each has a problem of its own"
printf 'a 1:1 2:2\nb 1:2 2:1\nc 1:-1 2:3\na 1:2 2:1\nb 1:0 2:1\nc 1:1 2:0\na 1:1 2:1\n' >three.svm
for kernel in none linear poly; do
    perceptron train three.svm -a perceptron --order file --drop-after 4 --kernel $kernel \
        -o $kernel.m | grep -e ^end -e ^mistakes -e ^updates -e ^set
    perceptron predict $kernel.m three.svm --scores
done
for class in a b c; do
    perceptron train three.svm -a perceptron --order file --drop-after 4 --positive $class -o one.m |
        grep -e ^end -e ^set
    perceptron predict one.m three.svm --scores | tr '\n' ' ' && echo
done
perceptron inspect none.m --json | grep -o '"set_aside".*'
perceptron trace three.svm --order file --drop-after 4 | tail -n 5
echo "== a problem without rows"
printf 'a 1:0\nb 1:0\nc 1:0\na 1:0\nb 1:0\nc 1:0\n' >none.svm
try perceptron train none.svm -a perceptron --no-offset --drop-after 2 -o empty.m
test ! -e empty.m || echo "written"
echo "== line by line there are no rows to count"
try perceptron learn m </dev/null
