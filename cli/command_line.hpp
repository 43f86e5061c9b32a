// The command line: which options a verb has, and what was given.
//
//   verbs ──define──► option_list ──► option_table ──read──► variables of the verb, and its action ──► exit status
//                                          └──► help, man pages, completions, suggestions
//
// A verb names its options and the variables they fill, and returns what to do once they are filled. What it names is kept
// as data (option_table.hpp), and everything that is said of options is made of that.
//
//   void define(option_list& options) {
//     options.value({"-p,--fpr", "false-positive rate", "RATE"}, fpr);
//     options.in_group("Keys").flag({"--hex", "keys are written in hexadecimal"}, hex);
//   }
//
//   -q -f     -qf        flags                     --fpr 0.01   --fpr=0.01   -p 0.01   -p0.01      an option and its value
//   --wait    --wait=5   a value that may be left out, and is never the next word
//   --                   only arguments from here on; - alone is an argument, too
//
// Options and arguments come in any order. Of a value that is given again the last one counts, so that an alias can be
// overruled; lists take all. An empty value is a mistake, not a default: `-n "$UNSET"`.
#pragma once

#include <seen/base/result.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seen::cli {

struct option_table;

/// Whether an option may be left out.
enum class need { optional, required };

/// How an option is named and explained.
struct option {
  const char* names;  ///< "-p,--fpr"; an argument has no dashes: "files"
  std::string help;
  const char* value =
      "";  ///< what stands for its value in the help: "RATE". FILE, DIR and the words of `choices` are completed
  need needed = need::optional;
  bool may_be_empty = false;  ///< for text of which "" is an instance: a key, a note
};

/// The options of one verb. The variables they fill must live until the command line is read.
class option_list {
 public:
  explicit option_list(option_table& table) noexcept : table_(&table) {}

  /// The same verb's options, under a heading of their own in the help.
  [[nodiscard]] option_list in_group(const char* heading) const noexcept {
    option_list group = *this;
    group.heading_ = heading;
    return group;
  }

  /// True if it is given.
  void flag(const option& each, bool& to);
  /// One value.
  void value(const option& each, std::string& to);
  /// `--wait` or `--wait=VALUE`: an empty text if it is given without a value, nothing if it is not given.
  void optional_value(const option& each, std::optional<std::string>& to);
  /// As many as come: all arguments, or an option that may be given again.
  void values(const option& each, std::vector<std::string>& to);
  /// Several with commas between them.
  void list(const option& each, std::vector<std::string>& to);
  /// Refuses a command line that has both, each by one of its names.
  void never_both(const char* one, const char* other);
  /// What the help says beside the options: paragraphs with an empty line between them. One that begins with "Examples:"
  /// has an example per line, "  seen info users.seen    what it holds", the best two first.
  void footer(const char* text);

 private:
  option_table* table_;
  const char* heading_ = "";
};

/// The exit status that the command gives the shell, as grep does.
enum class exit_status : int {
  yes = 0,    ///< something matched; done; verified
  no = 1,     ///< nothing matched; a key was lost; a filter is no longer what was asked for
  error = 2,  ///< and stderr says why
  busy = 3,   ///< the same, but another process is changing the file: try again
};

/// The work of a verb once its options are read.
using action = std::function<result<exit_status>()>;

/// A verb by name, with its line in `seen --help`.
struct verb {
  const char* name;
  const char* summary;
  action (*define)(option_list& options);
  const char* also = "";  ///< what people call it who do not know its name: "check test"
  /// What it can do, each with options of its own: `seen redis add`. Nothing: the verb does one thing.
  std::span<const verb> (*actions)() = nullptr;
};

/// What may stand for a value: {"KIND", kind_names}.
struct choice {
  const char* value;
  std::vector<std::string> (*names)();
};

/// A program of several verbs. `help`, `version` and `completions` are added to them.
struct program {
  const char* name;
  const char* summary;
  const char* version;
  const char* footer;        ///< as of a verb
  std::string (*details)();  ///< further lines of `--version`
  std::span<const verb> verbs;
  std::span<const choice> choices;
};

/// All that a command line can ask for: the action of a verb, or to print the help or the version.
[[nodiscard]] result<action> read_command_line(const program& about, int argc, char** argv);

/// The same for a program that is one verb.
[[nodiscard]] result<action> read_command_line(const verb& only, int argc, char** argv);

}  // namespace seen::cli
