#!/bin/sh
# run.sh -- golden tests of the command line.
#
#   tests/cli/run.sh BINARY [CASE...]             run all cases, or some by name
#   tests/cli/run.sh --update BINARY [CASE...]    write down what they print now
#
# A case is a script NAME.sh. It runs in an empty directory of its own with the
# program as `perceptron`, and everything it prints, on stdout and stderr, must be
# what NAME.out says. Its exit status must be what NAME.rc says, or 0 without one;
# 77 means that something the case needs is missing here, and it is passed over.
# Times and other facts of a machine are taken out by the case itself: see common.
set -u

update=no
if [ "${1-}" = --update ]; then
    update=yes
    shift
fi
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "usage: run.sh [--update] BINARY [CASE...]" >&2
    exit 2
fi
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
CASES=$(cd "$(dirname "$0")" && pwd)
export CASES
work=$(mktemp -d) || exit 2
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
mkdir "$work/bin" && ln -s "$binary" "$work/bin/perceptron" || exit 2
PATH=$work/bin:$PATH
LC_ALL=C
unset NO_COLOR
export PATH LC_ALL

if [ $# -eq 0 ]; then
    set -- "$CASES"/*.sh
fi
passed=0 failed=0 skipped=0
for script in "$@"; do
    name=$(basename "$script" .sh)
    [ "$name" = run ] && continue
    mkdir "$work/$name"
    (cd "$work/$name" && exec sh "$CASES/$name.sh") >"$work/$name.got" 2>&1 </dev/null
    rc=$?
    if [ $rc -eq 77 ]; then
        skipped=$((skipped + 1))
        echo "skipped $name: $(tail -n 1 "$work/$name.got")"
        continue
    fi
    if [ $update = yes ]; then
        cp "$work/$name.got" "$CASES/$name.out"
        rm -f "$CASES/$name.rc"
        [ $rc -eq 0 ] || echo $rc >"$CASES/$name.rc"
        continue
    fi
    want=0
    [ -f "$CASES/$name.rc" ] && want=$(cat "$CASES/$name.rc")
    if cmp -s "$CASES/$name.out" "$work/$name.got" && [ $rc -eq "$want" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name (exit status $rc, expected $want)"
        diff -u "$CASES/$name.out" "$work/$name.got" | head -n 60
    fi
done
[ $update = yes ] && { echo "updated: read the difference before you trust it"; exit 0; }
echo "cli: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
