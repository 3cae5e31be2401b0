#!/bin/sh
# install.sh BUILD GROWN -- installs into a temporary folder and uses what came out: every
# file is there, an example builds and runs with the installed headers and library
# alone, each header stands by itself in C99 and C++11, and both libraries show what
# the headers declare, no more and no less. A program built with these headers runs
# with a library whose structs have grown, and one built with those runs with this one.
set -eu
build=$(cd "$1" && pwd)
grown=$(cd "$2" && pwd) # headers and library of a version to come (tests/grown)
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
include=$(dirname "$(find_one include/perceptron.h)")
archive=$(find_one libperceptron.a)

"$tool" --version >/dev/null
bash -n "$completion"
grep -q '^\.TH' "$man"

# pkg ARGUMENT... -- what pkg-config says of the library below the root.
pkg()
{
    PKG_CONFIG_PATH=$(dirname "$pc") PKG_CONFIG_SYSROOT_DIR=$root pkg-config "$@" perceptron
}

# An example with the shared library; and with the static one, the libraries that it needs
# being shared.
cd "$root"
example=$here/examples/train_and_save.c
# shellcheck disable=SC2046
${CC:-cc} "$example" -o shared $(pkg --cflags --libs)
# shellcheck disable=SC2046
${CC:-cc} "$example" -o static $(pkg --cflags) "$archive" \
    $(pkg-config --libs $(pkg --print-requires-private)) $(sed -n 's/^Libs.private://p' "$pc")
for kind in shared static; do
    LD_LIBRARY_PATH=$(dirname "$lib") ./$kind >got
    diff -u "$here/tests/examples/train_and_save.out" got
done

# Each header alone, with the core only, and after the core that brings it; in C and, where
# there is a compiler for it, in C++.
[ "$(wc -l <"$include/perceptron.h")" -le 500 ] || {
    echo "install: perceptron.h has more than 500 lines" >&2
    exit 1
}
warnings="-Wall -Wextra -pedantic -Werror -fsyntax-only -I$include"
for header in "$include"/perceptron*.h; do
    name=$(basename "$header")
    cmp "$here/include/$name" "$header"
    printf '#include <%s>\n' "$name" >alone.h
    printf '#define PERC_CORE_ONLY\n#include <%s>\n' "$name" >core.h
    printf '#include <perceptron.h>\n#include <%s>\n' "$name" >after.h
    for order in alone core after; do
        # shellcheck disable=SC2086
        ${CC:-cc} -std=c99 $warnings -x c -include $order.h /dev/null
        # shellcheck disable=SC2086
        ! command -v c++ >/dev/null || c++ -std=c++11 $warnings -x c++ -include $order.h /dev/null
    done
done

nm -D --defined-only "$lib" | sed -n 's/.* [A-Z] //p' | sort >shown
cat "$include"/perceptron*.h | grep -o 'perc_[a-z_]*(' | tr -d '(' | sort -u >named
sed -n 's/_sized$//p' named >inline # each calls its twin
grep -vxFf inline named >declared
diff -u declared shown # as many, and the same
nm -g --defined-only "$archive" | sed -n 's/.* [A-Z] //p' | sort >shown
diff -u declared shown # by the static library too

# A program that calls every function that fills a struct, built with either version's
# headers and run with either library.
while read -r name; do
    grep -q "$name(" "$here/tests/grown/program.c" || {
        echo "install: tests/grown/program.c does not call $name" >&2
        exit 1
    }
done <inline
${CC:-cc} -std=c99 "-I$include" "$here/tests/grown/program.c" -o earlier "$lib"
${CC:-cc} -std=c99 -DGROWN "-I$grown" "$here/tests/grown/program.c" -o later "$lib"
for program in earlier later; do
    for folder in "$(dirname "$lib")" "$grown"; do
        LD_LIBRARY_PATH=$folder ./$program >got || {
            cat got
            exit 1
        }
        [ -e expected ] || cp got expected
        diff -u expected got
    done
done
[ "$(wc -l <expected)" -gt 30 ]
echo "$(wc -l <shown) functions declared and shown; everything is in place"
