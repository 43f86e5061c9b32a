// What a key is: text, bytes or an integer, and nothing else.
//
//   key                              becomes                                       example
//   text     (→ std::string_view)    its bytes; an empty key is a key              "alice", std::string
//   bytes    (contiguous std::byte)  itself                                        std::span<const std::byte>
//   integer  (up to 64 bits)         8 little-endian bytes of its 64-bit value     42, -1, std::uint8_t{7}
//
// There is no key type parameter: the same rule holds in every language that reads our files, so a filter built from
// Go strings answers C++ strings. An integer is first widened to 64 bits, by sign when it has one; hence 42, 42u and
// std::int8_t{42} are one key, and so are std::int8_t{-1} and -1LL, but not 0xffff'ffffu.
//
// What looks like a key and is not, because guessing would be wrong for somebody:
//   char, wchar_t, char8_t, …   a letter or a small number?        bool      usually a comparison gone astray
//   a range of anything else    many keys: add_many                nullptr   no text at all
//   seen::digest                a key already hashed: filters take it without hashing
// A `const char*` and a `char` array end at their first NUL, as everywhere; a std::string_view does not.
#pragma once

#include <seen/base/bits.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>  // and the concepts of std::ranges, of which its constructors are made; <ranges> has all views as well
#include <string_view>
#include <type_traits>

namespace seen::inline v1 {

/// How keys become the bytes that are hashed; part of a filter's identity and written to its file.
enum class key_encoding : std::uint16_t {
  bytes = 1,  ///< text and bytes as they are, integers as the 8 little-endian bytes of their 64-bit value
};

/// An integer key: its value in 64-bit two's complement, sign-extended.
struct integer_key {
  std::uint64_t value;

  friend constexpr bool operator==(integer_key, integer_key) = default;
};

namespace detail {

template <class T>
concept character = std::same_as<T, char> || std::same_as<T, wchar_t> || std::same_as<T, char8_t> ||
    std::same_as<T, char16_t> || std::same_as<T, char32_t>;

template <class T>  // a bare nullptr would otherwise convert by way of const char*
concept text = std::convertible_to<const T&, std::string_view> && !std::same_as<T, std::nullptr_t>;

template <class T>
concept byte_range = std::ranges::contiguous_range<const T> && std::ranges::sized_range<const T> &&
    std::same_as<std::remove_const_t<std::remove_reference_t<std::ranges::range_reference_t<const T>>>, std::byte>;

}  // namespace detail

/// Text: whatever converts to std::string_view.
template <class T>
concept text_key = detail::text<std::remove_cvref_t<T>>;

/// Bytes: a contiguous range of std::byte that knows its size.
template <class T>
concept byte_key = detail::byte_range<std::remove_cvref_t<T>>;

/// An integer of at most 64 bits that is neither bool nor a character (std::int8_t and std::uint8_t are integers).
template <class T>
concept integral_key =
    std::integral<std::remove_cvref_t<T>> && !std::same_as<std::remove_cvref_t<T>, bool> &&
    !detail::character<std::remove_cvref_t<T>> && sizeof(std::remove_cvref_t<T>) <= sizeof(std::uint64_t);

/// Anything a filter can be asked about: text, bytes or an integer.
template <class T>
concept key_like = text_key<T> || byte_key<T> || integral_key<T>;

/// A range whose elements are keys, or digests of the type D. (The range itself is never a key.)
template <class R, class D>
concept range_of_keys = std::ranges::input_range<R> && !key_like<std::remove_cvref_t<R>> &&
                        (key_like<std::ranges::range_value_t<R>> || std::same_as<std::ranges::range_value_t<R>, D>);

/// A key in the form hashes take: a bytes_view of text or bytes (valid as long as the key is), or an integer_key.
template <key_like T>
[[nodiscard]] constexpr auto as_key(const T& key) noexcept {
  if constexpr (integral_key<T>) {
    return integer_key{static_cast<std::uint64_t>(key)};  // the conversion sign-extends signed types
  } else if constexpr (text_key<T>) {
    const std::string_view text = key;
    return std::as_bytes(std::span(text.data(), text.size()));
  } else {
    return bytes_view(std::ranges::data(key), std::ranges::size(key));
  }
}

}  // namespace seen::inline v1
