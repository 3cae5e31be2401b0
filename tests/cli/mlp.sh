# Networks: learning what one neuron cannot, stopping and going on, and what is refused.
. "$CASES/common"
echo '== xor'
perceptron train :xor -a mlp --layers 8 --activation tanh --rate 0.01 -o xor | untimed
perceptron predict xor :xor
perceptron test xor :xor | grep -e accuracy -e 'log loss'
perceptron train :xor -a mlp --layers 8 --activation tanh --rate 0.01 --epochs 2 --json -o m |
    untimed_json
echo '== the same bytes'
perceptron generate spirals --rows 200 -o s.csv
net='-a mlp --layers 9,5 --rate 0.01 --l2 0.001 --dropout 0.1'
perceptron train s.csv $net --epochs 6 -q -o whole
for how in '--threads 1' '--threads 3' '--loop textbook'; do
    perceptron train s.csv $net --epochs 6 $how -q -o other && same whole other
done
echo '== going on'
for optimizer in sgd momentum adam; do
    how="$net --optimizer $optimizer"
    perceptron train s.csv $how --epochs 6 -q -o whole
    perceptron train s.csv $how --epochs 2 -q -o part
    perceptron train s.csv --resume part --epochs 6 -q -o resumed && same whole resumed
    # in the middle of a pass; 7 steps of 32 rows make one
    perceptron train s.csv $how --updates 10 --epochs 6 -q -o part
    perceptron inspect part | grep -e '^end' -e '^updates'
    perceptron train s.csv $how --updates 40 --epochs 6 -q -o whole
    perceptron train s.csv --resume part --updates 40 -q -o resumed && same whole resumed
done
perceptron train s.csv $net --epochs 6 --checkpoint last --every 4 -q -o whole
perceptron train s.csv --resume last --epochs 6 -q -o resumed && same whole resumed
try perceptron train s.csv --resume part --layers 9,4 --epochs 9 -o m
try perceptron train s.csv --resume part --optimizer sgd --epochs 9 -o m
echo '== a stream'
perceptron train s.csv $net --batch 20 --inputs 2 --epochs 3 --stream -o m | untimed
perceptron train s.csv $net --batch 20 --inputs 2 --epochs 3 --stream --threads 1 -q -o other
same m other
perceptron train s.csv $net --batch 20 --order file --scale none --epochs 3 -q -o other
perceptron predict m s.csv --scores > a; perceptron predict other s.csv --scores > b; same a b
echo '== line by line'
printf 'no 1:1 2:1\nyes 1:1\nyes 2:1\nno 2:0\n' > lines
perceptron learn --new -o two -a mlp --layers 4 --inputs 2 --optimizer sgd < lines
perceptron learn --new -o parts -a mlp --layers 4 --inputs 2 --optimizer sgd -q < /dev/null
while read -r line; do echo "$line" | perceptron learn parts -q > /dev/null; done < lines
same two parts
perceptron inspect two | grep -e '^labels' -e '^network' -e '^optimizer'
printf 'perhaps 3:1\nyes 1:1 3:1\n1:1 2:1\n' | perceptron learn two
perceptron inspect two | grep -e '^labels' -e '^network' -e '^optimizer'
perceptron learn xor < /dev/null
echo '== a loss that is no number'
wild='-a mlp --layers 3 --optimizer sgd --rate 10 --l2 1 --batch 2'
perceptron train :xor $wild --epochs 50 -o wild > report; echo "exit status $?"
untimed < report
perceptron train :xor $wild --epochs 9 -q -o nine
perceptron predict wild :xor --scores > a; perceptron predict nine :xor --scores > b; same a b
perceptron inspect wild | grep -e '^end' -e '^passes' -e '^optimizer'
perceptron train :xor $wild --epochs 50 --json -o wild > report; echo "exit status $?"
grep -o '"stop":"[^"]*","epochs":[0-9]*' report
rm -f m
echo 'in the first pass there is no model to keep'
printf 'a 1:1e300\nb 1:1\n' > huge
try perceptron train huge -a mlp --layers 3 -o m
ls m 2> /dev/null
echo '== what is refused'
try perceptron train :xor -a mlp --layers 8,0 -o m
try perceptron train :xor -a mlp --layers '' -o m
try perceptron train :xor -a mlp --layers 8,x -o m
try perceptron train :xor -a mlp --layers 9,9999999 -o m
ten=1,1,1,1,1,1,1,1,1,1
try perceptron train :xor -a mlp --layers $ten,$ten,$ten,1,1,1 -o m
try perceptron train :xor -a mlp --batch 5 -o m
try perceptron train :xor -a mlp --batch 0 -o m
try perceptron train :xor -a mlp --dropout 1 -o m
try perceptron train :xor -a mlp --momentum 1 -o m
try perceptron train :xor -a mlp --rate -1 -o m
try perceptron train :xor -a mlp --activation step -o m
try perceptron train :xor -a mlp --kernel rbf -o m
printf 'a 1:1\na 1:2\n' > one
try perceptron train one -a mlp -o m
: > none
try perceptron train none -a mlp -o m
try perceptron trace :xor -a mlp
ls m 2> /dev/null
true

echo '# one step'
perceptron train :xor -a mlp --updates 1 -o one.model | grep -e '^end' -e '^updates'
