// The ways into a filter for a program that knows its type, of every kind, behind plain functions: templates over all
// kinds are compiled once, in ways.cpp, and the tests ask by name.
//
//   "ribbon" ──ways_into──► { from_bytes<ribbon>, view<ribbon> + verify, load<ribbon>, map<ribbon>, … }
#pragma once

#include <seen/io.hpp>

#include <string>
#include <string_view>

namespace seen::testing {

/// What view said, and then verify.
struct view_outcome {
  result<void> opened;
  result<void> whole;   ///< of verify(); only where it opened
  bool sealed = false;  ///< nobody vouches for the pages of an unsealed file
};

/// What each way says of bytes or of a file. A filter that opens answers queries before it is closed again.
struct typed_ways {
  std::string_view kind;
  result<void> (*from_bytes)(bytes_view, const open_options&);
  view_outcome (*view)(bytes_view, const open_options&);
  result<void> (*load)(const std::string& path);
  result<void> (*map)(const std::string& path);
  result<void> (*map_writable)(const std::string& path);  ///< null where the kind has none
};

/// Those of a kind.
[[nodiscard]] const typed_ways& ways_into(std::string_view kind);

}  // namespace seen::testing
