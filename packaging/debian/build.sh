#!/bin/sh
# build.sh JOBS: Debian's three packages (cmake/packages.cmake) into build-deb/. What dpkg's shlibdeps finds is true of the release of Debian
# or Ubuntu that it runs on: packages for another one are built there.
set -eu
cd "$(dirname "$0")/../.."
for tool in dpkg-deb dpkg-shlibdeps; do
  command -v "$tool" > /dev/null || { echo "make deb needs $tool (apt install dpkg-dev)" >&2; exit 1; }
done

multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
rm -f build-deb/*.deb
cmake --preset release -B build-deb -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBDIR="lib/$multiarch" -DSEEN_WERROR=OFF \
  -DSEEN_BUILD_TESTS=OFF -DSEEN_BUILD_EXAMPLES=OFF -DSEEN_BUILD_BENCH=OFF -DSEEN_BUILD_INTEGRATIONS=OFF ${SEEN_DEB_OPTIONS:-} \
  -DCMAKE_EXE_LINKER_FLAGS=-Wl,-z,relro,-z,now -DCMAKE_SHARED_LINKER_FLAGS=-Wl,-z,relro,-z,now > /dev/null
cmake --build build-deb -j "$1"
# Folders in a package are for everybody to read, whatever this shell's umask is.
(cd build-deb && umask 022 && cpack --config CPackConfig.cmake > cpack.log) || { cat build-deb/cpack.log; exit 1; }
rm -rf build-deb/_CPack_Packages
ls -l build-deb/*.deb
