# The rows of a file, divided and drawn, each as it stands.
. "$CASES/common"
printf 'id,visit,patient,label\n1,2024-01-05,ann,yes\n2,2024-01-09,bob,no\n3,2024-01-05,ann,yes\n' > v.csv
printf '4,2024-02-01,cy,no\n5,2024-02-01,"d, e",no\n6,2023-12-31,"d, e",yes\n' >> v.csv
perceptron split v.csv -o train.csv test.csv --test 2 --seed 1
cat train.csv test.csv
perceptron split v.csv --by group patient --test 2 -o train.csv test.csv && cut -d , -f 3- test.csv
perceptron split v.csv --by time:visit --test 0.3 -o train.csv test.csv -q && cat test.csv
perceptron split v.csv --stratify --label 4 --test 0.5 --json -o train.csv test.csv | sed 's/"perceptron":"[^"]*",//'
perceptron split v.csv -o - /dev/null -q --test 1
perceptron sample v.csv --rows 2
perceptron sample - --rows 2 -q < v.csv
printf '# two queries\n1 qid:1 1:2\n-1 qid:1 3:1\n1 qid:2 1:7\n' > q.svm
perceptron split q.svm --by group qid --test 1 -o a.svm b.svm && cat b.svm
try perceptron split v.csv
try perceptron split v.csv -o train.csv
try perceptron split v.csv -o train.csv train.csv
try perceptron split v.csv -o v.csv test.csv
try perceptron split v.csv -o - -
try perceptron split v.csv --by patient -o train.csv test.csv
try perceptron split v.csv --by group:patiend -o train.csv test.csv
try perceptron split v.csv --by time:visit --stratify -o train.csv test.csv
try perceptron split v.csv --by time:patient -o train.csv test.csv
try perceptron split v.csv --test 1.5 -o train.csv test.csv
try perceptron split v.csv --test 6 -o train.csv test.csv
try perceptron split v.csv --by group:patient --test 0.9 -o train.csv no/such/folder.csv
try perceptron split q.svm --by group:query -o train.csv test.csv
try perceptron sample v.csv
try perceptron sample v.csv --rows 2 --share 0.5
try perceptron sample v.csv --rows 2 --by time:visit
printf 'a,label\n1,x\n"2,y\n' > open.csv
try perceptron split open.csv -o train.csv test.csv
ls
echo '# many labels, and so many that they are numbers'
seq 1 60 | awk '{ print "l" $1 % 30 "," $1 }' | sed '1i label,x' > many.csv
try perceptron split many.csv -o a b --stratify --test 0.5
seq 1 1100 | awk '{ print $1 / 7 "," $1 }' | sed '1i label,x' > numbers.csv
try perceptron split numbers.csv -o a b
seq 1 1100 | sed 's/.*/&,&/; 1i t,label' > numbers.csv
try perceptron split numbers.csv -o a b --by time t
try perceptron split - -o a b < numbers.csv
