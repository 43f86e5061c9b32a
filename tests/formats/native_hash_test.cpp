// A file remembers its hash: asked with another one it would lose keys silently, so another one does not open it.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

#include "support/all_filters.hpp"
#include "support/error_code.hpp"
#include "support/native_image.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

// A function of the user's own: rotate, xor, multiply. `Step` makes an impostor that computes something else.
template <std::uint64_t Step>
struct my_hash_with {
  static constexpr hash_id id{0x8001};
  static constexpr bool is_keyed = false;
  using digest_type = digest;
  explicit my_hash_with(std::uint64_t seed = 0) noexcept : seed_(seed) {}
  digest operator()(bytes_view key) const noexcept {
    std::uint64_t h = seed_ ^ (key.size() * Step);
    for (const std::byte b : key) h = ((h << 23 | h >> 41) ^ static_cast<std::uint64_t>(b)) * Step;
    return digest(h ^ h >> 29);
  }
  std::uint64_t seed() const noexcept { return seed_; }
  static result<my_hash_with> restore(const hash_identity& stored, const secret* given) {
    return restore_hash<my_hash_with>(stored, given);
  }

 private:
  std::uint64_t seed_;
};
using my_hash = my_hash_with<0x9fb2'1c65'1e98'df25>;
using impostor = my_hash_with<0xff51'afd7'ed55'8ccd>;

constexpr secret secret_of(unsigned char first) {
  secret made;
  made.bytes[0] = static_cast<std::byte>(first);
  return made;
}

template <class F>
class native_hash : public ::testing::Test {
 protected:
  template <class H>
  using with = filter<typename F::engine_type, H>;
};
TYPED_TEST_SUITE(native_hash, container_filters, kind_names);

TYPED_TEST(native_hash, another_built_in_function_does_not_open_it) {
  const auto bytes = to_bytes(sample_of<TypeParam>(100)).value();
  using other = typename TestFixture::template with<xxh64>;
  const auto refused = from_bytes<other>(bytes);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::wrong_hash);
  EXPECT_EQ(refused.error().detail, "bytes: the filter was made with xxh3-fold seed 0, not with xxh64");
  EXPECT_EQ(view<other>(bytes).error(), refused.error());
}

TYPED_TEST(native_hash, the_seed_comes_back_from_the_file) {
  const auto f = sample_of<TypeParam>(100, 0.01, typename TypeParam::hash_type(~std::uint64_t{0}));
  EXPECT_EQ(from_bytes<TypeParam>(to_bytes(f).value()).value().identity().seed, ~std::uint64_t{0});
}

TYPED_TEST(native_hash, a_seed_check_value_id_or_encoding_that_was_changed_is_noticed) {
  const native_image good = image_of(sample_of<TypeParam>(100));
  const auto code = [](const native_image& image) {
    const auto bytes = image.encode();
    const errc opened = code_of(from_bytes<TypeParam>(bytes));
    EXPECT_EQ(code_of(view<TypeParam>(bytes)), opened);
    EXPECT_EQ(any_filter::from_bytes(bytes).has_value(), opened == success);
    return opened;
  };
  ASSERT_EQ(code(good), success);
  native_image changed = good;
  changed.seed = 1;
  EXPECT_EQ(code(changed), errc::wrong_hash);
  changed = good;
  changed.check ^= 1;
  EXPECT_EQ(code(changed), errc::wrong_hash);
  for (const int encoding : {0, 2, 0xffff}) {
    changed = good;
    changed.encoding = static_cast<std::uint16_t>(encoding);
    EXPECT_EQ(code(changed), errc::wrong_hash) << encoding;
  }
  for (int id = 0; id <= 0xffff; id += id < 16 ? 1 : 977) {
    if (id == good.hash_id) continue;
    changed = good;
    changed.hash_id = static_cast<std::uint16_t>(id);
    EXPECT_EQ(code(changed), errc::wrong_hash) << id;
  }
}

TYPED_TEST(native_hash, a_function_of_the_users_own_opens_its_files_and_nobody_elses) {
  using mine = typename TestFixture::template with<my_hash>;
  using fake = typename TestFixture::template with<impostor>;
  const auto f = sample_of<mine>(100, 0.01, my_hash(7));
  const auto bytes = to_bytes(f).value();
  EXPECT_EQ(get<std::uint16_t>(bytes, at::hash_id), 0x8001);
  EXPECT_EQ(from_bytes<mine>(bytes).value(), f);
  EXPECT_EQ(*view<mine>(bytes).value(), f);
  // The same number, another function: the stored check value tells.
  EXPECT_EQ(code_of(from_bytes<fake>(bytes)), errc::wrong_hash);
  EXPECT_EQ(code_of(from_bytes<TypeParam>(bytes)), errc::wrong_hash);
  EXPECT_EQ(code_of(from_bytes<mine>(to_bytes(sample_of<TypeParam>(100)).value())), errc::wrong_hash);
  const auto any = any_filter::from_bytes(bytes);
  ASSERT_FALSE(any);
  EXPECT_EQ(any.error().code, errc::wrong_hash);
  EXPECT_NE(any.error().detail.find("0x8001"), std::string::npos) << any.error().detail;
}

TYPED_TEST(native_hash, a_file_of_the_users_own_function_can_be_inspected_by_anybody) {
  const temp_dir dir;
  using mine = typename TestFixture::template with<my_hash>;
  ASSERT_TRUE(save(sample_of<mine>(100, 0.01, my_hash(7)), dir / "f"));
  const auto info = any_filter::inspect(dir / "f");
  ASSERT_TRUE(info) << info.error().detail;
  EXPECT_EQ(static_cast<std::uint16_t>(info->hash.id), 0x8001);
}

