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
ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _perceptron; echo "$* => ${COMPREPLY[*]}"; }
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
ask perceptron train ""
END
bash ask
