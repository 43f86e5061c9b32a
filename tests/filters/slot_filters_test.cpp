// Tests what xor and binary fuse filters do alike, at every width and arity: build for every number of keys, lose none,
// claim 2^-w of the others, and come out the same whatever the order of the keys. Failure cases 10 and 11.
#include <seen/filters/binary_fuse.hpp>
#include <seen/filters/xor_filter.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "support/binomial.hpp"
#include "support/key_shapes.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

struct xor_kind {
  using filter_type = xor_filter;
  static xor_shape wishes(std::uint32_t width) { return {.fingerprint_bits = width}; }
};
template <std::uint32_t Arity>
struct fuse_kind {
  using filter_type = binary_fuse;
  static binary_fuse_shape wishes(std::uint32_t width) { return {.fingerprint_bits = width, .arity = Arity}; }
};

template <class Kind>
class slot_filters : public ::testing::Test {
 public:
  using filter_type = typename Kind::filter_type;

  template <class Range>
  static filter_type build(const Range& keys, std::uint32_t width = 8, std::uint64_t shards = 0) {
    auto wishes = Kind::wishes(width);
    wishes.shards = shards;
    return filter_type::build(keys, wishes).value();
  }
};
using kinds = ::testing::Types<xor_kind, fuse_kind<3>, fuse_kind<4>>;
TYPED_TEST_SUITE(slot_filters, kinds);

std::vector<digest> random_digests(std::uint64_t count, std::uint64_t seed) {
  rng random(seed);
  std::vector<digest> digests(count);
  for (digest& d : digests) d = digest(random());
  return digests;
}

template <class Filter, class Keys>
std::uint64_t lost(const Filter& f, const Keys& keys) {
  return static_cast<std::uint64_t>(std::ranges::count_if(keys, [&](const auto& key) { return !f.may_contain(key); }));
}

template <class Filter>
std::vector<std::byte> bytes_of(const Filter& f) {
  return {f.engine().bytes().begin(), f.engine().bytes().end()};
}

// --- building

