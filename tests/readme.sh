#!/bin/sh
# readme.sh TOOL -- runs the commands of README.md's ```sh blocks, in order, in an
# empty folder, and fails at the first that fails.
set -eu
tool=$(cd "$(dirname "$1")" && pwd)
readme=$(cd "$(dirname "$0")/.." && pwd)/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
sed -n '/^```sh$/,/^```$/p' "$readme" | grep -v '^```' >commands
[ -s commands ] || {
    echo "readme: no commands found" >&2
    exit 1
}
PATH="$tool:$PATH" sh -eu commands >output
grep -q 'converged: pass 18 made no mistake' output || {
    echo "readme: the output shown is not what train prints" >&2
    exit 1
}
echo "$(grep -c . commands) passed, 0 failed"
