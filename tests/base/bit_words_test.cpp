// Counting the bits of arrays of words: every set of instructions, every length, plain and shared words.
#include <seen/base/bit_words.hpp>
#include <seen/storage/access.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "support/instruction_sets.hpp"
#include "support/key_shapes.hpp"

namespace seen::testing {
namespace {

// Bit by bit: the definition.
std::uint64_t slow_count(const std::uint64_t* words, std::size_t count) {
  std::uint64_t set = 0;
  for (std::size_t i = 0; i < 64 * count; ++i) set += words[i / 64] >> (i % 64) & 1;
  return set;
}

std::vector<std::uint64_t> some_words(std::size_t count, std::uint64_t seed) {
  rng random(seed);
  std::vector<std::uint64_t> words(count);
  for (auto& word : words) word = random() & random();
  return words;
}

TEST(count_bits, counts_what_counting_bit_by_bit_counts) {
  with_each_instruction_set([] {
    for (const std::size_t count : {0u, 1u, 3u, 4u, 7u, 8u, 31u, 32u, 33u, 63u, 64u, 100u, 511u, 512u, 513u, 1500u}) {
      auto words = some_words(count + 3, count);
      for (const std::size_t from : {0u, 1u, 3u}) {  // at any address a word may have
        const std::uint64_t* const first = words.data() + from;
        ASSERT_EQ(detail::count_bits(first, count), slow_count(first, count)) << count;
        ASSERT_EQ(detail::count_bits<plain_access>(first, count), slow_count(first, count)) << count;
        ASSERT_EQ(detail::count_bits<atomic_access>(first, count), slow_count(first, count)) << count;
      }
      words.assign(count, ~std::uint64_t{0});
      ASSERT_EQ(detail::count_bits(words.data(), count), 64 * count);
    }
  });
}

TEST(count_bits, of_a_union_counts_a_common_bit_once) {
  for (const std::size_t count : {0u, 1u, 511u, 512u, 1100u}) {
    const auto a = some_words(count, 1), b = some_words(count, 2);
    std::vector<std::uint64_t> both(count);
    for (std::size_t i = 0; i < count; ++i) both[i] = a[i] | b[i];
    EXPECT_EQ(detail::count_bits_of_union<plain_access>(a.data(), b.data(), count), slow_count(both.data(), count));
  }
}

TEST(count_bits, of_a_part_counts_that_part) {
  const auto words = some_words(2000, 3);
  for (const std::size_t first : {0u, 1u, 700u}) {
    for (const std::size_t last : {700u, 701u, 1999u, 2000u}) {
      const auto counted = detail::count_bits_of([&](std::size_t i) { return words[i]; }, first, last);
      EXPECT_EQ(counted, slow_count(words.data() + first, last - first));
    }
  }
}

}  // namespace
}  // namespace seen::testing
