#!/bin/sh
# Builds the wheels that are uploaded: wheels.sh [BUILD_DIR [PYTHON…]]
#
# A wheel for each PYTHON (python3), in BUILD_DIR/dist (build/wheels of the project). They run on any Linux with glibc 2.17 or later, on
# which the tag that auditwheel gives them says so: the compiler is zig's, from the registry, which brings the C library's symbols of
# that release and a C++ library of its own, linked in. The library is compiled once, in five minutes of a processor; each wheel adds the
# module, in one. Everything is written below BUILD_DIR.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/.." && pwd)
out=${1:-$project/build/wheels}
[ $# = 0 ] || shift
[ $# != 0 ] || set -- python3
mkdir -p "$out/deps/include" "$out/raw" "$out/dist"
out=$(cd "$out" && pwd)
glibc=${GLIBC:-2.17}
machine=$(uname -m)

tools=$out/tools
[ -x "$tools/bin/python" ] || python3 -m venv "$tools"
"$tools/bin/python" -m pip --disable-pip-version-check -q install -r "$here/requirements-wheels.txt"

# The two libraries that are headers alone, and nothing else of this machine's /usr/include.
for header in xxhash.h hwy; do
  [ ! -e "/usr/include/$header" ] || ln -sfn "/usr/include/$header" "$out/deps/include/$header"
done
for language in cc c++; do
  printf '#!/bin/sh\nexec "%s" -m ziglang %s -target %s-linux-gnu.%s "$@"\n' "$tools/bin/python" $language "$machine" "$glibc" > "$out/zig-$language"
  chmod +x "$out/zig-$language"
done
printf '#!/bin/sh\nexec "%s" -m ziglang ar "$@"\n' "$tools/bin/python" > "$out/zig-ar"
printf '#!/bin/sh\nexec "%s" -m ziglang ranlib "$@"\n' "$tools/bin/python" > "$out/zig-ranlib"
chmod +x "$out/zig-ar" "$out/zig-ranlib"

export CC="$out/zig-cc" CXX="$out/zig-c++" ZIG_GLOBAL_CACHE_DIR="$out/zig-cache" ZIG_LOCAL_CACHE_DIR="$out/zig-cache"
cmake -S "$project" -B "$out/library" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_AR="$out/zig-ar" -DCMAKE_RANLIB="$out/zig-ranlib" \
  -DCMAKE_PREFIX_PATH="$out/deps" -DCMAKE_FIND_ROOT_PATH="$out/deps" -DCMAKE_INSTALL_LIBDIR=lib -DSEEN_WITH_TBB=OFF -DSEEN_BUILD_C=OFF -DSEEN_BUILD_CLI=OFF \
  -DSEEN_BUILD_TESTS=OFF -DSEEN_BUILD_EXAMPLES=OFF -DSEEN_BUILD_BENCH=OFF -DSEEN_BUILD_INTEGRATIONS=OFF \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON > "$out/library.log"
cmake --build "$out/library" --target seen
cmake --install "$out/library" --prefix "$out/prefix" >> "$out/library.log"

for python in "$@"; do
  version=$("$python" -c 'import sys; print("%d.%d%s" % (*sys.version_info[:2], getattr(sys, "abiflags", "")))')
  [ -x "$out/python-$version/bin/python" ] || "$python" -m venv "$out/python-$version"
  "$out/python-$version/bin/python" -m pip --disable-pip-version-check -q install 'scikit-build-core>=0.10' 'nanobind>=2.4'
  rm -rf "$out/raw/$version"
  CMAKE_PREFIX_PATH="$out/prefix:$out/deps" "$out/python-$version/bin/python" -m pip --disable-pip-version-check -q wheel --no-build-isolation --no-deps \
    -w "$out/raw/$version" --config-settings=build-dir="$out/module-$version" --config-settings=cmake.define.SEEN_INSTALLED=ON \
    --config-settings=cmake.define.CMAKE_DISABLE_PRECOMPILE_HEADERS=ON "$here"
  PATH=$tools/bin:$PATH "$tools/bin/python" -m auditwheel repair -w "$out/dist" "$out/raw/$version"/*.whl
done
"$tools/bin/python" -m twine check --strict "$out/dist"/*.whl
