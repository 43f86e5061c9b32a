// What `seen plan` prints for people: a table, and a picture of characters.
#pragma once

#include <seen/base/target.hpp>

#include <optional>
#include <string>
#include <vector>

#include "advice.hpp"

namespace seen::cli {

/// A row per kind, the advice, and the code that makes the kind advised; at most 100 columns.
[[nodiscard]] std::string plan_table(const target& wanted, unknown looked_for, const needs& needed,
                                     const std::vector<candidate>& candidates, const advice& best);

/// Bits per key over the rate, a letter per kind, in so many columns.
[[nodiscard]] std::string plan_plot(std::uint64_t keys, const std::vector<const kind_row*>& shown, std::size_t columns);

/// The rate of a filter made so that holds so many times the keys it was made for; nothing where it takes no more keys
/// (static kinds, those that can be full) or the model has no number.
[[nodiscard]] std::optional<double> rate_at(const candidate& each, std::uint64_t times);

struct named_ability {
  const char* word;  // in the table
  const char* name;  // in JSON
  bool plan_row::*can;
};
[[nodiscard]] const std::vector<named_ability>& named_abilities();

}  // namespace seen::cli
