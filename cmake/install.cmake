# What `make install` and packagers get: headers, library, CMake package, pkg-config file, and the command if it was
# built.
include(CMakePackageConfigHelpers)

set(seen_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/seen)
install(TARGETS seen EXPORT seen_targets)
install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include/seen TYPE INCLUDE)
install(EXPORT seen_targets NAMESPACE seen:: FILE seen-targets.cmake DESTINATION ${seen_cmake_dir})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/seen-config.cmake.in
                              ${CMAKE_CURRENT_BINARY_DIR}/seen-config.cmake INSTALL_DESTINATION ${seen_cmake_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/seen-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/seen-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/seen-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindxxHash.cmake DESTINATION ${seen_cmake_dir})

# The prefix as seen from the file itself, so that an installed tree may be moved.
file(RELATIVE_PATH seen_pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
set(seen_pc_libs " -pthread")
if(SEEN_WITH_TBB)
  string(APPEND seen_pc_libs " -ltbb")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/seen.pc.in ${CMAKE_CURRENT_BINARY_DIR}/seen.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/seen.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET seen_c)
  install(TARGETS seen_c EXPORT seen_targets)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/seen-c.pc.in ${CMAKE_CURRENT_BINARY_DIR}/seen-c.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/seen-c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

if(TARGET seen_cli)
  install(TARGETS seen_cli)
  if(TARGET seen_manual)
    install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/cli/share/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR} OPTIONAL)
  endif()
endif()
