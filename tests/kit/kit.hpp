// The conformance kit: what a filter of these keys is, in every language, to the byte. README.md beside it defines the
// tables; here they are in C++.
//
//   case_list() ──► a case ──make_filter──► filter ──► file, answers ──► cases.tsv, files/
//   size_rows(), hash_rows(), hostile_rows(), verdict_rows() ──► sizes.tsv, hashes.tsv, hostile.tsv, verdicts.tsv
//   portable_size_rows() ──► portable_sizes.tsv
//
// The library behind the generator is the one that defines the files, so the kit says what it does, and a kit that
// changed says that it does something else.
#pragma once

#include <seen/any_filter.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seen::kit {

using byte_vector = std::vector<std::byte>;
using row = std::vector<std::string>;

/// Ends the program: a kit that is half right is worthless.
[[noreturn]] void fail(const std::string& why);

/// What a call gave, or the end of the program with what it was for.
template <class T>
T need(result<T> made, const std::string& what) {
  if (!made) fail(what + ": " + made.error().detail);
  return std::move(*made);
}
inline void need(const result<void>& done, const std::string& what) {
  if (!done) fail(what + ": " + done.error().detail);
}

// --- tables

[[nodiscard]] std::vector<std::string> split(std::string_view text, char by);
[[nodiscard]] std::string in_hex(bytes_view bytes);
[[nodiscard]] byte_vector from_hex(std::string_view digits);
[[nodiscard]] std::string in_hex(std::uint64_t x);  ///< 16 digits
[[nodiscard]] std::string real_text(double x);      ///< %.17g
[[nodiscard]] byte_vector read_bytes(const std::filesystem::path& path);
void write_bytes(const std::filesystem::path& path, bytes_view bytes);
/// The rows of a table by the names in its first line.
[[nodiscard]] std::vector<std::map<std::string, std::string>> read_table(const std::filesystem::path& path);
[[nodiscard]] byte_vector table_bytes(const row& names, const std::vector<row>& rows);

// --- keys

/// NAME:FROM:COUNT.
struct key_set {
  std::string name;
  std::uint64_t from = 0;
  std::uint64_t count = 0;

  static key_set parse(std::string_view text);
  [[nodiscard]] std::string text() const;
};

/// The bytes of the keys of a set, one after another; `views` are the keys.
struct key_list {
  explicit key_list(const key_set& set);
  std::vector<bytes_view> views;

 private:
  byte_vector bytes_;
};
/// The same list each time it is asked for.
const key_list& keys_of(const key_set& set);

// --- cases

/// A row of cases.tsv; `yes`, `answers` and `first` are its outcome.
struct test_case {
  std::string name;
  std::string format = "native";
  std::string variant = {};
  std::string kind = {};
  seen::target target = {};
  std::vector<named_field> fields = {};
  std::string hash = {};
  std::uint64_t seed = 0;
  std::optional<secret> key = {};
  bool store_secret = false;
  std::string metadata = {};
  std::size_t alignment = 64;
  key_set keys = {};
  key_set probes = {};

  static test_case parse(const std::map<std::string, std::string>& cells);
  [[nodiscard]] row cells() const;  ///< up to `probes`
  [[nodiscard]] std::string file() const { return "files/" + name + (format == "native" ? ".seen" : ".bin"); }
  [[nodiscard]] open_options how_to_open() const;
  /// How many of the last keys must be found: all, but for a kind that forgets.
  [[nodiscard]] std::uint64_t remembered() const;
};

/// The names of the columns of cases.tsv.
extern const row case_columns;
[[nodiscard]] std::string fields_text(const std::vector<named_field>& fields);

/// The file of a case, or why this library cannot make it.
[[nodiscard]] result<byte_vector> make_file(const test_case& c);
/// The answers to the probes, as a bitmap.
[[nodiscard]] byte_vector answers_of(const any_filter& f, const key_set& probes);

// --- what the kit asks

[[nodiscard]] std::vector<test_case> case_list();
/// Kinds and hashes that the first kit did not have, in the order of their numbers.
[[nodiscard]] std::vector<std::string> younger_kinds();
[[nodiscard]] std::vector<std::string> younger_hashes();
[[nodiscard]] bool is_keyed(const std::string& hash);
[[nodiscard]] std::vector<row> size_rows();
[[nodiscard]] std::vector<row> portable_size_rows();
/// False: the filter of a row of sizes.tsv takes more bytes than this machine can address, and may be refused here.
[[nodiscard]] bool is_addressable(const std::map<std::string, std::string>& sizes);
[[nodiscard]] std::vector<row> hash_rows();
/// From the files of the cases, by their path in the kit, and the tables of lies about them.
[[nodiscard]] std::vector<row> hostile_rows(const std::vector<test_case>& cases,
                                            const std::map<std::string, byte_vector>& files,
                                            const std::filesystem::path& lies);
/// The same of verdicts.tsv, and the names of its columns.
[[nodiscard]] std::vector<row> verdict_rows(const std::vector<test_case>& cases,
                                            const std::map<std::string, byte_vector>& files);
extern const row verdict_columns;
/// The bytes of a row of hostile.tsv or verdicts.tsv.
[[nodiscard]] byte_vector edited(byte_vector base, std::string_view edits);

}  // namespace seen::kit
