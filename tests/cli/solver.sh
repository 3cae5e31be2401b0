# What svm says of the problem it has solved.
. "$CASES/common"
for how in "-C 0.1" "-C0.1 --loss hinge" --C=10 --hard "--hard --offset-inside"; do
    echo "== $how"
    perceptron train :and -a svm $how -o m | untimed | sed '/^data /,/^memory /d'
done
echo "== JSON"
perceptron train :and -a svm --hard -o m --json | untimed_json
echo "== a gap that rounding has taken below 0 is 0"
for data in :and :or; do
    for c in 0.01 1; do
        perceptron train $data -a svm -C $c --gap 1e-15 --solver dual -o m --json >report
        perceptron inspect m --json >>report
        grep -c -e '"gap":-' -e '"relative_gap":-' report
    done
done
echo "== the answer is no"
try perceptron train :xor -a svm --hard -o none
echo "== undecided"
perceptron train :cancer -a svm --hard --scale standard --epochs 1 -o m >report
echo "exit status $?"; grep ^end report
echo "== a limit that matters less"
perceptron train :cancer -a svm --solver dual --scale standard --epochs 1 -o m >report
echo "exit status $?"; grep ^end report
echo "== the bound of the perceptron's mistakes"
perceptron train :blobs85 -a svm --hard -o m | grep -e ^margin -e ^mistake
perceptron train :blobs85 -a perceptron -o m | grep ^mistakes
echo "== wrong"
try perceptron train :and -a svm -C 0 -o none
try perceptron train :and -a svm -C -1 -o none
try perceptron train :and -a svm -o none -C
try perceptron train :and -C 1 -o none
try perceptron train :and -K 1 -o none
echo "== contradictions are found before the data are looked for"
try perceptron train nowhere -a svm --hard -C 1 -o none
try perceptron train nowhere -a svm --loss hinge --solver newton --folds 3 -o none
echo "== very small and very large numbers"
printf '1 1:1e-200\n-1 1:-1e-200\n' >small
printf '1 1:1e200\n-1 1:-1e200\n' >large
printf '1 1:1\n1 1:0\n-1 1:-1\n' >zero
perceptron train small -a svm --hard --no-offset -o m | grep -e ^end -e ^margin
perceptron train large -a svm --hard --no-offset -o m | grep -e ^end -e ^margin
try perceptron train zero -a svm --hard --no-offset -o none
try perceptron train large -a svm -o none
try perceptron train :and -a svm -C 1e300 --class-weight 1=1e10 -o none
echo "== as far as it goes"
perceptron train :blobs85 -a svm --solver newton -C 1e20 -o m | grep ^end
perceptron inspect m | grep ^end
perceptron train :and -a svm -o m -q
echo "== the offset outside the norm, whatever is said; inside; and none"
printf '1 1:10 2:12\n1 1:12 2:11\n-1 1:10 2:8\n-1 1:13 2:8\n' >two
for how in "" --offset-free --offset-inside --no-offset; do
    perceptron train two -a svm --hard --gap 1e-12 $how -o hard | grep margin
    perceptron inspect hard | grep margin
done
try perceptron train nowhere -a svm --offset-inside -o none
try perceptron train nowhere -a svm --hard --offset-inside --offset-free -o none
try perceptron train nowhere -a svm --hard --offset-inside --no-offset -o none
echo "== below what doubles can tell"
printf 'a 1:0 2:0.1\na 1:1 2:0.3\nb 1:0.5 2:0.2\n' >tenths
printf '1 1:1\n-1 1:1.0000000000000002\n' >near
printf '1 1:1e-17\n1 1:1\n-1 1:-1e-17\n' >tiny
printf 'a 1:0 2:0.1000000000000000055\na 1:1 2:0.3\nb 1:0.5 2:0.2\n' >long
try perceptron train tenths -a svm --hard -o none
try perceptron train tenths -a svm --hard --offset-inside -o none
try perceptron train long -a svm --hard -o none
try perceptron train near -a svm --hard -o none
printf 'a 1:1 2:3\nb 1:1 2:3\n' >same
try perceptron train same -a svm --hard --map poly:2 -o none
perceptron train tiny -a svm --hard -o hard | grep -e ^end -e margin
echo "== a start for others"
perceptron train :and -a perceptron --init m -o other | grep -e start -e mistakes
ls none
