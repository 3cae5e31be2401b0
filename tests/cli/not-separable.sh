# A limit is done, and said; it is not called convergence.
. "$CASES/common"
perceptron train :xor -a perceptron --epochs 7 -o m | untimed
perceptron train :xor -a perceptron --updates 7 -o m | grep '^end'
perceptron train :xor --epochs 1000000000 --time-limit 0.05 -o m |
    grep '^end' | sed 's/pass [0-9]*/pass N/'
perceptron inspect m | grep -e '^end'
