#!/bin/sh
# Installs the packages of build-deb/ in a bare Debian 12, uses each as the README says, and purges them: nothing may be left.
#
#   debootstrap ─► base ─► copy ─► apt-get install ./*.deb ─► used ─► apt-get purge ─► the same files as before
#
# Needs root and a mirror of Debian, as `make bare` does; BARE_FOLDER (build-bare) holds the base, which the two share.
set -eu
cd "$(dirname "$0")/../.."
folder=${BARE_FOLDER:-$PWD/build-bare}
. tools/bare_root.sh
bare_base

root=$folder/deb
rm -rf "$root"
cp -a "$folder/base" "$root"
settings "$root"
mkdir -p "$root/srv/seen"
cp build-deb/*.deb examples/readme.cpp tests/consumer/consumer.cpp tests/consumer/consumer.c "$root/srv/seen/"
cp -r tests/consumer/find_package "$root/srv/seen/"
sed -i 's,\.\./consumer,consumer,' "$root/srv/seen/find_package/CMakeLists.txt"
cp tests/consumer/consumer.cpp "$root/srv/seen/find_package/"

inside "$root" with '
  export DEBIAN_FRONTEND=noninteractive
  quiet() { "$@" > /tmp/log 2>&1 || { cat /tmp/log; exit 1; }; }
  # Where packages put files; what apt and dpkg remember is not theirs.
  files() { find /usr /etc /opt /lib /bin /sbin ! -path "*/__pycache__*" ! -name "ld.so.cache" | sort; }
  quiet apt-get update
  quiet apt-get install -y --no-install-recommends libc-bin

  echo "== the command alone"
  files > /tmp/before
  quiet apt-get install -y --no-install-recommends ./seen_*.deb
  seq 1000 | seen build -q -o /tmp/numbers.seen -
  [ "$(seq 1000 | seen query /tmp/numbers.seen | wc -l)" = 1000 ]
  dpkg -L seen | grep -q man1/seen.1.gz
  dpkg -L seen | grep -q bash-completion
  quiet apt-get purge -y --auto-remove seen
  files | diff /tmp/before -

  echo "== the libraries"
  quiet apt-get install -y --no-install-recommends g++ cmake ninja-build pkg-config libxxhash-dev libtbb-dev
  files > /tmp/before
  quiet apt-get install -y --no-install-recommends ./libseen0_*.deb ./libseen-dev_*.deb
  g++ -std=c++20 -O2 readme.cpp $(pkg-config --cflags --libs seen) -o /tmp/readme && (cd /tmp && ./readme)
  gcc -std=c99 consumer.c $(pkg-config --cflags --libs seen-c) -o /tmp/consumer_c && /tmp/consumer_c
  quiet cmake -S find_package -B /tmp/build -G Ninja -DCMAKE_BUILD_TYPE=Release
  quiet cmake --build /tmp/build
  /tmp/build/consumer
  quiet apt-get purge -y libseen0 libseen-dev
  files | diff /tmp/before -
  [ ! -e /usr/include/seen ]
  echo "== installed, used and purged: nothing is left"'
rm -rf "$root"
