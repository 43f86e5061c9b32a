// The verbs of a program: those it has, and the three that are made of their tables.
//
//   help [VERB]         what the program or a verb takes
//   version             the version, and what was compiled in
//   completions SHELL   what a shell needs to complete command lines
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "option_table.hpp"

namespace seen::cli {

/// One verb; nothing if none has that name. An action is behind its verb and a blank: "redis add".
[[nodiscard]] std::optional<defined_verb> define_verb(const program& about, std::string_view name);
/// Every verb, in the order of the help, each before its actions.
[[nodiscard]] std::vector<option_table> tables_of(const program& about);
/// The error of a name that no verb has, or no action of its verb: with the name that was meant, if one comes near.
[[nodiscard]] error no_such_verb(const program& about, std::string_view name, const std::string& see);

}  // namespace seen::cli
