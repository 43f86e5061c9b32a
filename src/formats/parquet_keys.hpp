// What Parquet hashes: the plain encoding of a value, which is the column's physical type's business.
//
//   INT32                              8 bytes of an integer are narrowed to 4       8 and 16 bits, dates, short DECIMAL
//   INT64, DOUBLE                      8 bytes as they are                           timestamps, longer DECIMAL
//   FLOAT                              8 bytes of a double become a float's 4
//   BOOLEAN                            one byte
//   BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY   the bytes; of a DECIMAL 8 bytes of an integer become big-endian two's complement
//
// A key of another length is the plain encoding already, and has its length; what is neither is not a key (base/key_form.hpp).
#pragma once

#include <seen/hash/xxh64.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/encodings/parquet_footer.hpp"
#include "formats/foreign.hpp"
#include "formats/hashing/key_forms.hpp"

namespace seen::inline v1::parquet {

/// The key types that may be named.
inline constexpr std::array<std::string_view, 5> keys{"bytes", "int32", "int64", "float", "double"};

struct as_it_comes {
  digest operator()(bytes_view key) const noexcept { return xxh64()(key); }
};
struct of_boolean {
  digest operator()(bytes_view key) const noexcept { return xxh64()(key.size() == 8 ? key.first(1) : key); }
};
struct of_float {
  digest operator()(bytes_view key) const noexcept {
    if (key.size() != 8) return xxh64()(key);
    std::array<std::byte, 4> narrow;
    const auto value = std::bit_cast<double>(load_le<std::uint64_t>(key.data()));
    store_le(narrow.data(), std::bit_cast<std::uint32_t>(static_cast<float>(value)));
    return xxh64()(bytes_view(narrow));
  }
};
// An integer as big-endian two's complement of so many bytes; 0: of as few as it needs.
struct of_decimal {
  static constexpr std::size_t longest = 64;

  std::size_t length;

  digest operator()(bytes_view key) const noexcept {
    if (key.size() != 8) return xxh64()(key);
    const auto value = static_cast<std::int64_t>(load_le<std::uint64_t>(key.data()));
    std::array<std::byte, longest> wide;
    wide.fill(std::byte{static_cast<unsigned char>(value < 0 ? 255 : 0)});
    for (std::size_t i = 0; i < 8; ++i) wide[longest - 1 - i] = key[i];
    const auto magnitude = static_cast<std::uint64_t>(value < 0 ? ~value : value);
    const std::size_t least = static_cast<std::size_t>(std::bit_width(magnitude)) / 8 + 1;
    return xxh64()(bytes_view(wide).last(length == 0 ? least : length));
  }
};

// How a column's keys become what is hashed.
struct key_rule {
  enum class narrowing : std::uint8_t { none, boolean, int32, float32, decimal };
  narrowing how = narrowing::none;
  accepted_keys accepts = {};
};

[[nodiscard]] inline key_rule rule_of(std::string_view keys_are) {
  if (keys_are == "int32") return {key_rule::narrowing::int32, key_form::int32};
  if (keys_are == "float") return {key_rule::narrowing::float32, {key_form::real, 4}};
  return {key_rule::narrowing::none, foreign::form_of(keys_are)};
}

// The name in `keys` for a physical type, where it has one.
[[nodiscard]] inline std::string_view keys_of(physical_type type) {
  switch (type) {
    case physical_type::int32:
      return "int32";
    case physical_type::int64:
      return "int64";
    case physical_type::float32:
      return "float";
    case physical_type::float64:
      return "double";
    default:
      return "bytes";
  }
}

[[nodiscard]] inline key_rule rule_of(const schema_node& column) {
  if (column.type == physical_type::boolean) return {key_rule::narrowing::boolean, {key_form::integer, 1}};
  const bool fixed = column.type == physical_type::fixed_len_byte_array;
  if (column.decimal && (fixed || column.type == physical_type::byte_array)) {
    const std::int64_t length = fixed ? column.type_length : 0;
    const bool fits = length >= (fixed ? 1 : 0) && length <= static_cast<std::int64_t>(of_decimal::longest);
    if (fits) return {key_rule::narrowing::decimal, {key_form::int64, static_cast<std::size_t>(length)}};
  }
  return rule_of(keys_of(column.type));
}

[[nodiscard]] inline foreign::foreign_hash<digest> hash_for(const key_rule& rule) {
  const auto made = [](auto function) {
    return foreign::foreign_hash<digest>(function, foreign::named(hash_id::xxh64));
  };
  switch (rule.how) {
    case key_rule::narrowing::boolean:
      return made(of_boolean());
    case key_rule::narrowing::int32:
      return made(foreign::of_int<as_it_comes>{});
    case key_rule::narrowing::float32:
      return made(of_float());
    case key_rule::narrowing::decimal:
      return made(of_decimal{rule.accepts.width});
    default:
      return made(as_it_comes());
  }
}

}  // namespace seen::inline v1::parquet
