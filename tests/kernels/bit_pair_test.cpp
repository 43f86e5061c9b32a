// Two bits tested at once, in every body that this program was compiled for, against bits read one by one.
#include <seen/kernels/bit_pairs.hpp>

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>

namespace seen::testing {
namespace {

TEST(bit_pair, is_there_when_both_bits_are) {
  std::mt19937_64 random(1);
  std::array<std::uint64_t, 3> words{};
  for (std::uint64_t& word : words) word = little_endian(random());
  for (std::uint64_t a = 0; a < 192; ++a) {
    for (std::uint64_t b = 0; b < 192; ++b) {
      const auto is_set = [&](std::uint64_t at) { return (little_endian(words[at / 64]) >> (at % 64) & 1) != 0; };
      ASSERT_EQ(kernels::test_pair(words.data(), a, b), is_set(a) && is_set(b)) << a << ", " << b;
    }
  }
}

}  // namespace
}  // namespace seen::testing
