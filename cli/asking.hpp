// Lists of keys asked of filters, and the answers printed as grep prints lines: what `seen query` does with filters in files, and `seen redis query` with those of servers.
//
//   one filter        prints the lines that may be present; -v those surely absent; -c how many
//   several filters   the same for each of them, with the filter's name and a tab before it; --any, --all and --none make one
//                     decision of theirs
//   --json            one object per line, in order, matching or not
//
// Batches of some ten thousand keys go through the filters at once, and the answers out at once. What arrives through a
// pipe is answered as soon as it is read. The lists are read one after another, since -c, -l and -m speak of each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "asked.hpp"
#include "command_line.hpp"
#include "key_lists.hpp"
#include "key_options.hpp"

namespace seen::cli {

/// What is printed of the answers.
struct answer_options {
  std::string most;
  bool invert = false, count = false, names_with = false, names_without = false;
  bool line_numbers = false, list_names = false, no_list_names = false;
  bool json = false, silent = false, no_messages = false;

  /// `lower`: that of the keys, which -i is another name for.
  void define_answers(option_list& app, bool& lower);
  [[nodiscard]] bool quiet() const noexcept { return silent || no_messages; }
  /// Only how many lines are selected counts, or whether any is.
  [[nodiscard]] bool prints_lines() const noexcept { return !silent && !count && !names_with && !names_without; }
};

/// Filters and lists, told apart.
struct question_files {
  std::vector<std::string> filters, lists;
};

/// What is asked for, and of whom.
struct question_options : answer_options {
  std::string first;                 ///< an argument: the filter, or a list where -F names filters
  std::vector<std::string> filters;  ///< -F
  std::vector<std::string> files, more_files, given_keys;
  key_options keys;
  bool any = false, all = false, none = false;

  /// All options but those of the keys. What the argument is, what -F takes, and how its value is called.
  void define(option_list& app, const char* argument, const char* filter_option, const char* value);
  [[nodiscard]] together decide() const noexcept {
    return any ? together::any : all ? together::all : none ? together::none : together::each;
  }
  /// Without -F the first argument is the filter. `verb` for the error where there is none.
  [[nodiscard]] result<question_files> filters_and_lists(const std::string& verb) const;
};

/// What else counts.
struct asking_terms {
  static constexpr std::uint64_t unlimited = ~std::uint64_t{0};

  std::uint64_t most = unlimited;  ///< lines that may be selected of a list
  together decide = together::each;
  bool confirmed = false;  ///< the answers are exact
};

/// -m: how many lines may be selected of a list.
[[nodiscard]] result<std::uint64_t> read_most(const answer_options& o);

/// The help's text on the exit status.
inline constexpr const char* exit_status_of_answers =
    "Exit status: 0 a line was selected (with --json: a key may be present; with -L: a list was named), 1 none,\n"
    "2 error.\n"
    "\n";

/// Asks for all lists. True if a line was selected, or with -L a list named.
[[nodiscard]] result<bool> ask_lists(const answer_options& o, const key_format& format, const key_lists& lists,
                                     asked& filters, const asking_terms& how);

}  // namespace seen::cli
