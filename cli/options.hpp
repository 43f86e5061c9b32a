// Options that several verbs share: how keys are read, how filters are opened, where they are written.
#pragma once

#include <seen/any_filter.hpp>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keys.hpp"

namespace seen::cli {

/// --null, --field, -d, --hex, --plain.
struct key_options {
  bool null = false;
  std::string field;
  std::string delimiter;
  bool hex = false;
  bool plain = false;

  void define(CLI::App& app);
  [[nodiscard]] result<key_format> read() const;
};

/// --format, --hash, --key-type, --part and --key-file of filters that are opened.
struct filter_options {
  std::string format, hash, key_type, part;
  std::string key_file;

  void define(CLI::App& app);
  /// All but --key-file, for what needs no secret.
  void define_format(CLI::App& app);
  [[nodiscard]] result<open_options> read() const;
};

/// -o and -f of filters that are written.
struct output_options {
  std::string path;
  bool overwrite = false;

  void define(CLI::App& app, bool required = true);
  /// Fails early, before the work, where the file could not be written in the end.
  [[nodiscard]] result<void> check() const;
  /// Saves atomically; "-" is standard output.
  [[nodiscard]] result<void> save(const any_filter& filter, save_options options = {}) const;
};

/// An option's value must not be empty: `-d "$UNSET"` is a mistake, not a default.
inline const CLI::Validator not_empty(
    [](const std::string& text) { return std::string(text.empty() ? "is empty" : ""); }, "");

/// --quiet.
void define_quiet(CLI::App& app, bool& quiet);

/// --now, of filters that forget by time.
void define_now(CLI::App& app, std::string& now);
/// Nothing where the option was not given.
[[nodiscard]] result<std::optional<std::uint64_t>> parse_time(const std::string& now);

/// Files named on the command line, or standard input where there are none.
[[nodiscard]] std::vector<std::string> files_or_stdin(const std::vector<std::string>& files);

/// The value of an option through one of the parsers of numbers.hpp; its error names the option.
template <class Parse>
auto parse_option(const char* option, const std::string& text, Parse parse) -> decltype(parse(text)) {
  auto value = parse(text);
  if (!value) return error{value.error().code, std::string(option) + ": " + value.error().detail};
  return value;
}

}  // namespace seen::cli
