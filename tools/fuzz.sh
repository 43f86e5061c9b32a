#!/bin/sh
# Fuzzes every reader of files, guided by coverage, under the sanitizers: fuzz.sh RUNS JOBS [FORMAT ...]. One line a format;
# the exit status is the number of formats with findings, whose inputs are left in build-fuzz/findings.
set -eu
cd "$(dirname "$0")/.."
runs=$1 jobs=$2
shift 2
cmake --preset fuzz > /dev/null
cmake --build --preset fuzz -j "$jobs" --target seen_fuzz > /dev/null
mkdir -p build-fuzz/findings build-fuzz/logs
[ $# -gt 0 ] || set -- $(sed -n 's/^    &\(.*\)::format,$/\1/p' src/registry.cpp | tr _ -)

fuzz_one() {  # FORMAT
  corpus=build-fuzz/corpus/$1
  mkdir -p "$corpus"
  SEEN_FUZZ_FORMAT=$1 build-fuzz/bin/seen_fuzz -runs="$runs" -max_len=16384 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="build-fuzz/findings/$1-" "$corpus" "tests/golden/$1" > "build-fuzz/logs/$1" 2>&1 &&
    echo "$1: $(sed -n 's/^stat::number_of_executed_units: *//p' "build-fuzz/logs/$1") executions, no finding" ||
    { echo "$1: FINDING, see build-fuzz/logs/$1"; return 1; }
}

failed=0
if [ "$jobs" -gt 1 ]; then
  printf '%s\n' "$@" | xargs -P "$jobs" -I{} "$0" "$runs" 1 {} || failed=1
else
  for format in "$@"; do fuzz_one "$format" || failed=$((failed + 1)); done
fi
exit "$failed"
