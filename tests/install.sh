#!/bin/sh
# install.sh BUILD -- installs into a temporary folder and uses what came out: every
# file is there, and an example builds with the installed header and library alone.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

meson install -C "$build" --destdir "$root" >/dev/null
for f in bin/perceptron include/perceptron.h share/man/man1/perceptron.1 \
    share/bash-completion/completions/perceptron; do
    [ -s "$root/usr/local/$f" ] || {
        echo "install: $f is missing" >&2
        exit 1
    }
done
pc=$(find "$root" -name perceptron.pc)
lib=$(dirname "$(find "$root" -name 'libperceptron.so')")
[ -n "$pc" ] && [ -n "$lib" ] || {
    echo "install: the library or its pkg-config file is missing" >&2
    exit 1
}
# shellcheck disable=SC2046
${CC:-cc} "$here/examples/train_and_save.c" -o "$root/example" \
    $(PKG_CONFIG_PATH=$(dirname "$pc") PKG_CONFIG_SYSROOT_DIR=$root pkg-config --cflags --libs perceptron)
bash -n "$root/usr/local/share/bash-completion/completions/perceptron"
[ "$(nm -D --defined-only "$lib/libperceptron.so" | grep -c ' T perc_')" -eq \
    "$(nm -D --defined-only "$lib/libperceptron.so" | grep -c ' T ')" ] || {
    echo "install: the shared library exports more than the perc_ functions" >&2
    exit 1
}
echo "install: library, header, pkg-config, man page and completion are in place"
