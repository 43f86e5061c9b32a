// What there is to say of a filter, in words: the lines of `seen info`, and the list in a report.
#pragma once

#include <seen/filter_info.hpp>

#include <string>
#include <utility>
#include <vector>

namespace seen::cli {

/// Words and what there is to say to each: "kind", "keys", "size", …; the fill with a bar of
/// characters.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> facts_of(const filter_info& info, bool with_bar = true);

}  // namespace seen::cli
