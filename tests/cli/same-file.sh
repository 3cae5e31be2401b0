# No file that a command writes is one that it reads, or another that it writes: exit status 2,
# before any work, and every file is as it was.
. "$CASES/common"

perceptron generate moons --rows 40 -o d.csv
cp d.csv v.csv
perceptron train d.csv -o m -q
perceptron prove d.csv -o cert.json -q || true
mkdir sub pics
ln -s d.csv link.csv
ln d.csv hard.csv
ln -s ../new.csv sub/dangling.csv
ln -s m sub/loop
cp d.csv pics/boundary.svg
before=$(sha256sum d.csv v.csv m cert.json pics/boundary.svg)

refused()
{
    try perceptron "$@" 2>&1 </dev/null | grep -v "^See 'perceptron help" | sed "s|$PWD|HERE|"
    [ "$(sha256sum d.csv v.csv m cert.json pics/boundary.svg)" = "$before" ] || echo "LOST"
}

refused train d.csv -o d.csv
refused train d.csv -o m2 --checkpoint d.csv --epochs 2
refused train d.csv --validate v.csv -o v.csv
refused train d.csv --validate v.csv -o m2 --checkpoint ./v.csv
refused train d.csv --init m -o m
refused train d.csv -o m2 --resume m2 --checkpoint link.csv
refused train link.csv -o hard.csv
refused predict m d.csv -o m
refused predict m d.csv -o sub/../m
refused predict m hard.csv -o link.csv
refused convert d.csv d.csv
refused convert d.csv "$PWD/sub/../d.csv"
refused prove d.csv -o d.csv
refused report d.csv -o hard.csv
refused plot m d.csv --picture boundary -o d.csv
refused plot m d.csv --picture boundary -o m
refused plot pics/boundary.svg --format csv -o pics/
refused plot pics/boundary.svg --format csv -o pics
refused gate 'a & b' -o g --table g
refused gate 'a & b' --table g.csv --proof ./g.csv
refused gate 'a & b' --table new.csv --proof sub/dangling.csv
refused gate 'a & b' --table sub/../new.csv -o "$PWD/new.csv"

echo "--- standard input and output"
try perceptron convert - d.csv --to csv <d.csv 2>&1 | head -n 2
try perceptron learn m <m 2>&1 | head -n 2
perceptron predict m d.csv >>d.csv
[ "$(sha256sum d.csv v.csv m cert.json pics/boundary.svg)" = "$before" ] || echo "LOST"

echo "--- names that are no files, and what is meant to be one"
mkfifo pipe
timeout 60 cat pipe >/dev/null &
try perceptron train d.csv --init zero -o zero -q
try perceptron train :xor -o :xor -q
try perceptron train d.csv -o both --checkpoint both -q
try perceptron train d.csv --resume both --checkpoint both -o both -q --epochs 30
try perceptron learn both -q </dev/null
try perceptron learn both -o both -q </dev/null
try perceptron predict m d.csv -o /dev/null
try perceptron train d.csv -o pipe -q
try perceptron gate 'a & b' -o /dev/null --table /dev/null -q
perceptron predict m d.csv -o /dev/stdout >labels || echo "exit status $?"
try perceptron predict m /dev/stdin -o labels <d.csv
perceptron predict m - -o - <d.csv >labels || echo "exit status $?"
wait
