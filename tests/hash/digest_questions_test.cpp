// The questions of bench/quality/digests.hpp: a good function passes each, and one with the fault in question fails it.
#include <seen/hash/fnv1a.hpp>

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "quality/digests.hpp"
#include "quality/keys.hpp"

namespace seen::quality {
namespace {

// Of integers: mixed twice, mixed and then with bit 3 in place of bit 9, and not mixed.
hash_function good() {
  return {"good", 32, 32,
          [](bytes_view key, std::uint64_t seed) {
            return splitmix64(splitmix64(load_le<std::uint64_t>(key.data())) + seed) >> 32;
          },
          true};
}
hash_function twin_bits() {
  hash_function h = good();
  h.of = [of = h.of](bytes_view key, std::uint64_t seed) {
    const std::uint64_t x = of(key, seed);
    return (x & ~std::uint64_t{1 << 10}) | (x >> 5 & 1) << 10;
  };
  return h;
}
hash_function bare() {
  return {"bare", 32, 32,
          [](bytes_view key, std::uint64_t seed) { return (load_le<std::uint64_t>(key.data()) + seed) & 0xffff'ffff; },
          true};
}

// The share of p-values below one in a thousand, in thousandths.
double failing(const p_values& some) {
  return 1000 * static_cast<double>(std::count_if(some.begin(), some.end(), [](double p) { return p < 0.001; })) /
         static_cast<double>(some.size());
}

TEST(digest_questions, a_good_function_fails_one_in_a_thousand) {
  EXPECT_LT(failing(avalanche(good())), 4);
  EXPECT_LT(failing(independence(good())), 4);
  EXPECT_LT(failing(seeds(good())), 6);
}

TEST(digest_questions, a_function_that_does_not_mix_fails_avalanche_and_seeds) {
  EXPECT_GT(failing(avalanche(bare())), 900);
  EXPECT_GT(failing(seeds(bare())), 900);
}

TEST(digest_questions, two_bits_that_are_one_fail_independence_alone) {
  EXPECT_LT(failing(avalanche(twin_bits())), 4);
  const p_values pairs = independence(twin_bits());
  EXPECT_EQ(std::count_if(pairs.begin(), pairs.end(), [](double p) { return p < 1e-100; }), 22)
      << "one pair of bits, 22 bits of the key";
}

TEST(digest_questions, collisions_and_windows_are_those_of_chance) {
  std::vector<std::uint64_t> mixed, counted, doubled;
  for (std::uint64_t i = 0; i < 1 << 16; ++i) {
    mixed.push_back(splitmix64(i));
    counted.push_back(i);
    doubled.push_back(splitmix64(i / 2));
  }
  for (const double p : collisions(mixed, 64)) EXPECT_GT(p, 0.001);
  EXPECT_LT(failing(windows(mixed, 64)), 20);
  EXPECT_GT(failing(windows(counted, 64)), 500);
  EXPECT_LT(collisions(doubled, 64)[0], 1e-9);
}

TEST(digest_questions, no_key_of_a_set_comes_twice) {
  for (key_set& set : key_sets(5000)) {
    EXPECT_GE(set.keys.size(), 4096u) << set.name;
    std::sort(set.keys.begin(), set.keys.end());
    EXPECT_EQ(std::adjacent_find(set.keys.begin(), set.keys.end()), set.keys.end()) << set.name;
  }
}

}  // namespace
}  // namespace seen::quality
