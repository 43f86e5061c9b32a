// Changes a key before a foreign function hashes it, if the peer hashes numbers or other letters.
//
//   bytes, utf8   the key as it is
//   utf16         text: its UTF-16 code units, little-endian (what Java's strings are made of)
//   long          an integer: its 8 little-endian bytes, which is what an integer key is anyway
//   int           an integer: its 4 little-endian bytes; a key of 4 bytes is taken as it is
#pragma once

#include <seen/any_filter.hpp>
#include <seen/base/bits.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace seen::inline v1::foreign {

/// A character of UTF-8 text, and how many bytes it takes.
struct character {
  std::uint32_t code_point;
  std::size_t bytes;
};

/// The character at the front of `text`, which is not empty; a byte that belongs to none is U+FFFD by itself.
[[nodiscard]] character first_character(bytes_view text) noexcept;

/// The two words of MurmurHash3 x64-128 of UTF-8 text as UTF-16 code units, little-endian; a byte that belongs to no
/// character is U+FFFD, as in Java.
[[nodiscard]] std::array<std::uint64_t, 2> murmur3_x64_128_of_utf16(bytes_view text) noexcept;

/// A function that takes an integer of 8 bytes as one of 4.
template <class Function>
struct of_int {
  Function function;
  auto operator()(bytes_view key) const noexcept { return function(key.size() == 8 ? key.first(4) : key); }
};

/// The form that a program which reads text must give these keys.
[[nodiscard]] constexpr key_form form_of(std::string_view keys) noexcept {
  if (keys == "int" || keys == "int32") return key_form::int32;
  if (keys == "long" || keys == "int64" || keys == "u64") return key_form::integer;
  if (keys == "float" || keys == "double") return key_form::real;
  return key_form::bytes;
}

}  // namespace seen::inline v1::foreign
