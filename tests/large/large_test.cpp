// Filters beyond 2^32 bits: the commonest silent bug of the field is an index that does not reach there. In release
// only; needs 1 GiB. Failure cases 6 and 7.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "support/all_filters.hpp"
#include "support/binomial.hpp"
#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

template <class F>
void fill_with(F& f, std::uint64_t keys, std::uint64_t seed) {
  rng random(seed);
  std::vector<digest> tile(1 << 16);
  for (std::uint64_t done = 0; done < keys; done += tile.size()) {
    tile.resize(static_cast<std::size_t>(std::min<std::uint64_t>(tile.size(), keys - done)));
    for (digest& each : tile) each = digest(random());
    f.add_many(tile);
  }
}

// Every key of the seed again, in batches and one by one in turns, then as many fresh ones; counts what is claimed.
template <class F>
void check(const F& f, std::uint64_t keys, std::uint64_t seed) {
  constexpr std::size_t batch = 1 << 16;
  const auto out = std::make_unique<bool[]>(batch);
  std::vector<digest> tile(batch);
  rng added(seed);
  for (std::uint64_t done = 0; done < keys; done += batch) {
    tile.resize(static_cast<std::size_t>(std::min<std::uint64_t>(batch, keys - done)));
    for (digest& each : tile) each = digest(added());
    if (done / batch % 16 != 0) continue;  // one tile in sixteen, spread over all of them
    ASSERT_EQ(f.may_contain_many(tile, {out.get(), tile.size()}), tile.size()) << "false negative in a batch";
    for (const digest each : tile) ASSERT_TRUE(f.may_contain(each)) << "false negative";
  }
  rng fresh(~seed);
  std::uint64_t hits = 0;
  constexpr std::uint64_t queries = 160 * batch;
  tile.resize(batch);
  for (std::uint64_t done = 0; done < queries; done += batch) {
    for (digest& each : tile) each = digest(fresh());
    hits += f.may_contain_many(tile, {out.get(), tile.size()});
    if (done != 0) continue;
    for (std::size_t i = 0; i < batch; ++i) ASSERT_EQ(out[i], f.may_contain(tile[i])) << "batch and single differ";
  }
  const double model = f.shape().expected_fpr(keys);
  EXPECT_TRUE(within_six_sigma(hits, queries, model)) << six_sigma_message(hits, queries, model);
  const double m = static_cast<double>(f.bits());
  const double load = static_cast<double>(f.probes()) * static_cast<double>(keys) / m;
  const double sigma = std::sqrt(m * (std::exp(-load) - (1 + load) * std::exp(-2 * load)));
  EXPECT_NEAR(static_cast<double>(f.engine().set_bits()), m * -std::expm1(-load), 6 * sigma);
}

TEST(large, case_6_three_hundred_fifty_million_keys_at_one_percent) {
  constexpr std::uint64_t keys = 350'000'000;
  bloom f({.capacity = keys, .fpr = 0.01});
  fill_with(f, keys, 6);
  ASSERT_NO_FATAL_FAILURE(check(f, keys, 6));
}

// Few probes and a fill well below one half keep this short while the rate stays measurable.
TEST(large, case_6_around_two_to_the_thirty_two_bits) {
  for (const std::uint64_t bits :
       {(std::uint64_t{1} << 32) - 1, std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 1}) {
    constexpr std::uint64_t keys = 150'000'000;
    bloom f(bloom_shape{.bits = bits, .probes = 2});
    fill_with(f, keys, bits);
    ASSERT_NO_FATAL_FAILURE(check(f, keys, bits)) << bits;
  }
}

TEST(large, case_6_two_to_the_thirty_three_bits_saved_and_mapped) {
  constexpr std::uint64_t bits = std::uint64_t{1} << 33;
  constexpr std::uint64_t keys = 200'000'000;
  bloom f(bloom_shape{.bits = bits, .probes = 2});
  fill_with(f, keys, bits);
  ASSERT_NO_FATAL_FAILURE(check(f, keys, bits));
  const std::string path = ::testing::TempDir() + "seen_large.seen";
  ASSERT_TRUE(save(f, path));
  const auto mapped = map<bloom>(path);
  ASSERT_TRUE(mapped) << mapped.error().detail;
  EXPECT_EQ(**mapped, f);
  ASSERT_TRUE(mapped->verify());
  std::remove(path.c_str());
}

TEST(large, case_6_slices_beyond_two_to_the_thirty_two_bits) {
  constexpr std::uint64_t keys = 150'000'000;
  partitioned_bloom f(partitioned_bloom_shape{.bits = (std::uint64_t{1} << 32) + 7, .probes = 2});
  fill_with(f, keys, 8);
  ASSERT_NO_FATAL_FAILURE(check(f, keys, 8));
}

TEST(large, case_6_blocks_around_two_to_the_thirty_two_bits) {
  for (const std::uint64_t blocks : {(std::uint64_t{1} << 23) - 1, (std::uint64_t{1} << 23) + 1}) {
    constexpr std::uint64_t keys = 200'000'000;
    blocked_bloom f(blocked_bloom_shape{.blocks = blocks, .probes = 8});
    fill_with(f, keys, blocks);
    ASSERT_NO_FATAL_FAILURE(check(f, keys, blocks)) << blocks;
  }
}

// Half a billion keys in the long form: a batch that loses one key in 2^29 is not noticed by fewer.
TEST(large, case_7_a_batch_of_half_a_billion_keys_loses_none) {
  const std::uint64_t keys = scaled(50'000'000, 500'000'000);
  blocked_bloom f({.capacity = keys, .fpr = 0.01});
  fill_with(f, keys, 77);
  rng added(77);
  for (std::uint64_t i = 0; i < keys; ++i) ASSERT_TRUE(f.may_contain(digest(added()))) << "false negative: key " << i;
}

TEST(large, ten_million_keys_meet_the_model) {
  constexpr std::uint64_t keys = 10'000'000;
  bloom f({.capacity = keys, .fpr = 0.01});
  fill_with(f, keys, 7);
  ASSERT_NO_FATAL_FAILURE(check(f, keys, 7));
}

}  // namespace
}  // namespace seen::testing
