// Options that several verbs share: how keys are read, how filters are opened, where they are written.
#pragma once

#include <seen/any_filter.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "filter_file.hpp"
#include "key_options.hpp"

namespace seen::cli {

/// --format, --hash, --key-type, --part, --variant and --secret-file of filters that are opened.
struct filter_options {
  std::string format, hash, key_type, part, variant;
  std::string secret_file;
  bool check = false;

  /// `variant_name`: another name of --variant, where that is what is written.
  void define(option_list& app, const char* variant_name = "--variant");
  /// All but --secret-file, for what needs no secret.
  void define_format(option_list& app, const char* variant_name = "--variant");
  /// --check, of what opens a large filter quickly otherwise.
  void define_check(option_list& app);
  [[nodiscard]] opening how() const noexcept { return check ? opening::checked : opening::quick; }
  [[nodiscard]] result<open_options> read() const;
  /// The secret's file, where there is one.
  [[nodiscard]] std::vector<std::string> secrets() const {
    return secret_file.empty() ? std::vector<std::string>() : std::vector{secret_file};
  }
};

/// -o, -f and --store-secret of filters that are written.
struct output_options {
  std::string path;
  bool overwrite = false;
  bool store_secret = false;
  const char* product = "filter";  ///< what is written, as messages call it

  void define(option_list& app, need needed = need::required);
  void define_store_secret(option_list& app);
  /// Fails early, before anything is read or written, if the file could not be written in the end or is one of `kept`
  /// (lists of keys, a secret), which it would replace. A filter may be replaced by what is made of it, since it is in
  /// memory by then; but standard output, which is written in place, may not go to one of `filters` either. And none of
  /// them may have a name that is used on the way: that of the temporary file, or `checkpoint`.
  [[nodiscard]] result<void> check(const std::vector<std::string>& kept, const std::vector<std::string>& filters = {},
                                   const std::string& checkpoint = {}) const;
  /// The file as messages name it.
  [[nodiscard]] std::string name() const;
  /// Saves atomically; "-" is standard output.
  [[nodiscard]] result<void> save(const any_filter& filter, bool quiet = false) const;
  /// A remark where what was saved needs a secret that perhaps nothing but the filters it was made of holds.
  void tell_of_secret(const any_filter& saved, const filter_options& from, bool quiet) const;
};

/// True if both names are of one file, whether by links or not. Standard input (-) is a name, too.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);
/// True if both names lead to one place, whether or not there is a file. Hard links are different places.
[[nodiscard]] bool is_same_place(const std::string& a, const std::string& b);
/// The file that a save to `path` makes beside it, and removes.
[[nodiscard]] std::string temporary_of(const std::string& path);
/// An error where a save to `path` would remove one of `kept`, which are read, since it has the temporary file's name.
[[nodiscard]] result<void> saving_spares(const std::string& path, const std::vector<std::string>& kept);
/// An error where one of these files, which are read, is what standard output goes to.
[[nodiscard]] result<void> stdout_spares(std::initializer_list<std::vector<std::string>> read);

/// The help's text on lists of keys that are arguments.
inline constexpr const char* lists_help =
    "lists of keys, one per line; .gz, .zst, .xz and .bz2 too; standard input (-) if there are none";

/// Refuses --metadata of a format that has no place for it.
[[nodiscard]] result<void> check_metadata(std::string_view format);

/// --quiet.
void define_quiet(option_list& app, bool& quiet);

/// Files named on the command line, or standard input where there are none.
[[nodiscard]] std::vector<std::string> files_or_stdin(const std::vector<std::string>& files);

/// The value of an option through one of the parsers of numbers.hpp; its error names the option.
template <class Parse>
auto parse_option(const char* option, const std::string& text, Parse parse) -> decltype(parse(text)) {
  auto value = parse(text);
  if (!value) return value.error().prefixed(std::string(option) + ": ");
  return value;
}

}  // namespace seen::cli
