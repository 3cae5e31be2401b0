# Files on which arithmetic with rounding is wrong: it is overruled, and the answer is right.
. "$CASES/common"
perceptron prove :and -q 2>/dev/null || { echo "built without exact arithmetic"; exit 77; }
for file in gap opposite touching underflow; do
    echo "== $file"
    perceptron prove "$CASES/mislead-$file.svm" -o cert.json >report
    echo "exit status $?"
    grep -e ^verdict -e '^its margin' -e ^witness -e '^found by' report
    perceptron verify cert.json "$CASES/mislead-$file.svm" | grep ^verified
done
