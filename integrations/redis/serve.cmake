# The server of `seen serve`, with the table of commands: a part of the command, on Linux.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/table.cmake)
file(GLOB redis_serve_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/serve/*.cpp)
add_library(seen_redis_serve STATIC ${redis_serve_sources})
target_link_libraries(seen_redis_serve PUBLIC seen_redis_table PRIVATE seen_flags Threads::Threads)
# One file for the compiler: what the fifteen include takes two thirds of the time.
set_target_properties(seen_redis_serve PROPERTIES CXX_EXTENSIONS OFF UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
# What is fast is in the library, as for the command.
if(SEEN_SANITIZE)
  target_compile_options(seen_redis_table PRIVATE -O0)
  target_compile_options(seen_redis_serve PRIVATE -O0)
elseif(SEEN_SPLIT_TESTS)
  target_compile_options(seen_redis_serve PRIVATE -O1)
endif()