TYPED_TEST(native_hash, a_keyed_file_opens_with_its_secret_only) {
  const temp_dir dir;
  using keyed = typename TestFixture::template with<siphash_2_4>;
  const auto f = sample_of<keyed>(100, 0.01, siphash_2_4(secret_of(1)));
  ASSERT_TRUE(save(f, dir / "f"));
  const auto bytes = read_bytes(dir / "f");

  EXPECT_EQ(code_of(load<keyed>(dir / "f")), errc::secret_required);
  EXPECT_EQ(code_of(map<keyed>(dir / "f")), errc::secret_required);
  EXPECT_EQ(code_of(from_bytes<keyed>(bytes)), errc::secret_required);
  EXPECT_EQ(code_of(view<keyed>(bytes)), errc::secret_required);
  EXPECT_EQ(code_of(any_filter::load(dir / "f")), errc::secret_required);

  EXPECT_EQ(code_of(load<keyed>(dir / "f", {.secret = secret_of(2)})), errc::wrong_hash);
  EXPECT_EQ(code_of(map<keyed>(dir / "f", {.secret = secret_of(2)})), errc::wrong_hash);
  EXPECT_EQ(code_of(any_filter::load(dir / "f", {.secret = secret_of(2)})), errc::wrong_hash);

  EXPECT_EQ(load<keyed>(dir / "f", {.secret = secret_of(1)}).value(), f);
  EXPECT_EQ(*map<keyed>(dir / "f", {.secret = secret_of(1)}).value(), f);
  const auto any = any_filter::load(dir / "f", {.secret = secret_of(1)}).value();
  for (const auto& key : sample_keys(100)) EXPECT_TRUE(any.may_contain(key)) << key;
}

TYPED_TEST(native_hash, the_secret_is_in_the_file_only_when_asked_for) {
  const temp_dir dir;
  using keyed = typename TestFixture::template with<siphash_1_3>;
  secret made;
  for (auto& b : made.bytes) b = std::byte{0xc5};
  const auto f = sample_of<keyed>(100, 0.01, siphash_1_3(made));
  const auto without = to_bytes(f).value();
  EXPECT_EQ(std::search(without.begin(), without.end(), made.bytes.begin(), made.bytes.end()), without.end());
  ASSERT_TRUE(save(f, dir / "f", {.store_secret = true}));
  EXPECT_EQ(load<keyed>(dir / "f").value(), f);
  EXPECT_EQ(code_of(load<keyed>(dir / "f", {.secret = secret_of(9)})), errc::wrong_hash);  // a given secret comes first
  const auto any = any_filter::load(dir / "f").value();
  EXPECT_TRUE(any.origin().secret_stored);
  EXPECT_EQ(any.to_bytes({.store_secret = true}).value(), read_bytes(dir / "f"));
  EXPECT_EQ(any.to_bytes().value(), without);  // nor does it go on by itself
}

TYPED_TEST(native_hash, inspect_needs_no_secret) {
  const temp_dir dir;
  using keyed = typename TestFixture::template with<siphash_2_4>;
  const auto f = sample_of<keyed>(100, 0.01, siphash_2_4(secret_of(1)));
  ASSERT_TRUE(save(f, dir / "f"));
  const auto info = any_filter::inspect(dir / "f");
  ASSERT_TRUE(info) << info.error().detail;
  EXPECT_TRUE(info->hash.keyed);
  EXPECT_EQ(info->hash, f.identity());
  EXPECT_FALSE(info->origin.secret_stored);
  EXPECT_EQ(info->target, f.target());
}

TYPED_TEST(native_hash, case_34_filters_of_two_files_with_other_seeds_or_secrets_are_not_merged) {
  auto here = any_filter::from_bytes(to_bytes(sample_of<TypeParam>(100)).value()).value();
  const auto before = here.to_bytes().value();
  const auto refuse = [&](const any_filter& there, const std::string& both_sides) {
    for (const bool merging : {true, false}) {
      if (!merging && !can_intersect<TypeParam>::value) continue;
      const auto refused = merging ? here.merge(there) : here.intersect(there);
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, errc::incompatible);
      EXPECT_NE(refused.error().detail.find(both_sides), std::string::npos) << refused.error().detail;
      EXPECT_EQ(here.to_bytes().value(), before);
    }
  };
  const auto reopened = [](const auto& f) {
    return any_filter::from_bytes(to_bytes(f, {.store_secret = true}).value()).value();
  };
  refuse(reopened(sample_of<TypeParam>(100, 0.01, typename TypeParam::hash_type(5))),
         "xxh3-fold seed 0 here, xxh3-fold seed 5 there");
  using keyed = typename TestFixture::template with<siphash_2_4>;
  refuse(reopened(sample_of<keyed>(100, 0.01, siphash_2_4(secret_of(1)))),
         "xxh3-fold seed 0 here, siphash-2-4 keyed there");
  if (is_classic<TypeParam>::value) {
    refuse(reopened(sample_of<TypeParam>(101)), " here, ");
    refuse(reopened(sample_of<TypeParam>(100, 0.001)), " here, ");
  }
  EXPECT_TRUE(here.merge(reopened(TypeParam({.capacity = 100, .fpr = 0.01}))));
}

}  // namespace
}  // namespace seen::testing
