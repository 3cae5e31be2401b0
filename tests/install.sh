#!/bin/sh
# install.sh BUILD -- installs into a temporary folder and uses what came out: every
# file is there, an example builds and runs with the installed header and library
# alone, and the shared library shows what the header declares, no more and no less.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# find_one NAME -- the path, below the root, that ends in NAME.
find_one()
{
    path=$(find "$root" -path "*/$1" | head -n 1)
    [ -s "$path" ] || {
        echo "install: $1 is missing" >&2
        exit 1
    }
    echo "$path"
}

meson install -C "$build" --no-rebuild --destdir "$root" >/dev/null
tool=$(find_one bin/perceptron)
pc=$(find_one pkgconfig/perceptron.pc)
lib=$(find_one libperceptron.so)
man=$(find_one man/man1/perceptron.1)
completion=$(find_one bash-completion/completions/perceptron)
find_one include/perceptron.h >/dev/null
find_one libperceptron.a >/dev/null

"$tool" --version >/dev/null
bash -n "$completion"
grep -q '^\.TH' "$man"

# shellcheck disable=SC2046
${CC:-cc} "$here/examples/train_and_save.c" -o "$root/example" $(
    PKG_CONFIG_PATH=$(dirname "$pc") PKG_CONFIG_SYSROOT_DIR=$root \
        pkg-config --cflags --libs perceptron)
cd "$root"
LD_LIBRARY_PATH=$(dirname "$lib") ./example >got
diff -u "$here/tests/examples/train_and_save.out" got

nm -D --defined-only "$lib" | sed -n 's/.* [A-Z] //p' | sort >shown
grep -o 'perc_[a-z_]*(' "$here/include/perceptron.h" | tr -d '(' | sort -u >declared
diff -u declared shown # as many, and the same
echo "$(wc -l <shown) functions declared and shown; everything is in place"
