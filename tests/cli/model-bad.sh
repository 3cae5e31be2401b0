# A model file that is cut, changed or something else: an error, never a guess.
. "$CASES/common"
perceptron train :blobs85 -q -o m
size=$(wc -c < m)
for n in 0 1 7 8 9 100 $((size / 2)) $((size - 1)); do
    head -c $n m > 'cut'
    perceptron predict 'cut' :blobs85 > out 2> err
    rc=$?
    if [ $rc -ne 3 ] || [ -s out ] || [ "$(wc -l < err)" -ne 1 ]; then
        echo "$n bytes: $rc"
        cat err
    fi
done
{ cat m; echo; } > longer && try perceptron predict longer :blobs85
{ head -c $((size - 5)) m; printf x; tail -c 4 m; } > changed
try perceptron predict changed :blobs85
try perceptron predict nowhere :blobs85
mkdir dir && try perceptron inspect dir
echo hello > text && try perceptron inspect text
head -c 4096 /dev/zero > zeros && try perceptron inspect zeros
head -c 4096 /dev/zero | tr '\0' '\377' > ones && try perceptron test ones :xor
perceptron train :blobs85 -q -o m2 && same m m2
