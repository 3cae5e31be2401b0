# What each column of a table is, told by a file; and what is told of it.
. "$CASES/common"
cat > t.csv <<END
customer,signup,age,plan,note,left
C01,2024-03-31,34,basic,"The line is slow, the bill is not",yes
C02,2023-12-24,,plus,"All is well, no complaints",no
C03,2024-02-29,51,basic,"Slow line since February",yes
C04,,28,,"Asked about the bill",no
C05,2024-01-15,45,plus,"The line works well",no
END
cat > what <<END
customer: id
signup: date days weekday fill=mean indicator
age: number fill=40 indicator
plan: category fill=level
note: text ngrams=2 stop=english
left: label
END
echo "== trained, and what the model knows"
perceptron train t.csv --columns what -a averaged -o m | grep -e ^note -e ^filled -e ^features
perceptron inspect m --top 3
perceptron inspect m --json | grep -o '"columns":\[[^]]*\]'
echo "== the same for whoever reads for the model"
perceptron predict m t.csv --format csv --keep customer
perceptron test m t.csv | grep ^error
perceptron test m t.csv --columns what | grep ^error
head -n 3 t.csv | perceptron learn m -o l
perceptron train t.csv --columns what -a averaged --resume m --epochs 200 -o r -q
perceptron train t.csv --columns what -a perceptron --scale none --order file --missing zero -o a -q
sed -i 's/fill=mean/fill=zero/' what
perceptron train t.csv --columns what -a perceptron --scale none --missing error --order file -o a -q
perceptron train t.csv --columns what -a perceptron --stream -o b -q
cmp a b && echo "a stream makes the same model"
echo "== --missing is remembered"
printf 'x,y\n1,a\n,b\n3,b\n' > gap.csv
for how in zero drop; do
    perceptron train gap.csv --missing $how -a perceptron --scale none -o m | grep -e ^rows -e ^filled
    try perceptron predict m gap.csv
done
try perceptron predict m gap.csv --missing zero
try perceptron predict m gap.csv --missing mean
echo "== what is wrong"
try perceptron train t.csv --columns nowhere -o n
printf 'left: label\nagee: number\n' > bad
try perceptron train t.csv --columns bad -o n
printf 'age: number fil=3\n' > bad
try perceptron train t.csv --columns bad -o n
try perceptron train t.csv --columns what --ignore age -o n
try perceptron test r t.csv --columns bad
try perceptron train :iris --columns what -o n
echo '1 1:2' | try perceptron train - --columns what -o n
sed -i 's/fill=40/fill=mean/' what
try perceptron prove t.csv --columns what
echo "== told from the table alone"
awk 'BEGIN { print "id,day,n,note,y"; for (i = 0; i < 30; i++) printf "C%d,2024-01-%02d %02d:00,%d,it is row %d,%d\n", i, i % 28 + 1, i % 24, i % 7, i, i % 2 }' > g.csv
perceptron train g.csv -a perceptron -o m | grep ^note
perceptron inspect m | grep -A 3 ^columns
