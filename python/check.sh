#!/bin/sh
# Builds the Python package and runs all of its tests: check.sh [--prepare] [BUILD_DIR]; tests/languages/language.sh says what
# it takes.
#
# Everything is written below BUILD_DIR (build/python of the project): a virtual environment, BUILD_DIR/venv, in which the package is
# installed, among others. The library is not compiled again where SEEN_BUILD (build/ of the project) holds a built one.
# Status: 0 passed, 1 failed, 77 skipped; under CI=true nothing is skipped.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/.." && pwd)
release=${SEEN_BUILD:-$project/build}
python=${PYTHON:-python3}

. "$project/tests/languages/language.sh"
language python "$@"
out=$build

command -v "$python" > /dev/null || skip "there is no $python"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || skip "$python is older than 3.11, for which the tests' packages are pinned"
"$python" -c 'import sys, sysconfig, os; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
  skip "the headers of $python are missing (python3-dev)"
"$python" -c 'import venv, ensurepip' 2> /dev/null || skip "$python cannot make virtual environments (python3-venv)"

log=$out/check.log
: > "$log"
quietly() { "$@" >> "$log" 2>&1 || { tail -40 "$log"; return 1; }; }

[ -x "$out/venv/bin/python" ] || quietly "$python" -m venv "$out/venv" || exit 1
pip() { "$out/venv/bin/python" -m pip --disable-pip-version-check -q "$@"; }
# To compile every module of all of these takes longer than to fetch them: what the tests import is compiled, and no more.
if ! pip install --no-compile -r "$here/requirements-test.txt" >> "$log" 2>&1; then
  skip "the packages in requirements-test.txt cannot be had: $(grep -m 1 "^ERROR" "$log" || tail -n 1 "$log")"
fi
env -u PYTHONDONTWRITEBYTECODE "$out/venv/bin/python" -c "import duckdb, mypy.api, mypy.stubtest, nanoarrow, numpy.testing, pandas, polars, pyarrow.parquet, pytest" >> "$log" 2>&1 || exit 1
prepared

# An installed library is what a user's machine would have, too.
installed=OFF
if [ -e "$release/libseen.a" ] && cmake --install "$release" --prefix "$out/prefix" >> "$log" 2>&1; then installed=ON; fi

# The wheel is installed twice: with the tests' packages, and alone, in an environment that has no compiler on its path.
rm -rf "$out/wheel" "$out/alone"
CMAKE_PREFIX_PATH=$out/prefix quietly pip wheel --no-build-isolation --no-deps -w "$out/wheel" "$here" \
  --config-settings=build-dir="$out/module" --config-settings=cmake.define.SEEN_INSTALLED=$installed || exit 1
quietly pip install --no-deps --force-reinstall "$out/wheel"/*.whl || exit 1
quietly "$out/venv/bin/python" -m twine check --strict "$out/wheel"/*.whl || exit 1
quietly "$out/venv/bin/python" -m auditwheel show "$out/wheel"/*.whl || exit 1
quietly "$python" -m venv --without-pip "$out/alone" || exit 1
pip --python "$out/alone/bin/python" install --no-deps "$out/wheel"/*.whl
(cd "$out" && PATH=/nowhere quietly "$out/alone/bin/python" -c 'import seenfilter as seen
f = seen.Filter(1000, 0.01)
f.update(["a", 1], (b"c",))
assert "a" in f and 1 in f and b"c" in f and "d" not in f and seen.from_bytes(bytes(f)) == f') || exit 1

cd "$here"
export PYTHONDONTWRITEBYTECODE=1
quietly "$out/venv/bin/python" -m pytest -p no:cacheprovider tests || exit 1
quietly "$out/venv/bin/python" -m mypy --cache-dir "$out/mypy" || exit 1
quietly "$out/venv/bin/python" -m mypy.stubtest seenfilter --mypy-config-file pyproject.toml --allowlist tests/stubtest.txt --ignore-unused-allowlist || exit 1
grep ' passed' "$log"
