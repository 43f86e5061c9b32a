#!/bin/sh
# Fuzzes every reader of files, guided by coverage, under the sanitizers: fuzz.sh RUNS JOBS [FORMAT ...], JOBS formats at a
# time; `any` is the one that tells formats by content. It prints one line per format; the exit status is not 0 if there was a finding.
# The inputs that caused one are left in build-fuzz/findings.
set -eu
cd "$(dirname "$0")/.."
runs=$1 jobs=$2
shift 2
cmake --preset fuzz > /dev/null
cmake --build --preset fuzz -j "$jobs" --target seen_fuzz > /dev/null
mkdir -p build-fuzz/findings build-fuzz/logs
if [ $# -eq 0 ]; then
  formats=$(sed -n 's/^  each(\(.*\)).*/\1/p' src/formats/all.hpp | tr _ -)
  [ "$formats" ] || { echo "fuzz.sh: src/formats/all.hpp names no format" >&2; exit 1; }
  set -- any native $formats
fi

# Short stacks of allocations and a small quarantine: the allocator takes less of the time.
export ASAN_OPTIONS=malloc_context_size=2:quarantine_size_mb=16 RUNS="$runs"
printf '%s\n' "$@" | xargs -P "$jobs" -I{} sh -c '
  seeds=tests/golden/{}
  case {} in
    any) seeds=$(ls -d tests/golden/*/ | grep -v generators) ;;
    native) seeds=tests/golden/native-1; export SEEN_FUZZ_FORMAT={} ;;
    *) export SEEN_FUZZ_FORMAT={} ;;
  esac
  mkdir -p build-fuzz/corpus/{}
  build-fuzz/bin/seen_fuzz -runs="$RUNS" -max_len=16384 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix=build-fuzz/findings/{}- build-fuzz/corpus/{} $seeds > build-fuzz/logs/{} 2>&1 ||
    { echo "{}: FINDING, see build-fuzz/logs/{}"; exit 1; }
  echo "{}: $(sed -n "s/^stat::number_of_executed_units: *//p" build-fuzz/logs/{}) executions, no finding"'
