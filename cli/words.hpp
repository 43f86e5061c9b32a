// Words for people: errors, remarks and numbers, all on stderr or in tables.
//
// Every line on stderr begins with the command's name, so that a log tells whose it is, and a script what it is:
//
//   seen: users.seen: 3 keys added, …                      a remark
//   seen: warning: users.seen: planned for 2 keys …        a remark on what may be wrong
//   seen: users.seen: open: No such file or directory      an error, the last line; the exit status says so
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/base/text.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "json.hpp"

namespace seen::cli {

/// From now on every line on stderr is a JSON object: {"error": {"code": "corrupt", "message": …}}, {"warning": …},
/// {"remark": …}. An error's file is the argument that its message begins with.
void speak_json();

/// An error as one line: "seen: users.seen: exists already (-f overwrites it)".
void report(const error& e) noexcept;

/// A remark that --quiet leaves out: "seen: users.seen: 3 keys added".
void remark(bool quiet, std::string_view text);
/// The same of something that may be wrong with what was done: "seen: warning: users.seen: planned for 2 keys …".
void warn(bool quiet, std::string_view text);

/// An error as it stands in documents: {"code": …, "message": …}.
[[nodiscard]] json error_in_json(const error& e);

/// An error of a filter with the name of its file in front. Functions that open a path name it themselves.
[[nodiscard]] error about(const std::string& name, const error& e);
/// An error of a file that could not be written, by its own name: the call that failed knows only the temporary file beside it.
[[nodiscard]] error cannot_write(const std::string& name, const error& e);

/// 9585059 -> "9,585,059".
[[nodiscard]] std::string grouped(std::uint64_t n);
/// 101249.928 with two decimals -> "101,249.93".
[[nodiscard]] std::string grouped(double x, int decimals);
/// A number of keys that is known or estimated: "1,000,000", "about 983", "too many to tell".
[[nodiscard]] std::string key_count(double keys, bool exact);
/// "1 key", "2 keys", "1,000,000 keys".
[[nodiscard]] std::string keys_in_words(std::uint64_t n);
/// 1198133 -> "1.14 MiB".
[[nodiscard]] inline std::string human_bytes(std::uint64_t bytes) {
  return readable_bytes(static_cast<double>(bytes));
}
/// A probability or a small number in three digits: "0.01", "1e-6".
[[nodiscard]] std::string short_number(double x);

/// `first`, then the text broken between words at `width` columns, its other lines indented as far as `first` is long.
[[nodiscard]] std::string wrapped(const std::string& first, std::string_view text, std::size_t width);

/// A key in quotes as one line of text, with what is not printable escaped, cut where it is long.
[[nodiscard]] std::string shown(bytes_view key);

}  // namespace seen::cli
