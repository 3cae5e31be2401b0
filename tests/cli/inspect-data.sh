# What is in data: tables, texts without columns, built-in sets; and a file for --columns.
. "$CASES/common"
cat > t.csv <<END
customer,signup,age,plan,note,left
C01,2024-03-31,34,basic,"The line is slow, the bill is not",yes
C02,2023-12-24,,plus,"All is well, ""no"" complaints",no
C03,2024-02-29,51,basic,"Slow line since February",yes
C03,2024-02-29,51,basic,"Slow line since February",yes
C03,2024-02-29,51,basic,"Slow line since February",no
C04,?,28,NA,"Asked about
the bill",no
C05,2024-01-15,45,plus,"The line works well",no
END
echo "== a table"
perceptron inspect t.csv
perceptron inspect t.csv --json
perceptron inspect - < t.csv | head -n 2
gzip -c t.csv > t.csv.gz && perceptron inspect t.csv.gz --ignore customer,note --label plan | sed -n '/^column /,$p'
perceptron inspect t.csv --top 2 | tail -n 4
echo "== JSON lines"
cat > t.jsonl <<END
{"a":1,"b":{"c":"x","d":[1,2]},"tags":["new","far"],"y":"p"}
{"a":2.5,"b":{"c":"x","d":[3,4]},"tags":[],"y":"q"}
{"b":{"c":null,"d":[3,4]},"y":"q"}
END
perceptron inspect t.jsonl
echo "== no tables"
printf '1 1:1 3:2\n-1 1:1\n1 3:2 1:1\n1 1:1 3:2\n-1 1:1 3:2\n2 3:7\n' | sed 's/3:2 1:1/1:1 3:2/' > t.svm
perceptron inspect t.svm
printf '1 |a x:2 y\n-1 |a x |b z\n' > t.vw
perceptron inspect t.vw
perceptron inspect :xor
perceptron convert t.svm t.blocks && perceptron inspect t.blocks | head -n 4
echo "== odd columns"
seq 40 | awk 'BEGIN { print "id,same,often,after,order,gone,measured,y" }
{ y = $1 % 2; printf "%d,x,%s,%s,%d,%s,%.3f,%d\n", 7000 + $1, $1 == 40 ? "b" : "a", y ? "left" : "right",
  y * 100 + $1 % 30, y ? "2024-01-0" 1 + $1 % 7 : "", $1 * 0.737, y }' > odd.csv
