# xxHash is used header-only (XXH_INLINE_ALL); Debian's package has no CMake files of its own.
find_path(xxHash_INCLUDE_DIR xxhash.h)
mark_as_advanced(xxHash_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(xxHash REQUIRED_VARS xxHash_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "install libxxhash-dev (Debian) or xxhash")

if(xxHash_FOUND AND NOT TARGET xxHash::header)
  add_library(xxHash::header INTERFACE IMPORTED)
  target_include_directories(xxHash::header INTERFACE ${xxHash_INCLUDE_DIR})
endif()
