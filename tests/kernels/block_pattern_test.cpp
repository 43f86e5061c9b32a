// Every dialect of the block patterns says what kernels/block_patterns.hpp says: its bits, all of them and no others.
//
// Compiled three times: for any x86-64 as part of test_kernels, and for AVX2 and AVX-512 as programs of their own,
// whose single keys have other bodies (tests/CMakeLists.txt).
#include <seen/kernels/block.hpp>
#include <seen/storage/access.hpp>

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "support/instruction_sets.hpp"

namespace seen::testing {
namespace {

template <class Pattern>
using block = std::array<std::uint64_t, Pattern::words>;

// The specification, spelled out.
template <class Pattern>
block<Pattern> bits_of(std::uint32_t x) {
  block<Pattern> bits{};
  kernels::for_each_bit<Pattern, 0, Pattern::probes>(x,
                                                     [&](kernels::block_bit at) { bits[at.word] |= bit_mask(at.bit); });
  return bits;
}

// Every single bit, none, all, and what chance gives.
std::vector<std::uint32_t> sweep() {
  std::vector<std::uint32_t> all{0, ~std::uint32_t{0}};
  for (int i = 0; i < 32; ++i) all.push_back(std::uint32_t{1} << i);
  std::mt19937 random(11);
  while (all.size() < 1000) all.push_back(static_cast<std::uint32_t>(random()));
  return all;
}

template <class Pattern>
struct dialects;
template <>
struct dialects<kernels::block_pattern_4> {
  static constexpr auto layout = kernels::block_layout::lanes_4;
};
template <>
struct dialects<kernels::block_pattern_8> {
  static constexpr auto layout = kernels::block_layout::lanes_8;
};
template <>
struct dialects<kernels::block_pattern_16> {
  static constexpr auto layout = kernels::block_layout::lanes_16;
};
template <>
struct dialects<kernels::split_block_pattern> {
  static constexpr auto layout = kernels::block_layout::split;
};

template <class Pattern>
class block_dialects : public ::testing::Test {};
using patterns = ::testing::Types<kernels::block_pattern_4, kernels::block_pattern_8, kernels::block_pattern_16,
                                  kernels::split_block_pattern>;
TYPED_TEST_SUITE(block_dialects, patterns);

TYPED_TEST(block_dialects, set_the_bits_of_the_pattern) {
  with_each_instruction_set([] {
    for (const std::uint32_t x : sweep()) {
      const auto expected = bits_of<TypeParam>(x);
      ASSERT_EQ(kernels::block_masks<TypeParam>(x), expected) << x;
      block<TypeParam> plain{}, shared{}, tested{}, in_batch{};
      kernels::block_set<plain_access, TypeParam>(plain.data(), x);
      ASSERT_EQ(plain, expected) << x;
      kernels::block_set<atomic_access, TypeParam>(shared.data(), x);
      ASSERT_EQ(shared, expected) << x;
      ASSERT_FALSE((kernels::block_test_and_set<plain_access, TypeParam>(tested.data(), x))) << x;
      ASSERT_EQ(tested, expected) << x;
      const digest d(x);
      kernels::block_add_many(dialects<TypeParam>::layout, in_batch.data(), 1, {&d, 1});
      ASSERT_EQ(in_batch, expected) << x;
    }
  });
}

TYPED_TEST(block_dialects, find_the_bits_of_the_pattern_and_miss_each_that_is_not_there) {
  with_each_instruction_set([] {
    for (const std::uint32_t x : sweep()) {
      const auto bits = bits_of<TypeParam>(x);
      const auto expect = [&](const block<TypeParam>& words, bool answer) {
        ASSERT_EQ((kernels::block_covers<plain_access, TypeParam>(words.data(), x)), answer) << x;
        ASSERT_EQ((kernels::block_covers<atomic_access, TypeParam>(words.data(), x)), answer) << x;
        const digest d(x);
        bool in_batch = !answer;
        ASSERT_EQ(kernels::block_lookup_many(dialects<TypeParam>::layout, words.data(), 1, {&d, 1}, &in_batch), answer);
        ASSERT_EQ(in_batch, answer) << x;
      };
      expect(bits, true);
      for (std::size_t word = 0; word < bits.size(); ++word) {
        for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
          block<TypeParam> without;
          without.fill(~std::uint64_t{0});
          without[word] ^= left & (~left + 1);
          expect(without, false);
        }
      }
    }
  });
}

}  // namespace
}  // namespace seen::testing
