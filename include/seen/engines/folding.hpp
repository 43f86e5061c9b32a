// Shared by the engines that fold: which divisors to try, and the error when none will do.
#pragma once

#include <seen/base/result.hpp>

#include <cstdint>
#include <vector>

namespace seen::inline v1::engines {

/// The divisors of `n` above 1 and up to `most`, largest first.
[[nodiscard]] std::vector<std::uint64_t> divisors_from_above(std::uint64_t n, std::uint64_t most);

/// Rejects an fpr outside (0, 1), and an empty filter, which gives no size to aim for.
[[nodiscard]] result<void> check_shrink(double fpr, std::uint64_t set_bits);

/// The error of a filter that has no smaller size.
[[nodiscard]] error no_divisor(std::uint64_t cells, double fpr);

}  // namespace seen::inline v1::engines
