// What health() says of every kind and format of the registry: nothing up to the capacity, whatever chance does; and at twice the
// capacity what is wrong, if something can be.
#include <seen/any_builder.hpp>
#include <seen/any_filter.hpp>
#include <seen/filters/scalable_bloom.hpp>
#include <seen/filters/windowed_bloom.hpp>
#include <seen/registry.hpp>

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

std::string in_words(const filter_health& h) {
  return std::string(h.saturated ? "saturated, " : "") + (h.past_capacity ? "past capacity, " : "") +
         (h.above_fpr ? "above the rate, " : "") + "keys " + std::to_string(h.keys) + " of " +
         std::to_string(h.most_keys) + ", rate " + std::to_string(h.fpr) + " of " + std::to_string(h.most_fpr) +
         ", fill " + std::to_string(h.fill);
}

std::vector<std::uint64_t> random_keys(std::uint64_t count, std::uint64_t seed) {
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(count));
  rng random(seed);
  for (std::uint64_t& key : keys) key = random();
  return keys;
}

// A kind whose filters may come to hold more keys than was asked, and worse for it.
bool has_a_limit(const plan_row& row) {
  return row.can_add && !row.can_grow && !row.can_forget;
}

// Calls use(name of the kind, its plan, filter) for each kind that can be had for this target, with so many keys in it.
template <class Use>
void with_every_kind(const target& asked, std::uint64_t keys, std::uint64_t seed, Use use) {
  for (const kind_row& kind : kinds()) {
    const auto plan = kind.plan(asked);
    if (!plan) continue;  // split-block has no rate of 10^-7
    const make_options wanted{.kind = std::string(kind.kind.name), .target = asked};
    const auto all = random_keys(keys, seed);
    if (kind.build != nullptr) {
      auto builder = any_builder::make({.kind = wanted.kind, .target = {.fpr = asked.fpr}}).value();
      for (const std::uint64_t key : all) ASSERT_TRUE(builder.add(key));
      use(wanted.kind, *plan, std::move(builder).finish().value());
    } else {
      auto f = any_filter::make(wanted).value();
      const auto added = f.add_many(std::span<const std::uint64_t>(all));
      ASSERT_TRUE(added || added.error().code == errc::full);
      use(wanted.kind, *plan, std::move(f));
    }
  }
}

TEST(health, a_fresh_filter_is_healthy) {
  for (const std::uint64_t capacity : {1u, 10u, 1000u}) {
    for (const double fpr : {0.9, 0.01, 1e-7}) {
      with_every_kind({.capacity = capacity, .fpr = fpr}, 0, 1,
                      [&](const auto& kind, const plan_row&, const any_filter& f) {
                        EXPECT_TRUE(f.health().healthy())
                            << kind << ", " << capacity << " at " << fpr << ": " << in_words(f.health());
                      });
    }
  }
}

// Six standard deviations are passed once in 10^9 filters; there are 10^4 of them here.
TEST(health, a_filter_at_its_capacity_never_alarms) {
  for (const std::uint64_t capacity : {1u, 3u, 20u, 200u, 5000u}) {
    const std::uint64_t filters = repetitions(capacity < 100 ? 40 : capacity < 1000 ? 10 : 1, 3000);
    for (const double fpr : {0.99, 0.5, 0.1, 0.01, 1e-7}) {
      for (std::uint64_t seed = 0; seed < filters; ++seed) {
        with_every_kind({.capacity = capacity, .fpr = fpr}, capacity, 8191 * seed + capacity,
                        [&](const auto& kind, const plan_row&, const any_filter& f) {
                          const filter_health h = f.health();
                          ASSERT_TRUE(h.healthy())
                              << kind << ", " << capacity << " at " << fpr << ", seed " << seed << ": " << in_words(h);
                        });
      }
    }
  }
}

TEST(health, twice_the_capacity_is_found_where_a_kind_has_one) {
  for (const std::uint64_t capacity : {100u, 3000u}) {
    for (const double fpr : {0.5, 0.1, 0.01, 1e-4}) {
      with_every_kind(
          {.capacity = capacity, .fpr = fpr}, 2 * capacity, capacity,
          [&](const auto& kind, const plan_row& row, const any_filter& f) {
            const filter_health h = f.health();
            const bool limited = has_a_limit(row);
            EXPECT_EQ(h.past_capacity, limited) << kind << ", " << capacity << " at " << fpr << ": " << in_words(h);
            EXPECT_EQ(!h.healthy(), limited) << kind << ", " << capacity << " at " << fpr << ": " << in_words(h);
            EXPECT_EQ(h.above_fpr, limited && h.fpr > h.most_fpr) << kind << ": " << in_words(h);
            // A small table may be better than asked even then, and one of fingerprints took as many keys as it could.
            if (limited && capacity > 1000 && !f.info().keys_exact) {
              EXPECT_TRUE(h.above_fpr) << kind << ", " << capacity << " at " << fpr << ": " << in_words(h);
            }
          });
    }
  }
}

