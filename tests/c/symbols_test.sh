#!/bin/sh
# symbols_test.sh LIBRARY PINNED: what programs may depend on. A symbol that is gone breaks them; one that is new belongs into
# a version node of its own (src/c/symbols.map) and into the list.
set -eu
export LC_ALL=C
nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | sort | diff -u "$2" -
objdump -p "$1" | grep -q 'SONAME *libseen.so.0$'
# Nothing is needed that a system with C++ programs does not have; TBB where it was found.
needed=$(objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }' |
  grep -Ev '^(libtbb\.so|libstdc\+\+\.so|libm\.so|libgcc_s\.so|libc\.so|libpthread\.so|ld-linux)' || true)
[ -z "$needed" ] || { echo "needs $needed"; exit 1; }
