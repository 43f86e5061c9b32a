# What `make install` and packagers get: headers, library, CMake package, pkg-config file, and the command if it was
# built. The components are Debian's packages (packages.cmake).
include(CMakePackageConfigHelpers)

set(seen_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/seen)
install(TARGETS seen EXPORT seen_targets COMPONENT libseen-dev)
install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include/seen TYPE INCLUDE COMPONENT libseen-dev)
install(EXPORT seen_targets NAMESPACE seen:: FILE seen-targets.cmake DESTINATION ${seen_cmake_dir} COMPONENT libseen-dev)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/seen-config.cmake.in
                              ${CMAKE_CURRENT_BINARY_DIR}/seen-config.cmake INSTALL_DESTINATION ${seen_cmake_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/seen-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/seen-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/seen-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindxxHash.cmake DESTINATION ${seen_cmake_dir} COMPONENT libseen-dev)

# The prefix as seen from the file itself, so that an installed tree may be moved.
file(RELATIVE_PATH seen_pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
set(seen_pc_archive "-L\${libdir} -l:libseen.a")  # by its name: -lseen is the C interface, if that is installed
if(APPLE)  # whose linker knows no -l:
  set(seen_pc_archive "\${libdir}/libseen.a")
endif()
set(seen_pc_libs " -pthread")
if(SEEN_WITH_TBB)
  string(APPEND seen_pc_libs " -ltbb")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/seen.pc.in ${CMAKE_CURRENT_BINARY_DIR}/seen.pc @ONLY)
set(seen_pc_files ${CMAKE_CURRENT_BINARY_DIR}/seen.pc)

if(TARGET seen_c)
  install(TARGETS seen_c EXPORT seen_targets LIBRARY COMPONENT libseen0 NAMELINK_COMPONENT libseen-dev)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/seen-c.pc.in ${CMAKE_CURRENT_BINARY_DIR}/seen-c.pc @ONLY)
  list(APPEND seen_pc_files ${CMAKE_CURRENT_BINARY_DIR}/seen-c.pc)
endif()
install(FILES ${seen_pc_files} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT libseen-dev)

if(TARGET seen_cli)
  install(TARGETS seen_cli COMPONENT seen)
  if(TARGET seen_manual)
    install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/cli/share/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR} COMPONENT seen OPTIONAL)
  endif()
endif()

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake ${CMAKE_CURRENT_BINARY_DIR})
  include(cmake/packages.cmake)
endif()
