// any_hash: the same digests as the functions it stands for, one key at a time or many.
#include <seen/hash/any_hash.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/key_shapes.hpp"
#include "built_in_hashes.hpp"
#include "golden_keys.hpp"

namespace seen {
namespace {

using testing::golden_key;
using testing::numbered_hash;
using testing::numbered_secret;

static_assert(std::is_trivially_copyable_v<any_hash>);
static_assert(noexcept(any_hash()(bytes_view())) && noexcept(any_hash()(integer_key{})));
static_assert(!std::is_constructible_v<any_hash, int>);

template <class H>
class any_hash_of : public ::testing::Test {};
TYPED_TEST_SUITE(any_hash_of, testing::built_in_hashes, testing::hash_names);

TYPED_TEST(any_hash_of, gives_the_same_digests_one_by_one_and_in_batches) {
  const auto h = numbered_hash<TypeParam>(77);
  const any_hash any = h;

  std::vector<std::vector<std::byte>> keys;
  for (std::size_t length = 0; length < 300; ++length) keys.push_back(golden_key(length));
  const std::vector<bytes_view> views(keys.begin(), keys.end());
  std::vector<digest> digests(keys.size());
  any.hash_many(views, digests);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(hash_key(any, keys[i]), hash_key(h, keys[i])) << i;
    EXPECT_EQ(digests[i], hash_key(h, keys[i])) << i;
  }

  testing::rng random(9);
  std::vector<std::uint64_t> integers(300);
  for (auto& x : integers) x = random();
  any.hash_many(integers, digests);
  for (std::size_t i = 0; i < integers.size(); ++i) {
    EXPECT_EQ(hash_key(any, integers[i]), hash_key(h, integers[i])) << i;
    EXPECT_EQ(digests[i], hash_key(h, integers[i])) << i;
  }
}

TYPED_TEST(any_hash_of, writes_no_further_than_its_keys) {
  const any_hash any = numbered_hash<TypeParam>(77);
  std::vector<digest> digests(3, digest(123));
  any.hash_many(std::vector<std::uint64_t>{1, 2}, digests);
  EXPECT_NE(digests[1], digest(123));
  EXPECT_EQ(digests[2], digest(123));
  any.hash_many(std::span<const bytes_view>(), {});
}

TYPED_TEST(any_hash_of, has_the_identity_of_its_function) {
  const auto h = numbered_hash<TypeParam>(77);
  const any_hash any = h;
  EXPECT_EQ(identity_of(any), identity_of(h));
  EXPECT_EQ(any.seed(), h.seed());
  EXPECT_EQ(avalanches(any), avalanches(h));
  EXPECT_EQ(any.secret(), TypeParam::is_keyed ? std::optional(numbered_secret(77)) : std::nullopt);
}

TYPED_TEST(any_hash_of, is_made_from_its_number_and_rebuilt_from_its_identity) {
  const auto h = numbered_hash<TypeParam>(77);
  const secret given = numbered_secret(77);
  const auto made = any_hash::make(TypeParam::id, h.seed(), TypeParam::is_keyed ? std::optional(given) : std::nullopt);
  ASSERT_TRUE(made) << made.error().detail;
  EXPECT_EQ(identity_of(*made), identity_of(h));
  const auto rebuilt = any_hash::restore(identity_of(h), &given);
  ASSERT_TRUE(rebuilt) << rebuilt.error().detail;
  EXPECT_EQ(hash_key(*rebuilt, "alice"), hash_key(h, "alice"));
}

TYPED_TEST(any_hash_of, refuses_what_its_function_refuses) {
  hash_identity stored = identity_of(numbered_hash<TypeParam>(77));
  stored.check ^= 1;
  const secret given = numbered_secret(77);
  EXPECT_EQ(any_hash::restore(stored, &given).error(), TypeParam::restore(stored, &given).error());
}

TEST(any_hash, is_the_default_hash_unless_told) {
  EXPECT_EQ(identity_of(any_hash()), identity_of(default_hash()));
}

TEST(any_hash, a_copy_is_independent) {
  any_hash a = xxh64(1);
  const any_hash b = a;
  a = siphash_2_4(numbered_secret(1));
  EXPECT_EQ(hash_key(b, "alice"), hash_key(xxh64(1), "alice"));
  EXPECT_EQ(hash_key(a, "alice"), hash_key(siphash_2_4(numbered_secret(1)), "alice"));
}

TEST(any_hash, a_keyed_function_needs_a_secret) {
  EXPECT_EQ(any_hash::make(hash_id::siphash_1_3).error(), (error{errc::secret_required, "siphash-1-3 needs a secret"}));
  const auto stored = identity_of(siphash_1_3(numbered_secret(1)));
  EXPECT_EQ(any_hash::restore(stored, nullptr).error().code, errc::secret_required);
}

TEST(any_hash, refuses_a_secret_or_a_seed_that_would_be_ignored) {
  EXPECT_EQ(any_hash::make(hash_id::xxh3_64, 0, secret{}).error(),
            (error{errc::invalid_argument, "xxh3-64 takes no secret"}));
  EXPECT_EQ(any_hash::make(hash_id::siphash_2_4, 1, secret{}).error(),
            (error{errc::invalid_argument, "siphash-2-4 takes no seed, not 1"}));
  EXPECT_EQ(any_hash::make(hash_id::fnv1a_64, 1).error().code, errc::invalid_argument);
  EXPECT_EQ(any_hash::make(hash_id::murmur3_x64_128, std::uint64_t{1} << 32).error().code, errc::invalid_argument);
}

TEST(any_hash, a_users_function_must_come_from_the_program) {
  const error expected{errc::wrong_hash, "user-defined hash 0x8001 is not built in: the program must supply it"};
  EXPECT_EQ(any_hash::make(hash_id{0x8001}).error(), expected);
  EXPECT_EQ(any_hash::restore({.id = hash_id{0x8001}}, nullptr).error(), expected);
}

TEST(any_hash, a_function_it_does_not_know_is_from_a_later_release) {
  EXPECT_EQ(any_hash::restore({.id = hash_id{99}}, nullptr).error(),
            (error{errc::newer_version, "unknown hash 0x63 is not known to this release"}));
}

}  // namespace
}  // namespace seen
