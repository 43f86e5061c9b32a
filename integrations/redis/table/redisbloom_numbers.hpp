// What RedisBloom's headers say, read for what a server tells of a filter and for what it expects of its chunks. The bits themselves are read
// by the library's format alone (src/formats/redisbloom.cpp), which checks everything.
//
//   BF   items u64 │ links u32 │ options u32 │ growth u32, then of every link
//        bytes u64 │ bits u64 │ items u64 │ error f64 │ bits per entry f64 │ hashes u32 │ entries u64 │ n2 u8
//   CF   items u64 │ buckets u64 │ deletes u64 │ tables u64 │ bucket size u16 │ most iterations u16 │ expansion u16
//
// All of it is little-endian and packed.
#pragma once

#include <seen/any_filter.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/value.hpp"

namespace seen::redis {

inline constexpr std::string_view redisbloom_format = "redisbloom", valkey_format = "valkey-bloom";

struct bloom_numbers {
  struct link {
    std::uint64_t bytes = 0, bits = 0, items = 0;
    double error = 0, bits_per_entry = 0;
    std::uint32_t hashes = 0;
    std::uint64_t entries = 0;
    std::uint8_t n2 = 0;
  };
  std::uint64_t items = 0;
  std::uint32_t options = 0, growth = 0;
  std::vector<link> links;

  /// Nothing unless its length is that of a header.
  static std::optional<bloom_numbers> read(std::string_view header);
  /// Of all links; nothing if there is no such number.
  [[nodiscard]] std::optional<std::uint64_t> body_bytes() const noexcept;
  [[nodiscard]] bool scales() const noexcept { return (options & 8) == 0; }
  [[nodiscard]] terms as_terms() const;
};

struct cuckoo_numbers {
  std::uint64_t items = 0, buckets = 0, deletes = 0, tables = 0;
  std::uint16_t bucket_size = 0, iterations = 0, expansion = 0;

  static std::optional<cuckoo_numbers> read(std::string_view header);
  [[nodiscard]] std::string write() const;
  [[nodiscard]] std::optional<std::uint64_t> all_buckets() const noexcept;
  [[nodiscard]] std::optional<std::uint64_t> body_bytes() const noexcept;
  [[nodiscard]] terms as_terms() const;
};

/// A filter of RedisBloom's chunks as a value, whose terms are in its header.
[[nodiscard]] result<value> redisbloom_value(family of, any_filter filter);

/// An object of valkey-bloom, as BF.LOAD takes it, as a value.
[[nodiscard]] result<value> valkey_value(bytes_view object);

/// What SCANDUMP hands out at once: some bytes of the body, and how many have been handed out with them.
struct piece {
  std::uint64_t end = 0;
  std::vector<std::byte> bytes = {};
};
/// Whether a filter is one that RedisBloom's SCANDUMP hands out: all of its format but the oldest, which only its RDB files hold.
[[nodiscard]] bool is_chunked(const any_filter& filter);
/// The header of such a filter.
[[nodiscard]] std::string redisbloom_header(const any_filter& filter);
/// Its piece that begins after so many bytes; nothing where none does.
[[nodiscard]] std::optional<piece> redisbloom_piece(const any_filter& filter, std::uint64_t begin);

}  // namespace seen::redis
