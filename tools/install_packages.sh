#!/bin/sh
# install_packages.sh [LIST...]: installs with apt-get what the lists (tools/packages.txt) name and this machine lacks.
#
#   lists ─► dpkg has it? ─► found (a command, a header)? ─► missing ─┬─ needed, and root or sudo ─► apt-get install
#                                                                     ├─ needed, and neither      ─► say what to install, and stop
#                                                                     └─ optional                 ─► install beside needed ones, or go on
#
# Where nothing is missing, neither root nor apt nor the network is asked for anything, so other systems build with what they have.
# Headers are looked for where the compiler looks, and below CMAKE_PREFIX_PATH. SEEN_SKIP_PACKAGES=1 skips all of this.
set -eu
cd "$(dirname "$0")/.."
[ -z "${SEEN_SKIP_PACKAGES:-}" ] || exit 0
[ $# -gt 0 ] || set -- tools/packages.txt

has() { command -v "$1" > /dev/null 2>&1; }
rows() { sed 's/#.*//; /^[[:space:]]*$/d' "$@"; }

# What dpkg has, one name per line.
if has dpkg-query; then
  # dpkg-query fails if it does not know one of the packages, and tells of the others nonetheless.
  installed=$(rows "$@" | awk '{ print $1 }' | xargs dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2> /dev/null |
    sed -n 's/^installed //p') || :
fi
has_package() { printf '%s\n' "${installed:-}" | grep -qx -e "$1"; }

prefixes=
for prefix in $(echo "${CMAKE_PREFIX_PATH:-}" | tr ':;' '  '); do prefixes="$prefixes -I$prefix/include"; done
has_header() { echo "#include <$1>" | g++ -std=c++20 -E -x c++ $prefixes - > /dev/null 2>&1; }

# version COMMAND: the first number that it says of itself.
version() { "$1" --version 2> /dev/null | grep -o '[0-9][0-9]*\.[0-9.]*' | head -n 1; }
at_least() {
  awk -v have="$1" -v want="$2" 'BEGIN { split(have, h, "."); split(want, w, "."); exit h[1] * 1000 + h[2] < w[1] * 1000 + w[2] }'
}

found() {
  case $1 in
  '' | -) return 1 ;;
  *.h | *.hpp) has_header "$1" ;;
  *) has "$1" ;;
  esac
}

manager=
for each in apt-get dnf pacman apk; do
  if has "$each"; then manager=$each; break; fi
done

needed= optional= old= names= unnamed=
while read -r package probe fedora arch alpine mark; do
  oldest=
  case $probe in *'>='*) oldest=${probe#*>=} probe=${probe%>=*} ;; esac
  if has_package "$package" || found "$probe"; then
    if [ -n "$oldest" ] && ! at_least "$(version "$probe")" "$oldest"; then
      old="$old; $probe $oldest or newer is needed, and this is $(version "$probe")"
    fi
    continue
  fi
  if [ "$mark" = optional ]; then optional="$optional $package"; continue; fi
  if [ "$probe" = - ] && ! has dpkg-query; then continue; fi  # nothing here can tell
  needed="$needed $package"
  case $manager in
  apt-get) name=$package ;;
  dnf) name=$fedora ;;
  pacman) name=$arch ;;
  apk) name=$alpine ;;
  *) name= ;;
  esac
  if [ "${name:--}" = - ]; then unnamed="$unnamed ${probe:-$package}"; else names="$names $name"; fi
done << END
$(rows "$@")
END
if [ -n "$old" ]; then echo "too old: ${old#; }" >&2; exit 1; fi
if [ -z "$needed" ]; then
  [ -z "$optional" ] || echo "going on without$optional: static filters are built on plain threads, batches use plain C++"
  exit 0
fi

as_root=none
if [ "$manager" = apt-get ]; then
  if [ "$(id -u)" = 0 ]; then as_root=
  elif has sudo && { sudo -n true 2> /dev/null || [ -t 0 ]; }; then as_root=sudo; fi
fi
install() {
  [ "$as_root" != none ] || return 1
  echo "installing: $*"
  $as_root apt-get update -qq && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" > /dev/null
}

if ! install $needed; then
  {
    echo "missing here (by the names of Debian's packages):$needed"
    case $manager in
    apt-get | dnf) how="$manager install" ;;
    pacman) how="pacman -S" ;;
    apk) how="apk add" ;;
    esac
    [ -z "$names" ] || echo "install as root:  $how$names"
    [ -z "$unnamed" ] || echo "install what brings: $unnamed"
    echo "SEEN_SKIP_PACKAGES=1 tries with what is there."
  } >&2
  exit 1
fi
[ -z "$optional" ] || install $optional || echo "going on without$optional"
