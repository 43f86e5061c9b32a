#!/bin/sh
# Every C++ and C file is as clang-format leaves it.
cd "$(dirname "$0")/.." || exit 1
find include src cli tests bench python fuzz examples integrations -name '*.?pp' -o -name '*.[ch]' | xargs clang-format-14 --dry-run -Werror
