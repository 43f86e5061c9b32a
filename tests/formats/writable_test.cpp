// Writable maps: a file is marked unsealed before its first bit changes, and whole again when it is sealed.
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "support/all_filters.hpp"
#include "support/child.hpp"
#include "support/error_code.hpp"
#include "support/native_image.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

// The kinds whose bits only go from 0 to 1; another kind has no map_writable to test.
template <class F>
inline constexpr bool is_writable = monotone_engine<typename F::engine_type>;

std::string seal_of(const std::string& path) {
  const auto bytes = read_bytes(path);
  const std::size_t where = get<std::uint32_t>(bytes, at::header_bytes) - at::seal_word;
  return std::string(reinterpret_cast<const char*>(bytes.data()) + where, 8);
}

template <class F>
class writable_map : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_writable<F>) GTEST_SKIP() << "bits of this kind go down too";
    ASSERT_TRUE(save(before, path));
  }
  temp_dir dir;
  std::string path = dir / "f";
  F before = sample_of<F>(100, 0.001);
};
TYPED_TEST_SUITE(writable_map, monotone_filters, kind_names);

TYPED_TEST(writable_map, the_mark_is_in_the_file_before_the_first_add_and_goes_with_the_seal) {
  EXPECT_EQ(seal_of(this->path), "sealed!\n");
  {
    auto w = map_writable<TypeParam>(this->path).value();
    EXPECT_EQ(seal_of(this->path), "unsealed");
    w.add("alice");
    ASSERT_TRUE(std::move(w).seal());
    EXPECT_EQ(seal_of(this->path), "sealed!\n");
  }
  auto expected = this->before;
  expected.add("alice");
  EXPECT_EQ(read_bytes(this->path), to_bytes(expected).value());  // byte for byte what save would have written
}

TYPED_TEST(writable_map, sealing_without_an_add_gives_the_old_file_back) {
  const auto bytes = read_bytes(this->path);
  ASSERT_TRUE(map_writable<TypeParam>(this->path).value().seal());
  EXPECT_EQ(read_bytes(this->path), bytes);
}

TYPED_TEST(writable_map, metadata_alignment_and_pages_survive) {
  const save_options options{.alignment = 4096, .metadata = std::string(1000, 'm')};
  auto f = sample_of<TypeParam>(200'000, 0.001);
  ASSERT_TRUE(save(f, this->path, options));
  auto w = map_writable<TypeParam>(this->path).value();
  for (const auto& key : sample_keys(1000, 1'000'000)) {
    w.add(key);
    f.add(key);
  }
  ASSERT_TRUE(std::move(w).seal());
  EXPECT_TRUE(read_bytes(this->path) == to_bytes(f, options).value());
}

TYPED_TEST(writable_map, an_unsealed_file_opens_only_with_recover) {
  {
    auto w = map_writable<TypeParam>(this->path).value();
    w.add("alice");
    ASSERT_TRUE(w.sync());
  }
  const auto bytes = read_bytes(this->path);
  EXPECT_EQ(code_of(load<TypeParam>(this->path)), errc::unsealed);
  EXPECT_EQ(code_of(map<TypeParam>(this->path)), errc::unsealed);
  EXPECT_EQ(code_of(from_bytes<TypeParam>(bytes)), errc::unsealed);
  EXPECT_EQ(code_of(view<TypeParam>(bytes)), errc::unsealed);
  EXPECT_EQ(code_of(map_writable<TypeParam>(this->path)), errc::unsealed);
  EXPECT_EQ(code_of(any_filter::load(this->path)), errc::unsealed);
  EXPECT_EQ(read_bytes(this->path), bytes);

  auto expected = this->before;
  expected.add("alice");
  const open_options recover{.recover = true};
  EXPECT_EQ(load<TypeParam>(this->path, recover).value(), expected);
  EXPECT_EQ(*map<TypeParam>(this->path, recover).value(), expected);
  EXPECT_EQ(from_bytes<TypeParam>(bytes, recover).value(), expected);
  EXPECT_EQ(*view<TypeParam>(bytes, recover).value(), expected);
  auto any = any_filter::load(this->path, recover).value();
  EXPECT_FALSE(any.origin().sealed);
  EXPECT_FALSE(any.origin().verified);
  EXPECT_FALSE(any_filter::inspect(this->path).value().origin.sealed);

  // A recovered filter that is saved again, or sealed, is a whole file.
  ASSERT_TRUE(any.save(this->dir / "copy"));
  EXPECT_EQ(read_bytes(this->dir / "copy"), to_bytes(expected).value());
  ASSERT_TRUE(map_writable<TypeParam>(this->path, recover).value().seal());
  EXPECT_EQ(read_bytes(this->path), to_bytes(expected).value());
}

TYPED_TEST(writable_map, adds_show_in_other_maps_at_once) {
  auto w = map_writable<TypeParam>(this->path).value();
  const auto reader = map<TypeParam>(this->path, {.recover = true}).value();
  EXPECT_FALSE(reader->may_contain("alice"));
  w.add("alice");
  EXPECT_TRUE(reader->may_contain("alice"));
}

TYPED_TEST(writable_map, only_one_writer_at_a_time) {
  {
    auto w = map_writable<TypeParam>(this->path).value();
    const auto second = map_writable<TypeParam>(this->path, {.recover = true});
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, errc::busy);
    EXPECT_EQ(second.error().detail, this->path + ": it is open for writing already");
    ASSERT_TRUE(std::move(w).seal());
  }
  EXPECT_TRUE(map_writable<TypeParam>(this->path));
}

