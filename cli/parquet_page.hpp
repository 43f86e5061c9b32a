// The values in a page of a Parquet column, whose bytes are unpacked: each as it would stand in a plain page.
//
//   page    [repetition levels][definition levels] values          levels say which places are empty: those hold no value
//
//   PLAIN                  values one after another; those of any length behind 4 bytes of it
//   RLE_DICTIONARY         width, then numbers of values in the dictionary: runs, and groups of eight packed in bits
//   DELTA_BINARY_PACKED    integers as differences, in blocks of bits
//   DELTA_*_BYTE_ARRAY     lengths as such differences, then the bytes; or also how much the value before lends
//   BYTE_STREAM_SPLIT      first bytes of all values, second bytes of all, …
//
// [apache/parquet-format, "Parquet encoding definitions"]. What comes in is hostile: every count is held against the bytes there are, or against
// the most that a page may have.
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/encodings/parquet_footer.hpp"
#include "records/scratch.hpp"

namespace seen::cli {

/// How values are written; the numbers are the format's.
enum class parquet_encoding : std::int64_t {
  plain = 0,
  plain_dictionary = 2,
  rle = 3,
  delta_binary_packed = 5,
  delta_length_byte_array = 6,
  delta_byte_array = 7,
  rle_dictionary = 8,
  byte_stream_split = 9,
};

/// What all pages of a column have in common.
struct parquet_column {
  parquet::physical_type type{};
  std::size_t length = 0;      ///< of a value; 0: any
  std::uint32_t optional = 0;  ///< the level of a place that has a value
  std::uint32_t repeated = 0;  ///< the highest level of repetition
};

/// The most values of a page.
inline constexpr std::uint64_t most_page_values = std::uint64_t{1} << 24;

/// Values, some of which lie in scratch.
struct parquet_values {
  std::vector<bytes_view> values;
  scratch room;
};

/// Passes over the levels before the values of a page of the first version and returns how many of its places have a value; false
/// if they are nonsense.
[[nodiscard]] bool take_levels(bytes_view& page, const parquet_column& column, std::uint64_t places,
                               std::uint64_t& present);
/// How many of so many places have a value, by definition levels alone.
[[nodiscard]] bool count_present(bytes_view levels, const parquet_column& column, std::uint64_t places,
                                 std::uint64_t& present);

/// Appends so many values; false if the bytes are none in this encoding. Views point into `page`, `dictionary` and `to.room`.
[[nodiscard]] bool decode_values(bytes_view page, parquet_encoding how, const parquet_column& column,
                                 std::uint64_t count, const std::vector<bytes_view>& dictionary, parquet_values& to);

}  // namespace seen::cli
