// Are the digests good? Some questions, asked of every hash that filters use as it is.
//
//   avalanche    flip one input bit: does every output bit flip half the time?      lengths 1..64, every pair of bits
//   uniformity   is every digest bit set in half of the keys?                       eight key shapes
//   positions    x_0 = digest, x_(i+1) = x_i·C, position = mulhi(x_i, m): are the positions of each probe, and of
//                each pair of probes, spread evenly?                                eight key shapes, chi-square
//
// Keys, seeds and secrets are constants, so a test that passes once passes always. All bounds are six standard
// deviations of the normal approximation; the odds that an ideal hash would have failed are given at each.
// Raw FNV-1a fails, and the last tests say how.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "../support/key_shapes.hpp"
#include "../support/soak.hpp"
#include "built_in_hashes.hpp"

namespace seen {
namespace {

using testing::all_key_shapes;
using testing::key_buffer;
using testing::key_shape;
using testing::numbered_hash;
using testing::rng;
using testing::scaled;

/// 64 counters side by side, one for each bit of the words added: word p of `planes_` holds bit p of every counter.
class bit_tally {
 public:
  void add(std::uint64_t word) noexcept {
    for (std::size_t p = 0; word != 0; ++p) {
      const std::uint64_t carry = planes_[p] & word;
      planes_[p] ^= word;
      word = carry;
    }
  }
  [[nodiscard]] std::uint64_t count(int bit) const noexcept {
    std::uint64_t n = 0;
    for (std::size_t p = 0; p < planes_.size(); ++p) n |= ((planes_[p] >> bit) & 1) << p;
    return n;
  }

