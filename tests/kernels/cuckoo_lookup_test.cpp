// Both buckets of a key compared at once, in every body that this program was compiled for, against slots read one by one.
#include <seen/kernels/cuckoo.hpp>
#include <seen/math/cuckoo.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace seen::testing {
namespace {

template <std::uint32_t Bits>
void check() {
  constexpr kernels::fixed_lanes<Bits> lanes;
  const kernels::lanes same = kernels::lanes::of(Bits);
  constexpr std::uint64_t buckets = 50, mask = (std::uint64_t{1} << Bits) - 1;
  std::mt19937_64 random(Bits);
  std::vector<std::uint64_t> words(buckets * Bits / 16 + 2);
  std::uint64_t held = 0;
  for (int round = 0; round < 2000; ++round) {
    // Few values that differ in few bits, so that neighbouring lanes make up what none of them holds.
    const std::uint64_t pattern = random();
    for (std::uint64_t slot = 0; slot < 4 * buckets; ++slot) {
      const std::uint64_t flip = random() % 3 == 0 ? std::uint64_t{1} << random() % Bits : 0;
      kernels::store_bits<plain_access>(words.data(), slot * Bits, Bits, (pattern ^ flip) & mask);
    }
    for (int asked = 0; asked < 20; ++asked) {
      const std::uint64_t first = random() % buckets, second = random() % buckets;
      const std::uint64_t t = (pattern ^ std::uint64_t{1} << random() % Bits) & mask;
      if (t == 0) continue;
      bool expected = false;
      for (std::uint32_t slot = 0; slot < 4; ++slot) {
        expected |= kernels::load_slot<plain_access>(same, words.data(), first, slot * Bits) == t;
        expected |= kernels::load_slot<plain_access>(same, words.data(), second, slot * Bits) == t;
      }
      held += expected;
      ASSERT_EQ(kernels::either_holds<plain_access>(lanes, words.data(), first, second, t), expected) << Bits;
      ASSERT_EQ(kernels::either_holds<plain_access>(same, words.data(), first, second, t), expected) << Bits;
    }
  }
  EXPECT_GT(held, 500u) << Bits;
}

TEST(cuckoo_lookup, finds_what_is_in_either_bucket_and_nothing_else) {
  check<8>();
  check<10>();
  check<12>();
  check<13>();
  check<14>();
  check<16>();
  check<17>();
  check<24>();
  check<32>();
}

}  // namespace
}  // namespace seen::testing
