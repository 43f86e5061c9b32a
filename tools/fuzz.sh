#!/bin/sh
# Fuzzes every reader of files, guided by coverage, under the sanitizers: fuzz.sh RUNS JOBS [FORMAT ...], JOBS formats at a time.
# One line a format; the exit status is not 0 if there was a finding. Inputs that did it are left in build-fuzz/findings.
set -eu
cd "$(dirname "$0")/.."
runs=$1 jobs=$2
shift 2
cmake --preset fuzz > /dev/null
cmake --build --preset fuzz -j "$jobs" --target seen_fuzz > /dev/null
mkdir -p build-fuzz/findings build-fuzz/logs
[ $# -gt 0 ] || set -- $(sed -n 's/^    &\(.*\)::format,$/\1/p' src/registry.cpp | tr _ -)

# Short stacks of allocations, a small quarantine and the plain schedule: 1.7 times as many executions a second.
export ASAN_OPTIONS=malloc_context_size=1:quarantine_size_mb=4
printf '%s\n' "$@" | RUNS=$runs xargs -P "$jobs" -I{} sh -c '
  mkdir -p build-fuzz/corpus/{}
  SEEN_FUZZ_FORMAT={} build-fuzz/bin/seen_fuzz -runs="$RUNS" -max_len=16384 -timeout=10 -rss_limit_mb=2048 -entropic=0 \
    -print_final_stats=1 -artifact_prefix=build-fuzz/findings/{}- build-fuzz/corpus/{} tests/golden/{} > build-fuzz/logs/{} 2>&1 ||
    { echo "{}: FINDING, see build-fuzz/logs/{}"; exit 1; }
  echo "{}: $(sed -n "s/^stat::number_of_executed_units: *//p" build-fuzz/logs/{}) executions, no finding"'
