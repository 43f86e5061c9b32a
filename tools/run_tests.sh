#!/bin/sh
# Builds and runs every test: under the sanitizers, under ThreadSanitizer, and as users get it. Before the last
# lines, which say what was skipped and why, stands ctest's summary of the release build.
set -eu
cd "$(dirname "$0")/.."
jobs=${1:-2}
timeout=900
split=ON
if [ -n "${SEEN_SOAK:-}" ]; then timeout=86400 split=OFF; fi

reports=
trap 'tools/skipped.py $reports' EXIT

run() {  # run PRESET
  echo "== $1"
  cmake --preset "$1" -DSEEN_BUILD_TESTS=ON -DSEEN_TEST_TIMEOUT=$timeout -DSEEN_SPLIT_TESTS=$split > /dev/null
  cmake --build --preset "$1" -j "$jobs"
  report=$PWD/build-$1/tests.xml
  if [ "$1" = release ]; then report=$PWD/build/tests.xml; fi
  reports="$reports $report"
  ctest --preset "$1" -j "$jobs" --no-tests=error --output-junit "$report"
}

run tsan
run dev
run release
