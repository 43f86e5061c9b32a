// Keys that a format hashes in pieces are hashed as a whole: the same bits, whatever their length.
#include <seen/any_filter.hpp>
#include <seen/hash/siphash.hpp>

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "support/native_image.hpp"

namespace seen::testing {
namespace {

// One bit for each key, so that a filter is nothing but its two words.
TEST(long_keys, of_rust_are_hashed_with_their_length_before_or_a_byte_behind_them) {
  constexpr std::size_t header = 45, bits = 1 << 16;
  for (const std::string keys : {"bytes", "str"}) {
    for (std::size_t size = 0; size < 700; size = size < 40 ? size + 1 : size + 37) {
      std::string key(size, '\0');
      for (std::size_t i = 0; i < size; ++i) key[i] = static_cast<char>('A' + i % 57);
      auto f =
          any_filter::make({.shape = {{"bits", bits}, {"probes", 2}}, .format = "rust-bloomfilter", .key_type = keys})
              .value();
      ASSERT_TRUE(f.add(key));
      const byte_vector file = f.to_bytes().value();
      byte_vector framed(keys == "bytes" ? 8 : 0);
      if (!framed.empty()) store_le(framed.data(), std::uint64_t{size});
      append(framed, as_key(key));
      if (keys == "str") framed.push_back(std::byte{0xff});
      for (const std::size_t from : {13u, 29u}) {
        secret half;
        std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(from), half.bytes.size(), half.bytes.begin());
        const std::uint64_t at = siphash_1_3(half)(framed).value % bits;
        EXPECT_NE(file[header + static_cast<std::size_t>(at / 8)] & std::byte{1} << (at % 8), std::byte{0})
            << keys << " of " << size << " bytes";
      }
    }
  }
}

// Text as UTF-16 is what its code units are as bytes.
TEST(long_keys, of_guava_are_hashed_as_their_code_units) {
  const std::vector<std::pair<std::string, std::u16string>> characters{{"x", u"x"},
                                                                       {"\xc3\xa9", u"\u00e9"},
                                                                       {"\xe2\x82\xac", u"\u20ac"},
                                                                       {"\xf0\x9f\x94\x91", u"\U0001f511"},
                                                                       {"\x80", u"\ufffd"}};
  std::string text;
  byte_vector units;
  const auto empty = [](const char* keys) {
    return any_filter::make({.target = {.capacity = 3000, .fpr = 1e-6}, .format = "guava", .key_type = keys}).value();
  };
  auto as_text = empty("utf16"), as_bytes = empty("bytes");
  for (std::size_t i = 0; i < 1500; ++i) {
    const auto& [utf8, utf16] = characters[(i * i / 3 + i) % characters.size()];
    text += utf8;
    for (const char16_t unit : utf16) append(units, static_cast<std::uint16_t>(unit));
    ASSERT_TRUE(as_text.add(text));
    ASSERT_TRUE(as_bytes.add(bytes_view(units)));
  }
  EXPECT_EQ(as_text.to_bytes().value(), as_bytes.to_bytes().value());
}

}  // namespace
}  // namespace seen::testing
