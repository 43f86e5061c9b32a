#!/bin/sh
# Line and branch coverage of the library by its tests.
set -eu
cd "$(dirname "$0")/.."
cmake --preset coverage -DSEEN_BUILD_TESTS=ON > /dev/null
cmake --build --preset coverage -j "${1:-2}"
ctest --preset coverage -j "${1:-2}"
lcov --quiet --rc lcov_branch_coverage=1 --capture --directory build-coverage \
  --include "$PWD/include/*" --include "$PWD/src/*" --output-file build-coverage/coverage.info
lcov --rc lcov_branch_coverage=1 --summary build-coverage/coverage.info
