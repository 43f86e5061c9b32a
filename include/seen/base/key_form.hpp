// Which bytes are a key. Filters of other libraries whose keys are numbers do not accept all.
//
//   bytes    anything
//   numbers  8 little-endian bytes, as an integer key always is; or as many as the format hashes, taken as they are
//
//   8 bytes       u64 of xorfilter-go, long of Guava, INT64 and DOUBLE of Parquet
//   8 or 4        int of Guava; INT32 and FLOAT of Parquet
//   8 or 1, or n  BOOLEAN of Parquet, its DECIMAL in n bytes; one without a fixed length may have any
//
// Bytes that are not a key were never added and never can be: add, remove and count refuse them, and so does every
// batch that can say why. A question that is answered by a bool says "maybe": whoever asks has some number in mind,
// which may be there.
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace seen::inline v1 {

/// The form of a foreign filter's keys, where its file or the caller says so: bytes as they are, or numbers, which a
/// program that reads text has to convert first.
enum class key_form : std::uint8_t {
  bytes,    ///< anything
  integer,  ///< of 64 bits, signed or not
  int64,    ///< of 64 bits, signed: what is beyond 2^63 is another number
  int32,    ///< of 32 bits, signed or not
  real,     ///< a double
};

/// The form's name: "bytes", "integer", "int64", "int32" or "real".
[[nodiscard]] const char* name_of(key_form form) noexcept;

/// Which bytes a filter takes for keys: their form, and how long they may be.
struct accepted_keys {
  static constexpr std::size_t any_width = 0;
  static constexpr std::size_t number_width = 8;

  key_form form = key_form::bytes;
  std::size_t width = any_width;  ///< of numbers: so many bytes are a key too, as they are

  constexpr accepted_keys() = default;
  constexpr accepted_keys(key_form of, std::size_t as_it_is) noexcept : form(of), width(as_it_is) {}
  constexpr accepted_keys(key_form of) noexcept
      : accepted_keys(of, of == key_form::bytes   ? any_width
                          : of == key_form::int32 ? 4
                                                  : number_width) {}

  [[nodiscard]] constexpr bool takes(bytes_view key) const noexcept {
    return form == key_form::bytes || key.size() == number_width || width == any_width || key.size() == width;
  }
  /// How many of these, from the first on, are keys.
  [[nodiscard]] std::size_t taken(std::span<const bytes_view> keys) const noexcept;
  /// Describes a key: "a whole number of 64 bits".
  [[nodiscard]] const char* in_words() const noexcept;
  /// How long a key may be: "8 bytes", "4 or 8 bytes".
  [[nodiscard]] std::string lengths() const;
  /// Both: "a whole number of 64 bits (8 bytes)".
  [[nodiscard]] std::string described() const;
  /// Why this is not a key: "has 1 byte, and is not a whole number of 64 bits (8 bytes), which the keys of this filter
  /// are".
  [[nodiscard]] std::string why_not(bytes_view key) const;

  friend bool operator==(const accepted_keys&, const accepted_keys&) = default;
};

}  // namespace seen::inline v1
