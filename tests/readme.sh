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
# The output shown below the commands: every line of it was printed.
awk '/^```/ { inside = !inside; kind = substr($0, 4); next }
     inside && kind == "" && $0 != "..."' "$readme" >shown
[ -s shown ] || {
    echo "readme: no output shown" >&2
    exit 1
}
while IFS= read -r line; do
    grep -qxF -- "$line" output || {
        echo "readme: not what train prints: $line" >&2
        exit 1
    }
done <shown
# The pictures that it shows and the commands made.
for picture in "${readme%README.md}"docs/pictures/*.svg; do
    cmp "$picture" "$(basename "$picture")" || {
        echo "readme: $picture is not what the command makes" >&2
        exit 1
    }
done
echo "$(grep -c . commands) passed, 0 failed"
