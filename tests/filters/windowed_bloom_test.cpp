// Tests what is particular to the kind that forgets: exact ages against a model, by adds and by time; the layout; the
// ring's state across files; what is refused.
#include <seen/filters/windowed_bloom.hpp>
#include <seen/io.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "support/binomial.hpp"
#include "support/error_code.hpp"
#include "support/key_shapes.hpp"
#include "support/native_image.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

windowed_bloom window_of(std::uint64_t window, double fpr, const windowed_bloom_shape& wishes = {}) {
  return windowed_bloom(windowed_bloom_shape::plan({.capacity = window, .fpr = fpr}, wishes).value());
}

// --- ages

/// A filter and when each key was last added, in adds or in time.
struct aged {
  aged(windowed_bloom filter, std::uint64_t keys) : f(std::move(filter)), last(keys), known(keys, false) {}

  windowed_bloom f;
  std::vector<std::uint64_t> last;
  std::vector<bool> known;
  std::uint64_t forgotten_asked = 0, forgotten_claimed = 0;

  void add(std::uint64_t key, std::uint64_t now) {
    f.add(key);
    last[key] = now;
    known[key] = true;
  }
  // `within` is the promise; from `gone` on a key is forgotten but for the rate.
  void ask(std::uint64_t key, std::uint64_t now, std::uint64_t within, std::uint64_t gone) {
    const bool claimed = f.may_contain(key);
    if (known[key] && now - last[key] <= within) {
      ASSERT_TRUE(claimed) << "forgotten after " << now - last[key] << " of " << within;
    } else if (!known[key] || now - last[key] >= gone) {
      ++forgotten_asked;
      forgotten_claimed += claimed;
    }
  }
  void expect_rate(double fpr) const {
    ASSERT_GT(forgotten_asked, 10'000u);
    EXPECT_LE(static_cast<double>(forgotten_claimed), six_sigma_range(forgotten_asked, fpr).highest)
        << six_sigma_message(forgotten_claimed, forgotten_asked, fpr);
  }
};

constexpr struct {
  std::uint64_t window, slices;
} rings[] = {{1000, 7}, {1000, 1}, {999, 3}, {1000, 8}, {5000, 63}, {50, 63}, {1, 1}};

TEST(windowed_bloom, a_key_is_found_for_a_window_of_adds_and_forgotten_after_the_worst_case) {
  for (const auto& ring : rings) {
    const std::uint64_t slice = (ring.window + ring.slices - 1) / ring.slices;
    const std::uint64_t universe = 20 * ring.window;
    aged model(window_of(ring.window, 0.02, {.slices = ring.slices}), universe);
    rng random(ring.slices);
    std::uint64_t adds = 0;
    for (std::uint64_t i = 0; i < scaled(1'000'000, 100'000'000) / std::size(rings); ++i) {
      const std::uint64_t r = random();
      const std::uint64_t key = (r >> 8) % universe;
      if (r % 2 == 0) {
        model.add(key, ++adds);
      } else {
        ASSERT_NO_FATAL_FAILURE(model.ask(key, adds, ring.window, (ring.slices + 1) * slice));
      }
      if (r % 65'536 == 1) {
        auto reread = from_bytes<windowed_bloom>(to_bytes(model.f).value());
        ASSERT_TRUE(reread) << reread.error().detail;
        ASSERT_EQ(*reread, model.f);
        model.f = std::move(*reread);  // goes on as the saved one would
      }
    }
    const double rate = model.f.shape().expected_fpr(adds);
    EXPECT_LE(rate, 1.06 * 0.02) << "slices of 20 keys are 6 % above what the formula for m aims at";
    model.expect_rate(std::max(rate, 0.02));
    EXPECT_EQ(model.f.engine().clock(), adds);
  }
}

TEST(windowed_bloom, a_key_is_found_for_a_period_of_time_and_forgotten_after_the_worst_case) {
  constexpr std::uint64_t period = 10'000, universe = 20'000;
  for (const std::uint64_t slices : {1u, 3u, 7u, 9u}) {
    const std::uint64_t slice = (period + slices - 1) / slices;
    aged model(window_of(1100, 0.02, {.slices = slices, .period = period}), universe);
    rng random(slices);
    std::uint64_t now = 1'700'000'000'123;
    model.f.advance(now);
    for (std::uint64_t i = 0; i < scaled(250'000, 10'000'000); ++i) {
      const std::uint64_t r = random();
      const std::uint64_t key = (r >> 8) % universe;
      if (r % 2 == 0) {
        now += 2 * ((r >> 50) % 11);  // 10 units per key: 1000 keys per period, of 1100 planned for
        if (r % 16'384 == 0) now += (r >> 50) % (3 * period);
        model.f.advance(now);
        model.add(key, now);
        model.f.advance(now - (r >> 40) % 100);  // time does not go back
      } else {
        ASSERT_NO_FATAL_FAILURE(model.ask(key, now, period, (slices + 1) * slice));
      }
      if (r % 65'536 == 1) model.f = from_bytes<windowed_bloom>(to_bytes(model.f).value()).value();
    }
    EXPECT_EQ(model.f.engine().clock(), now);
    model.expect_rate(0.02);
  }
}

TEST(windowed_bloom, asked_about_a_later_time_it_answers_as_it_would_when_told_that_time) {
  constexpr std::uint64_t period = 1000;
  for (const std::uint64_t slices : {1u, 3u, 8u}) {
    auto f = window_of(500, 0.02, {.slices = slices, .period = period});
    f.advance(1'700'000'000'123);
    rng random(slices);
    std::uint64_t now = f.engine().clock(), differ = 0;
    for (int round = 0; round < 200; ++round) {
      for (int i = 0; i < 20; ++i) f.add(random() % 2000);
      const std::uint64_t later = now + random() % (3 * period);
      auto told = f;
      told.advance(later);
      for (std::uint64_t key = 0; key < 2000; key += 7) {
        const digest d = f.digest_of(key);
        ASSERT_EQ(f.engine().may_contain_at(d, later), told.may_contain(d)) << slices << ' ' << later - now;
        ASSERT_EQ(f.engine().may_contain_at(d, now - 1), f.may_contain(d));
        differ += f.may_contain(d) != told.may_contain(d);
      }
      f.advance(now += random() % period);
    }
    EXPECT_GT(differ, 1000u);
  }
}

TEST(windowed_bloom, a_key_added_again_is_remembered_anew) {
  auto f = window_of(1000, 1e-6);
  f.add("alice");
  f.add("bob");
  for (std::uint64_t i = 0; i < 5000; ++i) {
    f.add(i);
    if (i % 900 == 0) f.add("alice");
  }
  EXPECT_TRUE(f.may_contain("alice"));
  EXPECT_FALSE(f.may_contain("bob"));
}

TEST(windowed_bloom, a_jump_in_time_forgets_everything_and_any_time_is_safe) {
  auto f = window_of(100, 1e-6, {.period = 60});
  f.advance(1000);
  f.add("alice");
  f.advance(1060);
  EXPECT_TRUE(f.may_contain("alice"));
  f.advance(1'000'000);
  EXPECT_FALSE(f.may_contain("alice"));
  EXPECT_EQ(f.engine().census(), 0u);
  f.add("bob");
  f.advance(~std::uint64_t{0});
  EXPECT_FALSE(f.may_contain("bob"));
  f.add("carol");
  f.advance(0);
  EXPECT_TRUE(f.may_contain("carol"));
}

TEST(windowed_bloom, time_means_nothing_where_adds_are_counted) {
  auto f = window_of(100, 0.01);
  f.add("alice");
  const auto before = f;
  f.advance(~std::uint64_t{0});
  EXPECT_EQ(f, before);
}

TEST(windowed_bloom, clear_forgets_the_keys_but_not_the_time) {
  auto f = window_of(100, 0.01, {.period = 60});
  f.advance(1000);
  f.add("alice");
  f.clear();
  EXPECT_FALSE(f.may_contain("alice"));
  EXPECT_EQ(f.engine().clock(), 1000u);
}

// --- files

// Whatever the number of adds, a slice that has just been filled included.
TEST(windowed_bloom, a_file_goes_on_where_the_filter_would_have) {
  for (const std::uint64_t window : {6u, 20u}) {
    auto f = window_of(window, 0.01, {.slices = 3});
    for (std::uint64_t i = 0; i < 5 * window; ++i) {
      auto loaded = from_bytes<windowed_bloom>(to_bytes(f).value()).value();
      EXPECT_EQ(loaded, f);
      f.add(i);
      loaded.add(i);
      ASSERT_EQ(loaded, f) << i;
      ASSERT_EQ(to_bytes(loaded).value(), to_bytes(f).value()) << i;
    }
  }
}

// A bit goes from a slice to where no slice is: checksums and census are right, the content is not.
TEST(windowed_bloom, a_file_with_bits_of_no_slice_is_refused) {
  auto f = window_of(100, 0.01, {.slices = 2});  // cells of four bits, three of them slices
  for (std::uint64_t i = 0; i < 100; ++i) f.add(i);
  auto bytes = to_bytes(f).value();
  ASSERT_TRUE(from_bytes<windowed_bloom>(bytes));
  const auto body = bytes.begin() + static_cast<std::ptrdiff_t>(get<std::uint64_t>(bytes, at::body_offset));
  const auto cell = std::find_if(
      body, bytes.end(), [](std::byte b) { return std::popcount(static_cast<unsigned>(b & std::byte{7})) == 1; });
  ASSERT_NE(cell, bytes.end());
  *cell = (*cell & std::byte{0xf0}) | std::byte{8};
  ASSERT_TRUE(repair(bytes));
  const auto refused = from_bytes<windowed_bloom>(bytes);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::corrupt);
  EXPECT_EQ(refused.error().detail, "bytes: bits that belong to none of 3 slices are set");
  const auto viewed = view<windowed_bloom>(bytes).value();
  EXPECT_EQ(viewed.verify().error(), refused.error());
}

// --- batches

TEST(windowed_bloom, batches_turn_the_ring_as_single_adds_do) {
  for (const std::uint64_t window : {50u, 300'000u}) {  // in the cache and beyond it
    rng random(window);
    auto one_by_one = window_of(window, 0.1), batched = window_of(window, 0.1);
    for (const std::size_t batch : {1u, 7u, 64u, 65u, 300u, 100'000u, 250'000u}) {
      std::vector<digest> keys(batch);
      for (digest& d : keys) d = digest(random());
      batched.add_many(keys);
      for (const digest d : keys) one_by_one.add(d);
      ASSERT_EQ(batched, one_by_one) << batch;
      for (std::size_t i = 0; i < batch; i += 2) keys[i] = digest(random());
      const auto many = std::make_unique<bool[]>(batch);
      std::size_t found = batched.may_contain_many(keys, std::span(many.get(), batch));
      for (std::size_t i = 0; i < batch; ++i) {
        ASSERT_EQ(many[i], batched.may_contain(keys[i])) << i;
        found -= many[i];
      }
      EXPECT_EQ(found, 0u);
    }
  }
}

// --- rate and estimates

TEST(windowed_bloom, the_rate_of_a_full_ring_is_the_models_and_within_the_target) {
  constexpr std::uint64_t queries = 1'000'000;
  for (const std::uint64_t slices : {1u, 7u, 15u}) {
    auto f = window_of(50'000, 0.01, {.slices = slices});
    const double model = f.shape().expected_fpr(1'000'000);
    EXPECT_LE(model, 1.01 * 0.01);
    const std::uint64_t adds = f.shape().slice_keys() * (slices + 1) * 3;  // three times round, every slice full
    for (std::uint64_t i = 0; i < adds; ++i) f.add(i);
    std::uint64_t hits = 0;
    for (std::uint64_t i = 0; i < queries; ++i) hits += f.may_contain(i + (std::uint64_t{1} << 40));
    EXPECT_TRUE(within_six_sigma(hits, queries, model)) << six_sigma_message(hits, queries, model);
    EXPECT_NEAR(f.estimated_fpr(), model, 0.05 * model);
    const auto kept = static_cast<double>(f.shape().slice_keys() * (slices + 1));
    EXPECT_NEAR(f.estimated_count(), kept, 0.02 * kept);
    EXPECT_NEAR(f.fill(), 0.5, 0.03);
    EXPECT_FALSE(f.saturated());
  }
}

TEST(windowed_bloom, the_model_follows_the_adds_until_the_ring_is_full) {
  const auto p = windowed_bloom_shape::plan({.capacity = 7000, .fpr = 0.01}).value();
  EXPECT_EQ(p.expected_fpr(0), 0);
  double before = 0;
  for (std::uint64_t adds = 500; adds <= 8000; adds += 500) {
    EXPECT_GT(p.expected_fpr(adds), before);
    before = p.expected_fpr(adds);
  }
  EXPECT_DOUBLE_EQ(p.expected_fpr(8001), before);
  EXPECT_DOUBLE_EQ(p.expected_fpr(~std::uint64_t{0}), before);
}

TEST(windowed_bloom, more_keys_than_expected_in_a_period_raise_the_rate_and_are_seen) {
  auto f = window_of(1000, 0.01, {.period = 100});
  const double planned = f.shape().expected_fpr(1000), twice = f.shape().expected_fpr(2000);
  EXPECT_NEAR(planned, 0.01, 0.0005);
  EXPECT_GT(twice, 0.1);
  for (std::uint64_t i = 0; i < 1000; ++i) f.add(i);  // all of them in one slice's time
  EXPECT_TRUE(f.saturated());
  EXPECT_GT(f.estimated_fpr(), 0.5);
}

// --- layout: part of the file format

TEST(windowed_bloom, cells_hold_a_bit_for_every_slice) {
  // The classic rule's positions for m = 1000: cell i begins at bit 8·i; slice 0 is its lowest bit.
  const auto rule = chain_rule::make({.bits = 1000, .probes = 3}).value();
  auto state = rule.start(digest(0x9e3779b97f4a7c15));
  const auto at = rule.take<3>(state);
  windowed_bloom f(windowed_bloom_shape{.window = 7, .slices = 7, .slice_bits = 1000, .probes = 3});
  f.add(digest(0x9e3779b97f4a7c15));  // into slice 0
  f.add(digest(0x9e3779b97f4a7c15));  // a slice is one key: into slice 1
  const auto bytes = f.engine().parts()[0].bytes;
  ASSERT_EQ(bytes.size(), 1024u);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool set = i == at[0] || i == at[1] || i == at[2];
    EXPECT_EQ(std::to_integer<int>(bytes[i]), set ? 3 : 0) << i;
  }
  EXPECT_EQ(f.engine().parts()[0].fields, (std::vector<std::uint64_t>{7, 7, 0, 1000, 3, 2}));
}

TEST(windowed_bloom, planned_shapes_are_pinned) {
  const auto fields = [](std::uint64_t window, double fpr, const windowed_bloom_shape& wishes = {}) {
    return windowed_bloom_shape::plan({.capacity = window, .fpr = fpr}, wishes).value().fields();
  };
  EXPECT_EQ(fields(1'000'000, 0.01), (std::array<std::uint64_t, 5>{1'000'000, 7, 0, 1'987'604, 10}));
  EXPECT_EQ(fields(1000, 0.01, {.slices = 3, .period = 60}), (std::array<std::uint64_t, 5>{1000, 3, 60, 4166, 9}));
  EXPECT_EQ(fields(1000, 0.01, {.slices = 0}), fields(1000, 0.01)) << "0 is not a wish";
  EXPECT_EQ(fields(1000, 0.01, {.slice_bits = 4096, .probes = 5}), (std::array<std::uint64_t, 5>{1000, 7, 0, 4096, 5}));
}

// --- bad input

TEST(windowed_bloom, case_13_senseless_parameters_are_refused) {
  const auto refusal = [](const windowed_bloom_shape& p) {
    EXPECT_FALSE(windowed_bloom_shape::from_fields(p.fields()));
    return windowed_bloom::make(p).error().detail;
  };
  const windowed_bloom_shape good{.window = 100, .slices = 7, .slice_bits = 1000, .probes = 5};
  ASSERT_TRUE(windowed_bloom::make(good));
  windowed_bloom_shape p = good;
  p.window = 0;
  EXPECT_EQ(refusal(p), "window 0 is not a number of keys from 1 up");
  for (const std::uint64_t slices : {std::uint64_t{0}, std::uint64_t{64}, ~std::uint64_t{0}}) {
    p = good;
    p.slices = slices;
    EXPECT_EQ(refusal(p), "slices is " + std::to_string(slices) + "; it must be from 1 to 63");
  }
  p = good;
  p.probes = 31;
  EXPECT_EQ(refusal(p), "probes is 31; it must be from 1 to 30");
  p = good;
  p.slice_bits = (math::max_bits >> 3) + 1;
  EXPECT_EQ(refusal(p), "8 slices of 137438953473 bits are more than 2^40 bits");
  EXPECT_EQ(code_of(windowed_bloom_shape::plan({.capacity = 100, .fpr = 0.01}, {.slices = 64})),
            errc::invalid_argument);
  EXPECT_EQ(code_of(windowed_bloom_shape::plan({.capacity = 100'000'000'000, .fpr = 0.01})), errc::too_large);
}

TEST(windowed_bloom, clear_and_reset_forget_the_keys_and_not_the_time) {
  for (const bool by_reset : {false, true}) {
    auto f = window_of(100, 0.01, {.slices = 4, .period = 100});
    f.advance(1'000'000);
    f.add("old");
    if (by_reset) {
      EXPECT_TRUE(f.reset().may_contain("old"));
    } else {
      f.clear();
    }
    EXPECT_FALSE(f.may_contain("old"));
    EXPECT_EQ(f.engine().clock(), 1'000'000u);
    f.add("x");
    f.advance(1'000'001);
    EXPECT_TRUE(f.may_contain("x")) << "one unit of time after it was added";
  }
}

TEST(windowed_bloom, case_13_parts_that_lie_are_refused) {
  auto f = window_of(100, 0.01, {.slices = 8});
  for (std::uint64_t i = 0; i < 1000; ++i) f.add(i);
  const auto refused_after = [&](auto change) {
    const auto part = f.engine().parts()[0];
    auto bytes = storage::allocate(part.bytes.size()).value();
    std::copy(part.bytes.begin(), part.bytes.end(), bytes.bytes().begin());
    std::vector<stored_part> parts;
    parts.push_back({part.fields, std::move(bytes)});
    change(parts);
    auto made = windowed_bloom::engine_type::from_parts(std::move(parts));
    return made ? code_of(made->check()) : code_of(made);
  };
  using all = std::vector<stored_part>;
  EXPECT_EQ(refused_after([](all&) {}), success);
  EXPECT_EQ(refused_after([](all& p) { p.clear(); }), errc::corrupt);
  EXPECT_EQ(refused_after([](all& p) { p.emplace_back(); }), errc::corrupt);
  EXPECT_EQ(refused_after([](all& p) { p[0].fields.pop_back(); }), errc::corrupt) << "no clock";
  EXPECT_EQ(refused_after([](all& p) { p[0].fields[5] = std::uint64_t{1} << 63; }), errc::corrupt);
  EXPECT_EQ(refused_after([](all& p) { p[0].bytes = storage::allocate(64).value(); }), errc::corrupt);
  EXPECT_EQ(refused_after([](all& p) { p[0].fields[1] = 64; }), errc::corrupt);
  EXPECT_EQ(refused_after([](all& p) { p[0].bytes.bytes()[1] |= std::byte{2}; }), errc::corrupt) << "a tenth slice";
  EXPECT_EQ(refused_after([](all& p) { p[0].bytes.bytes().back() = std::byte{1}; }), errc::corrupt) << "padding";
}

}  // namespace
}  // namespace seen::testing
