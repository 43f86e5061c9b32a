#!/bin/sh
# The whole benchmark: `make bench` calls it when the programs are built. Records and the report go to build/bench.
#
#   native     this machine's instructions, all sizes, with threads, hashes, builds, files, memory
#   baseline   any machine of the architecture, all sizes: what packages get
#   avx2       AVX2 and no more; scalar: no vectors in batches; both at the two smaller sizes
#   sweep      a few contenders from 10^4 to 10^8 keys, for a picture
#   peers      Go, Rust and Python on the same keys
#
# SIZES and ROUNDS make it shorter: SIZES=100000 ROUNDS=3 make bench. Without them it takes half an hour and 8 GiB.
set -eu
cd "$(dirname "$0")/.."
bin=build/bin out=$PWD/build/bench
sizes=${SIZES:-100000,4000000,100000000}
rounds=${ROUNDS:-9}
small=$(echo "$sizes" | tr , '\n' | awk '$1 <= 1e7' | paste -sd, -)
filters=block,classic,growing,static,cuckoo,quotient,counting
mkdir -p "$out"
rm -f "$out"/*.json

run() {  # run NAME PROGRAM OPTION...
  name=$1 program=$2
  shift 2
  echo "== $name" >&2
  "$bin/$program" --run "$name" --rounds "$rounds" --json "$out/$name.json" "$@" > /dev/null
}
run native seen_bench_native --sizes "$sizes"
run baseline seen_bench --sizes "$sizes" --only $filters
if [ -n "$small" ]; then
  run avx2 seen_bench_avx2 --targets avx2 --sizes "$small" --only $filters
  run scalar seen_bench --targets scalar --sizes "$small" --only $filters
  echo "== peers in other languages" >&2
  $bin/seen_bench --write-keys "$out/keys" --sizes "$small"
  bench/peers/run.sh "$out/peers" "$out/keys" $(echo "$small" | tr , ' ') > "$out/peers.json"
  rm -r "$out/keys"
fi
[ -n "${SIZES:-}" ] || run sweep seen_bench_native --sweep
set -- "$out/native.json"  # first: the pictures are of the first run
for each in "$out"/*.json; do
  [ "$each" = "$1" ] || set -- "$@" "$each"
done
$bin/seen_bench_native --report "$@" --plot "$out/plots" | tee "$out/report.txt"
echo
echo "records, report and pictures: build/bench"
