# Exact arithmetic: on three rows whose decimals doubles decide otherwise, what it refuses, and what
# the model, the report and JSON say of it.
. "$CASES/common"
printf '1 1:-1.5 2:0.6\n-1 1:-1.7 2:0.1\n-1 1:0.7 2:-0.8\n' > three.svm

try perceptron trace three.svm --epochs 30 --csv
try perceptron trace three.svm --epochs 30 --arithmetic double
try perceptron trace :and --rate 0.1 --epochs 3
try perceptron trace :xor --kernel poly --degree 2 --no-offset
for a in perceptron averaged pocket voted; do
    echo "== $a"
    perceptron train three.svm -a $a --arithmetic exact --order file -o m | grep -A 1 -e mistakes -e arithmetic
done
perceptron train three.svm -a perceptron --arithmetic exact --order file -o m --json |
    grep -o '"arithmetic":"exact","decisions.*other_rows":[0-9]*'
try perceptron inspect m

echo "== a map and its kernel make the same mistakes"
try perceptron trace three.svm --map lift:2:0 --epochs 2
for k in "--map lift:2:1" "--kernel poly --degree 2 --gamma 1 --coef0 1" "--map products:2" "--map lift:2:0" \
    "--kernel poly --degree 2 --gamma 1 --coef0 0" "--map lift:3:0.25" "--map poly:3"; do
    echo "== $k"
    perceptron train three.svm -a perceptron --arithmetic exact --order file -o k $k | grep -e mistakes -e arithmetic
done

echo "== refused"
try perceptron train three.svm --resume m --epochs 40
try perceptron learn m
try perceptron train three.svm --arithmetic exact --stream
try perceptron train three.svm --arithmetic exact --scale standard
try perceptron train three.svm --arithmetic exact --scale by:10
try perceptron train three.svm --arithmetic exact --map poly:2:hash:4
try perceptron train three.svm --arithmetic exact --map lift:2 --kernel poly -a perceptron
try perceptron train three.svm --arithmetic exact --init unit
try perceptron train three.svm --arithmetic exact --schedule 1/t
try perceptron train three.svm --arithmetic exact --rate 1e60
try perceptron train three.svm --arithmetic exact --class-weight balanced
try perceptron train three.svm --arithmetic exact --class-weight 1=0.5
try perceptron train three.svm --arithmetic exact --kernel rbf
try perceptron train three.svm --arithmetic exact --kernel poly --gamma 0.5
try perceptron train three.svm --arithmetic exact --kernel poly --coef0 0.5
try perceptron train three.svm --arithmetic exact --kernel poly --coef0 1e17
try perceptron train three.svm --arithmetic exact --classes seen
try perceptron train three.svm -a perceptron --arithmetic exact --drop-after 2
try perceptron train three.svm -a perceptron --arithmetic exact --kernel poly --budget 2
try perceptron train three.svm --arithmetic exact --rule pa
try perceptron train three.svm -a pa --arithmetic exact
printf '1 1:0.1\n-1 1:1e-101\n' > low.svm
try perceptron train low.svm --arithmetic exact
printf '1 1:0.1\n-1 1:1e100\n' > high.svm
try perceptron train high.svm --arithmetic exact
printf '1 1:1e-99\n-1 1:1e99\n' > far.svm
try perceptron train far.svm --arithmetic exact --kernel poly --degree 100

echo "== trace goes back to doubles, and says why"
perceptron trace three.svm --scale unit | tail -1
perceptron trace three.svm --init unit | tail -1
perceptron trace three.svm -a averaged --rule pa | grep arithmetic
perceptron trace low.svm | tail -1
perceptron trace three.svm -a pa | grep -c arithmetic
perceptron generate blobs --rows 1001 -o many.svm
perceptron trace many.svm --epochs 1 | tail -1
