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

[ "$(id -u)" = 0 ] || { echo "make bare needs root: it makes a root folder and changes into it" >&2; exit 1; }
tools/install_packages.sh tools/packages_bare.txt

# The mirror from which this machine's apt gets Debian 12.
mirror=$(apt-cache policy | awk '$3 == "bookworm/main" { print $2; exit }')
[ -n "$mirror" ] || { echo "this machine's apt knows no mirror of Debian 12 (bookworm)" >&2; exit 1; }

mkdir -p "$folder/archives"
if [ ! -e "$folder/base/finished" ]; then
  echo "== a bare Debian 12"
  rm -rf "$folder/base"
  debootstrap --variant=minbase --include=git,make bookworm "$folder/base" "$mirror" > "$folder/debootstrap.log" 2>&1 ||
    { tail "$folder/debootstrap.log"; exit 1; }
  touch "$folder/base/finished"
fi

# settings ROOT: how this machine reaches Debian's mirror and Python's registry.
settings() {
  rm -f "$1/etc/apt/sources.list"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources /usr/share/keyrings/*.gpg \
    /etc/pip.conf /etc/ssl/certs/ca-certificates.crt /etc/resolv.conf /etc/hosts; do
    if [ -e "$file" ]; then mkdir -p "$1/$(dirname "$file")" && cp -L "$file" "$1/$file"; fi
  done
  apt-config dump | grep -E '^Acquire::(http|https|Retries)' > "$1/etc/apt/apt.conf.d/90this-machine" || :
}

# The variables by which proxies, certificates and pip's settings are given; nothing else of this shell's reaches the root.
# They may hold a password: the file that carries them is removed before the command begins.
carried() { env | grep -E '^(https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|PIP_[A-Z_]*)=' || :; }

# inside ROOT NETWORK COMMAND: runs it in the clone. Mounts and processes end with it; without the network there is the loopback alone.
inside() {
  network=--net
  if [ "$2" = with ]; then network=; fi
  carried > "$1/tmp/carried"
  unshare --mount --pid --fork --kill-child --propagation private $network sh -euc '
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    mount -t sysfs sysfs "$1/sys" 2> /dev/null || mount --rbind /sys "$1/sys"
    mount --bind "$2" "$1/var/cache/apt/archives"
    if [ -n "$4" ]; then ip link set lo up 2> /dev/null || :; fi
    exec chroot "$1" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 sh -euc "
      while IFS= read -r each; do export \"\$each\"; done < /tmp/carried
      rm /tmp/carried
      cd /srv/seen
      $3"' sh "$1" "$folder/archives" "$3" "$network"
}

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
