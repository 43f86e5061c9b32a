// Where records end: how the bytes of a file are cut before anybody looks for keys in them.
//
//   lines   at a newline, or at a zero byte (--null)
//   CSV     at a newline outside quotes (csv.hpp)
//   fixed   after a number of bytes, with nothing between them (--width)
//   framed  after as many bytes as stand before each: values of a column (--parquet)
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>
#include <span>
#include <string>

#include "records/csv.hpp"

namespace seen::cli {

/// Bytes in which records are found: those from `begin` to `end` belong to none yet, and before `scan` nothing ends one.
struct unsplit {
  const std::byte* data = nullptr;
  std::size_t begin = 0;
  std::size_t scan = 0;
  std::size_t end = 0;
};

/// How records are told from one another.
struct record_form {
  char terminator = '\n';    ///< of lines
  bool csv = false;          ///< newlines in quotes end nothing
  char csv_delimiter = ',';  ///< a quote after it, or at the beginning, is such a quote
  std::size_t width = 0;     ///< of records of a fixed size; 0: they end with a terminator
  std::string column = {};   ///< of a Parquet file, whose values are the records; empty: of none

  /// What one is called in messages.
  [[nodiscard]] const char* unit() const noexcept {
    if (!column.empty()) return "value";
    if (csv || width != 0) return "record";
    return terminator == '\n' ? "line" : "key";
  }
  /// How many bytes are printed between a record and the next.
  [[nodiscard]] std::size_t gap() const noexcept { return width != 0 ? 0 : 1; }
};

/// Cuts complete records off the front of what was read.
class record_splitter {
 public:
  explicit record_splitter(const record_form& form) : form_(form), csv_(form.csv_delimiter) {}

  [[nodiscard]] const record_form& form() const noexcept { return form_; }
  /// Forgets what was looked through: another file begins.
  void restart() noexcept { csv_.restart(); }
  /// As many records as `records` has places for; returns how many.
  std::size_t split(unsplit& text, std::span<bytes_view> records) noexcept;

 private:
  std::size_t split_csv(unsplit& text, std::span<bytes_view> records) noexcept;
  std::size_t split_fixed(unsplit& text, std::span<bytes_view> records) const noexcept;
  static std::size_t split_framed(unsplit& text, std::span<bytes_view> records) noexcept;

  record_form form_;
  csv_scanner csv_;
};

/// Cuts complete lines off the front, as many as `lines` has places for, and returns how many.
std::size_t split_lines(unsplit& text, char terminator, std::span<bytes_view> lines) noexcept;

}  // namespace seen::cli
