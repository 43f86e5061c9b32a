// The survey of every kind and format of the registry: what is counted, how far chance takes a region, and that a hole is found.
#include <seen/any_filter.hpp>
#include <seen/filters/windowed_bloom.hpp>
#include <seen/math/block_fill.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "support/key_shapes.hpp"

namespace seen::testing {
namespace {

constexpr std::size_t regions = 64;

std::vector<std::uint64_t> random_keys(std::uint64_t count, std::uint64_t seed) {
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(count));
  rng random(seed);
  for (std::uint64_t& key : keys) key = random();
  return keys;
}

// Calls use(name, filter) for every kind and format that can be made empty, with so many keys in it, planned for `capacity`.
template <class Use>
void with_everything(std::uint64_t capacity, std::uint64_t keys, Use use) {
  const auto some = random_keys(keys, 1);
  const auto fill_and_use = [&](const std::string& name, const make_options& options) {
    auto made = any_filter::make(options);
    if (!made) return;  // built of all its keys, or of a capacity of its own
    const auto added = made->add_many(std::span<const std::uint64_t>(some));
    if (!added) return;  // full, or its keys are no numbers
    use(name, *made);
  };
  const target asked{.capacity = capacity, .fpr = 0.01};
  for (const kind_row& kind : kinds())
    fill_and_use(std::string(kind.kind.name), {.kind = std::string(kind.kind.name), .target = asked});
  for (const format_row* format : formats()) {
    for (const std::string_view variant : format->variants) {
      fill_and_use(std::string(format->name) + " " + std::string(variant),
                   {.target = asked, .format = std::string(format->name), .variant = std::string(variant)});
    }
    if (format->variants.empty())
      fill_and_use(std::string(format->name), {.target = asked, .format = std::string(format->name)});
  }
}

std::uint64_t sum_of_places(const std::vector<counted_places>& all) {
  return std::accumulate(all.begin(), all.end(), std::uint64_t{0},
                         [](auto sum, const auto& each) { return sum + each.places; });
}
std::uint64_t sum_of_used(const std::vector<counted_places>& all) {
  return std::accumulate(all.begin(), all.end(), std::uint64_t{0},
                         [](auto sum, const auto& each) { return sum + each.used; });
}

TEST(survey, every_mutable_kind_has_one_and_counts_every_place_once) {
  std::set<std::string> surveyed;
  with_everything(20'000, 20'000, [&](const std::string& name, const any_filter& f) {
    SCOPED_TRACE(name);
    const auto survey = f.survey(regions);
    if (!survey) {
      EXPECT_EQ(survey.error().code, errc::unsupported);
      return;
    }
    surveyed.insert(name);
    std::uint64_t places = 0, used = 0;
    for (const surveyed_table& table : survey->tables) {
      EXPECT_EQ(sum_of_places(table.regions), table.whole.places);
      EXPECT_EQ(sum_of_used(table.regions), table.whole.used);
      EXPECT_LE(table.regions.size(), regions);
      places += table.whole.places;
      used += table.whole.used;
      if (table.block.lanes == 0) continue;
      std::uint64_t blocks = 0, in_blocks = 0;
      for (std::size_t u = 0; u < table.blocks.size(); ++u) blocks += table.blocks[u], in_blocks += u * table.blocks[u];
      EXPECT_EQ(blocks * math::bits_of_block(table.block), table.whole.places);
      EXPECT_EQ(in_blocks, table.whole.used);
    }
    EXPECT_GT(used, 0u);
    // Of home slots only those with a key are counted, and links of a chain count for their size.
    if (survey->place == "home slot" || survey->tables.size() > 1) return;
    EXPECT_NEAR(static_cast<double>(used) / static_cast<double>(places), f.info().fill.value(), 1e-12);
  });
  for (const kind_row& kind : kinds()) {
    EXPECT_EQ(surveyed.count(std::string(kind.kind.name)), kind.build == nullptr ? 1u : 0u) << kind.kind.name;
  }
  EXPECT_GT(surveyed.size(), 25u);  // foreign ones among them
}

TEST(survey, a_place_in_use_is_counted_in_its_region) {
  auto f = any_filter::make({.kind = "bloom", .shape = {{"bits", 64 * 1000}, {"probes", 1}}}).value();
  const auto before = f.survey(10).value();
  ASSERT_EQ(before.tables.size(), 1u);
  ASSERT_EQ(before.tables[0].regions.size(), 10u);
  EXPECT_EQ(before.place, "bit");
  ASSERT_TRUE(f.add(digest{~std::uint64_t{0}}));  // the last bit
  const auto after = f.survey(10).value().tables[0];
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(after.regions[i].places, 6400u);
    EXPECT_EQ(after.regions[i].used, i == 9 ? 1u : 0u);
  }
  EXPECT_EQ(f.survey(0)->tables[0].regions.size(), 0u);
  EXPECT_EQ(f.survey(5000)->tables[0].regions.size(), 1000u);  // as many as it has words
}