TYPED_TEST(writable_map, a_writer_in_another_process_is_busy_until_it_dies) {
  const std::string path = this->path;
  child_process child([&](const auto& report) {
    auto w = map_writable<TypeParam>(path);
    report(w.has_value());
    ::pause();
  });
  std::uint64_t opened = 0;
  ASSERT_TRUE(child.read(opened));
  EXPECT_EQ(opened, 1u);
  EXPECT_EQ(code_of(map_writable<TypeParam>(path, {.recover = true})), errc::busy);
  child.kill();
  EXPECT_EQ(code_of(map_writable<TypeParam>(path)), errc::unsealed);
  EXPECT_TRUE(map_writable<TypeParam>(path, {.recover = true}));
}

TYPED_TEST(writable_map, a_corrupt_page_or_census_is_refused_and_the_file_stays_as_it_was) {
  const auto good = read_bytes(this->path);
  auto bad = good;  // two bytes exchanged: as many bits, in other places
  const auto body = bad.begin() + static_cast<std::ptrdiff_t>(get<std::uint64_t>(bad, at::body_offset));
  std::iter_swap(body, std::find_if(body, bad.end(), [&](std::byte b) { return b != *body; }));
  write_bytes(this->path, bad);
  EXPECT_EQ(code_of(map_writable<TypeParam>(this->path)), errc::corrupt);
  EXPECT_EQ(read_bytes(this->path), bad);

  bad = good;  // checksums that are right over a census that is wrong
  set(bad, get<std::uint32_t>(bad, at::header_bytes) - at::census, std::uint64_t{0});
  ASSERT_TRUE(repair(bad));
  write_bytes(this->path, bad);
  EXPECT_EQ(code_of(map_writable<TypeParam>(this->path)), errc::corrupt);
  EXPECT_EQ(read_bytes(this->path), bad);
}

TYPED_TEST(writable_map, what_cannot_be_opened_is_not_marked) {
  const auto bytes = read_bytes(this->path);
  using other_hash = filter<typename TypeParam::engine_type, murmur3_x64_128>;
  EXPECT_EQ(code_of(map_writable<other_hash>(this->path)), errc::wrong_hash);
  using other_kind = std::conditional_t<std::is_same_v<TypeParam, bloom>, partitioned_bloom, bloom>;
  EXPECT_EQ(code_of(map_writable<other_kind>(this->path)), errc::wrong_kind);
  EXPECT_EQ(read_bytes(this->path), bytes);
  EXPECT_EQ(code_of(map_writable<TypeParam>(this->dir / "absent")), errc::io);
}

