// What becomes of a key before a foreign function hashes it, where the peer hashes numbers or other letters.
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
#include <utility>
#include <vector>

namespace seen {
inline namespace v1 {
namespace foreign {

/// A character of UTF-8 text, and how many bytes it takes.
struct character {
  std::uint32_t code_point;
  std::size_t bytes;
};

/// The character at the front of `text`, which is not empty; a byte that belongs to none is U+FFFD by itself.
[[nodiscard]] character first_character(bytes_view text) noexcept;

/// Writes the UTF-16 code units of UTF-8 text, little-endian; a byte that belongs to no character becomes U+FFFD, as in
/// Java. `to` has room for two bytes a byte of text. Returns how many bytes were written.
std::size_t utf16_of(bytes_view text, std::byte* to) noexcept;

/// A function that takes an integer of 8 bytes as one of 4.
template <class Function>
struct of_int {
  Function function;
  auto operator()(bytes_view key) const noexcept { return function(key.size() == 8 ? key.first(4) : key); }
};

/// A function that takes text as UTF-16.
template <class Function>
struct of_utf16 {
  Function function;
  auto operator()(bytes_view key) const noexcept {
    std::array<std::byte, 512> brief;
    if (2 * key.size() <= brief.size()) return function(bytes_view(brief).first(utf16_of(key, brief.data())));
    std::vector<std::byte> units(2 * key.size());
    return function(bytes_view(units).first(utf16_of(key, units.data())));
  }
};

/// What a program that reads text must make of it for these keys.
[[nodiscard]] constexpr key_form form_of(std::string_view keys) noexcept {
  if (keys == "int" || keys == "int32") return key_form::int32;
  if (keys == "long" || keys == "int64" || keys == "u64") return key_form::integer;
  if (keys == "float" || keys == "double") return key_form::real;
  return key_form::bytes;
}

/// The foreign_hash of a function of raw bytes for keys of this name.
template <class Hash, class Function>
[[nodiscard]] Hash hash_of_keys(std::string_view keys, Function function, hash_identity identity) {
  if (keys == "utf16") return Hash(of_utf16<Function>{std::move(function)}, identity);
  if (keys == "int" || keys == "int32") return Hash(of_int<Function>{std::move(function)}, identity);
  return Hash(std::move(function), identity);
}

}  // namespace foreign
}  // namespace v1
}  // namespace seen
