// Single keys of static kinds against the plain body of their rule. They have other bodies in programs compiled for AVX2 or
// AVX-512 (kernels/spare_word.hpp, kernels/ribbon_vectors.hpp), so this file is compiled for these, too.
#include <seen/filters/binary_fuse.hpp>
#include <seen/filters/ribbon.hpp>
#include <seen/filters/xor_filter.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <utility>
#include <vector>

#include "support/key_shapes.hpp"

namespace seen::testing {
namespace {

constexpr std::size_t keys = 30'000, absent = 60'000;

std::vector<digest> random_digests(std::size_t count, std::uint64_t seed) {
  rng random(seed);
  std::vector<digest> digests(count);
  for (digest& d : digests) d = digest(random());
  return digests;
}

// The digest as the file's own words say it: the shard from the top bits, the multiplier from the seed's byte.
template <class Engine>
building::shard_digest in_shard(const Engine& engine, digest d) {
  const std::uint64_t shard = building::shard_of(d.value, engine.shards());
  const auto seed = std::to_integer<std::uint8_t>(engine.seeds()[shard]);
  return {.shard = shard, .value = d.value, .multiplier = building::seed_multiplier(seed)};
}

bool plain_answer(const ribbon_rule& rule, const std::byte* tables, const building::shard_digest& d) {
  return rule.test(tables, rule.find(d));
}
template <class Rule>
bool plain_answer(const Rule& rule, const std::byte* tables, const building::shard_digest& d) {
  const auto place = rule.find(d);
  return rule.with_shape([&](const auto& fixed) { return fixed.test(tables, place); });
}

// Whether all digests are answered as the plain body does; adds up the yes.
template <class Engine>
::testing::AssertionResult answers_plainly(const Engine& engine, const std::vector<digest>& digests,
                                           std::size_t& found) {
  for (const digest d : digests) {
    const bool answer = engine.may_contain(d);
    found += answer;
    if (answer == plain_answer(engine.rule(), engine.tables(), in_shard(engine, d))) continue;
    return ::testing::AssertionFailure() << engine.shape().fingerprint_bits << " bits, " << engine.shards()
                                         << " shards, digest " << d.value;
  }
  return ::testing::AssertionSuccess();
}

// A filter of keys; and random bytes in its place, which are a filter too, whose shards all have seeds of their own.
template <class Filter>
void check(const typename Filter::shape_type& wishes) {
  using engine_type = typename Filter::engine_type;
  const auto present = random_digests(keys, 1);
  auto others = random_digests(absent, 2);
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t edge : {std::uint64_t{0}, std::uint64_t{1}, most, most / 2, most / 2 + 1}) {
    others.emplace_back(edge);
  }
  const Filter f = Filter::build(present, wishes).value();
  std::size_t found = 0;
  ASSERT_TRUE(answers_plainly(f.engine(), present, found));
  EXPECT_EQ(found, keys);
  ASSERT_TRUE(answers_plainly(f.engine(), others, found));

  storage random_bytes = storage::allocate(f.engine().bytes().size()).value();
  rng random(3);
  for (std::byte& each : random_bytes.bytes()) each = static_cast<std::byte>(random());
  const engine_type chaos = engine_type::over(f.shape(), std::move(random_bytes)).value();
  found = 0;
  ASSERT_TRUE(answers_plainly(chaos, others, found));
  EXPECT_TRUE(found > 0 || f.shape().fingerprint_bits > 8);
  const engine_type copy = chaos;
  ASSERT_TRUE(answers_plainly(copy, others, found));
}

TEST(static_single, slots_of_every_width_and_arity_answer_as_the_plain_body_does) {
  for (const std::uint32_t width : math::slot_widths) {
    for (const std::uint64_t shards : {1u, 2u, 64u}) {
      for (const std::uint32_t arity : {3u, 4u}) {
        check<binary_fuse>({.fingerprint_bits = width, .shards = shards, .arity = arity});
      }
      check<xor_filter>({.fingerprint_bits = width, .shards = shards});
    }
  }
}

TEST(static_single, ribbons_answer_as_the_plain_body_does) {
  for (const std::uint32_t bits : {1u, 7u, 8u, 9u, 32u}) {
    for (const std::uint64_t shards : {1u, 2u, 16u}) {
      for (const auto setting : {ribbon_setting::compact, ribbon_setting::balanced, ribbon_setting::fast}) {
        check<ribbon>({.fingerprint_bits = bits, .shards = shards, .setting = setting});
      }
    }
  }
}

}  // namespace
}  // namespace seen::testing
