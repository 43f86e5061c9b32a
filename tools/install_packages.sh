#!/bin/sh
# Installs what tools/packages.txt (or the list that is given) names and this machine lacks, from Debian's packages.
# Without root or apt it says what is missing and stops. SEEN_SKIP_PACKAGES=1 builds with what is there, for other systems.
set -eu
cd "$(dirname "$0")/.."

wanted=$(sed 's/#.*//' "${1:-tools/packages.txt}")
[ -z "${SEEN_SKIP_PACKAGES:-}" ] || exit 0
if ! command -v dpkg-query > /dev/null 2>&1; then
  echo "not a Debian system: install what these packages hold, then set SEEN_SKIP_PACKAGES=1:" $wanted >&2
  exit 1
fi

missing=
for package in $wanted; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null)" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
  if command -v sudo > /dev/null 2>&1 && { sudo -n true 2> /dev/null || [ -t 0 ]; }; then as_root=sudo; else
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
