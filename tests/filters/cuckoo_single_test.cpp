// Single keys of cuckoo filters against buckets worked out by the definition and slots read one by one. Tables of one chunk,
// of a few and of many have code of their own, and programs compiled for AVX2 or AVX-512 other bodies
// (kernels/cuckoo_alone.hpp), so this file is compiled for these, too.
#include <seen/filters/cuckoo.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <utility>
#include <vector>

namespace seen::testing {
namespace {

// The bucket, the other bucket and the fingerprint, as docs/filters/cuckoo.md has them.
engines::cuckoo_place place_by_definition(const cuckoo_rule& rule, digest d) {
  const std::uint32_t width = rule.lanes().bits;
  const std::uint64_t x = d.value + (d.value << 32), buckets = rule.buckets();
  const std::uint64_t bucket = mulhi(x, buckets), top = (x * buckets) >> (64 - width), t = top == 0 ? 1 : top;
  const auto product = static_cast<std::uint32_t>(t * 0x9e3779b1);
  std::uint64_t start = 0, size = buckets, sum = product ^ (product >> 13 | product << 19);
  std::uint64_t chunk = 1;
  while (2 * chunk <= buckets / rule.chunks()) chunk *= 2;
  if (rule.chunks() > 1) {
    const std::uint64_t last = (rule.chunks() - 1) * chunk;
    start = bucket < last ? bucket / chunk * chunk : last;
    size = bucket < last ? chunk : buckets - last;
  }
  sum = sum * chunk >> 32 | 1;
  return {{bucket, start + (sum + size - (bucket - start)) % size}, t};
}

bool answer_by_definition(const cuckoo& f, digest d) {
  const auto at = place_by_definition(f.engine().rule(), d);
  const auto* words = reinterpret_cast<const std::uint64_t*>(f.engine().bytes().data());
  const kernels::lanes& lanes = f.engine().rule().lanes();
  bool found = false;
  for (const std::uint64_t bucket : {at.pair.first, at.pair.second}) {
    for (std::uint32_t slot = 0; slot < 4; ++slot) {
      found |= kernels::load_slot<plain_access>(lanes, words, bucket, slot * lanes.bits) == at.fingerprint;
    }
  }
  return found;
}

TEST(cuckoo_single, answers_by_the_definition_whatever_the_chunks_and_the_width) {
  std::mt19937_64 random(1);
  for (const std::uint32_t width : math::cuckoo_widths) {
    for (const auto& [buckets, chunks] : {std::pair<std::uint64_t, std::uint64_t>{1000, 1},
                                          {4096, 1},
                                          {2 * 512 + 600, 3},
                                          {16 * 256, 16},
                                          {16 * 256 + 300, 17},
                                          {40 * 64 + 100, 41}}) {
      cuckoo f(cuckoo_shape{.buckets = buckets, .fingerprint_bits = width, .chunks = chunks});
      ASSERT_EQ(f.engine().rule().chunks(), chunks);
      std::vector<digest> added;
      while (added.size() < 3 * buckets) {
        const digest d(random());
        if (f.add(d)) added.push_back(d);
      }
      for (const digest d : added) ASSERT_TRUE(f.may_contain(d)) << width << " bits, " << chunks << " chunks";
      std::uint64_t yes = 0, ones = 0;
      for (int i = 0; i < 50'000; ++i) {
        // A fingerprint of 0, which is taken for 1, every 64th time: a fraction just above 0.
        const std::uint64_t any = random();
        const std::uint64_t x = i % 64 != 0 ? any : ~std::uint64_t{0} / buckets * (any % buckets) + any % buckets + 1;
        const digest d(x - (x << 32));
        const auto by_rule = f.engine().rule().place(d), by_definition = place_by_definition(f.engine().rule(), d);
        ASSERT_EQ(by_rule.pair.first, by_definition.pair.first);
        ASSERT_EQ(by_rule.pair.second, by_definition.pair.second);
        ASSERT_EQ(by_rule.fingerprint, by_definition.fingerprint);
        const bool expected = answer_by_definition(f, d);
        ASSERT_EQ(f.may_contain(d), expected) << width << " bits, " << chunks << " chunks, digest " << d.value;
        yes += expected;
        ones += by_definition.fingerprint == 1;
      }
      if (width <= 12) {
        EXPECT_GT(yes, 30u);
      }
      EXPECT_GT(ones, 700u);
    }
  }
}

}  // namespace
}  // namespace seen::testing
