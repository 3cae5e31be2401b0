# Every algorithm on two real sets: what it reports, and that going on, streams and
# threads change nothing.
. "$CASES/common"
facts() { grep -e '^labels' -e '^algorithm' -e '^end' -e '^mistakes' -e '^updates' -e error -e found; }
perceptron convert :iris iris.svm -q
# The words that completion offers are those of the registry; solvers and networks have other options.
words() { perceptron help --bash-completion | sed -n "s/.*--$1) kind=[A-Z]* words=\" *\(.*\)\" ;;/\1/p" | head -n 1; }
for a in $(words algorithm); do
    case $a in logistic | svm | lp | mlp) continue ;; esac
    echo "== $a"
    perceptron train :cancer -a $a --scale standard --epochs 20 -o cancer.m | facts
    perceptron test cancer.m :cancer | grep -e '^error' -e accuracy -e AUC
    perceptron train iris.svm -a $a --epochs 20 -o iris.m | facts
    perceptron test iris.m iris.svm | grep -e '^error' -e accuracy
    perceptron train iris.svm -a $a --epochs 20 --threads 1 -q -o one.m && same iris.m one.m
    perceptron train iris.svm -a $a --epochs 7 -q -o part.m
    perceptron train iris.svm --resume part.m --epochs 20 -q -o m && same iris.m m
    [ $a = pocket ] && continue
    perceptron train iris.svm -a $a --order file --epochs 3 -q -o memory.m
    perceptron train iris.svm -a $a --stream --epochs 3 -q -o stream.m && same memory.m stream.m
done
try perceptron train iris.svm -a pocket --stream -o m
for a in averaged voted pocket; do
    for rule in $(words rule); do
        [ $a-$rule = voted-arow ] || [ $a-$rule = pocket-arow ] && continue
        echo "$a $rule $(perceptron train :cancer -a $a --rule $rule --scale standard \
            --epochs 5 -o m | grep '^training error')"
    done
done
for schedule in constant 1/t 1/sqrt; do
    perceptron train :cancer -a perceptron --schedule $schedule --epochs 5 -o m | grep '|w|'
done
perceptron trace :and -a averaged | tail -n 5
perceptron trace :and -a voted | tail -n 3
perceptron trace :and -a pocket | tail -n 3
perceptron trace :and -a margin --epochs 2
perceptron trace :and -a pa1 --epochs 1 --csv
