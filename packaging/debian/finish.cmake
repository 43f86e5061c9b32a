# What Debian asks of every package beyond its files: copyright, the changes, manual pages packed, nothing for debuggers in a static
# library. CPack runs this in each build of packages, with the files of each component in a folder of its name.
find_program(gzip gzip REQUIRED)
find_program(strip strip REQUIRED)

function(pack file)
  execute_process(COMMAND ${gzip} -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

string(TIMESTAMP today "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(component ${CPACK_COMPONENTS_ALL})
  set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
  set(doc ${root}/share/doc/${component})
  file(MAKE_DIRECTORY ${doc})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright.in ${doc}/copyright @ONLY)
  file(COPY_FILE ${CPACK_SEEN_SOURCE}/CHANGELOG.md ${doc}/changelog)
  file(WRITE ${doc}/changelog.Debian "seen (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=low

  * Packaged by CPack from the release of this version.

 -- ${CPACK_PACKAGE_CONTACT}  ${today}
")
  pack(${doc}/changelog)
  pack(${doc}/changelog.Debian)
  file(GLOB_RECURSE pages ${root}/share/man/*.[1-9])
  foreach(page ${pages})
    pack(${page})
  endforeach()
  file(GLOB_RECURSE archives ${root}/lib/*.a)
  foreach(archive ${archives})
    execute_process(COMMAND ${strip} --strip-debug --remove-section=.comment --remove-section=.note -D ${archive}
                    COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endforeach()
