#!/bin/sh
# run.sh PROGRAM EXPECTED -- runs an example in an empty directory; what it prints
# must be the text of EXPECTED, and its exit status 0. Results are the same on
# every machine, so the text can be compared as it is.
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
expected=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$program" >got
diff -u "$expected" got
