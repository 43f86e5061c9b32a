// The sort that everything is built from: any digests, any number, in any order.
#include "building/digest_sort.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

#include "support/key_shapes.hpp"

namespace seen::testing {
namespace {

void expect_sorted(std::vector<std::uint64_t> digests, unsigned known = 0) {
  std::vector<std::uint64_t> expected = digests, scratch(digests.size());
  std::sort(expected.begin(), expected.end());
  building::sort_digests(digests, scratch, known);
  ASSERT_EQ(digests, expected) << digests.size() << " digests";
}

// Sizes around the limits of its stages (64, 2^20), and digests that are not hashes.
TEST(digest_sort, sorts_any_digests) {
  const std::function<std::uint64_t(std::uint64_t)> shapes[] = {
      [](std::uint64_t i) { return rng::mix(i); },         // hashes
      [](std::uint64_t i) { return i; },                   // alike in their high bits
      [](std::uint64_t i) { return ~i; },                  // downwards
      [](std::uint64_t i) { return rng::mix(i) << 52; },   // alike in their low bits, with many equals
      [](std::uint64_t i) { return rng::mix(i) & 0xff; },  // few different ones
      [](std::uint64_t) { return std::uint64_t{42}; },     // all equal
      [](std::uint64_t i) { return i % 2 == 0 ? 0 : ~std::uint64_t{0}; },
  };
  for (const auto& shape : shapes) {
    for (const std::size_t n : {0u, 1u, 2u, 63u, 64u, 65u, 1000u, 4095u, 70'000u, (1u << 20) + 1}) {
      std::vector<std::uint64_t> digests(n);
      for (std::size_t i = 0; i < n; ++i) digests[i] = shape(i);
      expect_sorted(std::move(digests));
    }
  }
}

TEST(digest_sort, known_bits_are_taken_as_known) {
  for (const unsigned known : {1u, 8u, 30u, 45u, 60u, 64u}) {
    std::vector<std::uint64_t> digests(5000);
    for (std::size_t i = 0; i < digests.size(); ++i) {
      const std::uint64_t alike = ~(known == 64 ? 0 : ~std::uint64_t{0} >> known);
      digests[i] = (alike & 0xa5a5'a5a5'a5a5'a5a5) | (rng::mix(i) & ~alike);
    }
    expect_sorted(std::move(digests), known);
  }
}

TEST(digest_sort, equal_neighbours_are_dropped) {
  std::vector<std::uint64_t> digests{1, 1, 2, 3, 3, 3, 9};
  EXPECT_EQ(building::drop_equal(digests), 4u);
  digests.resize(4);
  EXPECT_EQ(digests, (std::vector<std::uint64_t>{1, 2, 3, 9}));
  EXPECT_EQ(building::drop_equal({}), 0u);
}

}  // namespace
}  // namespace seen::testing
