# Weights that shrink with every example: in the model, on the way, and what is refused.
. "$CASES/common"
printf '1 1:1\n-1 2:1\n1 1:1\n-1 2:1\n1 1:1\n' > rows
perceptron learn --new -a pa --decay 0.5 -o m < rows
perceptron inspect m | grep -e ^options -e '^offset' -A 5
echo '1:1 2:-2' | perceptron learn m -q
perceptron inspect m --json | grep -o '"decay":[^,}]*'
echo '--- a stream and a run in memory; going on'
perceptron train rows --decay 0.25 --stream --epochs 1 -q -o stream
perceptron train rows --decay 0.25 --order file --epochs 1 -q -o memory && same stream memory
perceptron train rows --decay 0.25 --order file --epochs 3 -q -o three
perceptron train rows --resume memory --epochs 3 -q -o resumed && same three resumed
echo '--- 0 is none: the bytes of before'
perceptron train rows -a margin -q -o before && perceptron train rows -a margin --decay 0 -q -o none
same before none
echo '--- no bound'
perceptron learn --new -a perceptron --decay 0.1 --radius 2 --separation 0.1 -o m < rows
echo '--- every step'
perceptron trace :and --decay 0.1 --epochs 2
echo '--- what is refused'
for how in '-a perceptron --kernel rbf' '-a perceptron --drop-after 3' '--arithmetic exact' \
    '--rule arow' '-a voted' '-a svm'; do
    try perceptron train rows $how --decay 0.1
done
try perceptron train rows --decay 1
try perceptron train rows --decay much
