#!/bin/sh
# Runs the README's two commands on a machine that has nothing: a bare Debian 12 (git and make alone) in a folder, with a clone of HEAD.
#
#   bare.sh [demo|test] [with|without]     all of them without arguments
#
#   with      the network is there; Python's packages come from the registry of this machine
#   without   the network is cut once Debian's packages are installed, so no registry answers
#
#   debootstrap ─► base ─┬─ copy ─► with/     packages to build ─► make demo,  packages of the tests ─► make test
#                        └─ copy ─► without/  likewise, with the network cut for make demo and make test
#
# Debian's mirror, its proxy, pip's settings and certificates are those of this machine. Go, Rust, Node and Java are not in the root: their
# tests are skipped there, and the last lines of `make test` say so. BARE_TEST is run in place of `make test`, to try a part of it.
# BARE_FOLDER (build-bare) holds the roots and a log of each; it takes about 6 GiB. Needs root, debootstrap and Linux's namespaces.
set -eu
cd "$(dirname "$0")/.."
folder=${BARE_FOLDER:-$PWD/build-bare}
bare_test=${BARE_TEST:-make test}
commands= ways=
for word in "$@"; do
  case $word in
  demo | test) commands="$commands $word" ;;
  with | without) ways="$ways $word" ;;
  *) echo "usage: $0 [demo|test] [with|without]" >&2; exit 2 ;;
  esac
done
commands=${commands:-demo test} ways=${ways:-with without}

. tools/bare_root.sh
bare_base

failed=
for way in $ways; do
  root=$folder/$way
  rm -rf "$root"
  cp -a "$folder/base" "$root"
  settings "$root"
  git clone -q --no-hardlinks "$PWD" "$root/srv/seen"
  for command in $commands; do
    line="make demo" packages=packages_to_build
    if [ "$command" = test ]; then line=$bare_test packages=packages; fi
    echo "== make $packages"
    inside "$root" with "make $packages"
    settings "$root"  # again: a package has replaced the certificates
    log=$folder/$way-$command.log
    echo "== $line, $way registries (log: $log)"
    began=$(date +%s) outcome=passed
    inside "$root" "$way" "$line" > "$log" 2>&1 || { outcome=FAILED; failed=yes; }
    tail -n 12 "$log"
    echo "== $line, $way registries: $outcome after $(($(date +%s) - began)) s"
  done
done
[ -z "$failed" ]
