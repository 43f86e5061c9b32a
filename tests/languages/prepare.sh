#!/bin/sh
# prepare.sh NAME STATES [CHECK]: finds out, once for all tests, whether a language can be tried on this machine.
#
#   CHECK --prepare                          tools, versions and what the package's tests are pinned to
#   tests/golden/generators/NAME/run.sh      the same for the libraries that tests/live runs
#
# STATES/NAME then holds one line, "ready" or "skipped: NAME: why". All that need the language read it there (language.sh,
# states.py): what is skipped is skipped everywhere. Status 77 says skipped; with CI=true it is 1, here and nowhere else, so that
# the cause is one red test.
set -eu
name=$1 states=$2 check=${3:-}
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
mkdir -p "$states"
said=$states/$name.log
: > "$said"

conclude() {  # conclude LINE STATUS
  echo "$1" > "$states/$name"
  echo "$1"
  exit "$2"
}

# The last line that a script printed is its reason.
try() {
  status=0
  CI= "$@" >> "$said" 2>&1 || status=$?
  [ $status != 0 ] || return 0
  why=$(tail -n 1 "$said" | sed "s/^skipped: //; s/^$name: //")
  if [ $status != 77 ]; then
    tail -n 40 "$said"
    conclude "skipped: $name: its preparation failed: $why" 1
  fi
  status=77
  if [ "${CI:-}" = true ]; then status=1; fi
  conclude "skipped: $name: $why" $status
}

if [ -n "$check" ]; then try "$check" --prepare "$(dirname -- "$states")/$name"; fi
if [ -e "$root/tests/golden/generators/$name/run.sh" ]; then try "$root/tests/golden/generators/$name/run.sh" "$root"; fi
conclude ready 0
