// What is a key and what is not: mostly questions for the compiler.
#include <seen/base/digest.hpp>
#include <seen/hash/hash.hpp>
#include <seen/hash/key.hpp>
#include <seen/hash/xxh3_fold.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <list>
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

// Types that say what identifies them.
struct user {
  std::uint64_t id;
  std::string name;
};
std::uint64_t seen_key(const user& u) noexcept {
  return u.id;
}
struct route {
  std::string from, to;
};
std::string seen_key(const route& r) {
  return r.from + '>' + r.to;
}
struct named {
  std::string name;
};
const std::string& seen_key(const named& n) noexcept {
  return n.name;
}
enum class planet { mars = 4 };
int seen_key(planet p) noexcept {
  return static_cast<int>(p);
}
struct text_with_a_key {
  operator std::string_view() const { return "converted"; }
};
[[maybe_unused]] int seen_key(const text_with_a_key&) noexcept {
  return 7;
}
struct wrong {
  [[maybe_unused]] friend double seen_key(wrong) { return 0.5; }
};

// Text.
static_assert(key_like<const char*> && key_like<char*> && key_like<char[6]> && key_like<const char (&)[6]>);
static_assert(key_like<std::string> && key_like<const std::string&> && key_like<std::string_view>);
static_assert(key_like<converts_to_text>);

// Bytes.
static_assert(key_like<bytes_view> && key_like<std::span<std::byte>> && key_like<std::span<std::byte, 4>>);
static_assert(key_like<std::vector<std::byte>> && key_like<std::array<std::byte, 16>> && key_like<std::byte[4]>);
static_assert(key_like<std::vector<std::uint8_t>> && key_like<std::span<const unsigned char>>);
static_assert(key_like<std::array<unsigned char, 32>> && key_like<unsigned char[32]>);
static_assert(key_like<std::vector<char>> && key_like<std::array<char, 4>> && key_like<std::span<const char, 4>>);

// UTF-8.
static_assert(key_like<std::u8string> && key_like<std::u8string_view> && key_like<const char8_t*>);
static_assert(key_like<decltype(u8"x")> && key_like<char8_t[4]> && key_like<std::vector<char8_t>>);

// Integers, of every width up to 64 bits.
static_assert(key_like<std::int8_t> && key_like<std::uint8_t> && key_like<std::int16_t> && key_like<std::uint16_t>);
static_assert(key_like<std::int32_t> && key_like<std::uint32_t> && key_like<std::int64_t> && key_like<std::uint64_t>);
static_assert(key_like<long> && key_like<unsigned long long> && key_like<std::size_t> && key_like<const int&>);

// Characters and truth values are not integers.
static_assert(!key_like<char> && !key_like<wchar_t> && !key_like<char8_t> && !key_like<char16_t>);
static_assert(!key_like<char32_t> && !key_like<bool> && !key_like<std::byte>);
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 int128;
static_assert(key_like<uint128> && !key_like<int128>);
#endif

// A range is many keys, not one.
static_assert(!key_like<std::vector<std::string>> && !key_like<std::span<const std::string_view>>);
static_assert(!key_like<std::vector<int>> && !key_like<std::span<const std::uint64_t>> && !key_like<int[4]>);
static_assert(!key_like<std::vector<bytes_view>> && !key_like<std::deque<std::byte>>);
static_assert(!key_like<std::vector<std::int8_t>> && !key_like<std::vector<wchar_t>>);

// Neither is anything else.
static_assert(!key_like<std::nullptr_t> && !key_like<void*> && !key_like<const std::byte*> && !key_like<digest>);
static_assert(!key_like<double> && !key_like<colour> && !key_like<plain_colour> && !key_like<std::optional<int>>);
static_assert(!key_like<std::wstring_view> && !key_like<std::span<volatile std::byte>>);
static_assert(!key_like<std::string*> && !key_like<const signed char*> && !key_like<const unsigned char*>);
static_assert(!key_like<std::filesystem::path> && !key_like<wrong>);

// A type of the caller's own is what it says.
static_assert(own_key<user> && own_key<const route&> && own_key<named> && own_key<planet> && !own_key<std::string>);
static_assert(own_key<text_with_a_key> && !text_key<text_with_a_key>);

// Many keys. Bytes are never many integers, wherever they lie.
template <class R>
constexpr bool are_keys = range_of_keys<R, digest>;
static_assert(are_keys<std::vector<std::string>> && are_keys<std::deque<int>> && are_keys<std::vector<digest>>);
static_assert(are_keys<std::vector<std::vector<std::uint8_t>>> && are_keys<std::vector<std::array<unsigned char, 32>>>);
static_assert(are_keys<std::vector<user>> && are_keys<std::list<planet>> && are_keys<std::vector<std::int8_t>>);
static_assert(!are_keys<std::vector<std::uint8_t>> && !are_keys<std::deque<std::uint8_t>>);
static_assert(!are_keys<std::list<unsigned char>> && !are_keys<std::deque<char>> && !are_keys<std::list<char8_t>>);
static_assert(!are_keys<std::string> && !are_keys<std::vector<double>> && !are_keys<std::filesystem::path>);
#ifdef __SIZEOF_INT128__
static_assert(are_keys<std::vector<uint128>>);
#endif

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

TEST(key, every_kind_of_byte_is_the_same_byte) {
  const std::array<unsigned char, 3> letters{'a', 0, 0xff};
  const std::vector<char> chars{'a', 0, static_cast<char>(0xff)};
  const std::string_view text("a\0\xff", 3);
  EXPECT_EQ(text_of(as_key(letters)), text);
  EXPECT_EQ(text_of(as_key(chars)), text);
  EXPECT_EQ(text_of(as_key(std::u8string(u8"\u00e9"))), "\xc3\xa9");
  EXPECT_EQ(text_of(as_key(u8"\u00e9")), "\xc3\xa9");
  EXPECT_EQ(text_of(as_key(u8"a\0b")), "a");  // as a char array does
}

// What the other languages take for a key of this value (docs/hashes.md).
#ifdef __SIZEOF_INT128__
TEST(key, an_integer_of_128_bits_is_its_16_little_endian_bytes) {
  const uint128 wide = static_cast<uint128>(0x0f0e'0d0c'0b0a'0908) << 64 | 0x0706'0504'0302'0100;
  const std::string bytes("\0\1\2\3\4\5\6\7\x8\x9\xa\xb\xc\xd\xe\xf", 16);
  EXPECT_EQ(text_of(as_key(wide)), bytes);
  EXPECT_EQ(with_key_bytes(wide, text_of), bytes);
  EXPECT_EQ(hash_key(default_hash{}, wide), hash_key(default_hash{}, bytes));
  EXPECT_NE(hash_key(default_hash{}, uint128{42}), hash_key(default_hash{}, 42));  // 16 bytes, and 8
}
#endif

TEST(key, an_own_type_is_hashed_as_what_it_says) {
  const default_hash hash;
  EXPECT_EQ(hash_key(hash, user{42, "alice"}), hash_key(hash, 42));
  EXPECT_EQ(hash_key(hash, route{"a", "b"}), hash_key(hash, "a>b"));
  EXPECT_EQ(hash_key(hash, named{"alice"}), hash_key(hash, "alice"));
  EXPECT_EQ(hash_key(hash, planet::mars), hash_key(hash, 4));
  EXPECT_EQ(hash_key(hash, text_with_a_key{}), hash_key(hash, 7));
  EXPECT_EQ(with_key_bytes(user{42, "alice"}, text_of), std::string("\x2a\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(with_key_bytes(route{"a", "b"}, text_of), "a>b");
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
