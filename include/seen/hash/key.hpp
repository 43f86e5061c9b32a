// What a key is: text, bytes or an integer; and a type of the caller's own that says which of these identifies it.
//
//   key                                    becomes                                       example
//   text     (→ std::string_view)          its bytes; an empty key is a key              "alice", u8"alice", std::string
//   bytes    (side by side: std::byte,     themselves                                    std::vector<std::uint8_t>,
//             unsigned char, char)                                                       std::array<unsigned char, 32>
//   integer  (up to 64 bits)               8 little-endian bytes of its 64-bit value     42, -1, std::uint8_t{7}
//   integer  (unsigned, 128 bits)          16 little-endian bytes                        a UUID, an IPv6 address
//   own type (→ seen_key)                  what its seen_key returns                     below
//
// There is no key type parameter: the same rule holds in every language that reads our files, so a filter built from
// Go strings answers C++ strings. An integer is first widened to 64 bits, by sign when it has one; hence 42, 42u and
// std::int8_t{42} are one key, and so are std::int8_t{-1} and -1LL, but not 0xffff'ffffu.
//
// A type of your own has a function of this name in its own namespace, declared before the first filter is asked:
//
//   struct user { std::uint64_t id; std::string name; };
//   std::uint64_t seen_key(const user& u) noexcept { return u.id; }   // text, bytes or an integer, by value or reference
//
// What it returns is hashed, so another language finds the same users by the same number. Hashing is noexcept: an exception
// out of seen_key ends the program.
//
// What looks like a key and is not, because guessing would be wrong for somebody:
//   char, wchar_t, char8_t, …   a letter or a small number?        bool      usually a comparison gone astray
//   a range of anything else    many keys: add_many                nullptr   no text at all
//   a list or deque of bytes    one key or many integers?          an enum, a path, a double: the name, the value, the bits?
//   seen::digest                a key already hashed: filters take it without hashing
// A `const char*` and a `char` array end at their first NUL, as everywhere; a std::string_view and a std::array do not.
#pragma once

#include <seen/base/bits.hpp>

#include <array>
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

template <class T>  // u8"alice", and pointers to such
concept utf8_text = std::same_as < std::decay_t<T>,
char8_t* > || std::same_as<std::decay_t<T>, const char8_t*>;

template <class T>
concept byte_like =
    std::same_as<T, std::byte> || std::same_as<T, unsigned char> || std::same_as<T, char> || std::same_as<T, char8_t>;

template <class T>
concept byte_range = std::ranges::contiguous_range<const T> && std::ranges::sized_range<const T> &&
    byte_like<std::remove_const_t<std::remove_reference_t<std::ranges::range_reference_t<const T>>>>;

#ifdef __SIZEOF_INT128__
template <class T>
concept wide = std::same_as<T, uint128>;
#else
template <class T>
concept wide = false;
#endif

template <class T>
concept integer = std::integral<T> && !std::same_as<T, bool> && !character<T> && sizeof(T) <= sizeof(std::uint64_t);

template <class T>
concept plain_key = text<T> || utf8_text<T> || byte_range<T> || integer<T> || wide<T>;

void seen_key() = delete;  // so that only argument-dependent lookup finds one

template <
    class T>  // what every program asks about, spared the look: it takes g++ 12 three percent of a small program's time
concept may_say_its_key = (std::is_class_v<T> || std::is_enum_v<T> ||
                           std::is_union_v<T>)&&!std::same_as<T, std::string_view> &&
                          !std::same_as<T, bytes_view>;

template <class T>
concept says_its_key = may_say_its_key<T> && requires(const T& key) {
  requires plain_key<std::remove_cvref_t<decltype(seen_key(key))>>;
};

/// What the caller's own type is known by.
template <says_its_key T>
[[nodiscard]] constexpr decltype(auto) key_of(const T& key) {
  return seen_key(key);
}

}  // namespace detail

/// A type that says what identifies it: seen_key(key) is text, bytes or an integer.
template <class T>
concept own_key = detail::says_its_key<std::remove_cvref_t<T>>;

/// Text: whatever converts to std::string_view, and UTF-8 literals.
template <class T>
concept text_key = (detail::text<std::remove_cvref_t<T>> || detail::utf8_text<std::remove_cvref_t<T>>)&&!own_key<T>;

/// Bytes: a contiguous range of std::byte, unsigned char, char or char8_t that knows its size.
template <class T>
concept byte_key = detail::byte_range<std::remove_cvref_t<T>> && !text_key<T> && !own_key<T>;

/// An integer of at most 64 bits that is neither bool nor a character (std::int8_t and std::uint8_t are integers).
template <class T>
concept integral_key = detail::integer<std::remove_cvref_t<T>>;

/// An integer of 128 bits without a sign.
template <class T>
concept wide_key = detail::wide<std::remove_cvref_t<T>>;

/// Anything a filter can be asked about: text, bytes, an integer, or a type with a seen_key.
template <class T>
concept key_like = text_key<T> || byte_key<T> || integral_key<T> || wide_key<T> || own_key<T>;

/// A range whose elements are keys, or digests of the type D. (The range itself is never a key; and bytes that do not lie
/// side by side are never integers.)
template <class R, class D>
concept range_of_keys = std::ranges::input_range<R> && !key_like<std::remove_cvref_t<R>> &&
                        !detail::byte_like<std::remove_cv_t<std::ranges::range_value_t<R>>> &&
                        (key_like<std::ranges::range_value_t<R>> || std::same_as<std::ranges::range_value_t<R>, D>);

namespace detail {

/// Neither a key nor a digest: what filters refuse by name.
template <class T, class D>
concept no_key = !key_like<T> && !std::convertible_to<const T&, D>;

}  // namespace detail

/// A key in the form hashes take: a bytes_view of text or bytes (valid as long as the key is), an integer_key, or the 16
/// bytes of a wide one.
template <key_like T>
requires(!own_key<T>) [[nodiscard]] constexpr auto as_key(const T& key) noexcept {
  if constexpr (integral_key<T>) {
    return integer_key{static_cast<std::uint64_t>(key)};  // the conversion sign-extends signed types
  } else if constexpr (wide_key<T>) {
    std::array<std::byte, 16> bytes;
    store_le(bytes.data(), static_cast<std::uint64_t>(key));
    store_le(bytes.data() + 8, static_cast<std::uint64_t>(key >> 64));
    return bytes;
  } else if constexpr (detail::text<T>) {
    const std::string_view text = key;
    return std::as_bytes(std::span(text.data(), text.size()));
  } else if constexpr (detail::utf8_text<T>) {
    const std::u8string_view text = key;
    return std::as_bytes(std::span(text.data(), text.size()));
  } else {
    return std::as_bytes(std::span(std::ranges::data(key), std::ranges::size(key)));
  }
}

/// Calls use(bytes) with the bytes of any key, integers as the little-endian bytes they are hashed as; returns what it returns.
template <key_like T, class Use>
constexpr auto with_key_bytes(const T& key, Use use) {
  if constexpr (own_key<T>) {
    return with_key_bytes(detail::key_of(key), use);
  } else if constexpr (integral_key<T>) {
    std::array<std::byte, 8> bytes;
    store_le(bytes.data(), as_key(key).value);
    return use(bytes_view(bytes));
  } else if constexpr (wide_key<T>) {
    const auto bytes = as_key(key);
    return use(bytes_view(bytes));
  } else {
    return use(as_key(key));
  }
}

}  // namespace seen::inline v1
