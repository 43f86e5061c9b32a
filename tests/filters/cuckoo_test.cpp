// Tests what only the cuckoo filter does: the rule and the layout, loads, fullness, removal and counting. Failure cases
// 2 to 4.
#include <seen/base/instructions.hpp>
#include <seen/filters/cuckoo.hpp>
#include <seen/io.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "support/binomial.hpp"
#include "support/key_shapes.hpp"
#include "support/moved_from.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

using engine = cuckoo::engine_type;

std::vector<std::byte> bytes_of(const cuckoo& f) {
  return {f.engine().bytes().begin(), f.engine().bytes().end()};
}

// Adds digests of `random` until one finds no room; how many there was room for.
std::uint64_t fill_up(cuckoo& f, rng& random) {
  std::uint64_t added = 0;
  while (f.add(digest(random()))) ++added;
  return added;
}

// --- the rule, which is part of the file format

TEST(cuckoo_rule, places_are_pinned) {
  const auto rule = cuckoo_rule::make({.buckets = 3 * 40'000, .fingerprint_bits = 12, .chunks = 3}).value();
  const auto expect = [&](std::uint64_t d, std::uint64_t first, std::uint64_t second, std::uint64_t fingerprint) {
    const engines::cuckoo_place at = rule.place(digest(d));
    EXPECT_EQ(at.pair.first, first) << d;
    EXPECT_EQ(at.pair.second, second) << d;
    EXPECT_EQ(at.fingerprint, fingerprint) << d;
  };
  expect(0x9e3779b97f4a7c15, 13'831, 15'508, 2925);
  expect(0xfedcba9876543210, 54'933, 59'230, 1365);  // in the second chunk
  expect(0x123456789abcdef0, 81'066, 76'429, 2728);  // in the last, which is larger
  expect(0xffffffffffffffff, 119'999, 79'248, 4095);
}

// Both buckets of a digest lie in its chunk, and every digest in one.
TEST(cuckoo_rule, chunks_are_of_one_power_of_two_and_the_last_has_the_rest) {
  rng random(10);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t wished = 1 + random.below(std::uint64_t{1} << random.below(12));
    const std::uint64_t buckets = 16 * wished + random.below(std::uint64_t{1} << (1 + random.below(24)));
    if (buckets / wished > math::cuckoo_most_chunk_buckets) continue;
    const auto rule = cuckoo_rule::make({.buckets = buckets, .fingerprint_bits = 16, .chunks = wished}).value();
    const std::uint64_t size = std::bit_floor(rule.buckets() / rule.chunks()), last = (rule.chunks() - 1) * size;
    ASSERT_EQ(rule.buckets(), round_up(buckets, 2));
    ASSERT_GE(rule.chunks(), wished);
    ASSERT_LT(rule.buckets() - last, 2 * size);
    for (int k = 0; k < 10; ++k) {
      const auto at = rule.place(digest(random())).pair;
      const auto chunk = rule.chunk_of(at.first);
      ASSERT_EQ(chunk.start, std::min(at.first / size * size, last));
      ASSERT_EQ(chunk.size, chunk.start == last ? rule.buckets() - last : size);
      ASSERT_GE(at.second, chunk.start);
      ASSERT_LT(at.second, chunk.start + chunk.size);
    }
  }
}

TEST(cuckoo_rule, the_alternate_is_its_own_inverse_and_another_bucket_for_any_number_of_buckets) {
  rng random(1);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint32_t width = math::cuckoo_widths[random.below(math::cuckoo_widths.size())];
    const std::uint64_t buckets = 1 + random.below(std::uint64_t{1} << random.below(25));
    const auto rule = cuckoo_rule::make({.buckets = buckets, .fingerprint_bits = width, .chunks = 1}).value();
    const std::uint64_t bucket = random.below(rule.buckets());
    const std::uint64_t t = random() >> (64 - width);  // 0 too: bytes from outside
    const std::uint64_t other = rule.alternate(rule.buckets(), bucket, t);
    ASSERT_LT(other, rule.buckets());
    ASSERT_NE(other, bucket);
    ASSERT_EQ(rule.alternate(rule.buckets(), other, t), bucket);
  }
}

