# The mistakes beside the bound (R/gamma)^2, and what it says.
. "$CASES/common"
printf -- '-1 1:0 2:0\n-1 1:0 2:1\n-1 1:1 2:0\n1 1:1 2:1\n' > and
cat and and and and and and > lines
echo '--- within it (gamma is 0.24 at most)'
perceptron learn --new -o m -a perceptron --radius 2 --separation 0.2 < lines | grep -v right
perceptron learn --new -o m --radius 2 --separation 0.2 --json -q < lines | tail -n 3
echo '--- a margin that these data cannot have'
perceptron learn --new -o m --radius 2 --separation 0.8 -q < lines | tail -n 2
perceptron learn --new -o m --radius 2 --separation 0.8 --json -q < lines | tail -n 2
echo '--- not a bound for every model'
for options in '-a pa' '--schedule 1/t' '--class-weight 1=2' '--multiclass native'; do
    perceptron learn --new -o m $options --radius 2 --separation 1 < and 2>&1 > answers | head -n 1
    grep bound answers
done
printf 'x,weight,y\n1,1,a\n2,1,b\n' > table
perceptron train table --weight weight -a perceptron --epochs 2 -q -o m
printf '3,1,a\n1,2,a\n' > rows
perceptron learn m --radius 4 --separation 0.1 < rows
printf 'a 1:1\nb 1:2\nc 1:3\n' > three
perceptron learn --new -o m --radius 2 --separation 0.5 < three