// 0..20,000 one by one in the long form; in the short one all small numbers, some large, and those at which other
// builders fail.
TYPED_TEST(slot_filters, case_10_every_number_of_keys_builds_and_none_is_lost) {
  const auto digests = random_digests(20'000, 1);
  std::uint64_t later_seeds = 0, built = 0;
  for (std::uint64_t n = 0; n <= 20'000; n += soak() || n < 300 ? 1 : n >= 11'461 && n <= 11'521 ? 20 : 997) {
    const std::span<const digest> some(digests.data(), n);
    const auto f = TestFixture::build(some);
    ASSERT_EQ(f.engine().size(), n);
    ASSERT_EQ(lost(f, some), 0u) << n;
    if (n != 0) {
      ++built;
      later_seeds += f.engine().seeds()[0] != std::byte{0};
      using shape_type = typename TestFixture::filter_type::shape_type;
      ASSERT_EQ(f.shape(), shape_type::fit(f.shape(), {n, 1, n}, 0).value()) << "it did not have to grow";
    }
  }
  EXPECT_LE(later_seeds, binomial_upper(built, 0.15, 1e-9)) << "the first seed fails more often than one time in six";
}

TYPED_TEST(slot_filters, case_10_keys_equal_in_one_half_of_their_bits_build) {
  rng random(2);
  std::vector<digest> low_equal;
  for (int i = 0; i < 20'000; ++i) low_equal.emplace_back(random() << 32 | 0x89abcdef);
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < 20'000; ++i) keys.push_back(i << 32 | 7);
  EXPECT_EQ(lost(TestFixture::build(low_equal), low_equal), 0u);
  EXPECT_EQ(lost(TestFixture::build(keys), keys), 0u);
}

TYPED_TEST(slot_filters, case_11_equal_keys_count_once_and_the_callers_array_stays) {
  const auto distinct = random_digests(1000, 3);
  std::vector<digest> all_equal(1000, distinct[0]), one_twice = distinct, half_twice = distinct;
  one_twice.push_back(distinct[500]);
  half_twice.insert(half_twice.end(), distinct.begin(), distinct.begin() + 500);
  const auto check = [&](const std::vector<digest>& given, std::uint64_t different) {
    const auto before = given;
    const auto f = TestFixture::build(given);
    EXPECT_EQ(f.engine().size(), different);
    EXPECT_EQ(lost(f, given), 0u);
    EXPECT_EQ(given, before);
  };
  check(all_equal, 1);
  check(one_twice, 1000);
  check(half_twice, 1000);
  const auto once = TestFixture::build(distinct), twice = TestFixture::build(half_twice);
  EXPECT_EQ(bytes_of(once), bytes_of(twice));
}

// Digests that are not hashes: thousands begin with the same 52 bits, and no seed can part them.
TYPED_TEST(slot_filters, case_11_digests_that_cannot_be_parted_are_refused) {
  using rule_type = typename TestFixture::filter_type::engine_type::rule_type;
  std::vector<std::uint64_t> inner(3000);
  std::iota(inner.begin(), inner.end(), 0);
  const auto p = TestFixture::build(random_digests(3000, 4)).shape();
  const auto rule = rule_type::make(p).value();
  std::vector<std::byte> tables(rule.table_bytes());
  building::workspace memory;
  for (const unsigned seed : {0u, 1u, 31u, 255u}) {
    EXPECT_FALSE(rule.solve(inner, 0, static_cast<std::uint8_t>(seed), tables.data(), memory));
  }
}

// 257 keys in one slot: counted in a byte they would look like one.
TYPED_TEST(slot_filters, case_11_more_readers_than_a_byte_counts_are_refused) {
  using rule_type = typename TestFixture::filter_type::engine_type::rule_type;
  const auto rule = rule_type::make(TestFixture::build(random_digests(2000, 13)).shape()).value();
  std::vector<std::byte> tables(rule.table_bytes());
  building::workspace memory;
  rng random(14);
  for (int i = 0; i < 50; ++i) {
    std::vector<std::uint64_t> inner(1000 + random.below(700));
    for (std::uint64_t& x : inner) x = random();
    const std::uint64_t crowd = random() >> 16 << 16;
    for (std::uint64_t j = 0; j < 257; ++j) inner.push_back(crowd + 31 * j);
    std::ranges::sort(inner);
    EXPECT_FALSE(rule.solve(inner, 0, static_cast<std::uint8_t>(i), tables.data(), memory));
  }
}

TYPED_TEST(slot_filters, the_same_keys_in_any_order_give_the_same_bytes) {
  for (const std::uint32_t width : math::slot_widths) {
    auto digests = random_digests(5000, width);
    const auto forth = TestFixture::build(digests, width);
    std::ranges::reverse(digests);
    EXPECT_EQ(bytes_of(forth), bytes_of(TestFixture::build(digests, width)));
    std::ranges::sort(digests);
    EXPECT_EQ(bytes_of(forth), bytes_of(TestFixture::build(digests, width)));
  }
}

TYPED_TEST(slot_filters, many_shards_are_one_filter) {
  const auto digests = random_digests(20'000, 5);
  for (const std::uint32_t width : math::slot_widths) {
    const auto f = TestFixture::build(digests, width, 16);
    EXPECT_EQ(f.shape().shards, 16u);
    EXPECT_EQ(lost(f, digests), 0u);
    const std::uint64_t used = f.shape().slots() * (width / 8);
    for (std::uint64_t shard = 0; shard < 16; ++shard) {
      const auto piece = f.engine().rule().pieces(shard)[0];
      EXPECT_EQ(piece.offset, shard * used);
      EXPECT_EQ(piece.length, used);
    }
  }
}

// Enough for the queue of the peeler to run over (see building/peeling.hpp), which it does in an xor filter from 120,000 on.
TYPED_TEST(slot_filters, a_table_that_is_looked_through_twice_is_built_with_the_first_seed) {
  const auto digests = random_digests(scaled(150'000, 4'000'000), 6);
  for (const std::uint32_t width : math::slot_widths) {
    const auto f = TestFixture::build(digests, width, 1);
    EXPECT_EQ(lost(f, digests), 0u) << width;
    EXPECT_EQ(f.engine().seeds()[0], std::byte{0});
  }
}

// --- answers

TYPED_TEST(slot_filters, claim_two_to_the_minus_w_of_absent_keys) {
  const auto digests = random_digests(10'000, 7);
  const std::uint64_t queries = scaled(1'000'000, 100'000'000);
  for (const std::uint32_t width : math::slot_widths) {
    const auto f = TestFixture::build(digests, width, width == 16 ? 4u : 1u);
    rng random(8);
    std::uint64_t hits = 0;
    for (std::uint64_t i = 0; i < queries; ++i) hits += f.may_contain(digest(random()));
    const double rate = f.shape().expected_fpr(10'000);
    EXPECT_TRUE(within_six_sigma(hits, queries, rate)) << width << ": " << six_sigma_message(hits, queries, rate);
  }
}

// One key is the hardest case: two of its slots are 0.
TYPED_TEST(slot_filters, claim_two_to_the_minus_w_of_absent_keys_however_few_are_in) {
  std::uint64_t hits = 0, queries = 0;
  rng random(9);
  for (std::uint64_t n = 1; n <= 50; ++n) {
    const auto f = TestFixture::build(random_digests(n, n + 100));
    for (int i = 0; i < 20'000; ++i) hits += f.may_contain(digest(random()));
    queries += 20'000;
  }
  EXPECT_TRUE(within_six_sigma(hits, queries, 1.0 / 256)) << six_sigma_message(hits, queries, 1.0 / 256);
}

// Any bytes are a filter, and a table beyond the cache takes the way that fetches ahead.
TYPED_TEST(slot_filters, batches_answer_as_single_keys_do) {
  using filter_type = typename TestFixture::filter_type;
  using engine_type = typename filter_type::engine_type;
  rng random(10);
  for (const std::uint32_t width : math::slot_widths) {
    for (const std::uint64_t shards : {1u, 8u}) {
      for (const std::uint64_t keys : {1000u, 9'000'000u / width * 4}) {
        auto wishes = filter_type::shape_type::plan({keys, 0.01}, TypeParam::wishes(width)).value();
        const auto p = filter_type::shape_type::fit(wishes, {keys, shards, keys / shards}, 0).value();
        storage bytes = storage::allocate(p.bytes()).value();
        for (std::byte& b : bytes.bytes()) b = std::byte(random());
        const auto e = engine_type::over(p, std::move(bytes)).value();
        auto digests = random_digests(1001, keys);
        const auto out = std::make_unique<bool[]>(digests.size());
        const std::size_t found = e.may_contain_many(digests, out.get());
        std::size_t expected = 0;
        for (std::size_t i = 0; i < digests.size(); ++i) {
          ASSERT_EQ(out[i], e.may_contain(digests[i])) << width << ' ' << shards << ' ' << keys;
          expected += out[i];
        }
        EXPECT_EQ(found, expected);
      }
    }
  }
}

TYPED_TEST(slot_filters, the_empty_filter_says_no) {
  const auto f = TestFixture::build(std::vector<digest>{}, 16);
  EXPECT_EQ(f.shape().shards, 0u);
  EXPECT_EQ(f.engine().size(), 0u);
  EXPECT_EQ(f.engine().fill(), 0);
  EXPECT_EQ(f.engine().estimated_fpr(), 0);
  EXPECT_EQ(lost(f, random_digests(1000, 11)), 1000u);
  bool out[3] = {true, true, true};
  EXPECT_EQ(f.engine().may_contain_many(random_digests(3, 12), out), 0u);
  EXPECT_FALSE(out[0] || out[1] || out[2]);
}

// --- shapes

TYPED_TEST(slot_filters, wishes_of_bits_and_shards_are_kept_and_others_refused) {
  using shape_type = typename TestFixture::filter_type::shape_type;
  auto wishes = TypeParam::wishes(16);
  wishes.shards = 32;
  const auto p = shape_type::plan({100'000, 0.01}, wishes).value();
  EXPECT_EQ(p.fingerprint_bits, 16u);
  EXPECT_EQ(p.shards, 32u);
  wishes.keys = 5;
  EXPECT_EQ(shape_type::plan({100'000, 0.01}, wishes).error().code, errc::invalid_argument);
  EXPECT_EQ(shape_type::plan({100'000, 0.01}, TypeParam::wishes(12)).error().code, errc::invalid_argument);
  EXPECT_EQ(shape_type::plan({100'000, 0.001}, TypeParam::wishes(8)).value().fingerprint_bits, 8u) << "bits are a rate";
  EXPECT_EQ(shape_type::plan({100'000, 1e-10}, TypeParam::wishes(0)).error().code, errc::invalid_argument);
  wishes.keys = 0;
  wishes.shards = math::max_shards + 1;
  EXPECT_FALSE(shape_type::plan({100'000, 0.01}, wishes));
}

TYPED_TEST(slot_filters, widths_are_the_fewest_bits_that_keep_the_rate) {
  using shape_type = typename TestFixture::filter_type::shape_type;
  const auto width = [](double fpr) { return shape_type::plan({1000, fpr}).value().fingerprint_bits; };
  EXPECT_EQ(width(0.5), 8u);
  EXPECT_EQ(width(1.0 / 256), 8u);
  EXPECT_EQ(width(0.0039), 16u);
  EXPECT_EQ(width(0x1p-16), 16u);
  EXPECT_EQ(width(1e-5), 32u);
  EXPECT_EQ(width(0x1p-32), 32u);
}

// A shard's slots are numbered in 32 bits while it is built; more keys take more shards.
TYPED_TEST(slot_filters, a_shard_of_four_thousand_million_keys_is_refused) {
  using shape_type = typename TestFixture::filter_type::shape_type;
  const std::uint64_t many = std::uint64_t{1} << 32;
  EXPECT_EQ(shape_type::fit(TypeParam::wishes(8), {many, 1, many}, 0).error().code, errc::too_large);
  EXPECT_EQ(shape_type::fit(TypeParam::wishes(8), {many, 1, many - 1}, 0).error().code, errc::too_large);
  EXPECT_TRUE(shape_type::fit(TypeParam::wishes(8), {many, 4096, many >> 12}, 0));
  EXPECT_EQ(shape_type::fit(TypeParam::wishes(32), {many << 6, 1 << 20, many >> 14}, 0).error().code, errc::too_large);
}

TYPED_TEST(slot_filters, growth_makes_room) {
  using shape_type = typename TestFixture::filter_type::shape_type;
  for (const std::uint64_t n : {1u, 100u, 10'000u, 1'000'000u}) {
    std::uint64_t before = 0;
    for (unsigned growth = 0; growth < 20; ++growth) {
      const auto p = shape_type::fit(TypeParam::wishes(8), {n, 1, n}, growth).value();
      ASSERT_GT(p.slots(), before);
      before = p.slots();
      const auto back = shape_type::from_fields(p.fields()).value();
      ASSERT_EQ(back, p);
    }
  }
}

TYPED_TEST(slot_filters, building_takes_at_most_twelve_bytes_a_key_beside_the_digests) {
  using shape_type = typename TestFixture::filter_type::shape_type;
  const std::uint64_t n = 100'000'000;
  for (const std::uint32_t width : math::slot_widths) {
    const auto p = shape_type::fit(TypeParam::wishes(width), {n, 1, n}, 0).value();
    EXPECT_LE(p.bytes() + shape_type::workspace_bytes(p, n), 12 * n) << width;
  }
}

}  // namespace
}  // namespace seen::testing
