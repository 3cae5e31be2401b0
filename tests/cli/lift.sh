# Maps that stand for polynomial kernels, the decisions that rounding may have made, and the picture.
. "$CASES/common"
fact() { grep -e '^map' -e mistakes -e 'close calls'; }
echo '# the same mistakes as the kernel, or close calls'
perceptron train :circles -a perceptron --order file --map lift:2:0 -o m | fact
perceptron train :circles -a perceptron --order file --kernel poly --degree 2 --coef0 0 -o k | fact
perceptron train :xor -a perceptron --order file --map lift:2 -o m | fact
perceptron train :xor -a perceptron --order file --map products:2 -o m | fact
perceptron train :xor -a perceptron --order file --kernel poly --degree 2 --coef0 0 -o k | fact
perceptron train :iris -a perceptron --multiclass ovr --scale standard --epochs 3 --map lift:2 -o m | fact
perceptron train :iris -a margin --map lift:2 -o m | fact
perceptron train :xor -a perceptron --order file --map lift:2:0 --json -o m | grep -o '"close_calls":[a-z0-9]*'
perceptron train :xor -a perceptron --json -o k | grep -c close_calls
perceptron trace :xor --map lift:2:0 --arithmetic double | tail -n 3
perceptron trace :xor --map products:2 --arithmetic double --json | grep -o '"close_calls":[0-9]*'

echo '# weights by name; stopping and going on; one line at a time; a stream'
perceptron train :xor -a perceptron --order file --map lift:3:2.5 -q -o m && perceptron inspect m | tail -n 11
perceptron train :xor -a perceptron --order file --map products:2 -q -o m && perceptron inspect m | tail -n 5
perceptron train :circles -a perceptron --map lift:2 --epochs 2 -q -o half
perceptron train :circles -a perceptron --map lift:2 --resume half --epochs 100 -q -o on
perceptron train :circles -a perceptron --map lift:2 -q -o whole && same on whole
perceptron convert :circles rows.svm >/dev/null
perceptron train rows.svm --stream --index 1 -a perceptron --epochs 1 --map lift:2:0.5 -q -o stream
perceptron train rows.svm --index 1 --order file -a perceptron --epochs 1 --map lift:2:0.5 -q -o pass
same stream pass
perceptron predict whole :circles | head -n 3

echo '# the picture'
perceptron plot :circles --lift
perceptron plot :circles --lift -o c.svg && grep -c data-i c.svg
perceptron plot :circles --lift --map lift:2 --axes 'x1^2,x2^2,distance' -o d.svg && grep '^<desc' d.svg
perceptron plot :circles --lift -a averaged --kernel poly --degree 3 -q -o e.svg && grep '^<desc' e.svg
perceptron train :xor -a perceptron --map lift:2:0 -q -o m && perceptron plot m :xor --picture lift -q -o f.svg && grep '^<desc' f.svg
perceptron report :xor --lift -q -o r.html && grep -o 'sec-lift-title">[^<]*' r.html

echo '# what is wrong'
for map in products products:9 products:2:3 lift:2:-1 lift:2:x lift:2,1; do
    try perceptron train :xor --map $map -o m
done
try perceptron plot :circles --lift --axes x1,x2,x3
try perceptron plot :iris --lift
try perceptron plot :circles --lift --kernel rbf
try perceptron prove :xor --map lift:2
printf '1 1:1 70000:1\n2 2:1\n' > wide.svm
try perceptron train wide.svm --map lift:2 -o m
printf '1 1:1e200\n2 2:1\n' > large.svm
try perceptron train large.svm --map lift:2 -o m
