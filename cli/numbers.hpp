// Numbers as people type them.
//
//   counts   1000000   1e9   1G   10k   2GiB   1.5M    exact: 64-bit integers, never rounded
//   rates    0.001   0.1%   1/1000   2^-10   1e-3      strictly between 0 and 1
//   times    90s   15m   1h   7d   2w                    in seconds
//   reals    the same ways to write them               any that is finite
//
// Strict: anything left over, anything that would have to be rounded or does not fit is an error that quotes the text.
#pragma once

#include <seen/base/result.hpp>

#include <cstdint>
#include <string_view>

namespace seen::cli {

/// A number of keys, bits or bytes: k, M, G, T, P, E are powers of 1000, Ki, Mi, … powers of 1024; a B may follow.
[[nodiscard]] result<std::uint64_t> parse_count(std::string_view text);

/// A number of seconds: 90s, 15m, 1h, 7d, 2w, or a count of whatever unit.
[[nodiscard]] result<std::uint64_t> parse_duration(std::string_view text);

/// Any real number: 2, 0.5, 1/3, 10%, 2^-3.
[[nodiscard]] result<double> parse_real(std::string_view text);

/// A probability.
[[nodiscard]] result<double> parse_rate(std::string_view text);

/// Any 64-bit integer, decimal or 0x hexadecimal.
[[nodiscard]] result<std::uint64_t> parse_seed(std::string_view text);

}  // namespace seen::cli
