// Keys, rate and memory: any two of them give the third, for every kind.
//
//   keys, rate     the size                                             a plan
//   keys, memory   the lowest rate, of two digits, at which it fits     a search among plans: sizes fall as rates rise
//   rate, memory   the most keys that fit                               the same, by doubling and halving
//
// What a filter needs is its memory while it is built, too.
#pragma once

#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/registry.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seen::cli {

/// Which of the three is looked for.
enum class unknown { memory, rate, keys };

/// A kind with its plan, or the reason why it has none.
struct candidate {
  const kind_row* kind;
  result<plan_row> plan;
  const kind_variant* variant = nullptr;  ///< of a kind that offers a choice
  target made_for = {};                   ///< what it was planned for: what was asked, and what was found

  /// The options that make it.
  [[nodiscard]] make_options options(const target& asked) const;
};

/// "ribbon compact"
[[nodiscard]] std::string name_of(const candidate& each);
/// What it takes, while it is built too.
[[nodiscard]] std::uint64_t need_of(const plan_row& row);

/// Adds a kind, planned for a target; one that offers a choice with each.
void add_candidates(std::vector<candidate>& candidates, const kind_row& kind, const target& asked);
/// Every kind of the registry.
[[nodiscard]] std::vector<candidate> candidates_for(const target& asked);

/// The lowest rate of two digits, above `beyond`, at which so many keys fit; nothing where they never do.
[[nodiscard]] std::optional<double> lowest_fitting(const candidate& each, std::uint64_t keys, std::uint64_t memory,
                                                   double beyond = 0);
/// The most keys that fit at this rate; nothing where not even one does.
[[nodiscard]] std::optional<std::uint64_t> most_fitting(const candidate& each, double fpr, std::uint64_t memory);
/// Plans each anew for what is looked for; one for which there is nothing has an error instead of a plan.
void solve(std::vector<candidate>& candidates, const target& wanted, unknown looked_for, std::uint64_t memory);

}  // namespace seen::cli
