. "$CASES/common"
cat > a.jsonl <<'EOF'
{"a": {"b": 1, "c": [2, -0.5]}, "colour": "red", "ok": true, "id": 17, "y": "u"}
{"a": {"b": 2, "c": [4, 0.5]}, "colour": "bl\u00fce", "ok": false, "id": 18, "y": "v"}
{"y": "u", "ok": true, "colour": "red", "id": "a\"b", "a": {"c": [1, 1e-1], "b": 3}}
EOF
perceptron train a.jsonl --label y --ignore id -o m | untimed
perceptron predict m a.jsonl --format csv --keep id,a.c.1
perceptron predict m a.jsonl --format jsonl --keep id
echo "== the same through a pipe, compressed, with a mark and carriage returns"
perceptron predict m - < a.jsonl
gzip -c a.jsonl | perceptron predict m -
{ printf '\357\273\277'; sed 's/$/\r/' a.jsonl; } | perceptron predict m -
echo "== by other formats"
perceptron convert a.jsonl b.csv --label y --ignore id
perceptron convert a.jsonl c.jsonl --label y --ignore id
cat b.csv c.jsonl
printf 'colour,ok,a.b,a.c.0,a.c.1\nred,true,1,2,-0.5\n' | perceptron predict m -
perceptron convert a.jsonl d.blocks --label y --ignore id -q
perceptron convert d.blocks d.ndjson -q && cmp c.jsonl d.ndjson
perceptron prove a.jsonl --label y --ignore id -q; echo $?
echo "== keys that the model does not know, and keys that are not there"
printf '{"a":{"b":1,"c":[1,2],"d":5},"colour":"green","ok":true,"more":[1,"x"]}\n' > more.jsonl
perceptron predict m more.jsonl
printf '{"a":{"b":1},"colour":"red","ok":true}\n' > less.jsonl
try perceptron predict m less.jsonl
try perceptron predict m less.jsonl --missing zero
try perceptron predict m b.csv --from jsonl
printf '{"a":1,"label":1}\n{"a":1,"b":2,"label":2}\n' > later.jsonl
try perceptron train later.jsonl --missing error -o m2
try perceptron train later.jsonl --ignore b -o m2 -q
echo "== line by line"
perceptron learn m -o m3 <<'EOF'
{"a":{"b":1,"c":[1,2]},"colour":"red","ok":true}
{"a":{"b":1,"c":[1,2]},"colour":"red","ok":true,"y":"v"}
{"a":{"b":1,"c":[1,2]},"colour":"red","ok":true,"y":"v","y":"u"}
{"a":{"b":1,"c":[1,1e400]},"colour":"red","ok":true,"y":"v"}
{"a":{"b":1
EOF
