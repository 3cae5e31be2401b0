# Several files, directories and patterns as one data set.
. "$CASES/common"
for z in gzip bzip2 xz; do need $z; done
mkdir in
printf 'a,b,class\n1,2,x\n2,1,y\n' > in/1.csv
printf 'a,b,class\n3,2,x\n4,1,y' > in/2.csv
printf '\357\273\277a,b,class\r\n5,2,x\r\n6,1,y\r\n' | gzip -n > in/3.csv.gz
: > in/4.csv
printf 'a,b,class\n' | bzip2 > in/5.csv.bz2
printf 'a,b,class\n0,3,x\n' | xz > in/6.csv.xz
mkdir in/deeper && cp in/1.csv in/deeper/7.csv && cp in/1.csv in/.hidden
printf 'a,b,class\n1,2,x\n2,1,y\n3,2,x\n4,1,y\n5,2,x\n6,1,y\n0,3,x\n' > all.csv

echo "--- as one file"
perceptron train all.csv -q -o all.m
try perceptron train in -o m | untimed
cmp all.m m
for data in "in/" "in/*.*" "in/[1-6]*" "in/?.csv in/3.csv.gz in/5* in/6*" "in/1.csv --more in/2.csv,in/3.csv.gz,in/6.csv.xz" \
    "--more in in/4.csv"; do
    for threads in 1 5; do
        eval "set -- $(printf '%s' "$data" | sed "s/[^ ]*[*?[][^ ]*/'&'/g")"
        perceptron train "$@" --threads $threads -q -o m && cmp all.m m || echo "$data differs"
    done
done
perceptron train in/1.csv - in/3* in/6* -q -o m < in/2.csv && cmp all.m m
perceptron train all.csv --stream --epochs 3 -q -o a.m
perceptron train in --stream --epochs 3 -q -o m && cmp a.m m
perceptron train in --stream -o m | grep '^data'
try perceptron train in/1.csv - --stream --epochs 3 -o m < in/2.csv
try perceptron train in/1.csv - --stream --epochs 1 -o m -q < in/2.csv
perceptron train in --validate 'in/[36]*' -q -o m && echo validated
perceptron train in/1.csv in/2.csv -a perceptron --order file --epochs 1 --checkpoint c.m --every 1 -o half.m -q
perceptron train in/1.csv in/2.csv --resume c.m --epochs 3 -o m -q && echo resumed

echo "--- other commands"
try perceptron predict all.m in
try perceptron test all.m in/1.csv in/6* | sed -n 1,4p
try perceptron prove in -o c.json | grep -v '^proving'
try perceptron verify c.json in
try perceptron verify c.json all.csv
try perceptron verify - in/1.csv - < c.json
try perceptron verify c.json in/1.csv
printf 'a,b,class\n1,2,y\n' > against.csv
try perceptron prove in/2.csv in/1.csv against.csv | grep -v '^proving'
try perceptron convert in/2.csv in/1.csv out.svm
cat out.svm && echo .
try perceptron split in/2.csv in/1.csv in/3.csv.gz --test 3 -o train.csv test.csv
cat train.csv && echo --- && cat test.csv
try perceptron sample in/2.csv in/1.csv --rows 3
try perceptron split - in/2.csv --test 2 -o train.csv test.csv -q < in/1.csv
cat train.csv && echo --- && cat test.csv
try perceptron trace in/1.csv in/2.csv -a perceptron --order file --epochs 1 --scale none | sed -n 1,3p
perceptron report in -o r.html -q && grep -c 'in/1.csv and 5 more' r.html
perceptron plot all.m in --picture boundary > plot && echo drawn

echo "--- other formats"
printf '1 1:1\n-1 2:1' > 1.svm && printf '# nothing\n\n1 1:2\n' > 2.svm
cat 1.svm > all.svm && { echo; cat 2.svm; } >> all.svm
perceptron train all.svm -q -o a.m && perceptron train 1.svm 2.svm -q -o m && cmp a.m m
printf '{"a":1,"y":"p"}\n{"a":-1,"y":"n"}' > 1.jsonl && printf '{"a":2,"y":"p"}\n' > 2.jsonl
perceptron convert 1.jsonl 2.jsonl - --to csv
printf '1 |f a:1' > 1.vw && printf -- '-1 |f b\n' > 2.vw
perceptron convert 1.vw 2.vw - --to csv

echo "--- what is wrong, and where"
printf 'a,b,class\n1,2,x\n2,,y\n' > gap.csv
try perceptron train in/1.csv in/2.csv gap.csv --missing error -o m
printf 'a,b,class\n1,2,x\n2,"1,y\n' > quote.csv
try perceptron train in quote.csv -o m
printf '1 1:1\n1 1:x\n' > bad.svm
try perceptron train 1.svm 2.svm bad.svm -o m
try perceptron split in/2.csv quote.csv --test 1 -o train.csv test.csv
gzip -nc all.csv | head -c 40 > cut.gz
try perceptron train all.csv cut.gz -o m
printf '1e308,1e308,x\n-1e308,1e308,y\n' | cat all.csv - | sed 1,1d > huge.csv
sed 1d all.csv > bare.csv
try perceptron train bare.csv huge.csv --scale none -a perceptron --kernel poly -o m
printf 'b,a,class\n1,2,x\n' > order.csv
try perceptron train all.csv order.csv -o m
printf 'a,b,c,class\n1,2,3,x\n' > more.csv
try perceptron train all.csv more.csv -o m
printf 'a,b\n1,2\n' > fewer.csv
try perceptron test all.m all.csv fewer.csv
try perceptron train all.csv bare.csv -o m
try perceptron train all.csv 1.jsonl -o m
try perceptron convert all.csv b.blocks -q
try perceptron train all.csv b.blocks -o m
try perceptron train b.blocks all.csv -o m
try perceptron train all.csv :iris -o m
mkdir empty
for data in "empty" "no*" "all.csv nowhere" "all.csv - -"; do try perceptron train $data -o m < /dev/null; done
try perceptron train all.csv --more '"in' -o m

echo "--- words in the wrong places, and what would be lost"
try perceptron train in -o in/3.csv.gz
try perceptron convert all.csv in/1.csv in/1.csv
try perceptron predict all.csv in/1.csv all.m
try perceptron predict all.csv all.m
try perceptron train all.m all.csv
try perceptron train all.csv all.m
try perceptron convert all.csv
try perceptron inspect all.m all.csv
ls in
