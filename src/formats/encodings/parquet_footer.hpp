// The footer of a .parquet file: which column chunk has a Bloom filter, and where that and its pages are.
//
//   schema      a tree in the order of its elements; its leaves are the columns
//   row groups  ─► a chunk a column, in the same order ─► bloom_filter_offset, bloom_filter_length, codec, data_page_offset, …
#pragma once

#include <seen/base/result.hpp>
#include <seen/native/native.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seen::inline v1::parquet {

inline constexpr std::string_view file_magic = "PAR1";

/// How values lie on disk. The numbers are the format's.
enum class physical_type : std::int64_t {
  boolean,
  int32,
  int64,
  int96,
  float32,
  float64,
  byte_array,
  fixed_len_byte_array,
};
[[nodiscard]] std::string_view name_of(physical_type type) noexcept;

/// What numbers stand for.
enum class logical_type : std::uint8_t { none, date, time, timestamp };

/// An element of the schema.
struct schema_node {
  std::string name = {};
  std::size_t parent = 0;  ///< 0: the root, which has no name in paths
  physical_type type{-1};  ///< of a column; -1 of a group
  std::int64_t type_length = 0;
  std::int64_t children = 0;
  std::int64_t repetition = 0;  ///< 0: there is one, 1: or none, 2: or many
  bool decimal = false;
  bool is_unsigned = false;
  logical_type logical = logical_type::none;
  std::int64_t unit = 1;   ///< of times: how many make a second
  std::int64_t scale = 0;  ///< of decimals: places behind the point
};

/// The pages of one column in one row group, as the footer says it: nothing is checked.
struct column_chunk {
  std::int64_t codec = 0, values = 0, bytes = 0;
  std::int64_t data = 0, dictionary = 0;  ///< offsets of the first pages; 0: there is no dictionary
  bool elsewhere = false;                 ///< in another file, or encrypted
};

/// A filter of one column in one row group.
struct filter_place {
  std::size_t group = 0;
  std::size_t column = 0;  ///< an index of footer.columns
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  ///< of header and blocks; 0 where it is not said
};

struct footer {
  std::vector<schema_node> schema;
  std::vector<std::size_t> columns;   ///< the leaves of the schema
  std::vector<std::int64_t> rows;     ///< of every row group
  std::vector<filter_place> filters;  ///< by group, then column
  std::vector<column_chunk> chunks;   ///< by group, then column: of every group one per column

  [[nodiscard]] static result<footer> read(const source& from);

  /// The filters that `part` names ("column", "path.to.column", "column#2"), of one column; with nothing named, of
  /// the only column that has any. Never empty, and never some row groups of those that were asked for.
  [[nodiscard]] result<std::vector<filter_place>> select(std::string_view part, const std::string& file) const;

  /// The one column of this path, or of this name where only one has it.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view part) const;
  /// Why there is none.
  [[nodiscard]] std::string no_such(std::string_view part) const;
  [[nodiscard]] const schema_node& column(std::size_t i) const { return schema[columns[i]]; }
  /// "a.list.element", cut where it is longer than a message should be.
  [[nodiscard]] std::string path_of(std::size_t column) const;
};

}  // namespace seen::inline v1::parquet
