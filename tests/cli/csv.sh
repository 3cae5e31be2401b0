. "$CASES/common"
cat > a.csv <<'END'
height,colour,"a, ""quoted"" name",class
1,red,0.5,yes
2,blue,0.25,no
3,red,-1,yes
-1,green,0,no
END
perceptron train a.csv --label class -a perceptron -o m --epochs 20 | untimed
perceptron inspect m
perceptron predict m a.csv --scores
perceptron predict m - < a.csv
perceptron test m a.csv | grep accuracy
tr , '\t' < a.csv | sed 's/a\t/a,/' > a.tsv
perceptron train a.tsv --label class -q -o m2 --epochs 20 && perceptron predict m2 a.tsv
printf '1,2,a\n3,4,b\n' > bare.csv
perceptron train bare.csv --label 3 -o m3 | grep -e labels -e features
printf 'height,colour,class\n1,red,yes\n' > short.csv
try perceptron predict m short.csv
cat > other-order.csv <<'END'
colour,class,"a, ""quoted"" name",height,more
red,?,0.5,1,9
blue,?,0.25,2,9
END
try perceptron predict m other-order.csv
try perceptron predict m other-order.csv --ignore more
printf 'height,colour,"a, ""quoted"" name",class\n1,violet,0.5,yes\n' > new-category.csv
try perceptron predict m new-category.csv
printf 'height,colur,"a, ""quoted"" name",class\n1,red,0.5,yes\n' > slip.csv
try perceptron predict m slip.csv
perceptron predict m other-order.csv --json | grep -o '"unknown":.*'
perceptron test m other-order.csv --label height 2>&1 | head -3
echo "== names in quotes"
perceptron train a.csv --ignore '"a, ""quoted"" name",colour' -o m4 | grep features
perceptron predict m a.csv --keep '"a, ""quoted"" name",class' --format csv
perceptron plot a.csv --features '"a, ""quoted"" name",height' | tail -3
try perceptron train a.csv --ignore '"a, ""quoted" name",colour' -o m4
