#!/bin/sh
# said.sh SOURCE COMPILE...: the mistake in SOURCE does not compile, and the compiler says what the first line of SOURCE asks for,
# within its first ten lines: what is said further down is not read. Asks clang too, where it is installed.
set -eu
source=$1
shift
sentence=$(sed -n '1s,^// says: ,,p' "$source")

said() {
  if heard=$(LC_ALL=C "$@" -DMISTAKE "$source" 2>&1); then echo "$1: it compiles" >&2; exit 1; fi
  echo "$heard" | grep -v '^In file included from\|^ *from ' | head -n 10 | grep -qF -- "$sentence" ||
    { echo "$1 does not say: $sentence"; echo "$heard"; exit 1; } >&2
}

said "$@"
shift
if command -v clang++-14 > /dev/null; then said clang++-14 "$@"; fi
