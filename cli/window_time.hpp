// What time it is to a filter that forgets by time.
//
//   --now 1700000000    a number in the unit of the filter's period
//   --now auto          the seconds since 1970, which `date +%s` prints
//
// Time never goes back: a filter that was told a later time has forgotten what was due by then, and cannot tell of before.
#pragma once

#include <seen/any_filter.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "command_line.hpp"

namespace seen::cli {

/// --now, of filters that forget by time.
void define_now(option_list& app, std::string& now);
/// Nothing where the option was not given.
[[nodiscard]] result<std::optional<std::uint64_t>> parse_time(const std::string& now);

/// Moves an open filter on to a time, if there is one; its file stays as it is. An error, which names both times, where the
/// filter is ahead, and one where it does not forget by time.
[[nodiscard]] result<void> tell_time(const std::string& path, any_filter& filter, std::optional<std::uint64_t> now);

}  // namespace seen::cli
