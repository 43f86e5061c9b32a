# A bare Debian 12 in a folder, and commands in it: what tools/bare.sh and packaging/debian/test.sh have in common. Read by them (`.`), with
# $folder set; needs root, debootstrap and Linux's namespaces.
[ "$(id -u)" = 0 ] || { echo "$0 needs root: it makes a root folder and changes into it" >&2; exit 1; }
tools/install_packages.sh tools/packages_bare.txt

# The mirror from which this machine's apt gets Debian 12.
mirror=$(apt-cache policy | awk '$3 == "bookworm/main" { print $2; exit }')
[ -n "$mirror" ] || { echo "this machine's apt knows no mirror of Debian 12 (bookworm)" >&2; exit 1; }

# Makes $folder/base, a bare Debian 12 with git and make, unless it is there.
bare_base() {
  mkdir -p "$folder/archives"
  if [ ! -e "$folder/base/finished" ]; then
    echo "== a bare Debian 12"
    rm -rf "$folder/base"
    debootstrap --variant=minbase --include=git,make bookworm "$folder/base" "$mirror" > "$folder/debootstrap.log" 2>&1 ||
      { tail "$folder/debootstrap.log"; exit 1; }
    touch "$folder/base/finished"
  fi
}

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
