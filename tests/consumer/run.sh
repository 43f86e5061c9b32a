#!/bin/sh
# run.sh WAY SOURCE BUILD COMPILER: uses seen from a project of its own, in a folder of its own.
set -eu
way=$1 source=$2 build=$3 compiler=$4
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
