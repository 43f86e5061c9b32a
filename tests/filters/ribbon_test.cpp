// Tests what only the ribbon does: its layout, read here from the bytes alone; vectors against plain code; sizes and
// seeds that always suffice. Failure cases 10, 11 and 13.
#include <seen/filters/ribbon.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "support/binomial.hpp"
#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

using rule_type = ribbon_rule;

constexpr std::array settings{ribbon_setting::compact, ribbon_setting::balanced, ribbon_setting::fast};

ribbon_shape wish(std::uint32_t bits, ribbon_setting setting = ribbon_setting::fast, std::uint64_t shards = 1) {
  return {.fingerprint_bits = bits, .shards = shards, .setting = setting};
}

std::vector<digest> random_digests(std::uint64_t n, std::uint64_t seed) {
  rng random(seed);
  std::vector<digest> digests;
  for (std::uint64_t i = 0; i < n; ++i) digests.push_back(digest(random()));
  return digests;
}

std::vector<std::byte> bytes_of(const ribbon& f) {
  return {f.engine().bytes().begin(), f.engine().bytes().end()};
}

// The answers to all, one by one and as a batch, which must be the same.
std::vector<bool> answers(const ribbon& f, const std::vector<digest>& digests) {
  const auto out = std::make_unique<bool[]>(digests.size());
  const std::size_t found = f.may_contain_many(digests, std::span<bool>(out.get(), digests.size()));
  std::vector<bool> one_by_one;
  std::size_t yes = 0;
  for (std::size_t i = 0; i < digests.size(); ++i) {
    one_by_one.push_back(f.may_contain(digests[i]));
    yes += one_by_one[i];
    EXPECT_EQ(one_by_one[i], out[i]) << "digest " << i << " of " << digests.size();
  }
  EXPECT_EQ(found, yes);
  return one_by_one;
}

bool holds_all(const ribbon& f, const std::vector<digest>& digests) {
  const std::vector<bool> a = answers(f, digests);
  return std::find(a.begin(), a.end(), false) == a.end();
}

// --- the file format, read as docs/formats/native.md says

