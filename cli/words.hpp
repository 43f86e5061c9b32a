// Words for people: errors, remarks and numbers, all on stderr or in tables.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/registry.hpp>
#include <seen/storage/storage.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace seen::cli {

/// An error as one line: "seen: users.seen: exists already (-f overwrites it)".
void report(const error& e);

/// A remark that --quiet leaves out.
void remark(bool quiet, std::string_view text);

/// A remark that the format of an open file is guessed, where it is: then a "no" may be wrong.
void remark_guess(bool quiet, const std::string& path, const any_filter& filter);
/// What to try where a file whose format is guessed lacks keys that it should hold; nothing of other files.
[[nodiscard]] std::string doubt(const filter_info& info);

/// The error with the name of the file it is about in front, unless it is there.
[[nodiscard]] error about(const std::string& name, const error& e);
/// "1 key at fpr 1e-12: …" where keys were not counted yet, and a filter of one or a thousand was tried: without the number.
[[nodiscard]] error without_number(const error& e);

/// 9585059 -> "9,585,059".
[[nodiscard]] std::string grouped(std::uint64_t n);
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

/// A real number in the fewest digits that are exactly it: "0.01", "2", "1e-6".
[[nodiscard]] std::string exact_number(double x);

/// `first`, then the text broken between words at `width` columns, its other lines indented as far as `first` is long.
[[nodiscard]] std::string wrapped(const std::string& first, std::string_view text, std::size_t width);

/// A key in quotes as one line of text, with what is not printable escaped, cut where it is long.
[[nodiscard]] std::string shown(bytes_view key);

/// What may help where a filter is full of keys that are equal; kinds of other libraries take each once.
[[nodiscard]] inline std::string equal_keys(const filter_info& info) {
  const bool takes_each = info.format == formats()[0]->name;
  return takes_each ? "Equal keys take a place each: make them unique (sort -u), or " : "To hold more, ";
}

}  // namespace seen::cli
