# Where learning starts, and how far a step goes.
. "$CASES/common"
weights() { perceptron inspect "$1" | grep -e offset -e '^[0-9]' -e '^passes'; }
for init in zero unit random; do
    echo "== $init"
    perceptron train :blobs85 -a perceptron -q --order file --init $init -o $init.m && weights $init.m
done
brief() { grep -e '^start' -e '^labels' -e '^end' -e '^mistakes'; }
perceptron train :blobs85 -a perceptron -q --order file --init zero.m -o m && weights m
echo "== any linear model for any linear learner"
for a in averaged pocket voted svm arow; do
    perceptron train :blobs85 -a $a -q -o $a.m
    perceptron train :blobs85 -a perceptron --init $a.m -o m | brief
done
perceptron train :blobs85 -a voted --init unit -o m | brief
perceptron train :blobs85 -a averaged --init averaged.m -o m | grep '^end'
perceptron train :iris --init random --epochs 3 -o i.m | grep -e labels -e error
perceptron train :iris --init i.m --epochs 3 -o m | grep -e labels -e error
perceptron train :iris --init i.m --multiclass native --epochs 3 -o m | grep -e labels -e error
echo "== by name"
printf 'a,b,y\n1,0,no\n2,1,yes\n3,3,no\n4,1,yes\n' > first.csv
printf 'c,b,a,y\n7,0,1,no\n8,1,2,yes\n' > second.csv
perceptron train first.csv -a perceptron --scale none -q -o first.m && perceptron inspect first.m | tail -n 2
perceptron train second.csv -a perceptron --order file --epochs 0 --init first.m -o m | brief
perceptron inspect m | tail -n 2
perceptron train second.csv -a perceptron --stream --epochs 0 --init first.m -q -o s && same m s
perceptron train second.csv --init first.m -o m --json | grep -o '"start":[^}]*}'
echo "== scaled as the model scales; new levels begin at 0"
printf 'n,kind,y\n100,old,no\n300,old,yes\n200,late,no\n400,late,yes\n' > before.csv
printf 'kind,n,y\nnew,500,no\nold,100,yes\n' > after.csv
perceptron train before.csv -a perceptron -q -o scaled.m && perceptron inspect scaled.m | tail -n 5
perceptron train after.csv -a perceptron --epochs 0 --init scaled.m -o m | grep -e ^start -e ^scaling
perceptron inspect m | tail -n 5
perceptron predict scaled.m after.csv --scores -q; perceptron predict m after.csv --scores
echo "== what does not fit"
perceptron train :blobs85 -a perceptron --kernel rbf --gamma 1 -q -o k.m
perceptron train :blobs85 -a second-order -q -o so.m
printf 'a,b,y\n1,0,left\n2,1,right\n' > other.csv
printf 'd,e,y\n1,0,yes\n2,1,no\n' > names.csv
try perceptron train :blobs85 --init k.m -o m
try perceptron train :blobs85 --init so.m -o m
try perceptron train other.csv --init first.m -o m
try perceptron train names.csv --init first.m -o m
try perceptron train first.csv --init first.m --scale standard -o m
try perceptron train second.csv --init scaled.m --scale none -o m
try perceptron train second.csv --init scaled.m --stream -o m
try perceptron train first.csv --init first.m --map poly:2 -o m
try perceptron train :blobs85 --init nowhere.safetensors -o m
printf '0.5\n1 2x\n' > bad; : > empty; head -c 40 zero.m > cut; printf '1 b' > half; printf 'b 1 2' > late
for f in bad empty cut half late; do try perceptron train :blobs85 --init $f -o m; done
try perceptron learn --new --init bad -o m
echo "== numbers"
printf '0.5 -1 # w\nb 2\n' > w0
perceptron train :blobs85 -a perceptron --epochs 0 -q --init w0 -o m && weights m
printf '0.5\n-1\n2\n' > w1
perceptron train :blobs85 -a perceptron --epochs 0 -q --init w1 -o m && weights m
try perceptron train :blobs85 --init w0 --no-offset -o m
try perceptron train :iris --init w0 -o m
try perceptron train :iris --positive setosa --init w0 -o m
echo "== row by row"
rows() { printf '1 1:2 2:1\n-1 1:1 2:2\n1:1 2:1\n'; }
rows | perceptron learn --new -a perceptron --init unit:2 --positive 1 -q -o u.m && weights u.m
rows | perceptron learn --new -a averaged --init zero.m -q -o z.m
rows | perceptron learn --new -a voted --init w0 --classes -1,1 -q -o v.m
rows | sed 2q > rows.svm
perceptron train rows.svm -a perceptron --stream --index 1 --epochs 1 --init unit:2 --positive 1 -q -o m && weights m
try perceptron learn --new --init unit:2 -o m
try perceptron learn --new --init unit --positive 1 -o m
try perceptron train rows.svm --stream --init unit:2 --positive 1 -o m
echo "== a budget"
perceptron train :blobs85 -a perceptron --kernel rbf --gamma 1 --budget 9 --epochs 0 --init k.m -o m | brief
try perceptron train :blobs85 -a perceptron --kernel rbf --gamma 2 --budget 9 --init k.m -o m
try perceptron train :blobs85 -a perceptron --kernel rbf --gamma 1 --budget 9 --init unit -o m
try perceptron train :blobs85 -a perceptron --kernel rbf --gamma 1 --budget 9 --budget-policy forgetron --init k.m -o m
echo "== rates"
perceptron train :and -a perceptron -q --order file -o one.m && weights one.m
perceptron train :and -a perceptron -q --order file --rate 0.25 -o quarter.m && weights quarter.m
perceptron train :and -a perceptron -q --order file --init unit --rate 0.25 -o m && weights m
perceptron train :not -a perceptron -q --order file --no-offset --epochs 3 -o m && weights m
try perceptron train :and --positive 7 -o m
perceptron train :and -a perceptron -q --order file --float32 -o m && same one.m m
echo "== one label of three, in memory as in a stream"
printf 'a 1:2 2:-1\nb 1:-1 2:1\nc 1:-1.5 2:-2\na 1:0.5 2:0.5\n' > three.svm
perceptron train three.svm -a perceptron --epochs 1 --order file -q -o three.m
for how in '' --stream; do
    perceptron train three.svm -a perceptron --positive b --init three.m --order file --index 1 --epochs 2 $how -q -o m
    perceptron inspect m | grep -e ^mistakes -e ^offset
done
echo "== products and support rows cannot follow other features"
printf 'a 1:1\nb 1:-1\n' > one.svm
printf 'x,q,label\n1,2,a\n-1,1,b\n2,-1,a\n' > xq.csv
printf 'x,y,label\n1,2,a\n-1,1,b\n2,-1,a\n' > xy.csv
try perceptron train one.svm -a perceptron --init unit:4 --map poly:2 -o none
perceptron train xq.csv -a perceptron --map poly:2 --epochs 3 -q -o q.m
try perceptron train xy.csv -a perceptron --map poly:2 --init q.m --epochs 0 -o none
perceptron train xq.csv -a perceptron --kernel poly --degree 2 --epochs 3 -q -o q.m
try perceptron train xy.csv -a perceptron --kernel poly --degree 2 --budget 8 --init q.m --epochs 0 -o none
printf '2,1,a\n1,3,b\n' > gram.csv
perceptron train gram.csv -a perceptron --kernel precomputed --epochs 3 -q -o g.m
try perceptron train gram.csv -a perceptron --kernel precomputed --budget 1 --init g.m -o none
