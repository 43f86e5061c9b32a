#include <seen/base/bits.hpp>

#include <array>
#include <cstdint>
#include <gtest/gtest.h>

namespace seen {
namespace {

TEST(bits, mulhi_is_the_high_half_of_the_product) {
  EXPECT_EQ(mulhi(0, ~0ull), 0u);
  EXPECT_EQ(mulhi(~0ull, ~0ull), ~0ull - 1);
  EXPECT_EQ(mulhi(1ull << 63, 10), 5u);
  EXPECT_EQ(mulhi(0x9e3779b97f4a7c15, 0xf1357aea2e62a9c5), 0x9513470aff9f157bu);
}

TEST(bits, mulhi_folds_by_any_divisor) {
  std::uint64_t x = 1;
  for (int i = 0; i < 100'000; ++i) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    EXPECT_EQ(mulhi(x, 5040 * 1000) / 5040, mulhi(x, 1000));
  }
}

TEST(bits, ceil_div_does_not_overflow) {
  EXPECT_EQ(ceil_div(~0ull, 2), 1ull << 63);
  EXPECT_EQ(ceil_div(0, 7), 0u);
  EXPECT_EQ(ceil_div(7, 7), 1u);
  EXPECT_EQ(ceil_div(8, 7), 2u);
}

TEST(bits, little_endian_loads_and_stores_at_any_address) {
  std::array<std::byte, 16> bytes{};
  store_le<std::uint64_t>(bytes.data() + 3, 0x0102030405060708);
  EXPECT_EQ(bytes[3], std::byte{8});
  EXPECT_EQ(bytes[10], std::byte{1});
  EXPECT_EQ(load_le<std::uint64_t>(bytes.data() + 3), 0x0102030405060708u);
  EXPECT_EQ(load_le<std::uint32_t>(bytes.data() + 3), 0x05060708u);
  EXPECT_EQ(load_le<std::uint16_t>(bytes.data() + 3), 0x0708u);
}

TEST(bits, a_bit_mask_selects_the_bit_its_byte_holds) {
  for (std::uint64_t at = 0; at < 64; ++at) {
    const std::uint64_t word = bit_mask(at);
    std::array<std::byte, 8> bytes{};
    std::memcpy(bytes.data(), &word, sizeof word);
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(bytes[i], i == at / 8 ? std::byte(1u << (at % 8)) : std::byte{0});
    }
  }
}

}  // namespace
}  // namespace seen
