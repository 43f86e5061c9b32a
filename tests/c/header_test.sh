#!/bin/sh
# header_test.sh INCLUDE C_COMPILER CXX_COMPILER: seen.h alone is strict C99, and C++ takes it too.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '#include <seen/seen.h>\n#include <seen/seen.h>\nint main(void) { return seen_version() == 0; }\n' > "$folder/alone.c"
for standard in c99 c11; do
  "$2" -std=$standard -pedantic -Wall -Wextra -Wstrict-prototypes -Werror -I"$1" -fsyntax-only "$folder/alone.c"
done
for standard in c++11 c++20; do
  "$3" -x c++ -std=$standard -pedantic -Wall -Wextra -Werror -I"$1" -fsyntax-only "$folder/alone.c"
done
