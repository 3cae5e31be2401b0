# Certificates: written for each verdict, found right; and wrong where they were tampered with.
. "$CASES/common"
perceptron prove :and -q 2>/dev/null || { echo "built without exact arithmetic"; exit 77; }
printf 'b 1:0 2:0\na 1:1 2:0\nb 1:3 2:0\nb 1:1 2:2\na 1:2 2:-1\n' >touching
printf 'a 1:1 2:0.50\nb 1:2\nb 1:1 2:0.5\n' >equal
round()
{
    perceptron prove "$@" -q -o cert.json
    echo "== $*: exit status $?"
    try perceptron verify cert.json "$1"
}
round :and
round :xor
round :xor --no-offset
round :xor --quick
round :iris
round touching
round touching --no-offset
round :xor --kernel poly --degree 2
round :xnor --kernel rbf
round equal --kernel rbf
echo "== what a certificate looks like"
perceptron prove touching -q -o cert.json
cat cert.json
echo "== the rows in another file"
gzip -c touching >touching.gz
tr '\n' '\r' <touching | sed 's/\r/\r\n/g' >touching.crlf
perceptron convert -q touching touching.csv
try perceptron verify cert.json touching.gz
try perceptron verify cert.json touching.crlf
try perceptron verify cert.json touching.csv
echo "== tampered with"
tamper()
{
    echo "-- $1"
    sed "$1" cert.json >wrong.json
    cmp -s cert.json wrong.json && echo "unchanged"
    try perceptron verify wrong.json touching
}
tamper 's/"weights":\["2"/"weights":["3"/'
tamper 's/"held":3/"held":2/'
tamper 's/touching/overlapping/'
tamper 's/"rows":5/"rows":6/'
tamper 's/"offset":true/"offset":false/'
tamper 's/"positive":"b"/"positive":"a"/'
tamper 's/"no":/"yes":/'
tamper 's/}$//'
echo "== other data, no data, no certificate"
try perceptron verify cert.json :xor
sed 's/1:3/1:4/' touching >other
try perceptron verify cert.json other
try perceptron verify cert.json no-such-file
try perceptron verify no-such-file touching
try perceptron verify touching touching
try perceptron verify cert.json
echo "== for programs"
perceptron prove :xor -q --kernel poly --degree 2 --coef0 0 -o cert.json
try perceptron verify cert.json :xor --json
try perceptron verify touching cert.json
echo "== rows that were left out are said"
printf 'x,y,class\n0,0,a\n1,,b\n1,1,b\n' > missing.csv
perceptron prove missing.csv --missing drop -q -o missing.json
try perceptron verify missing.json missing.csv --missing drop
echo "== a limit that is over before the first row"
try perceptron verify missing.json missing.csv --missing drop --time-limit 1e-9
# A refutation in JSON, and the files in each other's place.
perceptron prove :xor -q -o cert.json
try perceptron verify cert.json :and --json
sed 's/"weights":\["1"/"weights":["2"/' cert.json > false.json
try perceptron verify false.json :xor --json
perceptron train :xor -q --epochs 3 -o model
try perceptron verify model :xor
