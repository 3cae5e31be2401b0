. "$CASES/common"
cat > a.vw <<'EOF'
spam 2 'm1|subject:2 free:1.5 offer |body money:3 money lang:en
ham m2|subject meeting:1 |body notes lang:de
spam |subject free |body money:0.5
ham 1 0 |body notes:2 notes:1
EOF
perceptron train a.vw -o m -a perceptron | untimed
perceptron inspect m | tail -9
perceptron predict m a.vw --format csv --keep tag
perceptron convert a.vw - --to csv -q
perceptron prove a.vw -q; echo $?
echo "== buckets"
perceptron train a.vw --hash 12 -q -o h && perceptron predict h a.vw
echo "== unknown features, no labels, other text"
printf '|subject free new\n7|body notes\n\n' > new.vw
perceptron predict m new.vw --format jsonl --keep tag
printf 'a,b\n1,2\n' > table.csv
try perceptron predict m table.csv --from csv
try perceptron predict m table.csv
perceptron train :iris -q -o i
perceptron convert :iris iris.csv -q && perceptron train iris.csv -q -o i
try perceptron predict i a.vw
try perceptron train a.vw --label x -o m2
try perceptron predict m a.vw --keep id --format csv
try perceptron convert a.vw b.vw
echo "== line by line"
perceptron learn m -o m3 <<'EOF'
| notes
ham |body notes lang:de
spam 1|subject free:2
1:0.5 |body notes
ham |body notes:1e400
EOF
echo "== from names to names"
perceptron train a.vw --init m -o m4 | grep start
