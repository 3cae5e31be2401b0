#!/bin/sh
# run.sh TOOL -- the recipe for Parquet (docs/formats.md): files that another library wrote are read
# by examples/parquet.mjs, and what comes through the pipe is the table they were written from.
# Skipped, with the reason, where node or its packages are not to be had.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tool=$(realpath "$1")
command -v node >/dev/null && command -v npm >/dev/null || { echo "node or npm is missing"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$here/package.json" "$here/package-lock.json" "$here/write.mjs" "$here/../../examples/parquet.mjs" "$dir"
cd "$dir"
npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1 || { tail -n 3 npm.log; echo "no packages"; exit 77; }

node write.mjs
for codec in uncompressed snappy gzip; do
    node parquet.mjs visits.$codec.parquet >rows.jsonl
    cmp rows.jsonl visits.jsonl
    node parquet.mjs visits.$codec.parquet | "$tool" train - -a perceptron --epochs 20 -o $codec.model -q
    node parquet.mjs visits.$codec.parquet day ward left | "$tool" convert - $codec.csv -q
done
# The table as it was: quotes, commas and all.
"$tool" train visits.csv -a perceptron --epochs 20 -o csv.model -q
"$tool" predict csv.model visits.csv >expected
for codec in uncompressed snappy gzip; do
    cmp $codec.model uncompressed.model
    node parquet.mjs visits.$codec.parquet | "$tool" predict $codec.model - >got
    cmp got expected
    head -n 1 $codec.csv | grep -q 'ward=heart'
    test "$(head -n 1 $codec.csv | grep -c age)" = 0 # a column that was not asked for
done
# A reader that goes away, and a file that is none.
node parquet.mjs visits.snappy.parquet | head -n 1 | cmp - first.jsonl
if node parquet.mjs visits.csv 2>/dev/null; then exit 1; fi