// What batches compute, for every instruction set there is: the same as one by one, with and without dropped bits.
TEST(cuckoo_rule, blocks_of_digests_lie_where_single_ones_do) {
  rng random(2);
  std::array<digest, kernels::cuckoo_block::size> digests;
  kernels::cuckoo_block block;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t copies = random.below(2) == 0 ? 1 : std::uint64_t{1} << random.below(20);
    const std::uint64_t buckets = 2 + 2 * random.below(std::uint64_t{1} << random.below(34));  // 2^32 and more, too
    const std::uint64_t chunks = std::max<std::uint64_t>(1, buckets >> (1 + random.below(24)));
    const std::uint32_t width = math::cuckoo_widths[random.below(math::cuckoo_widths.size())];
    const std::uint64_t dropped = random.below(2) == 0 ? 0 : random.below(width - 7);
    const std::uint64_t whole = buckets >> (std::bit_width(buckets / chunks) - 1);
    const auto map =
        kernels::cuckoo_map::of(copies * buckets, copies * whole, copies, static_cast<std::uint32_t>(dropped));
    for (digest& d : digests) d = digest(random.below(4) == 0 ? random() >> random.below(64) : random());
    limit_instructions(static_cast<instruction_set>(random.below(5)));
    kernels::cuckoo_locate(map, width, digests.data(), block);
    limit_instructions(instruction_set::neon);
    for (std::size_t j = 0; j < digests.size(); ++j) {
      const auto [bucket, fraction] = map.spot_of(digests[j]);
      const std::uint64_t t = map.fingerprint(fraction, width), copy = map.copy_of(digests[j]);
      ASSERT_LT(bucket, buckets);
      ASSERT_EQ(block.first[j], copy + bucket);
      ASSERT_EQ(block.second[j], copy + map.other(bucket, map.nested_sum_of(t)));
      ASSERT_EQ(block.fingerprint[j], t);
    }
  }
}

// Layout: slot s of bucket i at bit (4i + s)·w, least significant bit first. Read here byte by byte.
TEST(cuckoo_layout, slots_lie_back_to_back_at_every_width) {
  for (const std::uint32_t width : math::cuckoo_widths) {
    cuckoo f(cuckoo_shape{.buckets = 2 * 64, .fingerprint_bits = width, .chunks = 2});
    rng random(width);
    std::map<std::uint64_t, std::vector<std::uint64_t>> expected;  // the emptier bucket: fingerprints in order
    for (int i = 0; i < 100; ++i) {
      const digest d(random());
      const auto at = f.engine().rule().place(d);
      ASSERT_TRUE(f.add(d));
      auto& first = expected[at.pair.first];
      auto& second = expected[at.pair.second];
      (first.size() <= second.size() ? first : second).push_back(at.fingerprint);
    }
    const auto bytes = bytes_of(f);
    for (std::uint64_t slot = 0; slot < 4 * 128; ++slot) {
      std::uint64_t value = 0;
      for (std::uint32_t bit = 0; bit < width; ++bit) {
        const std::uint64_t at = slot * width + bit;
        value |= (std::to_integer<std::uint64_t>(bytes[at / 8]) >> (at % 8) & 1) << bit;
      }
      const auto& bucket = expected[slot / 4];
      ASSERT_EQ(value, slot % 4 < bucket.size() ? bucket[slot % 4] : 0) << width << " bits, slot " << slot;
    }
  }
}

TEST(cuckoo_layout, sizes_are_within_two_percent_of_need) {
  rng random(3);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t n = 1000 + random.below(std::uint64_t{1} << (10 + random.below(25)));
    const auto p = cuckoo_shape::plan({.capacity = n, .fpr = 0.0002}).value();
    ASSERT_EQ(p.fingerprint_bits, 16u);
    ASSERT_LE(static_cast<double>(4 * p.buckets), 1.02 * static_cast<double>(n) / 0.95) << n;
    ASSERT_GE(static_cast<double>(4 * p.buckets), static_cast<double>(n) / 0.95) << n;
    ASSERT_TRUE(p.chunks == 1 || p.buckets / p.chunks < 2 * math::cuckoo_chunk_buckets);
    ASSERT_TRUE(cuckoo_rule::make(p).value().shape() == p) << "planned shapes are canonical";
  }
}

