#!/bin/sh
# The whole benchmark: `make bench` calls it when the programs are built. Records and the report go to build/bench.
#
#   native     this machine's instructions, all sizes, with threads, hashes, builds, files, memory: as it comes
#   huge       the filters of native once more, with huge pages for everybody
#   baseline   any machine of the architecture, all sizes: what packages get
#   avx2       AVX2 and no more; scalar: no vectors in batches; both at the two smaller sizes
#   sweep      a few contenders from 10^4 to 10^8 keys, for a picture
#   peers      Go, Rust and Python on the same keys
#
# SIZES and ROUNDS make it shorter: SIZES=100000 ROUNDS=3 make bench. Without them it takes about an hour and 8 GiB.
# RUNS names the runs that are wanted, ONLY their families or contenders; PROCESSES=5 takes native, huge and avx2 in so
# many processes, one after another, and medians over them:
#   RUNS="native huge" ONLY=block SIZES=100000 PROCESSES=5 bench/run.sh
set -eu
cd "$(dirname "$0")/.."
bin=build/bin out=$PWD/build/bench
sizes=${SIZES:-100000,4000000,100000000}
rounds=${ROUNDS:-9}
processes=${PROCESSES:-1}
runs=" ${RUNS:-native huge baseline avx2 scalar peers sweep} "
small=$(echo "$sizes" | tr , '\n' | awk '$1 <= 1e7' | paste -sd, -)
filters=${ONLY:-block,text 16,text 64,classic,growing,static,static 16,cuckoo,quotient,counting}
what_targets_ask="--calls build,single,batch --queries streamed"
mkdir -p "$out"
rm -f "$out"/*.json

run() {  # run NAME PROGRAM OPTION...: records under the name of the program's variant, if it is wanted
  name=$1 program=$2
  shift 2
  case $runs in *" $name "*) ;; *) return 0 ;; esac
  echo "== $name" >&2
  "$bin/$program" --rounds "$rounds" --json "$out/$name.json" "$@" > /dev/null
}
run native seen_bench_native --sizes "$sizes" --processes "$processes" ${ONLY:+--only "$ONLY"}
run huge seen_bench_native --huge-pages --sizes "$sizes" --only "$filters" --processes "$processes" $what_targets_ask
run baseline seen_bench --sizes "$sizes" --only "$filters"
if [ -n "$small" ]; then
  run avx2 seen_bench_avx2 --targets avx2 --sizes "$small" --only "$filters" --processes "$processes"
  run scalar seen_bench --run scalar --targets scalar --sizes "$small" --only "$filters"
  case $runs in *" peers "*)
    echo "== peers in other languages" >&2
    $bin/seen_bench --write-keys "$out/keys" --sizes "$small"
    bench/peers/run.sh "$out/peers" "$out/keys" $(echo "$small" | tr , ' ') > "$out/peers.json"
    rm -r "$out/keys" ;;
  esac
fi
[ -n "${SIZES:-}" ] || run sweep seen_bench_native --sweep
set --
for each in native huge baseline avx2 scalar peers sweep; do  # the pictures are of the first
  [ ! -e "$out/$each.json" ] || set -- "$@" "$out/$each.json"
done
$bin/seen_bench_native --report "$@" --plot "$out/plots" | tee "$out/report.txt"
echo
echo "records, report and pictures: build/bench"
