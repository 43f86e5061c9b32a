// What a build of the command brings and this machine lets it use, for `seen version`.
#pragma once

#include <string>

namespace seen::cli {

/// A line per fact, for reports of bugs and slowness.
[[nodiscard]] std::string details_of_build();

}  // namespace seen::cli
