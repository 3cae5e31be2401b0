. "$CASES/common"
try perceptron train nowhere.svm -o m
mkdir dir && try perceptron train dir -o m
: > empty && try perceptron train empty -o m
printf '\n\n# nothing\n' > comments && try perceptron train comments -o m
printf '+1 1:1\n+1 1:2\n' > one-class && try perceptron train one-class -o m
printf '1:1\n' > no-label && try perceptron train no-label -o m
try perceptron train :nowhere -o m
head -c 300000 /dev/zero > zeros && try perceptron train zeros -o m
try perceptron train :and -o nowhere/m
try perceptron train :and -o dir
long=$(head -c 5000 /dev/zero | tr '\0' 'x')
perceptron train "$long" -o m 2>&1 | cut -c 1-40
perceptron train :and -o "$long" 2>&1 | cut -c 1-40
ls
# Links that lead to each other, and names that are too long: read and written.
ln -s b a && ln -s a b && perceptron train :and -q -o m
for name in a "$long"; do
    for words in "train :and -q -o" "convert --to csv :and" "predict m :and -o" "gate a&b -q -o" "learn --new -q -o" \
        "report :and -q -o" "generate moons -o" "train" "test m" "inspect" "learn" "verify"; do
        case $words in verify) set -- verify "$name" :and ;; *) set -- $words "$name" ;; esac
        perceptron "$@" </dev/null >out 2>&1 && rc=0 || rc=$?
        echo "$words: $rc $(sed 's/.*: //' out | cut -c 1-40 | head -n 1)"
    done
done
ls
