# Formulas as networks: the neurons, whether one is enough, and the table.
. "$CASES/common"
for formula in 'a & b' 'a ^ b' 'majority(a, b, c)' 'a & (b | c)' 'atleast(2; a, !b, c, d)' \
    'sum = a ^ b; carry = a & b' 'sum = a ^ b ^ c; carry = majority(a, b, c)' \
    'a -> b <-> !b nor a' 'a' '!a | a' 'x = a & b; y = b & a; z = !x' 'n1 ^ n2' \
    '(a | b) & (c | d)' 'exactly(2; a, b, c, d)' 'n1 = a ^ b; out = n1 ^ c' 'atleast(0; a, b)' \
    '!atmost(2; a, b) | TRUE & a'; do
    try perceptron gate "$formula"
done
echo "== more rows than are shown, and a proof by more than four rows"
try perceptron gate 'a ^ b ^ c ^ d ^ e ^ f ^ g'
try perceptron gate 'a ^ b' --rows 0
try perceptron gate 'a & b & c & d & e & f & g' --rows 128 | tail -n 3
echo "== 20 inputs"
names='a b c d e f g h i j k l m n o p q r s t'
try perceptron gate "$(echo $names | sed 's/ / ^ /g')"
try perceptron gate "atleast(7; $(echo $names | sed 's/ /, /g'))"
