// The line of code that makes a filter, in each language that can.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solve.hpp"

namespace seen::cli {

/// The language ("C++", "Python", "Go", "Rust", "shell") and the line.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> code_for(const candidate& each);

}  // namespace seen::cli