TEST(health, what_holds_fifty_times_its_keys_is_saturated) {
  with_every_kind({.capacity = 100, .fpr = 0.01}, 5000, 5,
                  [](const auto& kind, const plan_row& row, const any_filter& f) {
                    EXPECT_EQ(f.health().saturated, has_a_limit(row)) << kind << ": " << in_words(f.health());
                  });
}

TEST(health, without_a_capacity_only_saturation_is_found) {
  for (const kind_row& kind : kinds()) {
    const plan_row plan = kind.plan({.capacity = 100, .fpr = 0.01}).value();
    if (!has_a_limit(plan)) continue;
    auto f = any_filter::make({.kind = plan.kind, .shape = plan.shape}).value();
    ASSERT_TRUE(f.add_many(std::span<const std::uint64_t>(random_keys(105, 3))));
    EXPECT_TRUE(f.health().healthy()) << plan.kind << ": " << in_words(f.health());
    EXPECT_EQ(f.health().most_keys, std::numeric_limits<double>::infinity());
    EXPECT_EQ(f.health().most_fpr, 1);
    (void)f.add_many(std::span<const std::uint64_t>(random_keys(5000, 4)));  // some are full before that
    EXPECT_TRUE(f.health().saturated) << plan.kind << ": " << in_words(f.health());
    EXPECT_FALSE(f.health().past_capacity || f.health().above_fpr) << plan.kind;
  }
}

TEST(health, a_file_says_the_same_and_so_does_info) {
  for (const std::uint64_t keys : {50u, 300u}) {
    with_every_kind({.capacity = 100, .fpr = 0.01}, keys, keys,
                    [](const auto& kind, const plan_row&, const any_filter& f) {
                      const auto again = any_filter::from_bytes(f.to_bytes().value()).value();
                      EXPECT_EQ(again.health(), f.health()) << kind;
                      EXPECT_EQ(again.info().health, f.health()) << kind;
                    });
  }
}

// Other libraries' files say what they were made for, or nothing.
TEST(health, filters_of_other_formats_are_healthy_up_to_their_capacity) {
  for (const format_row* format : formats()) {
    if (format->make == nullptr) continue;
    for (const std::uint64_t keys : {0u, 900u}) {  // a peer's cuckoo filter is full before its capacity
      auto f = any_filter::make({.target = {.capacity = 1000, .fpr = 0.01}, .format = std::string(format->name)});
      if (!f) continue;  // needs more than a target
      (void)f->add_many(std::span<const std::uint64_t>(random_keys(keys, 1)));
      EXPECT_TRUE(f->health().healthy()) << format->name << ", " << keys << ": " << in_words(f->health());
    }
  }
}

TEST(health, a_burst_that_fills_one_slice_of_a_window_is_found) {
  auto f = any_filter::make({.kind = "windowed-bloom",
                             .target = {.capacity = 7000, .fpr = 0.01},
                             .shape = {{.name = "period", .value = 700}}})
               .value();
  const auto add = [&](std::uint64_t count, std::uint64_t seed) {
    ASSERT_TRUE(f.add_many(std::span<const std::uint64_t>(random_keys(count, seed))));
  };
  for (std::uint64_t now = 0; now < 1400; now += 10) {
    ASSERT_TRUE(f.advance(now));
    add(100, now);
  }
  EXPECT_TRUE(f.health().healthy()) << in_words(f.health());
  add(500, 1);  // half as much again as a slice's share
  EXPECT_TRUE(f.health().above_fpr && !f.health().saturated) << in_words(f.health());
  add(20'000, 2);
  EXPECT_TRUE(f.health().saturated && f.health().past_capacity) << in_words(f.health());
}

TEST(health, a_merge_beyond_the_rate_of_a_chain_is_found) {
  const auto chain = [](std::uint64_t seed) {
    scalable_bloom f({.capacity = 100, .fpr = 0.01});
    f.add_many(random_keys(3000, seed));
    return f;
  };
  scalable_bloom f = chain(1);
  EXPECT_TRUE(f.health().healthy());
  for (std::uint64_t seed = 2; seed < 8; ++seed) ASSERT_TRUE(f.merge(chain(seed)));
  EXPECT_TRUE(f.health().saturated && f.health().above_fpr && !f.health().past_capacity) << in_words(f.health());
}

TEST(health, a_moved_from_filter_has_none) {
  windowed_bloom f({.capacity = 100, .fpr = 0.01});
  f.add_many(random_keys(100, 1));
  const windowed_bloom taken = std::move(f);
  (void)f.health();  // NOLINT(bugprone-use-after-move): that is the question
  EXPECT_TRUE(taken.health().healthy());
}

}  // namespace
}  // namespace seen::testing
