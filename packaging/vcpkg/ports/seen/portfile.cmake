# seen for vcpkg, as an overlay port: the C++ library, static (it promises no binary interface).
#
#   make archive
#   SEEN_ARCHIVE=$PWD/build/seen-0.1.0.tar.gz VCPKG_KEEP_ENV_VARS=SEEN_ARCHIVE vcpkg install seen --overlay-ports=packaging/vcpkg/ports
#
# Without SEEN_ARCHIVE the sources are those of the release, whose SHA512 has to be filled in once it is tagged.
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)

if(DEFINED ENV{SEEN_ARCHIVE})
  set(archive "$ENV{SEEN_ARCHIVE}")
else()
  vcpkg_download_distfile(archive URLS https://github.com/seenfilter/seen/archive/refs/tags/v${VERSION}.tar.gz
                          FILENAME seen-${VERSION}.tar.gz SHA512 0)
endif()
vcpkg_extract_source_archive(source_path ARCHIVE ${archive})

vcpkg_check_features(OUT_FEATURE_OPTIONS features
                     FEATURES formats SEEN_WITH_FORMATS tbb SEEN_WITH_TBB highway SEEN_WITH_HIGHWAY)
vcpkg_cmake_configure(
  SOURCE_PATH ${source_path}
  OPTIONS ${features} -DSEEN_BUILD_C=OFF -DSEEN_BUILD_CLI=OFF -DSEEN_BUILD_TESTS=OFF -DSEEN_BUILD_EXAMPLES=OFF
          -DSEEN_BUILD_BENCH=OFF -DSEEN_BUILD_INTEGRATIONS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/seen)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/debug/include)
vcpkg_install_copyright(FILE_LIST ${source_path}/LICENSE)
file(INSTALL ${CMAKE_CURRENT_LIST_DIR}/usage DESTINATION ${CURRENT_PACKAGES_DIR}/share/${PORT})