TYPED_TEST(writable_map, an_unsealed_file_with_any_damage_but_to_its_bits_is_refused) {
  { auto w = map_writable<TypeParam>(this->path).value(); }
  const auto good = read_bytes(this->path);
  const std::size_t covered = get<std::uint32_t>(good, at::header_bytes) - at::seal_word;
  const open_options recover{.recover = true};
  ASSERT_TRUE(from_bytes<TypeParam>(good, recover));
  for (std::size_t byte = 0; byte < covered; ++byte) {
    auto bad = good;
    bad[byte] ^= std::byte{0x04};
    EXPECT_FALSE(from_bytes<TypeParam>(bad, recover)) << byte;
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(from_bytes<TypeParam>(bytes_view(good).first(size), recover)) << size;
  }
}

TYPED_TEST(writable_map, a_moved_writer_is_the_writer) {
  auto w = map_writable<TypeParam>(this->path).value();
  auto moved = std::move(w);
  moved.add("alice");
  ASSERT_TRUE(moved.sync());
  ASSERT_TRUE(std::move(moved).seal());
  EXPECT_TRUE(load<TypeParam>(this->path).value().may_contain("alice"));
}

template <class F>
class concurrent_writable_map : public ::testing::Test {};
using shared_maps = ::testing::Types<concurrent_bloom, concurrent_blocked_bloom>;
TYPED_TEST_SUITE(concurrent_writable_map, shared_maps, kind_names);

TYPED_TEST(concurrent_writable_map, a_concurrent_kind_is_written_through_too) {
  if (!is_writable<TypeParam>) GTEST_SKIP() << "bits of this kind go down too";
  const temp_dir dir;
  ASSERT_TRUE(save(sample_of<TypeParam>(100, 0.001), dir / "f"));
  auto w = map_writable<TypeParam>(dir / "f").value();
  w.add("alice");
  ASSERT_TRUE(std::move(w).seal());
  EXPECT_TRUE(load<TypeParam>(dir / "f").value().may_contain("alice"));
}

TYPED_TEST(writable_map, after_the_seal_there_is_nothing_to_add_to) {
  auto w = map_writable<TypeParam>(this->path).value();
  w.add("before");
  ASSERT_TRUE(std::move(w).seal());
  w.add("after");  // NOLINT(bugprone-use-after-move): that is the question
  EXPECT_EQ(code_of(std::move(w).seal()), errc::invalid_argument);
  const auto f = load<TypeParam>(this->path);
  ASSERT_TRUE(f) << f.error().detail;
  EXPECT_TRUE(f->may_contain("before"));
}

TYPED_TEST(writable_map, a_file_replaced_meanwhile_is_noticed_by_the_seal) {
  auto w = map_writable<TypeParam>(this->path).value();
  w.add("lost");
  ASSERT_TRUE(save(sample_of<TypeParam>(10), this->path));
  const auto sealed = std::move(w).seal();
  ASSERT_FALSE(sealed);
  EXPECT_NE(sealed.error().detail.find("was replaced while it was mapped"), std::string::npos) << sealed.error().detail;
  EXPECT_EQ(load<TypeParam>(this->path).value(), sample_of<TypeParam>(10));
}

TYPED_TEST(writable_map, verify_of_an_unsealed_file_says_so) {
  { auto w = map_writable<TypeParam>(this->path).value(); }
  const auto mapped = map<TypeParam>(this->path, {.recover = true});
  ASSERT_TRUE(mapped) << mapped.error().detail;
  EXPECT_EQ(code_of(mapped->verify()), errc::unsealed);
}

}  // namespace
}  // namespace seen::testing
