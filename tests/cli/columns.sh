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
echo "== what is measured"
cat > m.csv <<TABLE
plan,n,note,y
basic,1,slow line,a
plus,2,well,b
,3,well well,b
plus,,line,a
gold,5,bad,b
TABLE
cat > measured <<WHAT
plan: category rare=2 fill=frequent reference=first
n: number scale=minmax fill=median indicator
note: text tfidf
WHAT
perceptron convert m.csv m2.csv --columns measured && cat m2.csv
perceptron convert m.csv m.blocks --columns measured
perceptron train m.csv --columns measured --scale none -a logistic -o a | grep -e ^gaps -e ^filled
perceptron train m.blocks --scale none -a logistic -o b -q && cmp a b && echo "blocks make the same model"
perceptron predict a m.csv > 1 && perceptron predict a m.blocks > 2 && cmp 1 2 && echo "and have its answers"
perceptron inspect a | grep -A 3 ^columns
perceptron train m.csv --columns measured --scale none -a perceptron --order file --epochs 1 -o c -q
perceptron train m.csv --columns measured --scale none -a perceptron --order file --epochs 9 --resume c -o d -q
perceptron train m.csv --columns measured --scale none -a perceptron --order file --epochs 9 -o e -q
cmp d e && echo "stopped and resumed: the same model"
printf 'gold,9,line,a\n,,"",b\n' | perceptron learn c -o f
printf 'z,y\n1,a\n2,b\n' > z.csv
perceptron convert z.csv z.blocks -q
try perceptron predict a z.blocks
try perceptron train m.csv --columns measured --stream -o n
try perceptron train m.csv --missing median --stream -o n
try perceptron prove m.csv --columns measured
try perceptron prove m.blocks
try perceptron train m.csv --columns measured --scale unit -o n
try perceptron train m.csv --columns measured --hash 8 -o n
sed -i 's/reference=first/reference=bsic/' measured
try perceptron train m.csv --columns measured -o n
try perceptron predict a m.csv --missing mean
echo "== few numbers beside many words stay few"
awk 'BEGIN { print "a,b,c,d,e,note,y"
    for (i = 0; i < 20000; i++) { printf "%d,%d,%d,%d,%d,", i % 7 + 1, i % 11, i % 13, i % 100 - 50, i
        for (k = 0; k < 3; k++) printf "w%d ", (i * 3 + k) % 30000; print "," i % 2 } }' > wide.csv
for scale in none standard minmax maxabs auto; do
    perceptron train wide.csv --text note --scale $scale -a averaged --epochs 1 -o n | grep -e ^nonzeros -e ^features -e ^scaling
done
