// What a report advises, in sentences: whether the filter is what was asked for, and what would be better.
#pragma once

#include <string>
#include <vector>

#include "report_pictures.hpp"

namespace seen::cli {

/// Sentences, the most pressing first; the last names the `seen plan` that compares the kinds.
[[nodiscard]] std::vector<std::string> advice_on(const reported_filter& of, const std::vector<candidate>& kinds);

}  // namespace seen::cli
