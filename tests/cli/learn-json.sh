# One JSON object a line.
. "$CASES/common"
printf 'b 1:1\n\na 1:0.5\n2:1\nb 1:-\nc 2:1\nb 2:3\n"q 1:1\n' > lines
perceptron learn --new -o m --json --every 3 -a perceptron < lines
echo '--- the same for a table'
printf 'size,colour,kind\n1,red,x\n2,blue,"a ""b"""\n' > table
perceptron train table -q -o t
printf '3,green,\n3,red,"a ""b"""\n1,"red\n' > rows
perceptron learn t --json < rows