 private:
  std::array<std::uint64_t, 32> planes_{};
};

struct flip_report {
  std::uint64_t pairs = 0;  // (input bit, output bit)
  std::uint64_t dead = 0;   // pairs that never, or always, flip
  double worst = 0;         // the largest |flip rate − 1/2| over all pairs, in standard deviations
};

/// Hashes `trials` random keys of `length` bytes, and each again with each of its bits flipped. One- and two-byte keys
/// are too few to draw from: all pairs of keys that differ in the bit are taken, once each.
template <class H>
flip_report avalanche(const H& h, std::size_t length, std::uint64_t trials) {
  const bool all = length <= 2;
  const std::uint64_t keys = all ? std::uint64_t{1} << (8 * length) : trials;
  rng random(length);
  std::vector<std::byte> key(length);
  std::vector<bit_tally> flips(8 * length);
  for (std::uint64_t k = 0; k < keys; ++k) {
    for (std::size_t i = 0; i < length; ++i) key[i] = static_cast<std::byte>(all ? k >> (8 * i) : random());
    const std::uint64_t original = h(bytes_view(key)).value;
    for (std::size_t bit = 0; bit < flips.size(); ++bit) {
      const auto mask = static_cast<std::byte>(1 << (bit % 8));
      if (all && (key[bit / 8] & mask) != std::byte{0}) continue;
      key[bit / 8] ^= mask;
      flips[bit].add(original ^ h(bytes_view(key)).value);
      key[bit / 8] ^= mask;
    }
  }
  flip_report report;
  const std::uint64_t drawn = all ? keys / 2 : keys;
  const double n = static_cast<double>(drawn);
  for (const bit_tally& tally : flips) {
    for (int out = 0; out < 64; ++out) {
      const std::uint64_t flipped = tally.count(out);
      ++report.pairs;
      report.dead += flipped == 0 || flipped == drawn;
      report.worst = std::max(report.worst, std::abs(static_cast<double>(flipped) - n / 2) / std::sqrt(n / 4));
    }
  }
  return report;
}

/// How far Pearson's statistic of `counts` lies from its mean, in standard deviations.
/// For an ideal hash it is chi-square with c − 1 degrees of freedom: mean c − 1, variance 2(c − 1).
double chi_square_sigmas(const std::vector<std::uint32_t>& counts, std::uint64_t keys) {
  const double expected = static_cast<double>(keys) / static_cast<double>(counts.size());
  double sum = 0;
  for (const std::uint32_t count : counts) sum += (count - expected) * (count - expected) / expected;
  const double freedom = static_cast<double>(counts.size()) - 1;
  return (sum - freedom) / std::sqrt(2 * freedom);
}

constexpr std::uint64_t chain_multiplier = 0xf135'7aea'2e62'a9c5;  // C of the native index rule
constexpr std::size_t probes = 7;                                  // as many as a filter at 1 % has

struct position_report {
  double worst_probe = 0;  // the largest deviation of a single probe, in standard deviations
  double worst_pair = 0;   // the same for a pair of probes
};

template <class H>
position_report positions(const H& h, key_shape shape, std::uint64_t keys) {
  constexpr std::size_t single = 1000, side = 31;  // no powers of two: all bits of the digest have a say
  std::array<std::vector<std::uint32_t>, probes> one;
  std::array<std::array<std::vector<std::uint32_t>, probes>, probes> two;
  for (std::size_t i = 0; i < probes; ++i) {
    one[i].resize(single);
    for (std::size_t j = 0; j < i; ++j) two[i][j].resize(side * side);
  }
  key_buffer key;
  for (std::uint64_t n = 0; n < keys; ++n) {
    std::uint64_t x = hash_key(h, key(shape, n)).value;
    std::array<std::size_t, probes> row;
    for (std::size_t i = 0; i < probes; ++i, x *= chain_multiplier) {
      ++one[i][static_cast<std::size_t>(mulhi(x, single))];
      row[i] = static_cast<std::size_t>(mulhi(x, side));
      for (std::size_t j = 0; j < i; ++j) ++two[i][j][row[i] * side + row[j]];
    }
  }
  position_report report;
  for (std::size_t i = 0; i < probes; ++i) {
    report.worst_probe = std::max(report.worst_probe, std::abs(chi_square_sigmas(one[i], keys)));
    for (std::size_t j = 0; j < i; ++j) {
      report.worst_pair = std::max(report.worst_pair, std::abs(chi_square_sigmas(two[i][j], keys)));
    }
  }
  return report;
}

template <class H>
class hash_quality : public ::testing::Test {};
TYPED_TEST_SUITE(hash_quality, testing::avalanching_hashes, testing::hash_names);

// 64 · Σ 8·length = 1,064,960 pairs a hash, six hashes. P(|z| > 6) = 2e-9 a pair: an ideal hash fails once in 80 runs
// with fresh keys by the normal approximation, and less often by the binomial, whose tails are lighter.
TYPED_TEST(hash_quality, every_input_bit_flips_every_output_bit_half_the_time) {
  const auto h = numbered_hash<TypeParam>(2026);
  const std::uint64_t trials = scaled(1024, 16384);
  for (std::size_t length = 1; length <= 64; ++length) {
    const flip_report report = avalanche(h, length, trials);
    EXPECT_EQ(report.dead, 0u) << "of " << report.pairs << " pairs at length " << length;
    EXPECT_LE(report.worst, 6.0) << "length " << length;
  }
}

// 64 bits · 8 shapes · 6 hashes, 2e-9 each: an ideal hash fails once in 160,000 runs.
TYPED_TEST(hash_quality, every_digest_bit_is_set_in_half_of_the_keys) {
  const auto h = numbered_hash<TypeParam>(0);
  const std::uint64_t keys = scaled(100'000, 10'000'000);
  for (const key_shape shape : all_key_shapes) {
    bit_tally set;
    key_buffer key;
    for (std::uint64_t n = 0; n < keys; ++n) set.add(hash_key(h, key(shape, n)).value);
    const double mean = static_cast<double>(keys) / 2;
    for (int bit = 0; bit < 64; ++bit) {
      EXPECT_LE(std::abs(static_cast<double>(set.count(bit)) - mean), 6 * std::sqrt(mean / 2))
          << shape << ", bit " << bit;
    }
  }
}

// With ~1000 degrees of freedom the upper tail of chi-square beyond 6σ is about 2e-8 (the normal's is 1e-9). 28
// statistics · 8 shapes · 6 hashes: an ideal hash fails once in 30,000 runs. Too even is as suspect as too uneven.
TYPED_TEST(hash_quality, positions_of_every_probe_and_every_pair_of_probes_are_spread_evenly) {
  const auto h = numbered_hash<TypeParam>(0);
  const std::uint64_t keys = scaled(100'000, 10'000'000);
  for (const key_shape shape : all_key_shapes) {
    const position_report report = positions(h, shape, keys);
    EXPECT_LE(report.worst_probe, 6.0) << shape;
    EXPECT_LE(report.worst_pair, 6.0) << shape;
  }
}

// n^2 / 2^65 = 2e-9 a shape for an ideal hash; one that has only 32 bits to give would show ten equal pairs.
TYPED_TEST(hash_quality, distinct_keys_have_distinct_digests) {
  const auto h = numbered_hash<TypeParam>(0);
  std::vector<digest> digests(static_cast<std::size_t>(scaled(300'000, 10'000'000)));
  for (const key_shape shape : all_key_shapes) {
    key_buffer key;
    for (std::size_t n = 0; n < digests.size(); ++n) digests[n] = hash_key(h, key(shape, n));
    std::sort(digests.begin(), digests.end());
    EXPECT_EQ(std::adjacent_find(digests.begin(), digests.end()), digests.end()) << shape;
  }
}

// With a seed, that is: MurmurHash3 with seed 0 takes the empty key to 0. P(fewer than 8 of 64 bits set) = 4e-11.
TYPED_TEST(hash_quality, keys_of_zero_bytes_have_no_simple_digest) {
  const auto h = numbered_hash<TypeParam>(2026);
  for (std::size_t length = 0; length <= 64; ++length) {
    const int ones = std::popcount(h(bytes_view(std::vector<std::byte>(length))).value);
    EXPECT_TRUE(8 <= ones && ones <= 56) << length;
  }
}

TEST(raw_fnv1a, has_dead_pairs_of_input_and_output_bits) {
  const flip_report report = avalanche(fnv1a_64{}, 4, 1000);
  EXPECT_GT(report.dead, report.pairs / 10);
}

TEST(raw_fnv1a, spreads_every_shape_of_key_but_random_ones_unevenly) {
  for (const key_shape shape : all_key_shapes) {
    const position_report report = positions(fnv1a_64{}, shape, 100'000);
    const double worst = std::max(report.worst_probe, report.worst_pair);
    if (shape == key_shape::random) {
      EXPECT_LE(worst, 6.0);
    } else {
      EXPECT_GT(worst, 40.0) << shape;  // from 44 (le64) to 100,000 (be64)
    }
  }
}

}  // namespace
}  // namespace seen
