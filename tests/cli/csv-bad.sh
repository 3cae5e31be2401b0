. "$CASES/common"
bad()
{
    printf '%b' "$1" > bad.csv
    printf '%s\n    ' "$1"
    shift
    perceptron train bad.csv -q -o m "$@"
    rc=$?
    [ $rc -eq 3 ] || echo "EXIT STATUS $rc"
}
bad 'a,b,y\n1,2,p\n3,n\n' --label y
bad 'a,b,y\n1,2,p\n3,4,n,5\n' --label y
bad 'a,b,y\n1,2,p\n,4,n\n' --label y --missing error
bad 'a,b,y\n1,2,p\n1,nan,n\n' --label y --missing error
bad 'a,b,y\n1,2,p\n1,inf,n\n' --label y
bad 'a,b,y\n1,2,p\n1,1e999,n\n' --label y
bad 'a,b,y\n1,2,p\n1,"2,n\n' --label y
bad 'a,b,y\n1,2,p\n1,"2"x,n\n' --label y
bad 'a,b,y\n1,2,p\n1,2,\n' --label y
bad 'a,b,y\n' --label y
printf 'a,b,y\n1,2,p\n,4,n\n3,1,p\n2,-1,n\n' > gap.csv
for how in auto mean zero drop; do
    perceptron train gap.csv --label y --missing $how -a perceptron -o m |
        grep -e '^rows' -e ^gaps -e features -e note -e '|w|'
done
# auto fills where there are gaps, as mean does; without any the model knows no means
perceptron train gap.csv --label y -q -o auto && perceptron train gap.csv --label y --missing mean -q -o mean && cmp auto mean
printf 'a,b,y\n1,2,p\n7,4,n\n' > whole.csv
perceptron train whole.csv --label y -q -o auto && perceptron train whole.csv --label y --missing error -q -o mean && cmp auto mean
try perceptron test auto gap.csv
try perceptron train gap.csv --stream -o m
try perceptron train gap.csv --label z -o m
try perceptron train gap.csv --label 9 -o m
