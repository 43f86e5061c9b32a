// The library's version. The file format has its own (docs/formats/native.md).
#pragma once

#define SEEN_VERSION_MAJOR 0
#define SEEN_VERSION_MINOR 1
#define SEEN_VERSION_PATCH 0

namespace seen::inline v1 {

/// The version of the headers, as "major.minor.patch".
inline constexpr const char* version = "0.1.0";

}  // namespace seen::inline v1
