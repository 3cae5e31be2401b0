# A network as a model: saved, looked at, and predicting; and a proof about its table.
. "$CASES/common"
try perceptron gate 'sum = a ^ b; carry = a & b' -q -o adder.safetensors
printf 'a,b\n0,0\n0,1\n1,0\n1,1\n' >rows.csv
printf 'b,a\n0,1\n1,1\n' >turned.csv
try perceptron predict adder.safetensors rows.csv
try perceptron predict adder.safetensors turned.csv --scores
try perceptron gate '(a & b) | !c' -q -o gate.safetensors --table table.csv
try cat table.csv
try perceptron predict gate.safetensors table.csv --scores
try perceptron test gate.safetensors table.csv
printf 'a,b,c\n0,1,0\n1,0.5,0\n' >half.csv
try perceptron predict gate.safetensors half.csv
printf 'a,b\n0,1\n' >lacks.csv
try perceptron predict gate.safetensors lacks.csv
printf '1 1:1\n' >pairs.svm
try perceptron predict gate.safetensors pairs.svm
try perceptron gate "s' = a & s; out = s" --unroll 3 --initial s=1 -q -o steps.safetensors
printf 'a.0,a.1,a.2\n1,1,0\n0,1,1\n' >steps.csv
try perceptron predict steps.safetensors steps.csv
echo "== the table of several outputs is one that 'test' takes"
try perceptron gate 'sum = a ^ b; carry = a & b' -q -o adder.safetensors --table adder.csv
try cat adder.csv
perceptron test adder.safetensors adder.csv | grep accuracy
try perceptron gate 'x = label ^ b; y = label' -q -o label.safetensors --table label.csv
try cat label.csv
perceptron test label.safetensors label.csv | grep accuracy
try perceptron gate 'sum = a ^ b; carry = a & b' -q --table sum.csv --of sum
try cat sum.csv
try perceptron gate "s' = a & s; t' = !s" -q --table states.csv
try cat states.csv
echo "== neurons that are no output have names that are free"
perceptron gate 'n1 ^ nn2 ^ c' -q -o names.safetensors
try perceptron gate 'n1 ^ nn2 ^ c' --rows 0
perceptron inspect names.safetensors | sed -n '/What fires/,$p'
perceptron inspect names.safetensors --json | sed 's/.*"neurons"/"neurons"/'
echo "== a neuron that listens to nothing"
perceptron gate 'a | !a' -q -o always.safetensors --table always.csv
perceptron test always.safetensors always.csv | grep accuracy
echo "== to standard output: the report goes aside"
perceptron gate '(a & b) | !c' -o - >aside.safetensors 2>report
same gate.safetensors aside.safetensors
head -n 2 report
perceptron gate '(a & b) | !c' -o - --json 2>&1 >aside.safetensors | cut -c 1-30
same gate.safetensors aside.safetensors
echo "== the same bytes again"
perceptron gate '(a & b) | !c' -q -o again.safetensors
same gate.safetensors again.safetensors
