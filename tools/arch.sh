#!/bin/sh
# arch.sh JOBS MACHINE...: runs the tests on other machines, emulated (cmake/arch.cmake lists them).
#
#   C++   every folder of tests/ whose answer may depend on the machine; the C interface; the conformance kit, made anew
#   files every file of the kit goes from this machine to the other and back, and is answered alike (tests/languages/matrix_test.py)
#   Go    the module's own tests, if there is a go command
#
# All machines are tried, whatever fails; a table at the end says how each fared. Rust is not tried: its standard library for
# other machines comes from rustup alone.
set -eu
cd "$(dirname "$0")/.."
jobs=$1
shift

cmake --preset release -DSEEN_BUILD_TESTS=ON > /dev/null
cmake --build --preset release -j "$jobs" --target seen_kit

cpp() {
  cmake --preset "$1" -DSEEN_BUILD_TESTS=ON -DSEEN_SPLIT_TESTS=OFF > /dev/null &&
    cmake --build --preset "$1" -j "$jobs" &&
    ctest --preset "$1" -j "$jobs" --no-tests=error
}

files() {
  SEEN_ELSEWHERE="$1=$PWD/build-$1" python3 -B tests/languages/matrix_test.py "$1"
}

# Go has other names for machines. A test that runs a program it has built itself cannot do so in an emulator.
go_module() {
  emulator="qemu-$1-static" only=
  case $1 in
  i386) machine=386 emulator= ;;
  armhf) machine=arm emulator=qemu-arm-static ;;
  aarch64) machine=arm64 ;;
  *) machine=$1 ;;
  esac
  if [ -n "$emulator" ]; then only="-skip TheProgramsOfTheReadme"; fi
  (cd go && GOARCH=$machine CGO_ENABLED=0 GOTOOLCHAIN="${GOTOOLCHAIN:-local}" GOWORK=off \
    go test -count=1 -timeout 60m ${emulator:+-exec "$emulator"} $only ./...)
}

table= failed=
try() {  # try MACHINE WHAT
  began=$(date +%s) outcome=passed
  echo "== $1: $2"
  "$2" "$1" || { outcome=FAILED; failed=yes; }
  table="$table$1 $2 $outcome $(($(date +%s) - began)) s
"
}
for machine in "$@"; do
  try "$machine" cpp
  try "$machine" files
  if command -v go > /dev/null; then try "$machine" go_module; else echo "skipped: go: there is no go"; fi
done
printf '%s' "$table"
[ -z "$failed" ]
