// Tests what a header may hold that this release does not, and what it must refuse: versions, kinds, entries, metadata.
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "support/all_filters.hpp"
#include "support/error_code.hpp"
#include "support/native_image.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

// Whatever the typed functions refuse, the others refuse too, for the same reason.
template <class F>
errc refusal_of(const byte_vector& bytes) {
  const errc code = code_of(from_bytes<F>(bytes));
  EXPECT_EQ(code_of(view<F>(bytes)), code);
  EXPECT_EQ(code_of(any_filter::from_bytes(bytes)), code);
  return code;
}

template <class F>
class native_header : public ::testing::Test {
 protected:
  native_header() : f(sample_of<F>(200)), image(image_of(f)) {}
  F f;
  native_image image;
};
TYPED_TEST_SUITE(native_header, container_filters, kind_names);

TYPED_TEST(native_header, an_unknown_entry_is_skipped) {
  this->image.entries.push_back({77, 0, bytes_of("from the future")});
  this->image.entries.insert(this->image.entries.begin(), {0xffff, 0, {}});
  const auto bytes = this->image.encode();
  EXPECT_EQ(from_bytes<TypeParam>(bytes).value(), this->f);
  EXPECT_EQ(*view<TypeParam>(bytes).value(), this->f);
  EXPECT_TRUE(any_filter::from_bytes(bytes));
}

TYPED_TEST(native_header, an_unknown_entry_that_must_be_understood_is_refused_as_newer) {
  this->image.entries.push_back({77, 1, bytes_of("from the future")});
  EXPECT_EQ(refusal_of<TypeParam>(this->image.encode()), errc::newer_version);
}

TYPED_TEST(native_header, unknown_flags_are_refused_as_newer) {
  for (int bit = 0; bit < 32; ++bit) {
    native_image changed = this->image;
    changed.flags = std::uint32_t{1} << bit;
    EXPECT_EQ(refusal_of<TypeParam>(changed.encode()), errc::newer_version) << bit;
    changed = this->image;
    changed.hash_flags = std::uint32_t{1} << bit;
    const auto refused = refusal_of<TypeParam>(changed.encode());
    // Flag 0 says "keyed", which this hash never is.
    EXPECT_EQ(refused, bit == 0 ? errc::corrupt : errc::newer_version) << bit;
  }
}

TYPED_TEST(native_header, a_newer_minor_version_opens_and_a_newer_major_one_says_so) {
  this->image.minor = 9;
  EXPECT_EQ(from_bytes<TypeParam>(this->image.encode()).value(), this->f);
  this->image.major = 2;
  const auto refused = from_bytes<TypeParam>(this->image.encode());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::newer_version);
  EXPECT_EQ(refused.error().detail, "bytes: offset 8: format version 2.9; this release (1.0) does not know it");
}

TYPED_TEST(native_header, a_newer_major_version_may_have_any_layout_behind_it) {
  auto bytes = this->image.encode();
  bytes.resize(200);
  set(bytes, at::major, std::uint16_t{7});
  set(bytes, at::header_bytes, ~std::uint32_t{0});
  EXPECT_EQ(refusal_of<TypeParam>(bytes), errc::newer_version);
}

TYPED_TEST(native_header, another_kind_is_named_on_both_sides) {
  const std::uint16_t other = TypeParam::kind.id == 1 ? 2 : 1;
  this->image.kind = other;
  const auto refused = from_bytes<TypeParam>(this->image.encode());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::wrong_kind);
  EXPECT_EQ(refused.error().detail,
            "bytes: holds a " + kind_name(other) + " filter, not a " + std::string(TypeParam::kind.name));
}

TYPED_TEST(native_header, a_kind_or_index_rule_nobody_knows_is_refused) {
  native_image unknown_rule = this->image;
  unknown_rule.index_rule = 999;
  EXPECT_EQ(refusal_of<TypeParam>(unknown_rule.encode()), errc::newer_version);
  this->image.kind = 999;
  const auto bytes = this->image.encode();
  EXPECT_EQ(code_of(from_bytes<TypeParam>(bytes)), errc::wrong_kind);
  EXPECT_EQ(code_of(any_filter::from_bytes(bytes)), errc::newer_version);
}

TYPED_TEST(native_header, padding_after_the_entries_may_be_longer_but_must_be_zero) {
  // A later release may leave room to grow.
  auto bytes = this->image.encode();
  const auto end = get<std::uint32_t>(bytes, at::header_bytes);
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(end - at::trailer), 64, std::byte{0});
  set(bytes, at::header_bytes, end + 64);
  set(bytes, at::file_bytes, get<std::uint64_t>(bytes, at::file_bytes) + 64);
  set(bytes, at::body_offset, get<std::uint64_t>(bytes, at::body_offset) + 64);
  ASSERT_TRUE(repair(bytes));
  EXPECT_EQ(from_bytes<TypeParam>(bytes).value(), this->f);
  bytes[end] = std::byte{1};
  ASSERT_TRUE(repair(bytes));
  EXPECT_EQ(refusal_of<TypeParam>(bytes), errc::corrupt);
}

