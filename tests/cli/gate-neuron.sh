# Neurons as they are written down, alone and in networks; delays of any length.
. "$CASES/common"
echo "== or, and, not"
for neuron in 1,1:1 1,1:1.5 -1:0 '1, 1, 1 : 2' 2,1,1:2.5 '0.1,0.2,-.3:0.3' 5,5,1,5,1:10 1:2; do
    try perceptron gate --neuron "$neuron"
done
echo "== a network of them, with formulas beside them"
xor='h1 = neuron(a, b : 0.5); h2 = neuron(a, b : 1.5); out = neuron(h1, -2 h2 : 0.5)'
try perceptron gate "$xor"
try perceptron gate "$xor" -q -o xor.safetensors --table xor.csv
perceptron test xor.safetensors xor.csv | grep accuracy
try perceptron gate 'neuron(2 a, -b & c : 1) ^ (a & !d)' --rows 0
try perceptron gate 'neuron(a, 0.25 b : 0.25)' --json
echo "== delays"
try perceptron gate 'out = neuron(a, -a@3 : 0.5)' --input a=0111101011
try perceptron gate 'out = neuron(a, -a@3 : 0.5)' --input a=0111101011 --initial a@3=010
try perceptron gate 'edge = a & !a@1; long = a & a@1 & a@2' --input a=0111101011
try perceptron gate 'x@30 & x' --input x=1000000000000000000000000000001111
try perceptron gate 'x = !x@7' --steps 60
try perceptron gate 'x = !x@2; y = x@1' --json --initial 'x@2=01' --steps 4
try perceptron gate 'a ^ a@2' --unroll 4 --rows 0
echo "== two wires that remember each other, and nothing else"
try perceptron gate 'p = !q@1; q = p@1' --steps 9
echo "== faults"
for formula in 'neuron(a, b)' 'neuron(a + b : 1)' 'neuron(2a : 1)' 'neuron(2 a, 3 : 1)' \
    'neuron(a : b)' 'neuron(123456789012345678901 a : 1)' 'b | neuron(0.00000000000000001 a, b : 1)' \
    'a@x' '(a | b)@2' 'a@9999999' 'a : b' 'neuron = a'; do
    try perceptron gate "$formula"
done
for neuron in 1,1 1,x:1 ':1' '1;1:1' ''; do
    try perceptron gate --neuron "$neuron"
done
try perceptron gate --neuron 1,1:1 'a & b'
try perceptron gate 'x@3 & x' --input x=0101 --initial x@3=01
