# Debian's packages, by CPack: `make deb`.
#
#   seen         the command, its man pages and completions
#   libseen0     libseen.so.0, the C interface
#   libseen-dev  headers, libseen.a, CMake and pkg-config files, and the link by which -lseen finds libseen.so.0
#
# dpkg-shlibdeps finds what the first two depend on. packaging/debian/finish.cmake adds what Debian asks of every package.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "the seen developers")
set(CPACK_PACKAGE_CONTACT "the seen developers <seenfilter@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # the first line of each component is its own
set(CPACK_COMPONENTS_ALL seen libseen0 libseen-dev)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/finish.cmake)
set(CPACK_SEEN_SOURCE ${CMAKE_CURRENT_SOURCE_DIR})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_SEEN_PACKAGE_NAME seen)
set(CPACK_DEBIAN_SEEN_PACKAGE_SECTION utils)
set(CPACK_COMPONENT_SEEN_DESCRIPTION "Bloom filters and their successors, at the command line
Tells whether a key was seen before, from a file of a few bits per key, and is
never wrong when it says no. Builds, queries, merges and converts filters of
fifteen kinds, and reads and writes the files of 25 other libraries.")

set(CPACK_DEBIAN_LIBSEEN0_PACKAGE_NAME libseen0)
set(CPACK_DEBIAN_LIBSEEN0_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBSEEN0_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/triggers)
set(CPACK_COMPONENT_LIBSEEN0_DESCRIPTION "Bloom filters and their successors, the shared library
Approximate membership for programs in C, and in languages that call C: the
library asks, changes and saves filters of fifteen kinds and of 25 libraries.")

set(CPACK_DEBIAN_LIBSEEN-DEV_PACKAGE_NAME libseen-dev)
set(CPACK_DEBIAN_LIBSEEN-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBSEEN-DEV_PACKAGE_DEPENDS
    "libseen0 (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), libxxhash-dev")
if(SEEN_WITH_TBB)  # which libseen.a calls
  string(APPEND CPACK_DEBIAN_LIBSEEN-DEV_PACKAGE_DEPENDS ", libtbb-dev")
endif()
set(CPACK_COMPONENT_LIBSEEN-DEV_DESCRIPTION "Bloom filters and their successors, to program with
Headers and the static library for C++20, the header for C, and what CMake and
pkg-config need to find them.")
include(CPack)