TYPED_TEST(native_header, metadata_goes_in_and_out) {
  const temp_dir dir;
  std::string everything;
  for (int c = 0; c < 256; ++c) everything += static_cast<char>(c);
  for (const std::string& metadata : {std::string(), std::string("m"), everything, std::string(65536, '\0')}) {
    ASSERT_TRUE(save(this->f, dir / "f", {.metadata = metadata}));
    auto opened = any_filter::load(dir / "f").value();
    EXPECT_EQ(opened.metadata(), metadata);
    EXPECT_EQ(any_filter::inspect(dir / "f").value().origin.metadata, metadata);
    EXPECT_EQ(map<TypeParam>(dir / "f").value().header().metadata, metadata);
    // It goes along with the next save, and another replaces it.
    ASSERT_TRUE(opened.save(dir / "g"));
    EXPECT_EQ(read_bytes(dir / "g"), read_bytes(dir / "f"));
    ASSERT_TRUE(opened.save(dir / "g", {.metadata = "other"}));
    EXPECT_EQ(any_filter::load(dir / "g").value().metadata(), "other");
    opened.set_metadata("third");
    ASSERT_TRUE(opened.save(dir / "g"));
    EXPECT_EQ(any_filter::load(dir / "g").value().metadata(), "third");
  }
}

TYPED_TEST(native_header, metadata_beyond_64_kibibytes_is_refused_on_both_sides) {
  const temp_dir dir;
  const auto refused = save(this->f, dir / "f", {.metadata = std::string(65537, 'm')});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::invalid_argument);
  EXPECT_EQ(refused.error().detail, "metadata has 65537 bytes; the most is 65536");
  EXPECT_TRUE(dir.names().empty());
  this->image.entries.push_back({2, 0, byte_vector(65536)});
  EXPECT_EQ(from_bytes<TypeParam>(this->image.encode()).value(), this->f);
  this->image.entries.back().value.resize(65537);
  EXPECT_EQ(refusal_of<TypeParam>(this->image.encode()), errc::corrupt);
}

TYPED_TEST(native_header, inspect_says_what_the_filter_says) {
  const temp_dir dir;
  ASSERT_TRUE(save(this->f, dir / "f", {.metadata = "m"}));
  const auto inspected = any_filter::inspect(dir / "f").value();
  const auto info = any_filter::load(dir / "f").value().info();
  EXPECT_EQ(inspected.kind, TypeParam::kind.name);
  EXPECT_EQ(inspected.kind, info.kind);
  EXPECT_EQ(inspected.format, info.format);
  EXPECT_EQ(inspected.shape, info.shape);
  EXPECT_EQ(inspected.hash, info.hash);
  EXPECT_EQ(inspected.target, info.target);
  EXPECT_EQ(inspected.bytes, info.bytes);
  EXPECT_EQ(inspected.keys, info.keys);
  EXPECT_EQ(inspected.fill, info.fill);
  EXPECT_EQ(inspected.fpr_now, info.fpr_now);
  EXPECT_EQ(inspected.fpr_at_capacity, info.fpr_at_capacity);
  EXPECT_EQ(inspected.origin.file_bytes, read_bytes(dir / "f").size());
  EXPECT_TRUE(inspected.origin.verified);
  EXPECT_TRUE(inspected.origin.sealed);
}

// No reader would take such a file, so no writer makes it.
TEST(native_writer, does_not_write_a_rate_that_is_none) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const temp_dir dir;
  const auto f = sample_of<windowed_bloom>(50);
  for (const double fpr : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity, -1.0, 1.0, 5.0}) {
    const windowed_bloom odd(f.engine(), f.hash(), {.capacity = 100, .fpr = fpr});
    const auto refused = save(odd, dir / "f");
    ASSERT_EQ(code_of(refused), errc::invalid_argument) << fpr;
    EXPECT_EQ(refused.error().detail,
              "save: no reader would take the file: the stored fpr is not a probability below 1");
    EXPECT_EQ(code_of(to_bytes(odd)), errc::invalid_argument) << fpr;
    EXPECT_EQ(code_of(serialized_size(odd)), errc::invalid_argument) << fpr;
    EXPECT_EQ(code_of(any_filter(odd).save(dir / "f")), errc::invalid_argument) << fpr;
    EXPECT_TRUE(dir.names().empty());
  }
}

}  // namespace
}  // namespace seen::testing
