# BF.*, CF.* and SF.*: the table of commands as a library, for every server that can be its host.
include_guard(GLOBAL)
file(GLOB redis_table_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/table/*.cpp)
add_library(seen_redis_table STATIC ${redis_table_sources})
target_include_directories(seen_redis_table PUBLIC ${CMAKE_CURRENT_LIST_DIR} PRIVATE ${PROJECT_SOURCE_DIR}/cli)
target_link_libraries(seen_redis_table PUBLIC seen::seen PRIVATE seen_flags)
set_target_properties(seen_redis_table PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
