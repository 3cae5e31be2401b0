# Proofs: each verdict, and what shows it.
. "$CASES/common"
perceptron prove :and -q 2>/dev/null || { echo "built without exact arithmetic"; exit 77; }
prove()
{
    echo "\$ perceptron prove $*"
    perceptron prove "$@" >report && rc=0 || rc=$?
    untimed <report | sed 's/  *[0-9.]* [mu]*s$//; s/  *time$//'
    [ "$rc" -eq 0 ] || echo "exit status $rc"
}
for set in :and :or :xor :xnor :iris; do prove $set; done
prove :iris --positive setosa --margin
prove :iris --problems pairs --quick
printf 'b 1:0 2:0\na 1:1 2:0\nb 1:3 2:0\nb 1:1 2:2\na 1:2 2:-1\n' >touching
prove touching -o touching.json
prove touching --hulls
prove touching --quick
prove touching --no-offset
prove :and --no-offset
prove :xor --kernel poly --degree 2
prove :xor --kernel poly --degree 2 --coef0 0
prove :xor --kernel rbf
prove :and --kernel linear
printf 'a 1:1 2:0.50\nb 1:2\nb 1:1 2:0.5\n' >equal
prove equal
prove equal --kernel gaussian --sigma 3
echo "== names, lines, and what statisticians look for"
printf 'dose,age,smoker,relapse\n1,40,0,no\n2,35,0,yes\n2,52,0,no\n\n3,47,0,yes\n3,44,0,no\n' >patients.csv
printf '4,61,0,no\n2,58,1,yes\n4,39,1,yes\n' >>patients.csv
prove patients.csv --label relapse -o cert.json
echo "== one class, one row, many rows"
printf 'a 1:1\na 1:2\n' >one
prove one
prove one --no-offset
printf 'a 1:1\na 1:-1\n' >line
prove line --no-offset
perceptron generate xor --rows 500 --seed 3 -o many.svm
prove many.svm --quick
echo "== the decimals of the file"
printf 'a 1:0 2:0.1\na 1:1 2:0.3\nb 1:0.5 2:0.2\n' >tenths
prove tenths
printf '1 1:1\n-1 1:1.0000000000000000000001\n' >near
prove near
printf 'x,y,class\n0,0,a\n1,1,a\n1,0.999999999999999999999,b\n2,1.5,b\n' >tiny.csv
prove tiny.csv --margin
echo "== one pair of several labels"
prove :iris --positive virginica --negative versicolor
prove :iris --positive setosa --negative versicolor --margin
echo "== rows that are left out, weights, names with signs, and a rank that is not full"
printf 'x,y,class\n1,,a\n1,5,b\nNA,3,b\n' >miss.csv
prove miss.csv --missing drop --hulls --margin
printf 'x,w,class\n1,0,a\n1,2,b\n2,1,b\n' >w.csv
prove w.csv --weight w
printf '"x, in cm",colour,"the class"\n1,blue,"yes, sure"\n2,"green, dark",no\n3,blue,no\n' >q.csv
prove q.csv --label "the class"
printf '1 1:1 2:1\n-1 1:1 2:1\n1 1:2 2:2\n-1 1:2 2:2\n' >flat
prove flat
printf '1 1:1 2:2\n-1 1:2 2:4\n' >along
prove along --no-offset
printf '1 1:1 2:2\n-1 1:1 2:2\n' >equal
prove equal
prove touching --quick --hulls
echo "== the mistake bound"
prove :and --bound --orders 2 --margin
prove :xor --bound --margin
echo "== nothing but the answer"
try perceptron prove :and -q
try perceptron prove :xor -q
try perceptron prove :xor -q --time-limit 1e-9
prove :xor --time-limit 1e-9 -o none.json
[ -e none.json ] || echo "no file"

echo '# a dozen corners are all shown'
seq 12 | awk 'BEGIN { print "x,y,class"; print "0,-100,b"; print "1,-101,b" } { print $1 "," $1 * $1 ",a" }' > dozen.csv
perceptron prove dozen.csv --hulls | grep '^hull of a'
