// The command line: which options a verb has, and what was given.
//
//   verbs ──define──► option_list ──parse──► variables of the verb, and its action ──► exit status
//
// A verb names its options and the variables they fill, and returns what to do once they are filled. The parser behind it
// is CLI11, whose headers take longer to compile than any verb: command_line.cpp alone includes them.
//
//   void define(option_list& options) {
//     options.value({"-p,--fpr", "false-positive rate", "RATE"}, fpr);
//     options.in_group("Keys").flag({"--hex", "keys are written in hexadecimal"}, hex);
//   }
#pragma once

#include <seen/base/result.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace seen::cli {

/// Whether an option may be left out.
enum class need { optional, required };

/// How an option is named and explained.
struct option {
  const char* names;  ///< "-p,--fpr"; an argument has no dashes: "files"
  std::string help;
  const char* value = "";  ///< what stands for its value in the help: "RATE"
  need needed = need::optional;
};

/// The options of one verb. The variables they fill must live until the command line is read.
class option_list {
 public:
  explicit option_list(CLI::App& parser) noexcept : parser_(&parser) {}

  /// The same verb's options, under a heading of their own in the help.
  [[nodiscard]] option_list in_group(const char* heading) const noexcept {
    option_list group = *this;
    group.heading_ = heading;
    return group;
  }

  /// True if it is given.
  void flag(const option& each, bool& to);
  /// One value. An option's must not be empty: `-n "$UNSET"` is a mistake, not a default.
  void value(const option& each, std::string& to);
  /// As many as come: all arguments, or an option that may be given again.
  void values(const option& each, std::vector<std::string>& to);
  /// Several with commas between them.
  void list(const option& each, std::vector<std::string>& to);
  /// Refuses a command line that has both, each by one of its names.
  void never_both(const char* one, const char* other);
  /// The end of the help.
  void footer(const char* text);

 private:
  CLI::App* parser_;
  const char* heading_ = nullptr;
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
};

/// A program of several verbs.
struct program {
  const char* name;
  const char* summary;
  const char* version;
  const char* examples;
  std::span<const verb> verbs;
};

/// All that a command line can ask for: the action of a verb, or to print the help or the version.
[[nodiscard]] result<action> read_command_line(const program& about, int argc, char** argv);

}  // namespace seen::cli