std::uint64_t high_half(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t a0 = a & 0xffff'ffff, a1 = a >> 32, b0 = b & 0xffff'ffff, b1 = b >> 32;
  const std::uint64_t middle = a1 * b0 + ((a0 * b0) >> 32), other = a0 * b1 + (middle & 0xffff'ffff);
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

// Asks the bytes of a filter, bit by bit, with nothing of the library but its parameters.
class slow_reader {
 public:
  explicit slow_reader(const ribbon& f) : p_(f.shape()), bytes_(bytes_of(f)) {}

  bool may_contain(std::uint64_t d) const {
    const std::uint64_t shard = high_half(d, p_.shards), r = p_.fingerprint_bits;
    std::uint64_t solution = 0, bumps = 0;  // bytes of a shard
    const unsigned layers = p_.slots[1] == 0 ? 1 : p_.slots[2] == 0 ? 2 : 3;
    for (unsigned i = 0; i < layers; ++i) {
      solution += (p_.slots[i] * r + 7) / 8;
      if (i + 1 < layers) bumps += 4 * ((p_.slots[i] + 4095) / 4096);
    }
    const std::uint64_t seed = byte(p_.shards * (solution + bumps) + shard);
    const std::uint64_t m = 0xf1357aea2e62a9c5 + seed * 0x9e3779b97f4a7c14;
    std::uint64_t layer_at = 8 * shard * solution, bumps_at = 8 * (p_.shards * solution + shard * bumps);  // bits
    std::uint64_t x = layers == 1 ? d * m : d;
    for (unsigned i = 0;; ++i) {
      const std::uint64_t slots = p_.slots[i], starts = slots > 64 ? slots - 64 : 1;
      const std::uint64_t start = x == d ? high_half(d, starts * p_.shards) - starts * shard : high_half(x, starts);
      const std::uint64_t low = x * m, high = high_half(x, m), mixed = low ^ high;
      if (i + 1 == layers || !bit(bumps_at + start / 128) || start % 128 >= 32) {
        const std::uint64_t c = (slots < 64 ? mixed >> (64 - slots) : mixed) | 1;
        for (std::uint64_t j = 0; j < r; ++j) {
          std::uint64_t sum = 0;
          for (std::uint64_t k = 0; k < 64 && k < slots; ++k) {
            if ((c >> k & 1) != 0) sum ^= slot_bit(layer_at, slots, start + k, j);
          }
          if (sum != (high >> j & 1)) return false;
        }
        return true;
      }
      layer_at += 8 * ((slots * r + 7) / 8);
      bumps_at += 32 * ((slots + 4095) / 4096);
      x = low;
    }
  }

 private:
  std::uint64_t byte(std::uint64_t i) const { return std::to_integer<std::uint64_t>(bytes_.at(i)); }
  std::uint64_t bit(std::uint64_t i) const { return byte(i / 8) >> (i % 8) & 1; }
  // Result bit j of a slot: in its block of 64 slots, or of what is left.
  std::uint64_t slot_bit(std::uint64_t layer, std::uint64_t slots, std::uint64_t slot, std::uint64_t j) const {
    const std::uint64_t block = slot / 64, width = std::min<std::uint64_t>(64, slots - 64 * block);
    return bit(layer + block * 64 * p_.fingerprint_bits + j * width + slot % 64);
  }

  ribbon_shape p_;
  std::vector<std::byte> bytes_;
};

TEST(ribbon_format, bytes_alone_give_the_same_answers) {
  for (const std::uint64_t n : {1u, 5u, 40u, 61u, 63u, 64u, 90u, 130u, 300u, 1500u, 9000u}) {
    for (const std::uint32_t bits : {1u, 3u, 8u, 13u, 32u}) {
      for (const std::uint64_t shards : {1u, 4u}) {
        const auto digests = random_digests(n, n * 100 + bits);
        const ribbon f = ribbon::build(digests, wish(bits, ribbon_setting::compact, shards)).value();
        const slow_reader slow(f);
        for (std::size_t i = 0; i < std::min<std::size_t>(digests.size(), 400); ++i) {
          ASSERT_TRUE(slow.may_contain(digests[i].value)) << n << " keys, " << bits << " bits, " << shards;
        }
        for (const digest d : random_digests(200, n + 7)) {
          ASSERT_EQ(slow.may_contain(d.value), f.may_contain(d)) << n << " keys, " << bits << " bits, " << shards;
        }
      }
    }
  }
}

// The bytes are an allocation of their own, so that reading one more is an error under the sanitizer. Of one bit half of the answers are
// yes.
TEST(ribbon_format, a_layer_is_read_from_any_address_and_no_further) {
  rng random(21);
  for (std::uint64_t slots = 1; slots < 200; ++slots) {
    for (const std::uint32_t bits : {1u, 4u, 7u, 9u, 32u}) {
      const auto size = static_cast<std::size_t>(math::ribbon_layer_bytes(slots, bits));
      const auto even = std::make_unique<std::byte[]>(size), odd = std::make_unique<std::byte[]>(size + 1);
      for (std::size_t i = 0; i < size; ++i) even[i] = odd[i + 1] = static_cast<std::byte>(random());
      for (std::uint64_t i = 0; i < 64; ++i) {
        const building::shard_digest d{.value = random(),
                                       .multiplier = building::seed_multiplier(static_cast<std::uint8_t>(i))};
        ASSERT_EQ(ribbon_layer_holds(even.get(), slots, bits, d), ribbon_layer_holds(odd.get() + 1, slots, bits, d));
      }
    }
  }
}

TEST(ribbon_format, three_layers_are_all_in_use) {
  const auto digests = random_digests(60'000, 4);
  const ribbon f = ribbon::build(digests, wish(8, ribbon_setting::compact)).value();
  ASSERT_NE(f.shape().slots[2], 0u);
  const slow_reader slow(f);
  for (std::size_t i = 0; i < digests.size(); i += scaled(29, 1)) ASSERT_TRUE(slow.may_contain(digests[i].value)) << i;
}

TEST(ribbon_format, bytes_are_pinned) {
  const auto checksum = [](const ribbon& f) {  // FNV-1a
    std::uint64_t sum = 0xcbf29ce484222325;
    for (const std::byte b : bytes_of(f)) sum = (sum ^ std::to_integer<std::uint64_t>(b)) * 0x100000001b3;
    return sum;
  };
  const auto sum = [&](std::uint64_t n, std::uint32_t bits, ribbon_setting setting, std::uint64_t shards) {
    return checksum(ribbon::build(random_digests(n, 1), wish(bits, setting, shards)).value());
  };
  EXPECT_EQ(sum(10, 32, ribbon_setting::fast, 1), 0x1a73db78b5c38958u);
  EXPECT_EQ(sum(100, 7, ribbon_setting::fast, 1), 0x09315383358be933u);
  EXPECT_EQ(sum(3000, 8, ribbon_setting::balanced, 1), 0x7bbfb7480208cd2du);
  EXPECT_EQ(sum(60'000, 1, ribbon_setting::compact, 1), 0xb860ce2be329bcdcu);
  EXPECT_EQ(sum(60'000, 10, ribbon_setting::compact, 4), 0x2caf7563c0848a8fu);
}

// --- kernels

// All bodies on the same windows: random words, all widths, all places, probes that match and probes that do not. The words
// are an allocation of their own, so that reading one byte more is an error under the sanitizer.
TEST(ribbon_kernels, all_bodies_give_the_same_answers) {
  rng random(9);
  for (std::uint32_t bits = 1; bits <= 32; ++bits) {
    for (std::uint64_t place = 0; place < 64; ++place) {
      const auto words = std::make_unique<std::byte[]>(16 * bits);
      for (std::uint32_t i = 0; i < 2 * bits; ++i) store_le(words.get() + 8 * i, random());
      const kernels::ribbon_bits plain(128, bits);
      kernels::ribbon_probe p{words.get(), place + 64 * random.below(1000), random() | 1, 0};
      for (std::uint32_t j = 0; j < bits; ++j) {  // what the window answers, bit by bit
        std::uint64_t sum = 0;
        for (std::uint64_t k = 0; k < 64; ++k) {
          const std::uint64_t slot = place + k;
          const auto word = load_le<std::uint64_t>(words.get() + 8 * (slot / 64 * bits + j));
          sum ^= p.coefficients >> k & word >> (slot % 64) & 1;
        }
        p.fingerprint |= sum << j;
      }
      for (int wrong = -1; wrong < static_cast<int>(bits); ++wrong) {
        kernels::ribbon_probe asked = p;
        if (wrong >= 0) asked.fingerprint ^= std::uint64_t{1} << wrong;
        const bool expected = wrong < 0;
        ASSERT_EQ(plain.match(words.get(), place, asked.coefficients, asked.fingerprint), expected) << bits;
        ASSERT_EQ(kernels::scalar::ribbon_match(asked, bits), expected) << bits << " bits at " << place;
        ASSERT_EQ(kernels::ribbon_match(asked, bits), expected) << bits << " bits at " << place;
#ifdef SEEN_HAS_RIBBON_VECTORS
        if (kernels::best_ribbon_body() >= kernels::ribbon_body::avx2) {
          ASSERT_EQ(
              kernels::ribbon_avx2::match_call(asked.block, asked.slot, asked.coefficients, asked.fingerprint, bits),
              expected)
              << bits << " bits at " << place;
        }
        if (kernels::best_ribbon_body() >= kernels::ribbon_body::avx512) {
          ASSERT_EQ(
              kernels::ribbon_avx512::match_call(asked.block, asked.slot, asked.coefficients, asked.fingerprint, bits),
              expected)
              << bits << " bits at " << place;
        }
#endif
      }
    }
  }
}

struct listed_probes {
  const std::vector<kernels::ribbon_probe>* list;
  std::size_t at = 0;
  std::size_t size() const noexcept { return list->size(); }
  kernels::ribbon_probe next() noexcept { return (*list)[at++]; }
};

TEST(ribbon_kernels, batches_of_all_bodies_give_the_same_answers) {
  rng random(10);
  for (const std::uint32_t bits : {1u, 4u, 8u, 11u, 24u}) {
    std::vector<std::byte> words(16 * bits);
    for (std::uint32_t i = 0; i < 2 * bits; ++i) store_le(words.data() + 8 * i, random());
    std::vector<kernels::ribbon_probe> probes(3000);
    std::vector<bool> expected;
    for (auto& p : probes) {
      p = {words.data(), random(), random() | 1, random() >> (64 - std::min(bits, 5u))};
      expected.push_back(kernels::scalar::ribbon_match(p, bits));
    }
    for (const auto body : {kernels::ribbon_body::scalar, kernels::ribbon_body::avx2, kernels::ribbon_body::avx512}) {
      if (body > kernels::best_ribbon_body()) continue;
      const auto out = std::make_unique<bool[]>(probes.size());
      const listed_probes listed{&probes};
      const std::size_t found = bits == 8 ? kernels::ribbon_match_many<8>(listed, bits, out.get(), body)
                                          : kernels::ribbon_match_many<0>(listed, bits, out.get(), body);
      EXPECT_EQ(found, static_cast<std::size_t>(std::count(expected.begin(), expected.end(), true)));
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), out.get())) << bits;
    }
  }
}

// --- building

// Failure case 10. The sanitizers' form takes every small n and some larger; `make soak` takes them all.
TEST(ribbon_build, case_10_every_number_of_keys_builds_and_holds_them) {
  std::uint64_t round = 0;
  for (std::uint64_t n = 0; n <= 20'000; n += n < 300 ? 1 : n < 2000 ? scaled(23, 1) : scaled(769, 1), ++round) {
    const auto setting = settings[round % 3];
    const std::uint32_t bits = round % 2 == 0 ? 8 : 1 + static_cast<std::uint32_t>(round / 2 % 32);
    const auto digests = random_digests(n, n + 1);
    const auto f = ribbon::build(digests, wish(bits, setting));
    ASSERT_TRUE(f) << n << " keys: " << f.error().detail;
    ASSERT_TRUE(holds_all(*f, digests)) << n << " keys of " << bits << " bits";
    ASSERT_EQ(f->size(), n);
    if (n == 0) continue;
    const auto usual = ribbon_shape::fit(wish(bits, setting), {n, 1, n}, 0).value();
    ASSERT_TRUE(f->shape() == usual) << n << " keys of " << bits << " bits had to grow";
    ASSERT_TRUE(n >= 1000 || f->shape().bytes() <= std::max<std::uint64_t>(64, 5 * n * bits / 32)) << n << ", " << bits;
  }
}

TEST(ribbon_build, case_10_keys_equal_in_their_low_32_bits) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < 20'000; ++i) keys.push_back(i << 32 | 0x1234'5678);
  for (const auto setting : settings) {
    const ribbon f = ribbon::build(keys, wish(8, setting)).value();
    for (const std::uint64_t k : keys) ASSERT_TRUE(f.may_contain(k)) << k;
  }
  std::vector<digest> digests;  // the same of digests: what is left of them must be enough
  rng random(2);
  for (int i = 0; i < 20'000; ++i) digests.push_back(digest(random() << 32 | 0x1234'5678));
  EXPECT_TRUE(holds_all(ribbon::build(digests, wish(8)).value(), digests));
}

TEST(ribbon_build, case_11_equal_keys_count_once) {
  const std::vector<std::string> same(1000, "one");
  const ribbon one = ribbon::build(same, wish(8)).value();
  EXPECT_EQ(one.size(), 1u);
  EXPECT_TRUE(one.may_contain("one"));

  auto digests = random_digests(5000, 3);
  const ribbon once = ribbon::build(digests, wish(8)).value();
  auto twice = digests;
  twice.insert(twice.end(), digests.begin(), digests.begin() + 2500);
  const auto before = twice;
  const ribbon f = ribbon::build(twice, wish(8)).value();
  EXPECT_EQ(twice, before) << "the caller's array is unchanged";
  EXPECT_EQ(f.size(), 5000u);
  EXPECT_EQ(bytes_of(f), bytes_of(once));
  twice.resize(5001);
  EXPECT_EQ(bytes_of(ribbon::build(twice, wish(8)).value()), bytes_of(once));
}

TEST(ribbon_build, the_order_of_keys_does_not_matter) {
  auto digests = random_digests(30'000, 5);
  for (const std::uint64_t shards : {1u, 8u}) {
    const auto expected = bytes_of(ribbon::build(digests, wish(9, ribbon_setting::compact, shards)).value());
    std::reverse(digests.begin(), digests.end());
    EXPECT_EQ(bytes_of(ribbon::build(digests, wish(9, ribbon_setting::compact, shards)).value()), expected);
  }
}

TEST(ribbon_build, shards_hold_their_keys_at_every_width) {
  const auto digests = random_digests(14'000, 6), others = random_digests(5000, 7);
  for (std::uint32_t bits = 1; bits <= 32; bits += static_cast<std::uint32_t>(scaled(3, 1))) {
    for (const auto setting : settings) {
      const ribbon f = ribbon::build(digests, wish(bits, setting, 8)).value();
      ASSERT_EQ(f.shape().shards, 8u);
      ASSERT_TRUE(holds_all(f, digests)) << bits;
      answers(f, others);
    }
  }
}

// A table beyond the cache goes through the other loop of a batch.
TEST(ribbon_build, batches_beyond_the_cache_answer_as_single_keys_do) {
  const auto digests = random_digests(400'000, 8);
  const ribbon f = ribbon::build(digests, wish(24, ribbon_setting::compact, 4)).value();
  ASSERT_GT(f.shape().bytes(), kernels::cached_bytes);
  EXPECT_TRUE(holds_all(f, digests));
  for (const std::uint64_t n : {0u, 1u, 31u, 32u, 33u, 100u}) answers(f, random_digests(n, n));
}

TEST(ribbon_build, a_shape_that_is_too_small_says_so) {
  const auto p = ribbon_shape::fit(wish(8), {2000, 1, 2000}, 0).value();
  const auto rule = rule_type::make(p).value();
  std::vector<std::uint64_t> own;
  for (const digest d : random_digests(4000, 11)) own.push_back(d.value);
  std::sort(own.begin(), own.end());
  std::vector<std::byte> tables(p.bytes());
  building::workspace memory;
  for (std::uint8_t seed = 0; seed < 32; ++seed) EXPECT_FALSE(rule.solve(own, 0, seed, tables.data(), memory));
  const std::vector<std::uint64_t> crowd(5000, 17);  // not even different: still no crash
  (void)rule.solve(crowd, 0, 0, tables.data(), memory);
}

TEST(ribbon_build, solving_writes_every_byte_of_its_pieces_and_no_other) {
  for (const std::uint64_t n : {20u, 500u, 20'000u}) {
    const auto p = ribbon_shape::fit(wish(5, ribbon_setting::compact), {4 * n, 4, n}, 0).value();
    const auto rule = rule_type::make(p).value();
    std::vector<std::uint64_t> own;
    for (const digest d : random_digests(n, 12)) own.push_back(d.value >> 2 | std::uint64_t{1} << 62);
    std::sort(own.begin(), own.end());
    std::vector<std::byte> zeros(rule.table_bytes()), ones(rule.table_bytes(), std::byte{0xff});
    building::workspace memory;
    std::uint8_t seed = 0;
    while (!rule.solve(own, 1, seed, zeros.data(), memory)) ++seed;
    ASSERT_TRUE(rule.solve(own, 1, seed, ones.data(), memory));
    std::vector<bool> mine(zeros.size());
    for (const auto& piece : rule.pieces(1)) {
      std::fill_n(mine.begin() + static_cast<std::ptrdiff_t>(piece.offset), piece.length, true);
    }
    for (std::size_t i = 0; i < zeros.size(); ++i) {
      ASSERT_EQ(ones[i], mine[i] ? zeros[i] : std::byte{0xff}) << i;
      ASSERT_TRUE(mine[i] || zeros[i] == std::byte{0}) << i;
    }
  }
}

// --- rates and wishes

TEST(ribbon_rate, is_two_to_the_minus_r) {
  for (const std::uint32_t bits : {1u, 2u, 5u, 8u, 10u, 13u}) {
    for (const auto setting : {ribbon_setting::compact, ribbon_setting::fast}) {
      const ribbon f = ribbon::build(random_digests(20'000, bits), wish(bits, setting)).value();
      const std::uint64_t queries = scaled(400'000, 100'000'000);
      rng random(bits + 1000);
      std::uint64_t hits = 0;
      for (std::uint64_t i = 0; i < queries; ++i) hits += f.may_contain(digest(random()));
      const double expected = f.shape().expected_fpr(20'000);
      EXPECT_NEAR(expected, std::ldexp(1.0, -static_cast<int>(bits)), 1e-12);
      EXPECT_TRUE(within_six_sigma(hits, queries, expected))
          << bits << ": " << six_sigma_message(hits, queries, expected);
    }
  }
}

// Small tables have few slots, but a fingerprint is as good as in a large one; averaged over many filters.
TEST(ribbon_rate, holds_for_small_sets) {
  for (const std::uint64_t n : {1u, 7u, 50u, 100u, 700u}) {
    std::uint64_t hits = 0, queries = 0;
    rng random(n);
    for (std::uint64_t filter = 0; filter < 100; ++filter) {
      const ribbon f = ribbon::build(random_digests(n, n * 1000 + filter), wish(6)).value();
      for (int i = 0; i < 1000; ++i, ++queries) hits += f.may_contain(digest(random()));
    }
    EXPECT_TRUE(within_six_sigma(hits, queries, 1.0 / 64)) << n << ": " << six_sigma_message(hits, queries, 1.0 / 64);
  }
}

TEST(ribbon_shape_test, plan_takes_the_fewest_bits) {
  const auto bits = [](double fpr) { return ribbon_shape::plan({1000, fpr}).value().fingerprint_bits; };
  EXPECT_EQ(bits(0.9), 1u);
  EXPECT_EQ(bits(0.5), 1u);
  EXPECT_EQ(bits(0.01), 7u);
  EXPECT_EQ(bits(1.0 / 256), 8u);
  EXPECT_EQ(bits(0x1p-32), 32u);
  EXPECT_EQ(ribbon_shape::plan({1000, 0x1p-33}).error().code, errc::invalid_argument);
  EXPECT_EQ(ribbon_shape::plan({0, 0.01}).error().code, errc::invalid_argument);
  EXPECT_EQ(ribbon_shape::plan({~std::uint64_t{0}, 0.01}).error().code, errc::too_large);
  EXPECT_EQ(ribbon_shape::plan({1000, 0.01}).value().setting, ribbon_setting::fast);
  EXPECT_EQ(ribbon_shape::plan({10'000'000, 0.01}).value().shards, 16u);
}

TEST(ribbon_shape_test, wishes_are_kept_or_refused) {
  const auto p = ribbon_shape::plan({50'000, 0.01}, wish(12, ribbon_setting::compact, 4)).value();
  EXPECT_EQ(p.fingerprint_bits, 12u);
  EXPECT_EQ(p.setting, ribbon_setting::compact);
  EXPECT_EQ(p.shards, 4u);
  const auto refused = [](std::array<std::uint64_t, 7> fields) {
    return !ribbon_shape::plan({1000, 0.01}, ribbon_shape::from_wishes(fields)).has_value();
  };
  EXPECT_FALSE(refused({0, 0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(refused({5, 0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(refused({0, 33, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(refused({0, (std::uint64_t{1} << 32) + 8, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(refused({0, 0, 1 << 25, 0, 0, 0, 0}));
  EXPECT_TRUE(refused({0, 0, 0, 4, 0, 0, 0}));
  EXPECT_TRUE(refused({0, 0, 0, 0, 1024, 0, 0}));
  EXPECT_TRUE(refused({0, 0, 0, 0, 0, 0, 128}));
}

TEST(ribbon_shape_test, fields_are_the_shape) {
  for (const auto setting : settings) {
    const auto p = ribbon_shape::fit(wish(11, setting), {100'000, 4, 34'000}, 2).value();
    EXPECT_TRUE(ribbon_shape::from_fields(p.fields()).value() == p);
    EXPECT_TRUE(rule_type::make(p).value().shape() == p);
    EXPECT_GT(p.layers().total(),
              ribbon_shape::fit(wish(11, setting), {100'000, 4, 34'000}, 1).value().layers().total());
  }
  const auto empty = ribbon_shape::fit(wish(8), {0, 0, 0}, 0).value();
  EXPECT_EQ(empty.bytes(), 8u);
  EXPECT_TRUE(ribbon_shape::from_fields(empty.fields()).value() == empty);
}

// Failure case 13: any bytes under any shape that is accepted may be asked anything. The bytes are the caller's, of exactly the
// length, so that reading beyond them is an error under the sanitizer.
TEST(ribbon_hostile, case_13_any_bytes_can_be_asked) {
  rng random(13);
  const std::vector<ribbon_shape> shapes{
      {9, 8, 1, ribbon_setting::fast, {1, 0, 0}},           {9, 32, 4, ribbon_setting::fast, {63, 0, 0}},
      {9, 1, 2, ribbon_setting::fast, {64, 0, 0}},          {9, 7, 1, ribbon_setting::fast, {65, 0, 0}},
      {9, 13, 1, ribbon_setting::fast, {127, 0, 0}},        {9, 8, 1, ribbon_setting::fast, {128, 0, 0}},
      {9, 9, 2, ribbon_setting::compact, {128, 128, 0}},    {9, 8, 1, ribbon_setting::compact, {1088, 128, 128}},
      {9, 31, 2, ribbon_setting::compact, {192, 128, 320}}, {9, 16, 1, ribbon_setting::fast, {20'480, 192, 0}},
      {1, 1, 1, ribbon_setting::fast, {1000, 0, 0}},        {9, 20, 1, ribbon_setting::fast, {300'032, 192, 0}}};
  for (const ribbon_shape& p : shapes) {
    std::vector<std::uint64_t> words(p.bytes() / 8);
    ASSERT_EQ(words.size() * 8, p.bytes());
    for (auto& w : words) w = random();
    const ribbon f = ribbon::over(words, p).value();
    auto digests = random_digests(3000, p.slots[0]);
    digests.push_back(digest(0));
    digests.push_back(digest(~std::uint64_t{0}));
    answers(f, digests);
    std::fill(words.begin(), words.end(), ~std::uint64_t{0});
    answers(ribbon::over(words, p).value(), digests);
  }
}

}  // namespace
}  // namespace seen::testing
