# Answers as tables and as objects, and columns of the input that come along.
. "$CASES/common"
cat >people.csv <<'END'
id,born,age,smoker,ill
a1,1950-02-03,70,1,yes
"b,2","1990
(?)",30,0,"no, or ""not yet"""
 c3,1960-05-06,60,1,yes
d4,,25,0,"no, or ""not yet"""
END
perceptron train people.csv --ignore id,born -a perceptron --scale standard --order file -q -o m
perceptron predict m people.csv
perceptron predict m people.csv --format csv
perceptron predict m people.csv --format csv --keep id,born,ill,3
perceptron predict m people.csv --format tsv --keep id,born --distance --margins --losses
perceptron predict m people.csv --format jsonl --keep born,id --projection
perceptron predict m people.csv --format csv --keep id -o out && perceptron predict m - --format csv --keep id <people.csv >out2 && same out out2
echo '# a column that an answer has, one that the model does not know, one that is missing'
printf 'label,age,smoker,score\nx,70,,1\ny,20,0,2\n' >other.csv
perceptron predict m other.csv --format csv --keep label,score --missing drop
printf 'age,smoker,id\n' | perceptron predict m - --format csv --keep id
perceptron train :iris -q -o iris
perceptron predict iris :iris --format csv | sed -n '1p;2p;$p'
perceptron predict iris :iris --format jsonl | head -n 1
perceptron train people.csv --ignore id,born -a mlp --layers 2 --epochs 3 -q -o net
perceptron predict net people.csv --proba --format csv | head -n 1
echo '# what is refused'
try perceptron predict m people.csv --format libsvm
try perceptron predict m people.csv --format xml
try perceptron predict m people.csv --format cvs
try perceptron predict m people.csv --from xml
try perceptron predict m people.csv --json --format jsonl
try perceptron predict m people.csv --keep id
try perceptron predict m people.csv --format csv --keep idd
try perceptron predict m people.csv --format csv --keep id,1
try perceptron predict m other.csv --missing drop
try perceptron predict iris :iris --format csv --keep id
printf '1 1:2\n2 1:1\n' >rows.svm && perceptron train rows.svm -q -o svm
try perceptron predict svm rows.svm --format csv --keep id
perceptron predict svm rows.svm --from libsvm --format tsv
