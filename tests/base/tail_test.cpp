// The last bytes of a key: exactly those, in order, and none beyond.
#include <seen/base/bits.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>

namespace seen {
namespace {

TEST(load_tail, is_the_zero_filled_little_endian_word) {
  const std::byte bytes[] = {std::byte{0xf1}, std::byte{0xe2}, std::byte{0xd3}, std::byte{0xc4},
                             std::byte{0xb5}, std::byte{0xa6}, std::byte{0x97}, std::byte{0xff}};
  constexpr std::uint64_t words[] = {
      0, 0xf1, 0xe2'f1, 0xd3'e2'f1, 0xc4'd3'e2'f1, 0xb5'c4'd3'e2'f1, 0xa6'b5'c4'd3'e2'f1, 0x97'a6'b5'c4'd3'e2'f1};
  for (std::size_t n = 0; n < 8; ++n) EXPECT_EQ(load_tail(bytes, n), words[n]) << n;
}

TEST(load_tail, reads_no_byte_beyond) {  // the address sanitizer watches
  for (std::size_t n = 1; n < 8; ++n) {
    const auto exact = std::make_unique<std::byte[]>(n);
    EXPECT_EQ(load_tail(exact.get(), n), 0u);
  }
  EXPECT_EQ(load_tail(nullptr, 0), 0u);
}

}  // namespace
}  // namespace seen
