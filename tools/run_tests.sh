#!/bin/sh
# Builds and runs every test: under the sanitizers, under ThreadSanitizer, in short form on a machine with the other order of
# bytes, and as users get it. The last lines say what was skipped and why; before them stands ctest's summary of the release build.
set -eu
cd "$(dirname "$0")/.."
jobs=${1:-2}
timeout=900
split=ON
if [ -n "${SEEN_SOAK:-}" ]; then timeout=86400 split=OFF; fi

reports= left_out=
trap 'tools/skipped.py $reports ${left_out:+"$left_out"}' EXIT

run() {  # run PRESET [TARGET]
  echo "== $1"
  cmake --preset "$1" -DSEEN_BUILD_TESTS=ON -DSEEN_TEST_TIMEOUT=$timeout -DSEEN_SPLIT_TESTS=$split > /dev/null
  cmake --build --preset "$1" -j "$jobs" ${2:+--target "$2"}
  report=$PWD/build-$1/tests.xml
  if [ "$1" = release ]; then report=$PWD/build/tests.xml; fi
  reports="$reports $report"
  ctest --preset "$1" -j "$jobs" --no-tests=error --output-junit "$report"
}

# other MACHINE: runs the conformance kit there, if its compiler and emulator are installed; `make arch` runs the rest.
other() {
  for tool in "$1-linux-gnu-g++" "qemu-$1-static"; do
    command -v "$tool" > /dev/null && continue
    left_out="skipped: $1: $tool is not installed"
    echo "$left_out"
    if [ "${CI:-}" = true ]; then exit 1; fi
    return 0
  done
  all=$split split=ON
  run "$1" seen_kit
  split=$all
}

run tsan
run dev
other s390x
run release
