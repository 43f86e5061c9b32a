// The help: what a table says, in the columns of the terminal.
//
//   Usage: seen query [OPTION]... FILTER...
//   what it does              the two best examples
//   arguments and options     group by group
//   what else is to be said   the other examples
//
// Lines are no longer than COLUMNS, or than the terminal is wide, 80 where there is none, and never shorter than 40. Below 60
// what an option does stands under its name. All of it is ASCII, since a terminal may know nothing else.
#pragma once

#include <span>
#include <string>

#include "command_line.hpp"

namespace seen::cli {

struct known_option;
struct option_table;

[[nodiscard]] std::string help_of(const option_table& verb);
/// Of a program with these verbs.
[[nodiscard]] std::string help_of(const program& about, std::span<const option_table> verbs);
/// A few lines, for whoever gave no verb at all.
[[nodiscard]] std::string brief_help(const program& about, std::span<const option_table> verbs);

/// An option as it is given, all names first: "-p, --fpr RATE", "--wait[=SECONDS]".
[[nodiscard]] std::string names_in_full(const known_option& each);
/// What is said of an option: its help, and whether it must be given or may be given again.
[[nodiscard]] std::string help_in_full(const known_option& each);
/// The text with three dots for each ellipsis.
[[nodiscard]] std::string in_ascii(std::string text);

}  // namespace seen::cli