// --- loads

TEST(cuckoo_load, reaches_95_percent_at_every_width) {
  for (const std::uint32_t width : math::cuckoo_widths) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      rng random(seed * 1000 + width);
      cuckoo small(cuckoo_shape{.buckets = 278, .fingerprint_bits = width});  // 1000 keys at 90 %
      EXPECT_GE(static_cast<double>(fill_up(small, random)), 0.93 * 4 * 278) << width;
      cuckoo chunk(cuckoo_shape{.buckets = 32768, .fingerprint_bits = width});
      EXPECT_GE(static_cast<double>(fill_up(chunk, random)), 0.965 * 4 * 32768) << width;
    }
  }
}

TEST(cuckoo_load, several_chunks_reach_95_percent_at_every_width) {
  for (const std::uint32_t width : math::cuckoo_widths) {
    const std::uint64_t n = scaled(260'000, 20'000'000);
    cuckoo f(cuckoo_shape{.buckets = ceil_div(ceil_div(n * 20, 19), 4), .fingerprint_bits = width});
    ASSERT_GT(f.shape().chunks, 1u);
    rng random(width);
    for (std::uint64_t i = 0; i < n; ++i) ASSERT_TRUE(f.add(digest(random()))) << width << " bits, key " << i;
    EXPECT_GE(f.fill(), 0.949);
  }
}

// The promise of plan: n keys fit, for any n. Odds of a failure are near 10^-6 a filling.
TEST(cuckoo_load, a_planned_filter_takes_its_capacity) {
  const std::uint64_t rounds = scaled(2, 100);
  for (std::uint64_t n = 1; n <= 2000; ++n) {
    for (std::uint64_t round = 0; round < rounds; ++round) {
      cuckoo f({.capacity = n, .fpr = round % 2 == 0 ? 0.03 : 0.0002});
      rng random(n * 1000 + round);
      for (std::uint64_t i = 0; i < n; ++i) ASSERT_TRUE(f.add(digest(random()))) << n << " keys, key " << i;
      ASSERT_EQ(f.size(), n);
    }
  }
  rng sizes(4);
  for (std::uint64_t round = 0; round < scaled(20, 1000); ++round) {
    const std::uint64_t n = 2000 + sizes.below(1'000'000);
    cuckoo f({.capacity = n, .fpr = 0.001});
    for (std::uint64_t i = 0; i < n; ++i) ASSERT_TRUE(f.add(digest(sizes()))) << n << " keys, key " << i;
  }
}

// --- rates

TEST(cuckoo_rate, the_measured_rate_is_the_models_at_every_width) {
  for (const std::uint32_t width : math::cuckoo_widths) {
    if (width > 17) continue;  // too rare to measure
    constexpr std::uint64_t n = 200'000;
    const auto p = cuckoo_shape::plan({.capacity = n, .fpr = 0.5}, {.fingerprint_bits = width}).value();
    ASSERT_EQ(p.fingerprint_bits, width);
    cuckoo f(p);
    rng random(width);
    for (std::uint64_t i = 0; i < n; ++i) ASSERT_TRUE(f.add(digest(random())));
    const std::uint64_t queries = scaled(4'000'000, 100'000'000);
    std::uint64_t hits = 0;
    for (std::uint64_t i = 0; i < queries; ++i) hits += f.may_contain(digest(random()));
    const double model = p.expected_fpr(n);
    EXPECT_TRUE(within_six_sigma(hits, queries, model)) << width << ": " << six_sigma_message(hits, queries, model);
    EXPECT_NEAR(f.estimated_fpr(), model, 1e-3 * model);
  }
}

// Keys with little in them: the digests of the default hash have to do for bucket and fingerprint together, the table
// fills as others do, and the rate among neighbouring keys is that of any others.
TEST(cuckoo_rate, keys_with_a_structure_are_as_good_as_any) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  std::uint64_t inverse = 1;  // of it modulo 2^64 [Newton]
  for (int i = 0; i < 6; ++i) inverse *= 2 - odd * inverse;
  const auto check = [](const char* name, auto key) {
    for (const std::uint32_t width : {8u, 12u}) {
      for (const std::uint64_t seed : {0u, 1u}) {
        constexpr std::uint64_t n = 300'000;
        const auto p = cuckoo_shape::plan({.capacity = n, .fpr = 0.5}, {.fingerprint_bits = width}).value();
        cuckoo f(p, cuckoo::hash_type(seed));
        for (std::uint64_t i = 0; i < n; ++i) ASSERT_TRUE(f.add(key(i))) << name << ", " << width << " bits, key " << i;
        const std::uint64_t queries = scaled(500'000, 1'000'000);
        std::uint64_t hits = 0;
        for (std::uint64_t i = n; i < n + queries; ++i) hits += f.may_contain(key(i));
        const double model = p.expected_fpr(n);
        EXPECT_TRUE(within_six_sigma(hits, queries, model))
            << name << ", " << width << " bits: " << six_sigma_message(hits, queries, model);
      }
    }
  };
  check("i", [](std::uint64_t i) { return i; });
  check("64·i", [](std::uint64_t i) { return 64 * i; });
  check("4096·i", [](std::uint64_t i) { return 4096 * i; });
  check("i << 20", [](std::uint64_t i) { return i << 20; });
  check("i << 32", [](std::uint64_t i) { return i << 32; });
  check("i << 43", [](std::uint64_t i) { return i << 43; });
  check("i·P", [](std::uint64_t i) { return i * odd; });
  check("i/P", [inverse](std::uint64_t i) { return i * inverse; });
  check("pointers", [](std::uint64_t i) { return 0x7f12'a400'0010 + 48 * i; });
  check("doubles", [](std::uint64_t i) { return std::bit_cast<std::uint64_t>(static_cast<double>(i)); });
  check("doubles, sevenths", [](std::uint64_t i) { return std::bit_cast<std::uint64_t>(static_cast<double>(i) / 7); });
  check("nanoseconds", [](std::uint64_t i) { return 1'763'520'000'000'000'000 + 1'000'003 * i; });
  check("addresses", [](std::uint64_t i) { return 0x0a00'0000 + i; });
  check("pairs", [](std::uint64_t i) { return (i % 1500) << 32 | i / 1500; });
  check("low and high bits", [](std::uint64_t i) { return (i & 1023) | (i >> 10) << 44; });
  check("i·(2^32 + 1)", [](std::uint64_t i) { return i * 0x1'0000'0001; });
  check("eight digits", [](std::uint64_t i) {
    std::uint64_t text = 0;
    for (int digit = 0; digit < 8; ++digit, i /= 10) text = text << 8 | ('0' + i % 10);
    return text;
  });
  check("big-endian", [](std::uint64_t i) { return byteswap(i); });
}

// The fingerprint 0 is taken for 1: keys with a 1 are claimed twice as often as others, and the model counts them so.
TEST(cuckoo_rate, the_doubled_fingerprint_is_in_the_model) {
  const cuckoo_shape p{.buckets = 64, .fingerprint_bits = 8};
  constexpr std::uint64_t keys = 230;
  rng random(5);
  cuckoo f(p);
  std::uint64_t asked[2] = {}, hits[2] = {};  // others, ones
  for (int table = 0; table < 1000; ++table) {
    f.clear();
    for (std::uint64_t k = 0; k < keys; ++k) (void)f.add(digest(random()));
    for (int q = 0; q < 1000; ++q) {
      const digest d(random());
      const bool one = f.engine().rule().place(d).fingerprint == 1;
      ++asked[one];
      hits[one] += f.may_contain(d);
    }
  }
  // 2 in 256 are ones. Hits of one table are not independent of each other: ten sigma, which is still far from twice.
  EXPECT_TRUE(within_six_sigma(asked[1], asked[0] + asked[1], 2.0 / 256));
  const double pair = 2.0 / 64 / 256;
  const double others = -std::expm1(keys * std::log1p(-pair)), ones = -std::expm1(keys * std::log1p(-2 * pair));
  EXPECT_NEAR(static_cast<double>(hits[0]) / static_cast<double>(asked[0]), others, 0.05 * others);
  EXPECT_NEAR(static_cast<double>(hits[1]) / static_cast<double>(asked[1]), ones, 0.4 * ones);
  EXPECT_NEAR(p.expected_fpr(keys), (254 * others + 2 * ones) / 256, 1e-12);
}

// --- fullness, removal, counting

TEST(cuckoo, case_2_removing_a_key_that_tests_absent_changes_nothing) {
  cuckoo f({.capacity = 1000, .fpr = 0.001});
  for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_TRUE(f.add(i));
  const auto before = bytes_of(f);
  std::uint64_t absent = 0;
  for (std::uint64_t i = 1000; i < 20'000; ++i) {
    if (f.may_contain(i)) continue;
    ++absent;
    ASSERT_FALSE(f.remove(i));
  }
  EXPECT_GT(absent, 18'000u);
  EXPECT_EQ(bytes_of(f), before);
  EXPECT_EQ(f.size(), 1000u);
}

// Documented, not wished for: removing what was never added takes another key's fingerprint.
TEST(cuckoo, case_2_a_key_never_added_that_tests_present_takes_anothers_place) {
  cuckoo f({.capacity = 1000, .fpr = 0.03});
  for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_TRUE(f.add(i));
  std::uint64_t stranger = 1000;
  while (!f.may_contain(stranger)) ++stranger;
  EXPECT_TRUE(f.remove(stranger));
  EXPECT_EQ(f.size(), 999u);
  std::uint64_t lost = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) lost += !f.may_contain(i);
  EXPECT_LE(lost, 1u);
}

TEST(cuckoo, case_3_a_full_filter_says_so_and_is_bit_for_bit_what_it_was) {
  for (const std::uint32_t width : math::cuckoo_widths) {
    cuckoo f(cuckoo_shape{.buckets = 2 * 304, .fingerprint_bits = width, .chunks = 2});
    rng random(width);
    std::vector<digest> added;
    for (int failures = 0; failures < 200;) {
      const digest d(random());
      const auto before = bytes_of(f);
      if (f.add(d)) {
        added.push_back(d);
        continue;
      }
      ++failures;
      ASSERT_EQ(bytes_of(f), before) << width;
    }
    EXPECT_EQ(f.size(), added.size());
    EXPECT_EQ(f.engine().census(), added.size());
    for (const digest d : added) ASSERT_TRUE(f.may_contain(d)) << "lost at " << width << " bits";
    EXPECT_TRUE(f.saturated());
  }
}

TEST(cuckoo, case_3_a_batch_stops_at_the_first_key_without_room) {
  cuckoo f(cuckoo_shape{.buckets = 64, .fingerprint_bits = 16});
  cuckoo one_by_one(f.shape());
  rng random(6);
  std::vector<digest> digests;
  for (int i = 0; i < 400; ++i) digests.push_back(digest(random()));
  const std::size_t added = f.add_many(digests);
  ASSERT_LT(added, digests.size());
  for (std::size_t i = 0; i < added; ++i) ASSERT_TRUE(one_by_one.add(digests[i]));
  EXPECT_FALSE(one_by_one.add(digests[added]));
  EXPECT_EQ(f, one_by_one);
}

// Large batches are sorted by chunk, and leave the same bytes; on any number of threads, from keys and from digests.
TEST(cuckoo, a_large_batch_is_bit_for_bit_the_keys_one_by_one) {
  for (const std::uint32_t width : {13u, 17u}) {  // neighbouring parts meet inside a word
    const auto p = cuckoo_shape::plan({.capacity = 1'400'000, .fpr = 0.5}, {.fingerprint_bits = width}).value();
    cuckoo one_by_one(p), keys(p), threads(p);
    ASSERT_TRUE(keys.engine().is_bulk(1'400'000)) << width;
    std::vector<std::uint64_t> all(1'400'000);
    std::vector<digest> digests;
    rng random(width);
    for (std::uint64_t& key : all) digests.push_back(keys.digest_of(key = random()));
    for (const digest d : digests) ASSERT_TRUE(one_by_one.add(d));
    ASSERT_EQ(keys.add_many(all), all.size());
    ASSERT_EQ(threads.engine().add_many(digests, 3), all.size());
    EXPECT_TRUE(keys == one_by_one) << width;
    EXPECT_TRUE(threads == one_by_one) << width;
    EXPECT_EQ(threads.size(), all.size());
  }
}

// The first key without room is the one at which adding one by one stops, whichever part of the table it is of; what
// came after it is given back.
TEST(cuckoo, case_3_a_large_batch_stops_at_the_first_key_without_room) {
  const cuckoo_shape p{.buckets = 300'000, .fingerprint_bits = 16};
  rng random(9);
  std::vector<digest> digests(1'220'000);
  for (digest& d : digests) d = digest(random());
  for (const bool repeats : {false, true}) {
    if (repeats) std::fill_n(digests.begin() + 500'000, 9, digests[7]);  // the ninth finds no room in a half-full table
    cuckoo one_by_one(p), one(p), several(p);
    const std::size_t first = one_by_one.engine().add_one_by_one(digests);
    ASSERT_LT(first, digests.size());
    ASSERT_TRUE(one.engine().is_bulk(digests.size()));
    EXPECT_EQ(one.add_many(digests), first);
    EXPECT_EQ(several.engine().add_many(digests, 2), first);
    for (const cuckoo* f : {&one, &several}) {
      EXPECT_EQ(f->size(), first);
      EXPECT_EQ(f->engine().census(), first);
      for (std::size_t i = 0; i < first; i += 7) ASSERT_TRUE(f->may_contain(digests[i])) << i;
    }
    for (std::size_t i = 0; i < first; ++i) ASSERT_TRUE(one.remove(digests[i])) << i;
    EXPECT_TRUE(one == cuckoo(one.shape())) << "nothing that came later is left";
  }
}

// A fingerprint of zero bits: a small digest leaves a small fraction of 100 buckets.
TEST(cuckoo, case_4_a_key_whose_fingerprint_is_zero_is_found_and_removed) {
  for (const std::uint32_t width : math::cuckoo_widths) {
    cuckoo f(cuckoo_shape{.buckets = 100, .fingerprint_bits = width});
    const digest zero(std::uint64_t{12345} - (std::uint64_t{12345} << 32));  // whose x is 12345
    ASSERT_EQ(f.engine().rule().map().spot_of(zero).fraction, 1'234'500u);
    EXPECT_EQ(f.engine().rule().place(zero).fingerprint, 1u);
    EXPECT_FALSE(f.may_contain(zero)) << "an empty slot is not a fingerprint of zero";
    ASSERT_TRUE(f.add(zero));
    EXPECT_TRUE(f.may_contain(zero));
    EXPECT_EQ(f.count(zero), 1u);
    EXPECT_TRUE(f.remove(zero));
    EXPECT_FALSE(f.may_contain(zero));
    EXPECT_EQ(f.size(), 0u);
  }
}

TEST(cuckoo, case_4_one_key_fits_eight_times_and_the_ninth_is_told_full) {
  for (const std::uint32_t width : math::cuckoo_widths) {
    for (const std::uint64_t buckets : {1u, 2u, 3u, 17u, 1000u, 200'000u}) {
      cuckoo f(cuckoo_shape{.buckets = buckets, .fingerprint_bits = width});
      for (std::uint64_t i = 1; i <= 8; ++i) {
        ASSERT_TRUE(f.add("again"));
        ASSERT_EQ(f.count("again"), i);
      }
      const cuckoo before = f;
      EXPECT_FALSE(f.add("again")) << width << " bits, " << buckets << " buckets";
      EXPECT_EQ(f, before);
      EXPECT_EQ(f.size(), 8u);
      for (std::uint64_t i = 8; i != 0; --i) {
        ASSERT_EQ(f.count("again"), i);
        ASSERT_TRUE(f.remove("again"));
      }
      EXPECT_FALSE(f.may_contain("again"));
      EXPECT_FALSE(f.remove("again"));
      EXPECT_EQ(f, cuckoo(f.shape()));
    }
  }
}

TEST(cuckoo, the_bytes_are_a_function_of_the_operations) {
  const auto make = [] {
    cuckoo f({.capacity = 5000, .fpr = 0.001});
    for (std::uint64_t i = 0; i < 5000; ++i) (void)f.add(i);
    for (std::uint64_t i = 0; i < 5000; i += 3) (void)f.remove(i);
    for (std::uint64_t i = 0; i < 5000; i += 3) (void)f.add(i * 7);
    return f;
  };
  EXPECT_EQ(make(), make());
}

TEST(cuckoo, removing_everything_leaves_an_empty_filter) {
  for (const std::uint32_t width : math::cuckoo_widths) {
    cuckoo f(cuckoo_shape{.buckets = 500, .fingerprint_bits = width});
    rng random(width);
    std::vector<digest> added;
    for (digest d(random()); f.add(d); d = digest(random())) added.push_back(d);
    rng order(width + 1);
    std::shuffle(added.begin(), added.end(), order);
    for (std::size_t i = 0; i < added.size(); ++i) {
      ASSERT_TRUE(f.remove(added[i]));
      if (i % 64 == 0) {
        for (std::size_t j = i + 1; j < added.size(); ++j) ASSERT_TRUE(f.may_contain(added[j]));
      }
    }
    EXPECT_EQ(f, cuckoo(f.shape()));
  }
}

TEST(cuckoo, batches_beyond_the_cache_answer_as_single_keys_do) {
  for (const std::uint32_t width : {13u, 16u, 17u}) {
    cuckoo f(cuckoo_shape{.buckets = 300'000, .fingerprint_bits = width});
    rng random(7);
    std::vector<digest> digests;
    for (int i = 0; i < 100'000; ++i) digests.push_back(digest(random()));
    ASSERT_EQ(f.add_many(std::span(digests).first(50'000)), 50'000u);
    const auto out = std::make_unique<bool[]>(digests.size());
    std::size_t found = 0;
    for (const digest d : digests) found += f.may_contain(d);
    EXPECT_EQ(f.may_contain_many(digests, {out.get(), digests.size()}), found);
    for (std::size_t i = 0; i < digests.size(); ++i) ASSERT_EQ(out[i], f.may_contain(digests[i]));
  }
}

// --- wrong shapes, bytes from outside

TEST(cuckoo_shape, wrong_shapes_are_refused_with_the_value) {
  const auto message = [](std::uint64_t buckets, std::uint32_t bits, std::uint64_t chunks) {
    const auto made = cuckoo::make(cuckoo_shape{buckets, bits, chunks});
    return made ? "made" : made.error().detail;
  };
  const std::string widths = "; it must be 8, 10, 12, 13, 14, 16, 17, 24 or 32";
  EXPECT_EQ(message(100, 0, 1), "fingerprint-bits is 0" + widths);
  EXPECT_EQ(message(100, 9, 1), "fingerprint-bits is 9" + widths);
  EXPECT_EQ(message(100, 33, 1), "fingerprint-bits is 33" + widths);
  EXPECT_EQ(message(0, 16, 1), "buckets is 0; it must be from 1 to 17179869184 (2^40 bits)");
  EXPECT_EQ(message(17'179'869'185, 16, 1000), "buckets is 17179869185; it must be from 1 to 17179869184 (2^40 bits)");
  EXPECT_EQ(message(~std::uint64_t{0}, 8, 0),
            "buckets is 18446744073709551615; it must be from 1 to 34359738368 (2^40 bits)");
  EXPECT_EQ(message(100, 16, 7), "chunks is 7; 100 buckets are enough for 6");
  EXPECT_EQ(message(100, 16, ~std::uint64_t{0}), "chunks is 18446744073709551615; 100 buckets are enough for 6");
  EXPECT_EQ(message(std::uint64_t{1} << 33, 16, 1), "chunks is 1; a chunk has at most 2^24 of the 8589934592 buckets");
  EXPECT_EQ(message(std::uint64_t{1} << 32, 16, (1 << 26) + 1), "chunks is 67108865; it must be at most 2^26");
  EXPECT_EQ(message(3, 16, 0), "made");
  EXPECT_EQ(cuckoo(cuckoo_shape{.buckets = 3, .fingerprint_bits = 16}).shape(),
            (cuckoo_shape{.buckets = 4, .fingerprint_bits = 16, .chunks = 1}));
  EXPECT_EQ(cuckoo(cuckoo_shape{.buckets = 101, .fingerprint_bits = 16, .chunks = 4}).shape(),
            (cuckoo_shape{.buckets = 102, .fingerprint_bits = 16, .chunks = 6}));
}

TEST(cuckoo_shape, plan_takes_the_smallest_width_that_keeps_the_rate) {
  const auto width = [](double fpr) { return cuckoo_shape::plan({.capacity = 100'000, .fpr = fpr})->fingerprint_bits; };
  EXPECT_EQ(width(0.5), 8u);
  EXPECT_EQ(width(0.03), 8u);
  EXPECT_EQ(width(0.01), 10u);
  EXPECT_EQ(width(0.002), 12u);
  EXPECT_EQ(width(0.001), 13u);
  EXPECT_EQ(width(0.0005), 14u);
  EXPECT_EQ(width(0.0002), 16u);
  EXPECT_EQ(width(0.0001), 17u);
  EXPECT_EQ(width(1e-6), 24u);
  EXPECT_EQ(width(1e-8), 32u);
  for (double fpr = 0.9; fpr > 1e-9; fpr *= 0.83) {
    const auto p = cuckoo_shape::plan({.capacity = 100'000, .fpr = fpr}).value();
    EXPECT_LE(p.expected_fpr(100'000), fpr);
  }
  EXPECT_EQ(cuckoo_shape::plan({.capacity = 100, .fpr = 1e-12}).error().detail,
            "100 keys at fpr 1e-12: fingerprints of 32 bits give no rate below 9.31e-10");
  EXPECT_EQ(cuckoo_shape::plan({.capacity = 100, .fpr = 0.01}, {.fingerprint_bits = 11}).error().code,
            errc::invalid_argument);
  EXPECT_EQ(cuckoo_shape::plan({.capacity = 100, .fpr = 1e-6}, {.fingerprint_bits = 8}).error().code,
            errc::invalid_argument);
}

TEST(cuckoo_over, any_slots_are_a_filter_but_padding_must_be_zero) {
  rng random(8);
  for (const std::uint32_t width : math::cuckoo_widths) {
    const cuckoo_shape p{.buckets = 34, .fingerprint_bits = width};
    std::vector<std::uint64_t> words(cuckoo(p).shape().bytes() / 8);
    const std::size_t used = 34 * 4 * width / 8;
    for (std::size_t i = 0; i < used; ++i) {
      const std::uint64_t byte = random() & 0xff;
      reinterpret_cast<unsigned char*>(words.data())[i] = static_cast<unsigned char>(byte);
    }
    auto f = cuckoo::over(words, p).value();
    for (int i = 0; i < 2000; ++i) {
      const digest d(random());
      if (i % 3 == 0) (void)f.remove(d);
      (void)f.add(d);
      (void)f.count(d);
      ASSERT_LE(f.size(), 34u * 4);
    }
    ASSERT_EQ(f.size(), f.engine().census());
    reinterpret_cast<unsigned char*>(words.data())[used] = 1;
    EXPECT_EQ(cuckoo::over(words, p).error().detail, "bits beyond the last of 136 slots are set");
    words.pop_back();
    EXPECT_EQ(cuckoo::over(words, p).error().code, errc::invalid_argument);
  }
}

TEST(cuckoo_shape, of_nothing_can_be_asked) {
  expect_a_shape_of_nothing<cuckoo_shape>();
}

}  // namespace
}  // namespace seen::testing
