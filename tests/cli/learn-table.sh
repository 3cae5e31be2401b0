# A model of a table is taught rows of that table.
. "$CASES/common"
perceptron convert :iris iris.csv --to csv -q
perceptron train iris.csv --scale standard --epochs 5 -q -o m
cp m m2
echo '--- with names of columns, in another order; without'
sed -n '1p;2p;60p;120p' iris.csv | sed 's/^\([^,]*,[^,]*\),\(.*\)$/\2,\1/' > named
cat named
perceptron learn m < named
sed -n '2p;60p;120p' iris.csv > plain
perceptron learn m2 -q < plain
same m m2
echo '--- without a label'
sed -n '60p' iris.csv | sed 's/,[a-z]*$//' > narrow
sed 's/$/,/' narrow > missing
cat narrow missing plain narrow > mixed
perceptron learn m -o m3 -q < mixed
echo '--- rows that cannot be read'
printf '1,2\n1,2,3,4,setosa,6\n1,2,3,four,\n1,2,3,,\n1,2,3,"4,\n' > bad
try perceptron learn m < bad
sed '1s/petal width/petal breadth/' named > misnamed
try perceptron learn m -q < misnamed
same m m2
echo '--- cells that are missing'
echo '1,2,3,?,' > hole
try perceptron learn m -q --missing zero < hole
try perceptron learn m --missing mean < hole
echo '--- the model has decided'
try perceptron learn m --scale unit
try perceptron learn m --map poly:2
