#!/bin/sh
# run.sh SOURCE FOLDER: compiles the kernels and tests/kernels for 64-bit ARM in FOLDER, and runs them in qemu. Skipped where
# the compiler, the emulator or the sources of GoogleTest are missing; under CI that is a failure.
#
#   src/kernels, src/hash, src/base ─┐   and the files of other folders that the kinds in those tests call
#   tests/kernels/*_test.cpp ────────┼─ aarch64-linux-gnu-g++ ─► kernels ─ qemu-aarch64 ─► plain and neon, bit for bit
#   GoogleTest ──────────────────────┘
set -eu
source=$1 folder=$2
compiler=aarch64-linux-gnu-g++
gtest=/usr/src/googletest/googletest

missing() {
  echo "skipped: $1 is missing"
  if [ "${CI:-}" = true ]; then exit 1; else exit 77; fi
}
command -v $compiler > /dev/null || missing $compiler
emulator=$(command -v qemu-aarch64-static || command -v qemu-aarch64) || missing qemu-aarch64-static
[ -e $gtest/src/gtest-all.cc ] || missing $gtest
for header in hwy/highway.h xxhash.h; do [ -e /usr/include/$header ] || missing /usr/include/$header; done

# The only headers of this machine that a compiler for another may read, without those beside them.
mkdir -p "$folder/include"
cd "$folder"
for header in hwy xxhash.h xxh3.h; do ln -sfn /usr/include/$header include/$header; done
rm -f kernels ./*.o

compile() {  # compile FILE OPTIONS...
  file=$1
  shift
  $compiler -std=c++20 -DSEEN_WITH_HIGHWAY -I"$source/include" -I"$source/src" -I"$source/tests" -isystem include \
    -isystem $gtest/include "$@" -c "$file" -o "$(basename "$file").o"
}
compile $gtest/src/gtest-all.cc -O0 -I$gtest
compile $gtest/src/gtest_main.cc -O0
for file in "$source"/src/kernels/*.cpp "$source"/src/hash/*.cpp "$source"/src/base/*.cpp "$source"/src/storage/storage.cpp \
  "$source"/src/engines/word_engine.cpp "$source"/src/filters/blocked_bloom.cpp; do
  compile "$file" -O2 -Wall -Wextra -Werror
done
for file in "$source"/tests/kernels/*_test.cpp; do compile "$file" -O1 -Wall -Wextra -Werror; done

# Each file of kernels that is compiled for several sets of instructions has bodies for NEON; a test asks that they are the ones
# chosen.
for file in $(grep -l base/dispatch.hpp "$source"/src/kernels/*.cpp); do
  object=$(basename "$file").o
  aarch64-linux-gnu-nm -C "$object" | grep -q N_NEON:: || { echo "$object has no body for NEON"; exit 1; }
done
$compiler ./*.o -o kernels
"$emulator" -L /usr/aarch64-linux-gnu ./kernels --gtest_filter=-bulk_add.*  # which has no vectors
