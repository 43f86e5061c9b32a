#!/bin/sh
# Installs what tools/packages.txt names and this machine lacks, from Debian's packages. Without root or apt it says what
# is missing and stops.
set -eu
cd "$(dirname "$0")/.."

wanted=$(sed 's/#.*//' tools/packages.txt)
command -v dpkg-query > /dev/null 2>&1 || { echo "no dpkg here: make sure these are installed: $(echo $wanted)"; exit 0; }

missing=
for package in $wanted; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null)" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
  if command -v sudo > /dev/null 2>&1 && sudo -n true 2> /dev/null; then as_root=sudo; else
    echo "missing packages:$missing" >&2
    echo "install them as root:  apt-get install$missing" >&2
    exit 1
  fi
fi
command -v apt-get > /dev/null 2>&1 || { echo "missing packages:$missing (and no apt-get to install them)" >&2; exit 1; }

echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
$as_root apt-get install -y -qq --no-install-recommends $missing > /dev/null
