// Symbolic links: where a chain of them ends.
//
//   latest.seen -> monday.seen -> /srv/sets/0042.seen      a save to the first replaces the last, or makes it if
//                                                          missing; temporary files stand beside the last
#pragma once

#include <seen/base/result.hpp>

#include <string>

namespace seen::inline v1 {

/// The end of the chain of symbolic links that begins at `path`, whether or not there is a file; a loop is errc::io.
[[nodiscard]] result<std::string> end_of_links(const std::string& path);

}  // namespace seen::inline v1
