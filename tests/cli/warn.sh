# What a person should know before believing a model: each warning where it belongs, and beside it
# what must not bring one.
. "$CASES/common"
warnings() { perceptron train "$@" --epochs 2 -o m 2>&1 >/dev/null | grep warning || echo none; }
table() { awk -v n="$1" "BEGIN { $2; for (i = 0; i < n; i++) { $3 } }" > "$4"; }
echo "== ranges"
table 30 'print "a,b,y"' 'print (i % 7) / 7 "," i * 3000 % 7919 "," i % 2' wide.csv
table 30 'print "a,b,y"' 'print (i % 7) / 7 "," i % 9 "," i % 2' near.csv
warnings wide.csv
warnings wide.csv --scale none
warnings wide.csv --scale none -a arow
warnings near.csv --scale none
sed 's/\(.*\),\(.*\),\(.*\)/\3 1:\1 2:\2/; 1d' wide.csv > wide.svm
warnings wide.svm
warnings wide.svm -a svm
warnings wide.svm --scale maxabs
warnings :cancer
echo "== a number for each row"
table 30 'print "a,price"' 'print i % 7 "," 100 + i * 1.5' prices.csv
table 30 'print "a,house"' 'print i % 7 "," 100 + i % 14' houses.csv
table 19 'print "a,price"' 'print i % 7 "," 100 + i' few.csv
for f in prices houses few; do warnings $f.csv; done
echo "== names"
table 30 'print "id,a,y"' 'print "C" i "," i % 7 "," i % 2' ids.csv
table 30 'print "id,a,y"' 'print "C" i % 26 "," i % 7 "," i % 2' groups.csv
warnings ids.csv # told by its look
warnings ids.csv --categorical id
warnings ids.csv --ignore id
warnings groups.csv
warnings ids.csv --text id
echo "== several labels in one"
table 20 '' 'print (i % 3 ? i % 3 : "1,3") " 1:" i % 5' many.svm
table 20 '' 'print (i % 3 ? "a" : "b,c") " 1:" i % 5' words.svm
warnings many.svm
warnings words.svm
echo "== y beside x"
printf 'x,y,kind\n1,2,a\n2,1,b\n' > points.csv
printf 'x,y,class\n1,2,a\n2,1,b\n' > class.csv
printf 'a,y,kind\n1,a,2\n2,b,1\n' > plain.csv
warnings points.csv
warnings points.csv --label kind
warnings class.csv
warnings plain.csv
perceptron train plain.csv -o m | grep -e ^note -e ^labels
echo "== a first line of numbers"
printf '1,2,a\n2,1,b\n' | perceptron train - -o m | grep ^note
printf '1,2,a\n2,1,b\n' | perceptron train - --header no -o m | grep ^note
echo "== for programs; and quietly"
perceptron train ids.csv --categorical id --json -o m 2>/dev/null | grep -o '"warnings":.*}]'
perceptron train near.csv --json -o m | grep -c warnings
perceptron train ids.csv -q -o m
perceptron train ids.csv -o m --resume m -q
