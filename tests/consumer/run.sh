#!/bin/sh
# run.sh WAY SOURCE BUILD CXX_COMPILER [C_COMPILER]: uses seen from a project of its own, in a folder of its own.
set -eu
way=$1 source=$2 build=$3 compiler=$4 c_compiler=${5:-cc}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

installed() { cmake --install "$build" --prefix "$folder/prefix" > /dev/null; }

# built PROJECT OPTION...: one of the projects beside this script, configured, built and run.
built() {
  project=$1
  shift
  cmake -S "$source/tests/consumer/$project" -B "$folder/build" -G Ninja "$@"
  cmake --build "$folder/build"
  "$folder/build/consumer"
}

# packaged NAME: its pkg-config file is found from now on.
packaged() {
  PKG_CONFIG_PATH=$(dirname "$(find "$folder/prefix" -name "$1.pc")")
  export PKG_CONFIG_PATH
}

case $way in
  uninstall)  # what install put there goes, and nothing else; the prefix is another's too
    mkdir -p "$folder/prefix/include/other"
    installed
    find "$folder/prefix" ! -type d > "$folder/install_manifest.txt"  # that of the build may be another test's by now
    [ -e "$folder/prefix/include/seen/seen.hpp" ]
    cmake -P "$source/cmake/uninstall.cmake" "$folder" > /dev/null
    [ -e "$folder/prefix/include/other" ]
    left=$(find "$folder/prefix" ! -type d; find "$folder/prefix" -name seen)
    [ -z "$left" ] || { echo "left: $left" >&2; exit 1; }
    ! cmake -P "$source/cmake/uninstall.cmake" "$folder" 2> /dev/null
    ;;
  find_package)
    installed
    built find_package -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$folder/prefix"
    ;;
  find_package_c)
    installed
    built find_package_c -DCMAKE_C_COMPILER="$c_compiler" -DCMAKE_PREFIX_PATH="$folder/prefix"
    ;;
  add_subdirectory)  # and the smaller library is tried, too
    # Without a build type the library is optimised all the same: asked of the plan, since to carry it out takes half a minute more.
    cmake -S "$source/tests/consumer/add_subdirectory" -B "$folder/plan" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DSEEN_SOURCE="$source"
    [ "$(grep -c '^  FLAGS = .*-O2' "$folder/plan/build.ninja")" -gt 50 ]
    built add_subdirectory -DCMAKE_CXX_COMPILER="$compiler" -DSEEN_SOURCE="$source" -DSEEN_WITH_FORMATS=OFF -DCMAKE_CXX_FLAGS=-O0
    ;;
  pkg_config)
    installed
    packaged seen
    # As strict as strangers are, and without what some of them do without.
    strict="-std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
    for program in one_filter consumer; do
      "$compiler" $strict "$source/tests/consumer/$program.cpp" $(pkg-config --cflags --libs seen) -o "$folder/$program"
      "$folder/$program"
    done
    if command -v clang++-14 > /dev/null; then
      clang++-14 $strict -fsyntax-only "$source/tests/consumer/consumer.cpp" $(pkg-config --cflags seen)
      clang++-14 -std=c++20 -fsyntax-only -fno-exceptions -fno-rtti "$source/tests/consumer/no_exceptions.cpp" $(pkg-config --cflags seen)
    fi
    "$compiler" -std=c++20 -fno-exceptions -fno-rtti "$source/tests/consumer/no_exceptions.cpp" $(pkg-config --cflags --libs seen) \
      -o "$folder/no_exceptions"
    "$folder/no_exceptions" "$folder/x.seen"
    case " $(pkg-config --libs seen) " in *" -lxxhash "*) echo "nothing of xxHash is linked" >&2; exit 1 ;; esac
    # Whoever maps one kind links one kind: the registry, with all kinds and formats, would make it 4.5 MB.
    "$compiler" -std=c++20 -O2 -s -Wl,--gc-sections "$source/tests/consumer/map_one.cpp" $(pkg-config --cflags --libs seen) -o "$folder/map_one"
    bytes=$(stat -c %s "$folder/map_one")
    [ "$bytes" -le 300000 ] || { echo "a program that maps a bloom filter has $bytes bytes, and may have 300000"; exit 1; }
    ;;
  pkg_config_c)
    installed
    packaged seen-c
    "$c_compiler" -std=c99 "$source/tests/consumer/consumer.c" $(pkg-config --cflags --libs seen-c) -o "$folder/consumer"
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir seen-c) "$folder/consumer"
    ;;
esac
