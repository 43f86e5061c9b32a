// Which kind to take. The advice knows no kind by name.
//
//   kinds that can do what is needed, and fit ──► plain ones, if any ──► at most 30 % above the smallest ──► fewest
//                                                                        cache lines, then smallest
//
// Of a kind that offers a choice only the usual variant is advised. Where static kinds will do it is one of them, made for
// what this processor has if there is one: they are the smallest there are.
//
// Plain kinds have no gift that nobody asked for: removing, growing and forgetting cost space or time, and forgetting
// would lose keys. A cache miss costs more than anything else a lookup does, which is worth some space. (30 %: a
// blocked filter passes at 1 % and 1e-4, where it is 4 % and 18 % larger than a classic one, and no longer at 1e-6,
// where it is 35 % larger.)
#pragma once

#include <seen/base/target.hpp>
#include <seen/registry.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

/// A kind with its plan, or the reason why it has none.
struct candidate {
  const kind_row* kind;
  result<plan_row> plan;
  const kind_variant* variant = nullptr;  ///< of a kind that offers a choice
};

/// A rate at which a kind would fit into the memory there is.
struct fitting_rate {
  std::string kind;
  double fpr = 0;
};

/// The kind to take, or none; one sentence of why; and where nothing fits, what would.
struct advice {
  std::string kind = {};
  std::string why;
  std::optional<fitting_rate> fits_at = {};
};

[[nodiscard]] advice advise(const needs& needed, const target& asked, const std::vector<candidate>& candidates);

}  // namespace seen::cli
