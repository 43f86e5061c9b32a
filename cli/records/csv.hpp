// Comma-separated values as RFC 4180 has them.
//
//   record   field , field , … \n              the newline may follow a carriage return
//   field    anything but delimiter and newline      ab"c is such a field, quote and all
//            "anything, with "" for a quote"         delimiters and newlines, too
//
// After the closing quote the field must end. A quote that is not closed ends with the file.
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>
#include <vector>

#include "records/scratch.hpp"

namespace seen::cli {

/// Finds where a record ends, in pieces as they come.
class csv_scanner {
 public:
  explicit csv_scanner(char delimiter = ',') noexcept : delimiter_(static_cast<std::byte>(delimiter)) {}

  /// Goes on at the first byte of `bytes`, and returns the newline that ends the record, or the end of `bytes` where none does
  /// yet.
  const std::byte* find_end(bytes_view bytes) noexcept;
  /// The next byte begins a record.
  void restart() noexcept { state_ = state::field_begins; }

 private:
  enum class state { field_begins, in_field, in_quotes, quote_in_quotes };

  std::byte delimiter_;
  state state_ = state::field_begins;
};

/// Appends the fields of a record, quotes included, and returns nothing, or else what is wrong with the record.
const char* split_csv_fields(bytes_view record, char delimiter, std::vector<bytes_view>& fields);

/// What a field holds: without the quotes around it, and with one for two of them.
[[nodiscard]] bytes_view csv_content(bytes_view field, scratch& room);

}  // namespace seen::cli
