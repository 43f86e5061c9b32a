// What a verb did to a filter: a line on stderr for people, or with --json a document on stdout.
//
//   seen: users.seen: 3 keys added, holds about 12, rate 0.0001
//   {"file": "users.seen", "keys_added": 3, "format": "native", "kind": "blocked-bloom", …}
//
// The document has what the verb did first and then what the filter is now, in the words of `seen info --json`.
#pragma once

#include <seen/filter_info.hpp>

#include <string>

#include "command_line.hpp"
#include "json.hpp"

namespace seen::cli {

/// --json and --quiet of a verb that changes or makes a filter.
struct outcome_options {
  bool json = false;
  bool quiet = false;

  void define(option_list& app);
  /// Refused where the filter itself goes to standard output.
  [[nodiscard]] result<void> check(const std::string& output) const;
  /// Prints the document, completed with the filter, or the line.
  [[nodiscard]] result<void> tell(cli::json document, const filter_info& filter, const std::string& line) const;
};

}  // namespace seen::cli
