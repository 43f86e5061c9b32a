// Cuckoo filters of a million and a hundred million keys, at every width, at a load of 95 %. In release only; 1e8 keys of 17
// bits take 220 MiB. `make soak` takes every width to 1e8.
#include <seen/filters/cuckoo.hpp>
#include <seen/filters/growing_cuckoo.hpp>

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "support/binomial.hpp"
#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

// Fills a table to 95 % of its slots in batches, then asks for all keys and for as many others.
void fill_to_95_percent(std::uint64_t keys, std::uint32_t width, std::uint64_t seed) {
  cuckoo f(cuckoo_shape{.buckets = ceil_div(ceil_div(keys * 20, 19), 4), .fingerprint_bits = width});
  constexpr std::size_t batch = 1 << 14;
  std::vector<digest> tile(batch);
  const auto out = std::make_unique<bool[]>(batch);
  const auto next = [&](rng& random, std::uint64_t done) {
    tile.resize(static_cast<std::size_t>(std::min<std::uint64_t>(batch, keys - done)));
    for (digest& each : tile) each = digest(random());
  };
  rng added(seed);
  for (std::uint64_t done = 0; done < keys; done += batch) {
    next(added, done);
    ASSERT_EQ(f.add_many(tile), tile.size()) << keys << " keys of " << width << " bits, after " << done;
  }
  ASSERT_EQ(f.size(), keys);
  EXPECT_GE(f.fill(), 0.949);
  rng again(seed);
  for (std::uint64_t done = 0; done < keys; done += batch) {
    next(again, done);
    ASSERT_EQ(f.may_contain_many(tile, {out.get(), tile.size()}), tile.size()) << "false negative";
  }
  rng fresh(~seed);
  std::uint64_t hits = 0, queries = 0;
  for (; queries < std::min<std::uint64_t>(keys, 10'000'000); queries += tile.size()) {
    next(fresh, queries);
    hits += f.may_contain_many(tile, {out.get(), tile.size()});
  }
  const double model = f.shape().expected_fpr(keys);
  EXPECT_TRUE(within_six_sigma(hits, queries, model)) << width << ": " << six_sigma_message(hits, queries, model);
}

TEST(large_cuckoo, a_million_keys_reach_95_percent_at_every_width) {
  for (const std::uint32_t width : math::cuckoo_widths) {
    for (const std::uint64_t seed : {1u, 2u}) ASSERT_NO_FATAL_FAILURE(fill_to_95_percent(1'000'000, width, seed));
  }
}

TEST(large_cuckoo, many_chunks_reach_95_percent) {
  for (const std::uint32_t width : math::cuckoo_widths) {
    if (!soak() && width != 8 && width != 17) continue;
    ASSERT_NO_FATAL_FAILURE(fill_to_95_percent(soak() ? 100'000'000 : 20'000'000, width, width));
  }
}

TEST(large_cuckoo, a_chain_grows_to_ten_million_keys) {
  growing_cuckoo f({.capacity = 1000, .fpr = 0.01});
  constexpr std::uint64_t keys = 10'000'000;
  rng added(3);
  for (std::uint64_t i = 0; i < keys; ++i) f.add(digest(added()));
  EXPECT_EQ(f.size(), keys);
  EXPECT_LE(f.estimated_fpr(), 0.01);
  rng again(3);
  for (std::uint64_t i = 0; i < keys; ++i) ASSERT_TRUE(f.may_contain(digest(again())));
  RecordProperty("links", static_cast<int>(f.engine().link_count()));
}

}  // namespace
}  // namespace seen::testing
