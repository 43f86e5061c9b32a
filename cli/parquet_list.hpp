// A column of a Parquet file as a list of keys: --parquet NAME.
//
//   PAR1 │ pages of column a │ pages of column b │ … │ footer │ PAR1         footer ─► column ─► its pages, group by group
//
// A value is written as it would be in a text file: integers and real numbers in decimal, true and false, bytes as they are. Dates,
// times and decimals are the whole numbers that Parquet stores. Places without a value (null) are left out. Values may hold
// newlines, so each is handed out behind its length (record_form.framed). One page is in memory at a time, and the dictionary of
// its row group.
#pragma once

#include <seen/base/result.hpp>
#include <seen/storage/source.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace seen::cli {

/// Bytes before each value: its length, little-endian.
inline constexpr std::size_t frame_bytes = sizeof(std::uint32_t);

/// The values of one column, one after another.
class parquet_list {
 public:
  /// Fails if there is no such column, or if its values cannot be told in text.
  static result<parquet_list> open(source from, const std::string& column);
  parquet_list(parquet_list&&) noexcept;
  parquet_list& operator=(parquet_list&&) noexcept;
  ~parquet_list();

  /// Fills the front of `into` and returns how much; 0 is the end.
  result<std::size_t> read(std::span<std::byte> into);
  /// Bytes of the file that were read.
  [[nodiscard]] std::uint64_t consumed() const noexcept;

 private:
  class value_writer;
  class body;
  explicit parquet_list(std::unique_ptr<body> all);

  std::unique_ptr<body> body_;
};

}  // namespace seen::cli
