// The pictures of `seen report`: each a heading, an SVG drawing and a caption that says in words what it shows.
#pragma once

#include <seen/any_filter.hpp>

#include <optional>
#include <string>

#include "solve.hpp"

namespace seen::cli {

/// What a report is about.
struct reported_filter {
  std::string path;
  filter_info info = {};
  std::optional<any_filter> filter = {};     ///< not there if it has a secret that was not given
  std::optional<filter_survey> survey = {};  ///< nor for a kind that is full by construction

  /// What other kinds are compared for: the target, or the keys it holds at the rate it has.
  [[nodiscard]] target compared() const;
  /// The regions of all tables that are too full or too empty to be so by chance.
  [[nodiscard]] std::size_t odd_regions() const;
};

/// How full each region of the table is; empty without a survey.
[[nodiscard]] std::string regions_picture(const reported_filter& of);
/// Set bits per block, beside what chance makes of as many keys; empty where the kind has no blocks.
[[nodiscard]] std::string blocks_picture(const reported_filter& of);
/// The rate over the number of keys; a sentence where it does not depend on them.
[[nodiscard]] std::string rate_picture(const reported_filter& of);
/// Bits per key of all kinds at this rate.
[[nodiscard]] std::string kinds_picture(const reported_filter& of, const std::vector<candidate>& kinds);

}  // namespace seen::cli
