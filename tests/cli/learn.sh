# A teacher and a learner: answers, lines that cannot be read, saving, going on.
. "$CASES/common"
cat > lines <<'EOF'
1 1:1 2:0.5
-1 1:-1 2:1

# a comment
+1 1:0.2 2:x
1:0.5
-1 1:-2
1 2:1 1:1
1 1:3
7
1:-0.5 2:2
EOF
try perceptron learn --new -o m -a perceptron < lines
echo '--- going on equals never having stopped'
grep -v -e x -e '2:1 1:1' lines > good
perceptron learn --new -o whole -q < good > answers
head -n 4 good | perceptron learn --new -o parts -q > part1
tail -n +5 good | perceptron learn parts -q > part2
same whole parts
grep -v ack answers > a; cat part1 part2 | grep -v ack > b; same a b
echo '--- saved to another file; the first stays as it was'
cp whole copy
echo '1 1:7' | perceptron learn whole -o other
same whole copy
perceptron inspect other --json | grep -o '"examples":[0-9]*'
echo '--- a question alone changes nothing'
echo '1:1 2:1' | perceptron learn whole
same whole copy
echo '--- acknowledged every second example, and at the end'
printf '1 1:1\n2 1:2\n1 1:3\n3 1:4\n1 1:5' > five
perceptron learn --new -o m --every 2 < five
echo '--- no line can be read: what was there stays'
printf '1 1:x\n1,2,3\n' > bad
cp m before; try perceptron learn --new -o m < bad; same m before
echo '--- indices'
echo '1 0:1' > zero
try perceptron learn --new -o m -q < zero
try perceptron learn --new -o m -q --index 0 < zero
try perceptron learn m --index 1
echo '--- nothing at all'
try perceptron learn --new -o empty < /dev/null
perceptron inspect empty --json | grep -o '"examples":[0-9]*'
echo '1 1:1' | perceptron learn empty -q
