// Which kind to take. The advice knows no kind by name.
//
//   kinds that can do what is needed, and fit ──► plain ones, if any ──► of little more cost than the least ──► fewest
//                                                                        cache lines, then least cost
//
// What costs depends on the question (solve.hpp): the size for so many keys at a rate, and 30 % more is little; the rate where keys
// and memory are given, and three times is little; the bits per key where rate and memory are, again 30 %. (A cache miss costs more
// than anything else a lookup does, which is worth some space. 30 %: a blocked filter passes at 1 % and 1e-4, where it is 4 % and
// 18 % larger than a classic one, and no longer at 1e-6, where it is 35 % larger.)
//
// Of a kind that offers a choice only the usual variant is advised. Where static kinds will do it is one of them, made for
// what this processor has if there is one: they are the smallest there are.
//
// Plain kinds have no gift that nobody asked for: removing, growing and forgetting cost space or time, and forgetting
// would lose keys.
#pragma once

#include <seen/base/target.hpp>
#include <seen/registry.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solve.hpp"

namespace seen::cli {

/// The abilities that the filter must have.
struct needs {
  bool is_static = false;  ///< kinds without add will do
  bool remove = false;
  bool unknown_n = false;  ///< grows, or folds to what its keys need
  bool window = false;     ///< forgets
  bool merge = false;
  bool threads = false;
  std::optional<std::uint64_t> memory = {};  ///< bytes it may take, while it is built too
};

/// A rate at which a kind would fit into the memory there is.
struct fitting_rate {
  std::string kind;
  double fpr = 0;
};

/// The kind to take, or none; one sentence of why; and where nothing fits, what would.
struct advice {
  const candidate* best = nullptr;  ///< one of those it was chosen from
  std::string kind = {};
  std::string why = {};
  std::optional<fitting_rate> fits_at = {};
};

/// `wanted` is what was asked: the number that is looked for is ignored.
[[nodiscard]] advice advise(const needs& needed, const target& wanted, unknown looked_for,
                            const std::vector<candidate>& candidates);

}  // namespace seen::cli
