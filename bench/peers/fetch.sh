#!/bin/sh
# Fetches the sources of peers that are not Debian packages into a folder of the build, with the ordinary clients:
#   boost/   headers of Boost.Bloom and what it includes    cargo vendor, versions of boost/Cargo.lock
#   xor/     binaryfusefilter.h and xorfilter.h             pip download, the version below
# A peer that cannot be fetched is left out, and the benchmark says so. Usage: bench/peers/fetch.sh FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
pyfusefilter=1.3.0

if [ ! -d boost ] && command -v cargo > /dev/null 2>&1; then
  echo "fetching Boost.Bloom"
  rm -rf fetched && mkdir fetched && cp "$here"/boost/* fetched
  if (cd fetched && cargo vendor --locked --quiet crates > /dev/null 2> cargo.log); then
    mkdir boost && cp -r fetched/crates/boost_*/include/* boost
  else
    tail -n 1 fetched/cargo.log >&2
  fi
fi

if [ ! -d xor ] && command -v python3 > /dev/null 2>&1; then
  echo "fetching pyfusefilter's C sources"
  if python3 -m pip download --quiet --no-deps --no-binary pyfusefilter -d . pyfusefilter==$pyfusefilter 2> pip.log; then
    tar xzf pyfusefilter-$pyfusefilter.tar.gz
    mkdir xor && cp pyfusefilter-$pyfusefilter/lib/xor_singleheader/include/*.h xor
  else
    tail -n 1 pip.log >&2
  fi
fi
