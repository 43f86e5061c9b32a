// Remarks on a filter at hand: that its format is a guess, or that it is full.
#pragma once

#include <seen/any_filter.hpp>

#include <string>

namespace seen::cli {

/// A remark that the format of an open file is guessed, where it is: then a "no" may be wrong.
void remark_guess(bool quiet, const std::string& path, const any_filter& filter);

/// Advice if a file whose format is guessed lacks keys that it should hold; nothing of other files.
[[nodiscard]] std::string doubt(const filter_info& info);

/// " after 12 keys, planned for 10 keys", of a filter that is full and held `before` keys at first.
[[nodiscard]] std::string how_full(const filter_info& info, double before);

/// Advice if a filter is full of equal keys. Filters of other libraries take each of them once.
[[nodiscard]] std::string advice_on_equal_keys(const filter_info& info);

}  // namespace seen::cli
