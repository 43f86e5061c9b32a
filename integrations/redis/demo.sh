#!/bin/sh
# demo.sh BUILD: runs demo.py with the Python package, which it builds over the library in BUILD. Everything is written below BUILD/redis-demo.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
project=$(CDPATH='' cd -- "$here/../.." && pwd)
build=$(CDPATH='' cd -- "$1" && pwd)
out=$build/redis-demo
mkdir -p "$out"
log=$out/build.log
: > "$log"
quietly() { "$@" >> "$log" 2>&1 || { tail -n 20 "$log" >&2; echo "redis-demo: this did not work: $*" >&2; exit 1; }; }

echo "Building the Python package (a minute, the first time)"
[ -x "$out/venv/bin/python" ] || quietly "${PYTHON:-python3}" -m venv "$out/venv"
pip() { "$out/venv/bin/python" -m pip --disable-pip-version-check -q "$@"; }
"$out/venv/bin/python" -c 'import numpy, redis, hiredis, nanobind, scikit_build_core' 2> /dev/null ||
  quietly pip install 'scikit-build-core>=0.10' 'nanobind>=2.4' numpy 'redis>=6' 'hiredis>=3'
for component in libseen-dev libseen0; do quietly cmake --install "$build" --prefix "$out/prefix" --component $component; done
CMAKE_PREFIX_PATH=$out/prefix quietly pip install --no-build-isolation --no-deps --force-reinstall "$project/python" \
  --config-settings=build-dir="$out/module" --config-settings=cmake.define.SEEN_INSTALLED=ON

echo
# exec: what ends this script ends the demo, which ends its servers
SEEN_REDIS=$build/integrations/redis/seen.so exec "$out/venv/bin/python" -B "$here/demo.py"
