// Rank and select in one word.
#include <seen/base/select.hpp>

#include <cstdint>
#include <gtest/gtest.h>

#include "support/key_shapes.hpp"

namespace seen::testing {
namespace {

// Bit by bit: the definition.
unsigned slow_select(std::uint64_t w, unsigned k) {
  for (unsigned at = 0; at < 64; ++at) {
    if ((w >> at & 1) != 0 && k-- == 0) return at;
  }
  return 64;
}

TEST(select_bit, finds_what_counting_bit_by_bit_finds) {
  rng random(1);
  for (int i = 0; i < 3000; ++i) {
    std::uint64_t w = random();
    for (int thin = 0; thin < i % 6; ++thin) w &= random();
    if (i % 2 != 0) w = ~w;
    for (unsigned k = 0; k <= 64; ++k) {
      ASSERT_EQ(detail::portable::select_bit(w, k), slow_select(w, k)) << std::hex << w << " " << k;
      if (k < 64) {
        ASSERT_EQ(detail::select_bit(w, k), slow_select(w, k)) << std::hex << w << " " << k;
      }
    }
    for (unsigned k = 0; k < 64; ++k) {
      std::uint64_t two = 0;
      for (const unsigned at : {slow_select(w, k), slow_select(w, k + 1)}) two |= at < 64 ? std::uint64_t{1} << at : 0;
      ASSERT_EQ(detail::portable::select_two(w, k), two) << std::hex << w << " " << k;
      ASSERT_EQ(detail::select_two(w, k), two) << std::hex << w << " " << k;
    }
    unsigned count = 0;
    for (unsigned at = 0; at < 64; ++at) count += w >> at & 1;
    ASSERT_EQ(detail::portable::popcount(w), count);
    ASSERT_EQ(detail::popcount(w), count);
  }
}

TEST(select_bit, knows_the_words_at_the_ends) {
  for (const auto select : {detail::portable::select_bit, detail::select_bit}) {
    EXPECT_EQ(select(0, 0), 64u);
    EXPECT_EQ(select(1, 0), 0u);
    EXPECT_EQ(select(1, 1), 64u);
    EXPECT_EQ(select(std::uint64_t{1} << 63, 0), 63u);
    EXPECT_EQ(select(~std::uint64_t{0}, 63), 63u);
  }
  EXPECT_EQ(detail::low_bits(0), 0u);
  EXPECT_EQ(detail::low_bits(63), ~std::uint64_t{0} >> 1);
  EXPECT_EQ(detail::low_bits(64), ~std::uint64_t{0});
}

}  // namespace
}  // namespace seen::testing
