// The library's version, and the language it needs. The file format has a version of its own (docs/formats/native.md).
#pragma once

#if __cplusplus < 202002L
#error "seen needs C++20: compile with -std=c++20"
#include <seen/needs_cpp20>  // not there, and compilers stop at what is not there: no further error hides the one above
#endif

#define SEEN_VERSION_MAJOR 0
#define SEEN_VERSION_MINOR 1
#define SEEN_VERSION_PATCH 0

namespace seen::inline v1 {

/// The version of the headers, as "major.minor.patch".
inline constexpr const char* version = "0.1.0";

}  // namespace seen::inline v1
