# The manual page and the completion are well formed.
. "$CASES/common"
perceptron help --man > perceptron.1
head -n 1 perceptron.1
grep -c '^\.SS' perceptron.1
if command -v mandoc >/dev/null 2>&1; then
    mandoc -Tlint perceptron.1 | grep -v -e STYLE -e 'missing date'
fi
need bash
perceptron help --bash-completion > completion
bash -n completion
cat > ask <<'END'
. ./completion
ask() {
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _perceptron
    echo "$* => $(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | tr '\n' ' ')"
}
ask perceptron tr
ask perceptron train --or
ask perceptron train --order ""
ask perceptron train -a ""
ask perceptron train --r
ask perceptron train --rule ""
ask perceptron trace --ma
ask perceptron help al
ask perceptron generate ""
ask perceptron convert a b --to ""
ask perceptron train --threshold ""
ask perceptron train --init ""
ask perceptron train --scale =
ask perceptron train --order = fi
ask perceptron train -a logistic ""
ask perceptron train :x
ask perceptron train :
ask perceptron train : x
ask perceptron train ta
ask perceptron train table.csv --ignore "id,a"
ask perceptron train semicolons.csv --label ""
ask perceptron train nothing.csv --label ""
ask perceptron predict ""
ask perceptron predict two.safetensors ""
ask perceptron predict two.safetensors table.csv --keep ""
ask perceptron test one
ask perceptron inspect ""
ask perceptron train table.csv --resume ""
ask perceptron help ""
END
printf '\357\273\277id,"a b",app,"say ""no""",label\r\n1,2,3,4,5\r\n' > table.csv
printf 'x;y\n1;2\n' > semicolons.csv
touch one.safetensors two.safetensors
bash ask
