// Numbers that people write in another way than they are stored: dates, times and decimals of a Parquet column.
//
//   flag        true, false                       1, 0
//   date        2020-01-31                        days since 1970
//   time        12:30:00, 12:30:00.250            in the column's unit, since midnight
//   timestamp   2020-01-31 12:30:00.250, or T     in the column's unit, since 1970; no zone: UTC is what Parquet stores
//   decimal     12.34                             1234, where the column has two places behind the point
//
// A whole number is always the stored one.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace seen::cli {

/// How the keys of a filter may be written beside whole numbers.
struct written_number {
  enum class kind : std::uint8_t { whole, flag, date, time, timestamp, decimal };

  kind of = kind::whole;
  std::int64_t unit = 1;  ///< how many make a second, or the whole of a decimal

  /// The stored number; nothing of a text that is not written so.
  [[nodiscard]] std::optional<std::int64_t> parse(std::string_view text) const noexcept;
  /// ", nor a date like 2020-01-31"; empty for whole numbers.
  [[nodiscard]] const char* in_words() const noexcept;

  friend bool operator==(const written_number&, const written_number&) = default;
};

}  // namespace seen::cli
