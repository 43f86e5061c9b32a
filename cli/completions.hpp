// Completions: verbs, their options, and what may stand for a value, for the shells that ask.
#pragma once

#include <string>
#include <string_view>

#include "command_line.hpp"

namespace seen::cli {

/// The script for "bash", "zsh" or "fish".
[[nodiscard]] result<std::string> completions_for(const program& about, std::string_view shell);

/// Writes all of them below a folder, where distributions have them below /usr/share.
[[nodiscard]] result<void> write_completions(const program& about, const std::string& folder);

}  // namespace seen::cli
