#!/bin/sh
# run.sh WAY SOURCE BUILD CXX_COMPILER [C_COMPILER]: uses seen from a project of its own, in a folder of its own.
set -eu
way=$1 source=$2 build=$3 compiler=$4 c_compiler=${5:-cc}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

case $way in
  find_package)
    cmake --install "$build" --prefix "$folder/prefix" > /dev/null
    cmake -S "$source/tests/consumer/find_package" -B "$folder/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
      -DCMAKE_PREFIX_PATH="$folder/prefix"
    cmake --build "$folder/build"
    "$folder/build/consumer"
    ;;
  find_package_c)
    cmake --install "$build" --prefix "$folder/prefix" > /dev/null
    cmake -S "$source/tests/consumer/find_package_c" -B "$folder/build" -G Ninja -DCMAKE_C_COMPILER="$c_compiler" \
      -DCMAKE_PREFIX_PATH="$folder/prefix"
    cmake --build "$folder/build"
    "$folder/build/consumer"
    ;;
  pkg_config_c)
    cmake --install "$build" --prefix "$folder/prefix" > /dev/null
    PKG_CONFIG_PATH=$(dirname "$(find "$folder/prefix" -name seen-c.pc)")
    export PKG_CONFIG_PATH
    "$c_compiler" -std=c99 "$source/tests/consumer/consumer.c" $(pkg-config --cflags --libs seen-c) -o "$folder/consumer"
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir seen-c) "$folder/consumer"
    ;;
  add_subdirectory)
    cmake -S "$source/tests/consumer/add_subdirectory" -B "$folder/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
      -DSEEN_SOURCE="$source" -DSEEN_WITH_FORMATS=OFF  # and the smaller library is tried, too
    cmake --build "$folder/build"
    "$folder/build/consumer"
    ;;
  pkg_config)
    cmake --install "$build" --prefix "$folder/prefix" > /dev/null
    PKG_CONFIG_PATH=$(dirname "$(find "$folder/prefix" -name seen.pc)")
    export PKG_CONFIG_PATH
    "$compiler" -std=c++20 "$source/tests/consumer/consumer.cpp" $(pkg-config --cflags --libs seen) -o "$folder/consumer"
    "$folder/consumer"
    ;;
esac
