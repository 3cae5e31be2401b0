# Whether one neuron is enough, with a certificate about the table.
. "$CASES/common"
perceptron prove :and -q 2>/dev/null || { echo "built without exact arithmetic"; exit 77; }
try perceptron gate 'a ^ b' --proof xor.json --table xor.csv
try cat xor.csv
try perceptron verify xor.json xor.csv
try perceptron gate 'majority(a, b, c)' --proof majority.json --table majority.csv
try perceptron verify majority.json majority.csv
echo "== one output of several, and names that 'prove' would take for the label"
try perceptron gate 'y = a ^ x; z = label & x' --proof z.json --table z.csv --of z
try perceptron verify z.json z.csv --label z
try perceptron gate '(a | b) & (c | d)' --proof four.json --table four.csv --rows 0
try perceptron verify four.json four.csv
echo "== a machine with one state, and a certificate on standard output"
try perceptron gate "s' = a ^ s" -q --proof state.json --table state.csv
try cat state.csv
try perceptron verify state.json state.csv
perceptron gate 'a ^ b' --proof - --table xor.csv 2>report >aside.json
same xor.json aside.json
head -n 2 report
echo "== only one label"
try perceptron gate 'a | !a' --proof one.json --table one.csv
try perceptron verify one.json one.csv
