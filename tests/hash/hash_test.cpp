// Tests what is true of every hash function: keys, identity, and being rebuilt from an identity.
#include <seen/hash/hash.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "../support/key_shapes.hpp"
#include "built_in_hashes.hpp"
#include "golden_keys.hpp"

namespace seen {
namespace {

using testing::golden_key;
using testing::numbered_hash;
using testing::numbered_secret;

/// A hash as a user would write it, with none of the optional members.
struct sum_hash {
  static constexpr hash_id id{0x8001};
  static constexpr bool is_keyed = false;
  using digest_type = digest;

  explicit sum_hash(std::uint64_t seed = 0) : seed_(seed) {}
  digest operator()(bytes_view key) const noexcept {
    std::uint64_t sum = seed_;
    for (const std::byte b : key) sum = sum * 31 + std::to_integer<std::uint64_t>(b);
    return digest(sum);
  }
  std::uint64_t seed() const noexcept { return seed_; }
  static result<sum_hash> restore(const hash_identity& stored, const secret* given) {
    return restore_hash<sum_hash>(stored, given);
  }

 private:
  std::uint64_t seed_;
};

struct no_identity {
  using digest_type = digest;
  digest operator()(bytes_view) const noexcept { return {}; }
  std::uint64_t seed() const noexcept { return 0; }
};
struct may_throw : sum_hash {
  using sum_hash::sum_hash;
  digest operator()(bytes_view) const { return {}; }
  static result<may_throw> restore(const hash_identity&, const secret*) { return may_throw{}; }
};

static_assert(hash_function<sum_hash>);
static_assert(!hash_function<no_identity> && !hash_function<may_throw> && !hash_function<int>);

template <class H>
class every_hash : public ::testing::Test {};
TYPED_TEST_SUITE(every_hash, testing::built_in_hashes, testing::hash_names);

TYPED_TEST(every_hash, hashes_an_integer_as_its_8_little_endian_bytes) {
  testing::rng random(3);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto h = numbered_hash<TypeParam>(random());
    const std::uint64_t value = i < 500 ? i : random();
    std::array<std::byte, 8> bytes;
    for (std::size_t b = 0; b < 8; ++b) bytes[b] = static_cast<std::byte>(value >> (8 * b));
    EXPECT_EQ(hash_key(h, value), h(bytes_view(bytes))) << value;
  }
}

TYPED_TEST(every_hash, extends_the_sign_of_an_integer) {
  const auto h = numbered_hash<TypeParam>(1);
  EXPECT_EQ(hash_key(h, std::int8_t{-1}), hash_key(h, std::int64_t{-1}));
  EXPECT_EQ(hash_key(h, std::uint8_t{200}), hash_key(h, std::int64_t{200}));
  EXPECT_NE(hash_key(h, std::uint32_t{0xffff'ffff}), hash_key(h, -1));
}

TYPED_TEST(every_hash, hashes_text_and_bytes_alike) {
  const auto h = numbered_hash<TypeParam>(1);
  const std::string text = "alice";
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  EXPECT_EQ(hash_key(h, "alice"), h(bytes_view(bytes)));
  EXPECT_EQ(hash_key(h, text), h(bytes_view(bytes)));
  EXPECT_EQ(hash_key(h, bytes), h(bytes_view(bytes)));
}

TYPED_TEST(every_hash, takes_an_empty_key_without_an_address) {
  const auto h = numbered_hash<TypeParam>(1);
  EXPECT_EQ(h(bytes_view()), hash_key(h, ""));
}

TYPED_TEST(every_hash, does_not_care_where_a_key_lies) {  // the sanitizer build would report an aligned load
  const auto h = numbered_hash<TypeParam>(1);
  for (const std::size_t length :
       std::initializer_list<std::size_t>{1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 100, 200, 300, 1100}) {
    const auto key = golden_key(length);
    const digest expected = h(bytes_view(key));
    std::vector<std::byte> room(length + 64);
    for (std::size_t offset = 0; offset < 64; ++offset) {
      std::memcpy(room.data() + offset, key.data(), length);
      EXPECT_EQ(h(bytes_view(room).subspan(offset, length)), expected) << length << " bytes at offset " << offset;
    }
  }
}

TYPED_TEST(every_hash, tells_the_length_of_zeros) {
  const auto h = numbered_hash<TypeParam>(1);
  const std::vector<std::byte> zeros(300);
  std::vector<digest> seen_before;
  for (std::size_t length = 0; length <= zeros.size(); ++length) {
    const digest d = h(bytes_view(zeros).first(length));
    for (const digest other : seen_before) EXPECT_NE(d, other) << length;
    seen_before.push_back(d);
  }
}

TYPED_TEST(every_hash, another_seed_or_secret_is_another_function_where_there_is_one) {
  const bool unseeded = TypeParam::id == hash_id::fnv1a_64 || TypeParam::id == hash_id::fnv1a_64_splitmix;
  for (const std::size_t length :
       std::initializer_list<std::size_t>{0, 1, 3, 4, 8, 9, 16, 17, 64, 128, 129, 240, 241, 1025}) {
    const auto key = golden_key(length);
    EXPECT_EQ(numbered_hash<TypeParam>(1)(key) == numbered_hash<TypeParam>(2)(key), unseeded) << length;
  }
}

TYPED_TEST(every_hash, is_rebuilt_from_its_identity) {
  const auto made = numbered_hash<TypeParam>(5);
  const secret given = numbered_secret(5);
  const auto rebuilt = TypeParam::restore(identity_of(made), &given);
  ASSERT_TRUE(rebuilt) << rebuilt.error().detail;
  EXPECT_EQ(identity_of(*rebuilt), identity_of(made));
  EXPECT_EQ(hash_key(*rebuilt, "alice"), hash_key(made, "alice"));
  EXPECT_EQ(hash_key(*rebuilt, 42), hash_key(made, 42));
}

TYPED_TEST(every_hash, refuses_the_identity_of_another_function) {
  hash_identity stored = identity_of(numbered_hash<TypeParam>(5));
  stored.id = hash_id{0x8123};
  const secret given = numbered_secret(5);
  const auto rebuilt = TypeParam::restore(stored, &given);
  ASSERT_FALSE(rebuilt);
  EXPECT_EQ(rebuilt.error().code, errc::wrong_hash);
  EXPECT_NE(rebuilt.error().detail.find("user-defined hash 0x8123"), std::string::npos) << rebuilt.error().detail;
  EXPECT_NE(rebuilt.error().detail.find(name_of(TypeParam::id)), std::string::npos) << rebuilt.error().detail;
}

TYPED_TEST(every_hash, refuses_another_check_value) {
  hash_identity stored = identity_of(numbered_hash<TypeParam>(5));
  stored.check ^= 1;
  const secret given = numbered_secret(5);
  const auto rebuilt = TypeParam::restore(stored, &given);
  ASSERT_FALSE(rebuilt);
  EXPECT_EQ(rebuilt.error().code, errc::wrong_hash);
  EXPECT_NE(rebuilt.error().detail.find("is not the one the filter was made with"), std::string::npos)
      << rebuilt.error().detail;
}

TYPED_TEST(every_hash, refuses_another_key_encoding) {
  hash_identity stored = identity_of(numbered_hash<TypeParam>(5));
  stored.encoding = key_encoding{9};
  const secret given = numbered_secret(5);
  const auto rebuilt = TypeParam::restore(stored, &given);
  ASSERT_FALSE(rebuilt);
  EXPECT_EQ(rebuilt.error().code, errc::wrong_hash);
  EXPECT_NE(rebuilt.error().detail.find("key encoding 9, not with 1"), std::string::npos) << rebuilt.error().detail;
}

TYPED_TEST(every_hash, calls_an_identity_that_contradicts_itself_corrupt) {
  hash_identity stored = identity_of(numbered_hash<TypeParam>(5));
  stored.keyed = !stored.keyed;
  const secret given = numbered_secret(5);
  const auto rebuilt = TypeParam::restore(stored, &given);
  ASSERT_FALSE(rebuilt);
  EXPECT_EQ(rebuilt.error().code, errc::corrupt);
}

TYPED_TEST(every_hash, its_check_value_is_the_hash_of_the_fixed_sentence) {
  const auto h = numbered_hash<TypeParam>(5);
  std::uint64_t expected = hash_key(h, "have I seen this before?").value;
  if (h.id == hash_id::xxh3_fold) expected ^= hash_key(h, "have I s").value;  // its other path
  EXPECT_EQ(identity_of(h).check, expected);
}

TEST(hash_identity, check_values_with_seed_0_are_pinned) {  // they are written to files
  EXPECT_EQ(identity_of(xxh3_fold()).check, 0xccee'3817'06a1'5589);
  EXPECT_EQ(identity_of(xxh3_64()).check, 0xaf5b'3e49'8c73'8e13);
  EXPECT_EQ(identity_of(xxh64()).check, 0x322f'f458'a033'a44f);
  EXPECT_EQ(identity_of(murmur3_x64_128()).check, 0x9ed1'b941'5731'bb1c);
  EXPECT_EQ(identity_of(fnv1a_64()).check, 0xd1b2'87b2'a515'44f1);
  EXPECT_EQ(identity_of(fnv1a_64_splitmix()).check, 0x3f3c'e792'7924'd55c);
}

TEST(hash_identity, numbers_are_pinned) {  // they are written to files
  EXPECT_EQ(static_cast<int>(xxh3_64::id), 1);
  EXPECT_EQ(static_cast<int>(xxh64::id), 2);
  EXPECT_EQ(static_cast<int>(murmur3_x64_128::id), 3);
  EXPECT_EQ(static_cast<int>(fnv1a_64::id), 4);
  EXPECT_EQ(static_cast<int>(fnv1a_64_splitmix::id), 5);
  EXPECT_EQ(static_cast<int>(siphash_2_4::id), 6);
  EXPECT_EQ(static_cast<int>(siphash_1_3::id), 7);
  EXPECT_EQ(static_cast<int>(xxh3_fold::id), 8);
  EXPECT_EQ(static_cast<int>(hash_id::first_user), 0x8000);
  EXPECT_EQ(static_cast<int>(key_encoding::bytes), 1);
}

TEST(hash_identity, tells_seeds_and_secrets_apart) {
  EXPECT_NE(identity_of(xxh3_64(1)), identity_of(xxh3_64(2)));
  EXPECT_NE(identity_of(xxh3_64(1)), identity_of(xxh64(1)));
  EXPECT_NE(identity_of(siphash_2_4(numbered_secret(1))), identity_of(siphash_2_4(numbered_secret(2))));
}

template <class... Hs>
std::set<hash_id> ids_of(::testing::Types<Hs...>) {
  return {Hs::id...};
}

TEST(hash_names, every_name_leads_back_to_its_number_and_to_a_function_that_is_tested) {
  const std::set<hash_id> tested = ids_of(testing::built_in_hashes());
  EXPECT_LE(tested.size(), detail::hash_names.size()) << "hash/identity.hpp has no name for a hash of the tests";
  for (const auto& known : detail::hash_names) {
    const auto id = hash_id_from(known.name);
    ASSERT_TRUE(id) << known.name;
    EXPECT_EQ(*id, known.id) << known.name;
    EXPECT_STREQ(name_of(*id), known.name);
    EXPECT_TRUE(tested.contains(*id)) << known.name << " is not in tests/hash/built_in_hashes.hpp";
  }
  EXPECT_STREQ(name_of(hash_id{0}), "unknown");
  EXPECT_STREQ(name_of(hash_id{0x8000}), "user-defined");
}

TEST(hash_names, an_unknown_name_is_answered_with_the_known_ones) {
  const auto id = hash_id_from("md5");
  ASSERT_FALSE(id);
  EXPECT_EQ(id.error().code, errc::invalid_argument);
  const std::string message = id.error().detail;
  EXPECT_TRUE(message.starts_with("no hash is called \"md5\"; there are xxh3-fold, xxh3-64, ")) << message;
  for (const auto& known : detail::hash_names) {
    EXPECT_NE(message.find(std::string(" ") + known.name), std::string::npos) << message;
  }
}

TEST(hash_names, describe_says_the_function_and_its_seed) {
  EXPECT_EQ(describe(identity_of(xxh3_64())), "xxh3-64 seed 0");
  EXPECT_EQ(describe(identity_of(murmur3_x64_128(7))), "murmur3-x64-128 seed 7");
  EXPECT_EQ(describe(identity_of(siphash_1_3(secret{}))), "siphash-1-3 keyed");
  EXPECT_EQ(describe(identity_of(sum_hash(3))), "user-defined hash 0x8001 seed 3");
  EXPECT_EQ(describe(hash_identity{.id = hash_id{99}}), "unknown hash 0x63 seed 0");
}

TEST(restore, says_both_functions_when_they_differ) {
  const auto h = xxh3_64::restore(identity_of(murmur3_x64_128(5)), nullptr);
  ASSERT_FALSE(h);
  EXPECT_EQ(h.error(), (error{errc::wrong_hash, "the filter was made with murmur3-x64-128 seed 5, not with xxh3-64"}));
}

TEST(restore, a_keyed_function_needs_its_secret) {
  const auto h = siphash_2_4::restore(identity_of(siphash_2_4(numbered_secret(1))), nullptr);
  ASSERT_FALSE(h);
  EXPECT_EQ(h.error(), (error{errc::secret_required, "the filter was made with siphash-2-4 keyed: give its secret"}));
}

TEST(restore, a_wrong_secret_is_noticed) {
  const secret wrong = numbered_secret(2);
  const auto h = siphash_2_4::restore(identity_of(siphash_2_4(numbered_secret(1))), &wrong);
  ASSERT_FALSE(h);
  EXPECT_EQ(h.error().code, errc::wrong_hash);
  EXPECT_NE(h.error().detail.find("the secret is not the one the filter was made with"), std::string::npos);
}

TEST(restore, a_wrong_seed_is_noticed) {
  hash_identity stored = identity_of(xxh3_64(1));
  stored.seed = 2;
  const auto h = xxh3_64::restore(stored, nullptr);
  ASSERT_FALSE(h);
  EXPECT_EQ(h.error().code, errc::wrong_hash);
  EXPECT_NE(h.error().detail.find("the seed is not the one the filter was made with"), std::string::npos);
}

TEST(restore, a_seed_the_function_cannot_have_is_corrupt) {
  hash_identity stored = identity_of(fnv1a_64());
  stored.seed = 7;
  EXPECT_EQ(fnv1a_64::restore(stored, nullptr).error(), (error{errc::corrupt, "fnv1a-64 takes no seed, not 7"}));

  stored = identity_of(murmur3_x64_128(1));
  stored.seed += std::uint64_t{1} << 32;
  EXPECT_EQ(murmur3_x64_128::restore(stored, nullptr).error(),
            (error{errc::corrupt, "murmur3-x64-128 takes a seed of 32 bits, not 4294967297"}));

  stored = identity_of(siphash_2_4(numbered_secret(1)));
  stored.seed = 1;
  const secret given = numbered_secret(1);
  EXPECT_EQ(siphash_2_4::restore(stored, &given).error().code, errc::corrupt);
}

TEST(restore, a_secret_offered_to_an_unkeyed_function_is_ignored) {
  const secret given = numbered_secret(1);
  EXPECT_TRUE(xxh3_64::restore(identity_of(xxh3_64(5)), &given));
}

TEST(user_hash, works_with_the_required_members_only) {
  const sum_hash h(7);
  EXPECT_EQ(hash_key(h, 258), h(as_key(std::string_view("\2\1\0\0\0\0\0\0", 8))));
  EXPECT_FALSE(avalanches(h));
  const auto rebuilt = sum_hash::restore(identity_of(h), nullptr);
  ASSERT_TRUE(rebuilt) << rebuilt.error().detail;
  EXPECT_EQ(hash_key(*rebuilt, "alice"), hash_key(h, "alice"));
}

TEST(avalanches, only_raw_fnv1a_does_not) {
  EXPECT_TRUE(avalanches(xxh3_64()) && avalanches(xxh64()) && avalanches(murmur3_x64_128()));
  EXPECT_TRUE(avalanches(fnv1a_64_splitmix()) && avalanches(siphash_2_4({})) && avalanches(siphash_1_3({})));
  EXPECT_FALSE(avalanches(fnv1a_64()));
}

}  // namespace
}  // namespace seen