// The mean of so many squared deviations is 1 but for chance: six times the root of 2/64, times 1.3 for kurtosis.
TEST(survey, sigma_is_what_chance_does) {
  with_everything(200'000, 150'000, [&](const std::string& name, const any_filter& f) {
    const auto survey = f.survey(regions);
    if (!survey || survey->place == "slot") return;  // cuckoo filters move keys to where there is room
    for (std::size_t i = 0; i < survey->tables.size(); ++i) {
      const surveyed_table& table = survey->tables[i];
      // In pybloom and Cassandra, Bloom filters of a few large slices, nothing else is to be expected; links that have few keys are skipped.
      if (table.whole.used < 20'000) continue;
      double sum = 0;
      for (const counted_places& each : table.regions) {
        const double z = table.deviation(each);
        sum += z * z;
        EXPECT_FALSE(table.is_odd(each)) << name << ", table " << i;
      }
      const double mean = sum / static_cast<double>(table.regions.size());
      EXPECT_NEAR(mean, 1, 6 * 1.3 * std::sqrt(2.0 / regions)) << name << ", table " << i;
    }
  });
}

TEST(survey, slots_of_cuckoo_filters_vary_less_than_chance_and_are_never_odd) {
  with_everything(200'000, 150'000, [&](const std::string& name, const any_filter& f) {
    const auto survey = f.survey(regions);
    if (!survey || survey->place != "slot") return;
    for (const surveyed_table& table : survey->tables) {
      for (const counted_places& each : table.regions) EXPECT_FALSE(table.is_odd(each)) << name;
    }
  });
}

TEST(survey, few_keys_are_never_odd) {
  for (const std::uint64_t keys : {0u, 1u, 2u, 10u, 300u}) {
    with_everything(200'000, keys, [&](const std::string& name, const any_filter& f) {
      const auto survey = f.survey(256);
      if (!survey) return;
      for (const surveyed_table& table : survey->tables) {
        for (const counted_places& each : table.regions)
          EXPECT_FALSE(table.is_odd(each)) << name << ", " << keys << " keys";
      }
    });
  }
}

