# Weights by label: what they change, and what is refused.
. "$CASES/common"
confusion() { perceptron test m :cancer | grep -A2 truth; }
for w in malignant=1 malignant=10 malignant=0.1,benign=1 balanced; do
    echo "== $w"
    perceptron train :cancer --scale standard --epochs 5 --class-weight $w -q -o m && confusion
done
echo "== weight 0: as if the rows were not there"
perceptron train :iris --class-weight virginica=0 -o m --epochs 3 | grep -e '^labels' -e '^training error'
for w in setosa=-1 setosa=nan setosa=inf setosa=x setosa= setosa =2 setosa=1,setosa=2 rose=2; do
    try perceptron train :iris --class-weight $w -o m
done
perceptron convert :iris iris.svm -q
try perceptron train iris.svm --stream --class-weight balanced -o m
try perceptron train iris.svm --stream --class-weight rose=2 -o m
echo "== labels with commas and quotes"
printf 'x,y\n1,"a,b"\n-1,"say ""hi"""\n2,"a,b"\n-2,"say ""hi"""\n' > comma.csv
perceptron train comma.csv --class-weight '"a,b"=2,"say ""hi"""=3' -q -o m && perceptron inspect m | grep -i 'class-weight\|class weight'
perceptron train comma.csv --stream --classes '"a,b","say ""hi"""' -q -o m && perceptron predict m comma.csv
try perceptron train comma.csv --class-weight '"a,b=2' -o m
try perceptron train comma.csv --class-weight '"a,b"2' -o m
for list in ',a=1' '=1' 'a' '=' 'a=1,' '"a'; do try perceptron train :iris -q --class-weight "$list" -o none 2>&1; done
