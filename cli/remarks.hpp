// Remarks on a filter at hand: what is assumed of it, or that it is full.
#pragma once

#include <seen/any_filter.hpp>

#include <string>
#include <string_view>

namespace seen::cli {

/// A warning where the format of an open file, its hash or its keys are not known but assumed: then a "no" may be wrong.
void warn_if_assumed(bool quiet, const std::string& path, const any_filter& filter);

/// A warning where a filter says yes to far more than was asked for, so that a "yes" says little. Of a file up to 16 MiB its
/// bits tell; of a larger one, which is not read for this, some absent keys.
void warn_if_too_full(bool quiet, const std::string& path, const any_filter& filter, const open_options& how);

/// The choices of its format, after what is assumed: "utf8 (assumed; --key-type: utf8, utf16, long, int)". Empty where
/// nothing is.
[[nodiscard]] std::string assumed_keys(std::string_view format, const file_origin& origin);
[[nodiscard]] std::string assumed_hash(std::string_view format, const file_origin& origin);

/// Advice if a file whose format is guessed lacks keys that it should hold; nothing of other files.
[[nodiscard]] std::string doubt(const filter_info& info);

/// " after 12 keys, planned for 10 keys", of a filter that is full and held `before` keys at first.
[[nodiscard]] std::string how_full(const filter_info& info, double before);

/// Advice if a filter is full of equal keys. Filters of other libraries take each of them once.
[[nodiscard]] std::string advice_on_equal_keys(const filter_info& info);

}  // namespace seen::cli
