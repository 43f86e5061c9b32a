// What a verb has defined, as data: all that the help, the man pages, the completions and the parser know of it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "command_line.hpp"

namespace seen::cli {

/// An option or an argument, and the variable it fills.
struct known_option {
  using text_list = std::vector<std::string>;

  text_list names;  ///< "-p", "--fpr"; of an argument "files"
  std::string help = {}, value = {}, heading = {};
  bool required = false, may_be_empty = false, has_commas = false;
  std::variant<bool*, std::string*, std::optional<std::string>*, text_list*> to = {};  ///< a flag's may be null
  bool given = false;

  /// Whether its name begins with a dash: an argument's does not.
  [[nodiscard]] bool is_option() const noexcept { return names.front().front() == '-'; }
  [[nodiscard]] bool is_flag() const noexcept { return std::holds_alternative<bool*>(to); }
  /// `--wait[=SECONDS]`
  [[nodiscard]] bool may_lack_value() const noexcept { return std::holds_alternative<std::optional<std::string>*>(to); }
  /// It may be given again, and means more then.
  [[nodiscard]] bool repeats() const noexcept { return std::holds_alternative<text_list*>(to); }
  /// The name that messages use: the first long one.
  [[nodiscard]] const std::string& name() const noexcept;
  /// An argument in usage lines: "files" is FILE, "[FILE]..." if there may be none.
  [[nodiscard]] std::string placeholder() const;
  [[nodiscard]] std::string usage() const;
};

/// A command and what it does, which may be left to the reader.
struct example {
  std::string command, note;
};

/// A verb with everything it defined.
struct option_table {
  std::string program, verb;  ///< no verb: the program itself; an action after its verb, "redis add"
  std::string summary;
  std::vector<known_option> options = {};  ///< in their order, arguments among them
  std::vector<std::pair<std::size_t, std::size_t>> never_both = {};
  std::vector<std::string> remarks = {};  ///< paragraphs
  std::vector<example> examples = {};
  std::vector<std::pair<std::string, std::string>> actions = {};  ///< of a verb that has some: names and summaries

  /// "seen build"
  [[nodiscard]] std::string command() const { return verb.empty() ? program : program + ' ' + verb; }
  /// True of an action.
  [[nodiscard]] bool is_action() const noexcept { return verb.find(' ') != verb.npos; }
  /// "seen-build", "seen-redis-add": the name of its manual page.
  [[nodiscard]] std::string page() const;
  /// "seen build -o FILE [OPTION]... [FILE]..."
  [[nodiscard]] std::string usage() const;
  /// An option by one of its names; null if there is none.
  [[nodiscard]] known_option* find(std::string_view name) noexcept;
  /// The headings, each once, the nameless first.
  [[nodiscard]] std::vector<std::string> headings() const;
  /// The error of whoever wrote this command line.
  [[nodiscard]] error mistake(const std::string& what) const;

  /// Fills the variables from the words after the verb. Where help is asked for, nothing needs to be complete.
  [[nodiscard]] result<void> read(std::span<char* const> words);
  /// -h,--help, of which a verb may use the short one for something else.
  void add_help();
};

/// A verb, what it takes and what it does.
struct defined_verb {
  option_table table;
  action run;

  /// What the words after the verb ask for.
  [[nodiscard]] result<action> read(std::span<char* const> words);
};

/// A verb of a program; without one it is itself the program. `of`: the verb whose action it is.
[[nodiscard]] defined_verb define_verb(const char* program, const verb& each, const verb* of = nullptr);

/// An action that prints.
[[nodiscard]] action printing(std::string text);

/// "-p,--fpr" -> "-p", "--fpr". Without separators the text is the only part.
[[nodiscard]] std::vector<std::string> parts_of(std::string_view text, std::string_view separators);

/// Takes a footer (command_line.hpp) apart.
void read_footer(option_table& into, std::string_view text);

}  // namespace seen::cli
