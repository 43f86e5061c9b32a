// What is a key and what is not: mostly questions for the compiler.
#include <seen/base/digest.hpp>
#include <seen/hash/key.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seen {
namespace {

struct converts_to_text {
  operator std::string_view() const { return "converted"; }
};
enum class colour { red };
enum plain_colour { green };

// Text.
static_assert(key_like<const char*> && key_like<char*> && key_like<char[6]> && key_like<const char (&)[6]>);
static_assert(key_like<std::string> && key_like<const std::string&> && key_like<std::string_view>);
static_assert(key_like<converts_to_text>);

// Bytes.
static_assert(key_like<bytes_view> && key_like<std::span<std::byte>> && key_like<std::span<std::byte, 4>>);
static_assert(key_like<std::vector<std::byte>> && key_like<std::array<std::byte, 16>> && key_like<std::byte[4]>);

// Integers, of every width up to 64 bits.
static_assert(key_like<std::int8_t> && key_like<std::uint8_t> && key_like<std::int16_t> && key_like<std::uint16_t>);
static_assert(key_like<std::int32_t> && key_like<std::uint32_t> && key_like<std::int64_t> && key_like<std::uint64_t>);
static_assert(key_like<long> && key_like<unsigned long long> && key_like<std::size_t> && key_like<const int&>);

// Characters and truth values are not integers.
static_assert(!key_like<char> && !key_like<wchar_t> && !key_like<char8_t> && !key_like<char16_t>);
static_assert(!key_like<char32_t> && !key_like<bool> && !key_like<std::byte>);
#ifdef __SIZEOF_INT128__
static_assert(!key_like<uint128>);
#endif

// A range is many keys, not one.
static_assert(!key_like<std::vector<std::string>> && !key_like<std::span<const std::string_view>>);
static_assert(!key_like<std::vector<int>> && !key_like<std::span<const std::uint64_t>> && !key_like<int[4]>);
static_assert(!key_like<std::vector<char>> && !key_like<std::vector<unsigned char>>);
static_assert(!key_like<std::vector<bytes_view>> && !key_like<std::deque<std::byte>>);

// Neither is anything else.
static_assert(!key_like<std::nullptr_t> && !key_like<void*> && !key_like<const std::byte*> && !key_like<digest>);
static_assert(!key_like<double> && !key_like<colour> && !key_like<plain_colour> && !key_like<std::optional<int>>);
static_assert(!key_like<std::u8string> && !key_like<std::wstring_view> && !key_like<std::span<volatile std::byte>>);
static_assert(!key_like<std::string*> && !key_like<const signed char*>);

std::string text_of(bytes_view key) {
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

TEST(key, text_becomes_its_bytes) {
  EXPECT_EQ(text_of(as_key("alice")), "alice");
  EXPECT_EQ(text_of(as_key(std::string("alice"))), "alice");
  EXPECT_EQ(text_of(as_key(converts_to_text{})), "converted");
  EXPECT_EQ(text_of(as_key("")), "");
}

TEST(key, a_string_view_keeps_what_follows_a_nul) {
  EXPECT_EQ(as_key(std::string_view("a\0b", 3)).size(), 3u);
  EXPECT_EQ(as_key("a\0b").size(), 1u);
}

TEST(key, bytes_are_taken_as_they_lie) {
  const std::vector<std::byte> owned{std::byte{0}, std::byte{0xff}};
  EXPECT_EQ(as_key(owned).data(), owned.data());
  EXPECT_EQ(as_key(owned).size(), 2u);
  const std::byte array[3]{};
  EXPECT_EQ(as_key(array).data(), array);
  EXPECT_EQ(as_key(array).size(), 3u);
}

TEST(key, integers_are_widened_by_their_sign) {
  const integer_key minus_one{0xffff'ffff'ffff'ffff};
  EXPECT_EQ(as_key(std::int8_t{-1}), minus_one);
  EXPECT_EQ(as_key(std::int16_t{-1}), minus_one);
  EXPECT_EQ(as_key(-1), minus_one);
  EXPECT_EQ(as_key(std::int64_t{-1}), minus_one);
  EXPECT_EQ(as_key(std::numeric_limits<std::uint64_t>::max()), minus_one);

  EXPECT_EQ(as_key(std::uint8_t{0xff}), integer_key{0xff});
  EXPECT_EQ(as_key(std::uint32_t{0xffff'ffff}), integer_key{0xffff'ffff});
  EXPECT_EQ(as_key(std::numeric_limits<std::int64_t>::min()), integer_key{0x8000'0000'0000'0000});
}

TEST(key, the_same_number_is_the_same_key_in_every_type) {
  EXPECT_EQ(as_key(42), as_key(42u));
  EXPECT_EQ(as_key(42), as_key(std::int8_t{42}));
  EXPECT_EQ(as_key(42), as_key(std::size_t{42}));
}

}  // namespace
}  // namespace seen
