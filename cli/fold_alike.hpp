// fold_alike: what filters of different sizes need before they are merged.
#pragma once

#include <seen/any_filter.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace seen {

/// Folds both to the largest size that divides each, if they are of one kind and differ in size alone; otherwise leaves them as they are.
inline result<void> fold_alike(any_filter& all, any_filter& next) {
  // No filter is of use that has more than so many times fewer bits than its keys were given.
  constexpr std::uint64_t most_folded = 64;
  const std::uint64_t here = all.fold_unit(), there = next.fold_unit();
  if (here == there || here == 0 || there == 0 || all.kind() != next.kind()) return {};
  const std::uint64_t common = std::gcd(here, there);
  if (common < std::max(here, there) / most_folded) return {};
  if (auto folded = all.fold_by(here / common); !folded) return folded;
  return next.fold_by(there / common);
}

}  // namespace seen
