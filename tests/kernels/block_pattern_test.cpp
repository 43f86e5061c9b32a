// Every dialect of the block patterns says what kernels/block_patterns.hpp says: its bits, all of them and no others.
//
// Compiled three times: for any x86-64 as part of test_kernels, and for AVX2 and AVX-512 as programs of their own,
// whose single keys have other bodies (tests/CMakeLists.txt).
#include <seen/kernels/block.hpp>
#include <seen/storage/access.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
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
      block<TypeParam> shared_tested{};
      ASSERT_FALSE((kernels::block_test_and_set<atomic_access, TypeParam>(shared_tested.data(), x))) << x;
      ASSERT_EQ(shared_tested, expected) << x;
      const digest d(x);
      kernels::block_add_many(dialects<TypeParam>::layout, in_batch.data(), 1, std::span<const digest>(&d, 1));
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
        ASSERT_EQ(kernels::block_lookup_many(dialects<TypeParam>::layout, words.data(), 1,
                                             std::span<const digest>(&d, 1), &in_batch),
                  answer);
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

// Bytes of the caller may begin on any word, and what sets pairs of words has to do without them there.
TYPED_TEST(block_dialects, set_what_is_missing_of_a_shared_block_and_nothing_else_at_any_address) {
  with_each_instruction_set([] {
    std::mt19937_64 random(5);
    for (const std::uint32_t x : sweep()) {
      alignas(64) std::array<std::uint64_t, 11> memory;
      for (std::uint64_t& word : memory) word = random() & random();
      for (const std::size_t at : {0u, 1u, 2u, 3u}) {
        auto words = memory, expected = memory;
        bool present = true;
        const auto bits = bits_of<TypeParam>(x);
        for (std::size_t i = 0; i < bits.size(); ++i) {
          present = present && (expected[at + i] & bits[i]) == bits[i];
          expected[at + i] |= bits[i];
        }
        ASSERT_EQ((kernels::block_covers<atomic_access, TypeParam>(&words[at], x)), present) << x;
        ASSERT_EQ((kernels::block_test_and_set<atomic_access, TypeParam>(&words[at], x)), present) << x;
        ASSERT_EQ(words, expected) << x;
      }
    }
  });
}

TYPED_TEST(block_dialects, write_nothing_into_a_shared_block_that_has_all_bits) {
  constexpr std::size_t size = 4096;
  void* const page = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  std::memset(page, 0xff, size);
  ASSERT_EQ(::mprotect(page, size, PROT_READ), 0);  // from here on a write is the end
  auto* const words = static_cast<std::uint64_t*>(page);
  with_each_instruction_set([&] {
    for (const std::uint32_t x : sweep()) {
      kernels::block_set<atomic_access, TypeParam>(words, x);
      ASSERT_TRUE((kernels::block_test_and_set<atomic_access, TypeParam>(words, x)));
    }
  });
  ::munmap(page, size);
}

#if defined(__x86_64__) && defined(__GNUC__)
// Another thread has changed words between the look at them and the step that sets them.
TYPED_TEST(block_dialects, set_what_is_missing_beside_what_came_meanwhile) {
  for (const std::uint32_t x : sweep()) {
    const auto bits = bits_of<TypeParam>(x);
    for (std::size_t changed = 0; changed < bits.size(); ++changed) {
      for (const std::uint64_t meanwhile : {bits[changed], std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
        alignas(64) block<TypeParam> words{}, expected = bits;
        kernels::avx2_bodies::block_change<TypeParam> change{};
        std::copy(bits.begin(), bits.end(), change.masks);
        words[changed] = meanwhile;
        expected[changed] |= meanwhile;
        kernels::avx2_bodies::set_pairs(words.data(), change);
        ASSERT_EQ(words, expected) << x;
      }
    }
  }
}
#endif

}  // namespace
}  // namespace seen::testing
