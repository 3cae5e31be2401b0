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
# Times and other facts of a machine are taken out by the case itself: see common. As many cases
# are run at a time as there are cores.
set -u

if [ "${1-}" = --case ]; then # one of them, from below
    mkdir "$WORK/$2" && cd "$WORK/$2" || exit 2
    sh "$CASES/$2.sh" >"$WORK/$2.got" 2>&1 </dev/null
    echo $? >"$WORK/$2.rc"
    exit 0
fi
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
WORK=$(mktemp -d) || exit 2
export CASES WORK
trap 'chmod -R u+w "$WORK"; rm -rf "$WORK"' EXIT
mkdir "$WORK/bin" && ln -s "$binary" "$WORK/bin/perceptron" || exit 2
PATH=$WORK/bin:$PATH
LC_ALL=C
unset NO_COLOR
export PATH LC_ALL

if [ $# -eq 0 ]; then
    set -- "$CASES"/*.sh
fi
names=$(for script in "$@"; do basename "$script" .sh; done | grep -vx run)
echo "$names" | xargs -n 1 -P "$(nproc)" "$CASES/run.sh" --case
passed=0 failed=0 skipped=0
for name in $names; do
    rc=$(cat "$WORK/$name.rc")
    if [ "$rc" -eq 77 ]; then
        skipped=$((skipped + 1))
        echo "skipped $name: $(tail -n 1 "$WORK/$name.got")"
        continue
    fi
    if [ $update = yes ]; then
        cp "$WORK/$name.got" "$CASES/$name.out"
        rm -f "$CASES/$name.rc"
        [ "$rc" -eq 0 ] || echo "$rc" >"$CASES/$name.rc"
        continue
    fi
    want=0
    [ -f "$CASES/$name.rc" ] && want=$(cat "$CASES/$name.rc")
    if cmp -s "$CASES/$name.out" "$WORK/$name.got" && [ "$rc" -eq "$want" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name (exit status $rc, expected $want)"
        diff -u "$CASES/$name.out" "$WORK/$name.got" | head -n 60
    fi
done
[ $update = yes ] && { echo "updated: read the difference before you trust it"; exit 0; }
echo "cli: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
