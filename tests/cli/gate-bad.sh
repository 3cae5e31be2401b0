# What cannot be compiled, run or written, and where the fault is.
. "$CASES/common"
for formula in 'a & | b' '(a & b' 'a b' 'atleast(2; a, b' 'atleast(9; a)' 'a = b; b = a' '' 'a & 2' \
    'x = a; x = b' 'a nand b nand c' "a' & b" 'a $ b' 'exactly(x; a, b)' "s'' = a" \
    'atmost(3; a, b)'; do
    try perceptron gate "$formula"
done
try perceptron gate 'a &
b c'
try perceptron gate "$(printf 'a%.0s & ' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25)b )"
echo "== bytes that are no text do not reach the terminal; the caret is where they are"
for formula in 'a & \377\376 b' '\351\210\051 c' '\303\251 \200 a' 'a \302\233 b' 'a \033 b'; do
    perceptron gate "$(printf "$formula")"
    echo "exit status $?"
done
echo "== what begins with - is an option, but after --"
try perceptron gate '-> a'
try perceptron gate -- '-> a'
echo "== too many inputs"
try perceptron gate 'a & b & c & d & e & f & g & h & i & j & k & l & m & n & o & p & q & r & s & t & u'
try perceptron gate "s' = a & b & c; out = s" --unroll 7
try perceptron gate "s' = a & b & c & d & e & f & g & h & i & j & k & l & m & n & o & p & q & r & t & u"
echo "== time"
latch="s' = a | (s & !r); out = s"
try perceptron gate "$latch" --input 'a=0120 r=0000'
try perceptron gate "$latch" --input 'a=01 b=10'
try perceptron gate "$latch" --input 'a=01'
try perceptron gate "$latch" --steps 4
try perceptron gate "$latch" --steps 4 --input 'a=01 r=00'
try perceptron gate "$latch" --input 'a=01 r=00' --initial q=1
try perceptron gate "s' = !s"  --steps 0
try perceptron gate "$latch" --unroll 2 --steps 3
try perceptron gate "$latch" --unroll 2 --initial 's=2'
try perceptron gate "$latch" --initial s=1
try perceptron gate "$latch" --unroll 2 --initial s
echo "== files"
try perceptron gate "$latch" -o model.safetensors
try perceptron gate 'a & b' -o no-such-folder/model
try perceptron gate 1 -o model.safetensors
try perceptron gate "s' = s ^ a" --unroll 9 -q -o model.safetensors
try perceptron gate 'a & b' --proof cert.json
try perceptron gate 'a & b' --table -
try perceptron gate 'a & b' --of out
try perceptron gate 'x = a & b; y = a' --table t.csv --proof c.json
try perceptron gate 'a & b' --table t.csv --of q
try perceptron gate "s' = !s" --table t.csv --of s
echo "== constants without inputs: there is nothing to prove"
try perceptron gate 1 --table t.csv --proof c.json
try perceptron gate 0 --table t.csv --proof c.json
try perceptron gate "s' = !s" --unroll 2 --table t.csv --proof c.json --of s.1
try perceptron gate 'a & b' -o - --table t.csv --proof -
try perceptron gate
try perceptron gate 'a & b' --stepz 3
ls
perceptron gate 'a ^ b' >/dev/full
echo "exit status $?"
try perceptron gate --neuron '1,x:2' 2>&1
try perceptron gate --neuron '' 2>&1
try perceptron gate --neuron '1,2' 2>&1
