#!/bin/sh
# hardened.sh FILE... -- what was built has the protections that meson.build asks for (SECURITY.md).
command -v readelf >/dev/null 2>&1 || { echo "readelf is not installed"; exit 77; }
failed=0

# must FILE WHAT OPTIONS PATTERN
must()
{
    readelf -W $3 "$1" | grep -Eq -- "$4" || { echo "$1: no $2"; failed=1; }
}

for file in "$@"; do
    must "$file" "position-independent code" -h 'Type: +DYN'
    must "$file" "read-only relocations" -l GNU_RELRO
    must "$file" "immediate binding" -d 'BIND_NOW|FLAGS_1.* NOW'
    must "$file" "stack protector" --dyn-syms '__stack_chk_fail'
    must "$file" "checked calls (_FORTIFY_SOURCE)" --dyn-syms '__(memcpy|snprintf|vsnprintf|read|memset|readlink|fprintf|vfprintf)_chk'
    if readelf -lW "$file" | grep -Eq 'GNU_STACK.* RWE'; then
        echo "$file: an executable stack"
        failed=1
    fi
    # Landing pads at the entries of functions: endbr64, bti c. The note that all objects have them
    # is not there where the C library's start files were built without.
    case $(readelf -h "$file") in
    *X86-64*) pad='\xf3\x0f\x1e\xfa' ;;
    *AArch64*) pad='\x5f\x24\x03\xd5' ;;
    *) continue ;;
    esac
    if [ "$(LC_ALL=C grep -aoP "$pad" "$file" | wc -l)" -lt 1000 ]; then
        echo "$file: no control-flow protection"
        failed=1
    fi
done
exit $failed
