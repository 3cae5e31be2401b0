#!/bin/sh
# run.sh TOOL -- compiles the library for the page, compares it with the command-line tool, and
# tests what else of the page needs no browser. 77, which is "skipped", where a package is
# missing.
set -eu
tool=$(realpath "$1")
cd "$(dirname "$0")/../.."
command -v node >/dev/null || {
    echo "skipped: there is no node (Debian's package nodejs)"
    exit 77
}
scripts/web --module || exit $?

wasm=$PWD/build/wasm/web/perceptron.wasm status=0
node tests/web/run.js "$wasm" "$tool" || status=1
log=$(mktemp)
PERCEPTRON=$tool PERCEPTRON_WASM=$wasm node --test tests/web/*.test.js >"$log" 2>&1 || {
    cat "$log"
    status=1
}
# As scripts/test counts.
sed -n 's/^# pass \([0-9]*\)$/\1 passed,/p; s/^# fail \([0-9]*\)$/\1 failed/p' "$log" | tr '\n' ' '
echo
rm -f "$log"
exit $status