// A file without checksums, of which 2 KiB were lost.
TEST(survey, a_hole_is_odd) {
  auto f = any_filter::make({.target = {.capacity = 100'000, .fpr = 0.01}, .format = "bits-and-blooms"}).value();
  for (const std::uint64_t key : random_keys(100'000, 3)) ASSERT_TRUE(f.add(key));
  auto bytes = f.to_bytes().value();
  std::fill_n(bytes.begin() + 50'000, 2048, std::byte{0});
  const auto torn = any_filter::from_bytes(bytes, {.format = "bits-and-blooms"}).value();
  const surveyed_table table = torn.survey(regions).value().tables.at(0);
  std::vector<std::size_t> odd;
  for (std::size_t i = 0; i < table.regions.size(); ++i) {
    if (table.is_odd(table.regions[i])) odd.push_back(i);
  }
  ASSERT_FALSE(odd.empty());
  const std::size_t hole = 64 * 50'000 / bytes.size();
  for (const std::size_t each : odd) {
    EXPECT_NEAR(static_cast<double>(each), static_cast<double>(hole), 1.01);
    EXPECT_LT(table.deviation(table.regions[each]), -6);
  }
}

// Pearson's statistic over columns of 10 blocks or more: its mean is their number, its variance twice that.
TEST(survey, blocks_are_as_full_as_chance_makes_them) {
  std::size_t seen = 0;
  with_everything(400'000, 400'000, [&](const std::string& name, const any_filter& f) {
    const auto survey = f.survey(regions);
    if (!survey) return;
    for (const surveyed_table& table : survey->tables) {
      const auto blocks =
          static_cast<double>(std::accumulate(table.blocks.begin(), table.blocks.end(), std::uint64_t{0}));
      if (blocks < 1000 || table.whole.fill() < 0.05) continue;
      ++seen;
      const auto chance =
          math::distribution_of_block(table.block, math::keys_per_block(table.block, table.whole.fill()));
      double sum = 0, columns = 0, here = 0, expected = 0;
      for (std::size_t u = 0; u < chance.size(); ++u) {
        here += static_cast<double>(table.blocks[u]);
        expected += blocks * chance[u];
        if (expected < 10) continue;
        sum += (here - expected) * (here - expected) / expected;
        ++columns, here = 0, expected = 0;
      }
      EXPECT_LT(sum, columns + 6 * std::sqrt(2 * columns) + 10) << name;
    }
  });
  EXPECT_GE(seen, 5u);  // blocked-bloom, split-block, blocked-counting-bloom, parquet, rocksdb …
}

TEST(survey, a_window_has_a_table_for_each_slice) {
  auto f = any_filter::make({.kind = "windowed-bloom", .target = {.capacity = 10'000, .fpr = 0.01}}).value();
  for (const std::uint64_t key : random_keys(12'000, 5)) ASSERT_TRUE(f.add(key));
  const auto survey = f.survey(regions).value();
  const filter_info info = f.info();
  const auto slices =
      std::find_if(info.shape.begin(), info.shape.end(), [](const auto& each) { return each.name == "slices"; });
  const auto bits =
      std::find_if(info.shape.begin(), info.shape.end(), [](const auto& each) { return each.name == "slice-bits"; });
  ASSERT_NE(slices, info.shape.end());
  ASSERT_NE(bits, info.shape.end());
  ASSERT_EQ(survey.tables.size(), slices->value + 1);
  std::uint64_t used = 0;
  for (const surveyed_table& each : survey.tables) {
    EXPECT_EQ(each.whole.places, bits->value);
    used += each.whole.used;
  }
  EXPECT_NEAR(static_cast<double>(used) / static_cast<double>(bits->value * survey.tables.size()), info.fill.value(),
              1e-12);
}

TEST(survey, a_static_filter_has_none) {
  auto builder = any_builder::make({.kind = "ribbon", .target = {.fpr = 0.01}}).value();
  ASSERT_TRUE(builder.add(std::uint64_t{1}));
  const auto survey = std::move(builder).finish().value().survey(regions);
  ASSERT_FALSE(survey);
  EXPECT_EQ(survey.error().code, errc::unsupported);
}

TEST(expected_fpr, is_the_plan_s_at_capacity_and_grows_with_the_keys) {
  for (const kind_row& kind : kinds()) {
    if (kind.build != nullptr) continue;
    const target asked{.capacity = 10'000, .fpr = 0.01};
    const auto f = any_filter::make({.kind = std::string(kind.kind.name), .target = asked}).value();
    EXPECT_EQ(f.expected_fpr(asked.capacity), kind.plan(asked)->expected_fpr) << kind.kind.name;
    EXPECT_LE(f.expected_fpr(100), f.expected_fpr(10'000)) << kind.kind.name;
    EXPECT_GE(f.expected_fpr(20'000), f.expected_fpr(10'000)) << kind.kind.name;
  }
}

}  // namespace
}  // namespace seen::testing
