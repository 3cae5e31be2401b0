# Decimal commas, separators, quotes, delimiters, and UTF-16.
. "$CASES/common"
cat > plain.csv <<END
shop,area,sales,open
Oslo,120.5,1234567.25,yes
Bergen,80.25,2000,no
Oslo,99,1500.5,yes
Bergen,60.125,12.5,no
END
cat > de.csv <<END
shop;area;sales;open
Oslo;120,5;1.234.567,25;yes
Bergen;80,25;2.000;no
Oslo;99;1500,5;yes
Bergen;60,125;12,5;no
END
cat > comma.csv <<END
shop;area;sales;open
Oslo;120,5;1234567,25;yes
Bergen;80,25;2000;no
Oslo;99;1500,5;yes
Bergen;60,125;12,5;no
END
echo "== told, where it can be nothing else"
perceptron train comma.csv -a averaged -o m | grep -e ^note
perceptron convert comma.csv a.csv -q && perceptron convert plain.csv b.csv -q && same a.csv b.csv
echo "== with something between thousands, it is asked for"
try perceptron train de.csv -o n
perceptron train de.csv --thousands . -a averaged -o d | grep ^note
perceptron convert de.csv a.csv --thousands . -q && same a.csv b.csv
echo "== remembered"
perceptron inspect d | grep ^notation
perceptron inspect d --json | grep -o '"notation":{[^}]*}'
perceptron inspect m | grep ^notation
perceptron train plain.csv -a averaged -o p -q
perceptron inspect p | grep -c ^notation
perceptron predict d de.csv --format csv > a && perceptron predict p plain.csv --format csv > b && same a b
head -n 3 de.csv | perceptron learn d -o d2 -q
head -n 3 plain.csv | perceptron learn p -o p2 -q
perceptron train de.csv --resume d --epochs 9 -o d3 -q
try perceptron test d plain.csv
perceptron test d plain.csv --decimal . | grep ^error
try perceptron test p comma.csv
perceptron test p de.csv --decimal , --thousands . | grep ^error
perceptron train de.csv --thousands . -a perceptron --scale none --order file --epochs 3 -o a -q
perceptron train de.csv --thousands . -a perceptron --scale none --order file --epochs 3 --stream -o b -q
cmp a b && echo "a stream makes the same model"
perceptron train de.csv --thousands . -a perceptron --scale none --order file --epochs 3 --threads 3 -o b -q
same a b
echo "== separators"
printf 'a;y\n1 234;u\n7\302\240000,5;v\n3\342\200\257000;v\n' > t.csv
perceptron convert t.csv - --to csv --thousands space --decimal , -q
printf 'a,y\n"1,234.5",u\n"12,345",v\n' > t.csv
try perceptron train t.csv -o n
perceptron convert t.csv - --to csv --thousands , -q
printf "a;y\n1'234.5;u\n2\342\200\231000;v\n" | perceptron convert - - --to csv --thousands "'" -q
printf 'a;y\n1_000_000;u\n2;v\n' | perceptron convert - - --to csv --thousands _ -q
printf 'a;y\n12,34,567;u\n2;v\n' > t.csv
try perceptron convert t.csv - --to csv --thousands , -q
printf 'a;y\n1.234;u\n2,5;v\n' > t.csv
try perceptron convert t.csv - --to csv --decimal , -q
printf 'a;y\n1,234;u\n2,500;v\n' > t.csv
try perceptron convert t.csv - --to csv -q
try perceptron convert t.csv - --to csv --decimal , -q
try perceptron convert t.csv - --to csv --categorical a -q
echo "== labels are numbers, too"
printf 'a;y\n1;1,50\n2;1.000\n3;1,5\n4;2,x\n' | perceptron convert - - --to csv --thousands . -q
echo "== times"
printf 't;a;y\n1,5;1;u\n10,25;2;v\n2,5;3;v\n1.000;4;u\n' > t.csv
perceptron train t.csv --time t --thousands . --holdout 0.25 -o n | grep -e ^held -e ^holdout
echo "== JSON lines"
printf '{"a":"1.234,5","y":"u"}\n{"a":12.5,"y":"v"}\n' > t.jsonl
perceptron convert t.jsonl - --to csv --decimal , --thousands . -q
try perceptron convert t.jsonl - --to csv -q
echo "== neither LIBSVM nor Vowpal Wabbit's text"
echo '1 1:2' > t.svm
try perceptron train t.svm --decimal , -o n
try perceptron train t.svm --thousands _ -o n
echo '1 |a x:2' > t.vw
try perceptron train t.vw --format vw --quote "'" -o n
echo "== quotes and delimiters"
printf "a~b~y\n'1~5'~2~u\n'it''s'~3~v\n" > t.csv
perceptron convert t.csv - --to csv --delimiter '~' --quote "'" -q
perceptron train t.csv --delimiter '~' --quote "'" -o n | grep ^note
printf 'a b y\n"1 2 u\n5" 3 v\n' > t.csv
perceptron train t.csv --delimiter space --quote none -o n | grep ^note
printf 'a b y\n5" 4 u\n' | perceptron predict n -
try perceptron train plain.csv --delimiter x -o n
try perceptron train plain.csv --quote xx -o n
try perceptron train plain.csv --thousands xx -o n
try perceptron train plain.csv --decimal . --thousands . -o n
try perceptron train plain.csv --decimal ';' -o n
printf "a,y\n'1,5',u\n'2\n5',v\n2,v\n3,u\n" > t.csv
try perceptron split t.csv --quote "'" --test 0.5 -o t1 t2
cat t1 t2 | wc -l
echo "== UTF-16"
need iconv
perceptron convert de.csv b.csv --thousands . -q
for e in UTF-16LE UTF-16BE UTF-16; do
    iconv -f UTF-8 -t $e de.csv > t.csv
    perceptron convert t.csv a.csv --thousands . -q && same a.csv b.csv
    gzip -c t.csv | perceptron convert - a.csv --thousands . -q && same a.csv b.csv
done
iconv -f UTF-8 -t UTF-16LE t.jsonl | perceptron convert - - --to csv --decimal , --thousands . -q
printf '\377\3761\000 \0001\000:\0002\000\n\0002\000 \0001\000:\0003\000' | perceptron convert - - --to libsvm -q
iconv -f UTF-8 -t UTF-32 de.csv > t.csv
try perceptron train t.csv -o n
printf 'a\0,\0y\0\n\0001\0,\0u\0\n\0002\0\000\330,\0v\0\n\000' > t.csv
try perceptron train t.csv -o n
printf 'a\0,\0y\0\n\0001\0,\0u\0\n' > t.csv
try perceptron train t.csv -o n
iconv -f UTF-8 -t UTF-16 plain.csv > t.csv
try perceptron split t.csv --test 0.5 -o t1 t2
try perceptron sample t.csv --rows 1
