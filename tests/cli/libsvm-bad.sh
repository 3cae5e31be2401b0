# One bad line in a good file: the place, the reason, exit status 3.
. "$CASES/common"
bad()
{
    printf '+1 1:1 2:2\n-1 1:3\n%b\n+1 2:1\n' "$1" > bad.svm
    printf '%s\n    ' "$1"
    perceptron train bad.svm -q -o m
    rc=$?
    [ $rc -eq 3 ] || echo "EXIT STATUS $rc"
}
bad '+1 abc'
bad '+1 1:xyz'
bad '+1 1:1 2:'
bad '+1 1:0.3q'
bad '+1 :5'
bad '+1 3'
bad '+1 1:nan'
bad '+1 1:NaN'
bad '+1 1:inf'
bad '+1 1:-Infinity'
bad '+1 1:0x10'
bad '+1 1:1e999'
bad '+1 1:-1e400'
bad '+1 1:+'
bad '+1 1:-'
bad '+1 1:.'
bad '+1 1:1e'
bad '+1 1:1,5'
bad '+1 3:1 2:1'
bad '+1 2:1 2:1'
bad '+1 4294967296:1'
bad '+1 99999999999:1'
bad '+1 99999999999999999999999:1'
bad '+1 -1:1'
bad '+1 +1:1'
bad '+1 1.5:1'
bad '+1 1:2:3'
bad 'nan 1:1'
bad '+1 1:1 \0000 2:1'
bad '1:1 2:2'
