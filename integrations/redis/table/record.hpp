// record: a value in bytes, of our own. A head, which says what the filter alone does not know, and a body: the file of the filter, in its own
// format, whose reader checks it.
//
//   8d 'S' 'E' 'E' 'N' 'V' 0d 0a │ 1 u8 │ family u8 │ state u8 (0 whole, 1 arriving, 2 in a file) │ format: length u8, characters
//   error f64 │ capacity u64 │ expansion u64 │ bucket size u64 │ iterations u64 │ window u64 │ items u64 │ removed u64
//   kind: length u8, characters │ bytes of the body u64
//
// In state 2 the kind is the file's name, `items` its length and `removed` its checksum, and there is no body.
//
// All numbers are little-endian. SCANDUMP hands out the head and then the body in pieces; RDB files and DUMP hold the same bytes, and of a
// value that is still arriving a head and the chunks that have come.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/base/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "table/redisbloom_numbers.hpp"
#include "table/value.hpp"

namespace seen::redis {

/// Whether the secret of a keyed filter goes into its body.
enum class secrets : std::uint8_t { kept, told };

struct record {
  family of = family::bloom;
  enum class state : std::uint8_t { whole, arriving, in_file };
  state is = state::whole;
  std::string format = {};
  terms asked = {};
  counts so_far = {};
  std::uint64_t body_bytes = 0;

  /// Nothing unless the bytes are those of a head, all of them.
  static std::optional<record> read(std::string_view head);
  [[nodiscard]] std::string write() const;

  /// Of a file, and the file of one in this state.
  static record of_file(const outside_file& file);
  [[nodiscard]] outside_file file() const { return {asked.kind, so_far.items, so_far.removed}; }
  /// Of a whole value.
  static record of_value(const value& from, std::uint64_t body_bytes);
  /// The value whose body this is, read by its format.
  [[nodiscard]] result<value> with_body(bytes_view body, const std::optional<secret>& key) const;
};

/// Whether the bytes begin as a head does; RedisBloom's headers begin with a number of items below 2^56.
[[nodiscard]] bool is_record(std::string_view head) noexcept;

/// The body of a whole value.
[[nodiscard]] result<void> write_body(const value& from, secrets how, const sink& out);

/// What SCANDUMP hands out first: the head, or the header of RedisBloom where the filter is of its format, so that it can go back there.
[[nodiscard]] std::string dump_head(const value& from, secrets how);
/// And then: the piece of the body that begins after so many bytes.
[[nodiscard]] std::optional<piece> dump_piece(const value& from, std::uint64_t begin, secrets how);

}  // namespace seen::redis