perceptron inspect odd.csv
perceptron inspect odd.csv --propose
echo "== cells that training refuses"
printf 'x,day,y\n' > wrong.csv
seq 30 | awk '{ printf "%d,2024-01-%02d,%d\n", $1, $1, $1 % 2 }' >> wrong.csv
printf '1,a,0\n1,2024-02-30,0\n' >> wrong.csv
printf 'oops,2024-02-01,1\nx,,1\n' >> wrong.csv
echo 'day: date' > day
perceptron inspect wrong.csv --columns day | grep -v ^note
seq 30 | awk 'BEGIN { print "x,y" } { print $1 % 7 "," $1 / 3 }' > measured.csv
perceptron inspect measured.csv | tail -n 2
echo "== several files"
mkdir parts
printf 'x,day,y\n1,2024-01-01,a\n2,2024-01-02,b\n' > parts/1.csv
printf 'x,day,y\n1,2024-01-01,b' | gzip > parts/2.csv.gz
: > parts/3.csv
printf '\357\273\277x,day,y\r\nfour,2024-02-30,a\r\n2,,b\r\n' > parts/4.csv
perceptron inspect parts
perceptron inspect parts/1.csv 'parts/[24]*' --json > j
grep -o '"data":[^,]*,"files":[0-9]*' j
grep -o '"wrong_file":"[^,]*,"wrong_line":[0-9]*,"wrong_column":[0-9]*' j
cat parts/4.csv | perceptron inspect parts/1.csv --more - | tail -n 3
perceptron inspect parts --columns > what
perceptron train parts/1.csv parts/2.csv.gz --columns what -q -o with.m
perceptron train parts/1.csv parts/2.csv.gz -q -o without.m
cmp without.m with.m && echo 'the same model'
printf '1 1:1\n-1 2:1\n' > 1.svm
printf '1 1:1 3:4\n-1 2:1\n' > 2.svm
perceptron inspect 1.svm 2.svm
printf 'x,day,y\n1,2024-01-01,a\n1,2024-01-01\n' > parts/5.csv; try perceptron inspect parts
printf 'day,x,y\n2024-01-01,1,a\n' > parts/5.csv; try perceptron inspect parts
printf '1 1:1\n' > parts/5.csv; try perceptron inspect parts
printf '1 1:1\n1 2:x\n' > 3.svm; try perceptron inspect 1.svm 3.svm
rm parts/5.csv
try perceptron inspect parts t.blocks
try perceptron inspect t.blocks parts
try perceptron inspect parts none.csv
echo "== numbers as they are written elsewhere"
cat > shops.csv <<END
umsatz;anteil;seit;y
1.234,50;0,5;31.12.2021;1,0
-2.000.000;1;01.01.2022;2
7,25;'1,5';02.01.2022;1
1.5;2,0;03.01.2022;2
END
perceptron inspect shops.csv --thousands . --quote "'"
perceptron inspect shops.csv --thousands . --quote "'" --json | grep -o '"wrong_text":"[^"]*"'
iconv -f UTF-8 -t UTF-16 shops.csv > wide.csv
perceptron inspect wide.csv --thousands . --quote "'" | tail -n +2 > wide
perceptron inspect shops.csv --thousands . --quote "'" | tail -n +2 | cmp - wide && echo 'UTF-16: the same'
sed '/^1.5/d' shops.csv > fine.csv
perceptron inspect fine.csv fine.csv --thousands . --quote "'" --propose | tee what
perceptron train fine.csv fine.csv --thousands . --quote "'" -q -o without.m
perceptron train fine.csv fine.csv --thousands . --quote "'" --columns what -q -o with.m
cmp without.m with.m && echo 'the same model'
seq 100000 | awk 'BEGIN { print "\047x\047,y" } { print "\047two\nlines\047," $1 % 2 }' > quoted.csv
printf "x,'y'\n'one',2\n" > quoted-2.csv
perceptron inspect quoted.csv quoted-2.csv --quote "'" | grep -e ^rows -e ^x
printf '1,5;a\n1.5;b\n' > both.csv; try perceptron inspect both.csv --decimal , --label 1
echo "== what might be better"
seq 60 | awk 'BEGIN { print "town,when,said,y" } { printf "t%d,%s,\"%d is what it was\",%s\n",
  $1 % 2 ? 0 : $1 % 30, $1 == 40 ? "later" : "2024-01-" 10 + $1 % 20, $1, $1 % 7 < 3 ? "a" : "b" }' > better.csv
perceptron inspect better.csv --categorical said,when --propose
echo "== proposed, and trained with"
for f in t.csv t.jsonl odd.csv; do
    perceptron inspect $f --columns > what
    perceptron train $f --missing zero -q -o without.m
    perceptron train $f --missing zero --columns what -q -o with.m
    cmp without.m with.m && echo "$f: the same model"
done
printf '1,2,a\n3,4,b\n5,6,a\n' > bare.csv
perceptron inspect bare.csv --propose | tee what
perceptron train bare.csv --columns what -q -o m && echo trained
printf 'a b,"c:d",a b,"#1",y\n1,2,3,x,p\n4,5,6,y,q\n7,8,9,x,p\n' > names.csv
perceptron inspect names.csv --ignore 3 --propose | tee what
perceptron train names.csv --columns what -q -o m && echo trained
echo "== which of the two"
try perceptron inspect m --propose
try perceptron inspect m --label y
try perceptron inspect t.csv --class yes
try perceptron inspect t.svm --propose
try perceptron inspect none.csv
: > empty.csv; try perceptron inspect empty.csv
printf 'x,y\n' > header.csv; try perceptron inspect header.csv --header yes
printf 'x,y\n1,a\n2,b,c\n' > long.csv; try perceptron inspect long.csv
printf 'x,y\n1,a\n2\n' > short.csv; try perceptron inspect short.csv
printf 'x,y\n1,a\n"2,b\n' > open.csv; try perceptron inspect open.csv
printf 'x,y\n1,a\n2,nan\n' > label.csv; try perceptron inspect label.csv
printf '{"x":1,"y":"a"}\n{"x":1,"x":2,"y":"b"}\n' > twice.jsonl; try perceptron inspect twice.jsonl
printf '\000\001\002' > binary; try perceptron inspect binary
