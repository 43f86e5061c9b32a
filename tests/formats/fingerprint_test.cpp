// FastFilter's filters: from one of its two libraries to the other, and from layout to layout.
#include <seen/registry.hpp>

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

#include "support/error_code.hpp"
#include "support/native_image.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

byte_vector golden(const std::string& name) {
  return read_bytes(std::string(SEEN_TEST_DATA) + "/golden/" + name);
}

any_filter opened(const std::string& name) {
  return any_filter::from_bytes(golden(name), {.format = name.substr(0, name.find('/'))}).value();
}

TEST(fingerprints, a_layout_of_the_c_library_becomes_another) {
  const std::string serialized = "xor-singleheader/binaryfuse8_serialize.bin";
  const std::string packed = "xor-singleheader/binaryfuse8_pack.bin";
  EXPECT_EQ(opened(serialized).convert("xor-singleheader", "pack")->to_bytes().value(), golden(packed));
  EXPECT_EQ(opened(packed).convert("xor-singleheader", "serialize")->to_bytes().value(), golden(serialized));
  EXPECT_EQ(opened("xor-singleheader/xor8_serialize.bin").convert("xor-singleheader", "pack")->to_bytes().value(),
            golden("xor-singleheader/xor8_pack.bin"));
}

TEST(fingerprints, four_spare_bytes_after_sixteen_bit_fuse_filters_are_kept) {
  byte_vector bytes = golden("xor-singleheader/binaryfuse16_serialize.bin");
  const auto plain = opened("xor-singleheader/binaryfuse16_serialize.bin");
  for (const int b : {0xde, 0xad, 0xbe, 0xef}) bytes.push_back(static_cast<std::byte>(b));
  const auto spare = any_filter::from_bytes(bytes).value();
  for (std::uint64_t key = 0; key < 2000; ++key) ASSERT_EQ(spare.may_contain(key), plain.may_contain(key)) << key;
  EXPECT_EQ(spare.to_bytes().value(), bytes);
  bytes.push_back(std::byte{0});
  EXPECT_EQ(code_of(any_filter::from_bytes(bytes, {.format = "xor-singleheader"})), errc::corrupt);
}

TEST(fingerprints, the_header_without_a_number_of_keys_is_read_as_it_was_written_then) {
  byte_vector bytes = golden("xor-singleheader/binaryfuse16_serialize.bin");
  bytes.erase(bytes.begin() + 8, bytes.begin() + 12);
  auto old = any_filter::from_bytes(bytes, {.format = "xor-singleheader"}).value();
  EXPECT_EQ(old.format(), "xor-singleheader");
  EXPECT_EQ(old.origin().variant, "serialize-v1");
  EXPECT_EQ(old.to_bytes().value(), bytes);
  EXPECT_EQ(opened("xor-singleheader/binaryfuse16_serialize.bin")
                .convert("xor-singleheader", "serialize-v1")
                ->to_bytes()
                .value(),
            bytes);
  // A number of keys that gives the same segments.
  auto newer = std::move(old).convert("xor-singleheader", "pack").value();
  EXPECT_TRUE(any_filter::from_bytes(newer.to_bytes().value(), {.format = "xor-singleheader"}));
}

TEST(fingerprints, filters_go_from_one_library_to_the_other_and_back) {
  for (const std::string name :
       {"xorfilter-go/binaryfuse8.bin", "xorfilter-go/binaryfuse16.bin", "xorfilter-go/xor8.json.filter"}) {
    for (const std::string variant : {"serialize", "pack"}) {
      auto there = opened(name).convert("xor-singleheader", variant);
      ASSERT_TRUE(there) << there.error().detail;
      EXPECT_EQ(there->origin().accepts, key_form::integer);
      auto reread = any_filter::from_bytes(there->to_bytes().value(), {.format = "xor-singleheader"});
      ASSERT_TRUE(reread) << reread.error().detail;
      EXPECT_EQ(reread->origin().variant, variant);
      EXPECT_EQ(std::move(*reread).convert("xorfilter-go")->to_bytes().value(), golden(name)) << variant;
    }
  }
}

TEST(fingerprints, what_the_other_library_cannot_hold_is_refused_with_the_reason) {
  const auto refused = [](const std::string& name, const std::string& format, const std::string& variant) {
    const auto made = opened(name).convert(format, variant);
    EXPECT_EQ(code_of(made), errc::unsupported);
    EXPECT_FALSE(made.error().detail.empty());
  };
  refused("xor-singleheader/xor16_pack.bin", "xorfilter-go", "");
  refused("xor-singleheader/xor8_pack.bin", "xorfilter-go", "save");
  refused("xor-singleheader/xor8_pack.bin", "xor-singleheader", "serialize-v1");
  refused("xorfilter-go/binaryfuse8.bin", "xorfilter-go", "json");
  refused("xorfilter-go/binaryfuse8.bin", "native", "");
  // Segments of a length that the C library gives no number of keys.
  byte_vector bytes(28 + 3 * 2);
  const std::array<std::uint32_t, 5> numbers{2, 1, 1, 2, 6};
  for (std::size_t i = 0; i < numbers.size(); ++i) store_le(bytes.data() + 8 + 4 * i, numbers[i]);
  auto odd = any_filter::from_bytes(bytes, {.format = "xorfilter-go"}).value();
  EXPECT_EQ(odd.format(), "xorfilter-go");
  EXPECT_EQ(code_of(std::move(odd).convert("xor-singleheader", "pack")), errc::unsupported);
}

any_filter built(const std::string& format, std::uint64_t n, const std::string& variant = "") {
  auto b = any_builder::make({.target = {.fpr = 0.01}, .format = format, .variant = variant}).value();
  for (std::uint64_t key = 0; key < n; ++key) EXPECT_TRUE(b.add(key));
  return std::move(b).finish().value();
}

// The pack of a filter of 8 bits whatever its segments, as the library would write it: from its serialize.
byte_vector pack_of(any_filter f) {
  const byte_vector whole = std::move(f).convert("xor-singleheader", "serialize")->to_bytes().value();
  const std::span slots = std::span(whole).subspan(28, load_le<std::uint32_t>(whole.data() + 24));
  byte_vector packed(whole.begin(), whole.begin() + 12);
  packed.resize(12 + (slots.size() + 7) / 8);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] == std::byte{0}) continue;
    packed[12 + i / 8] |= std::byte{1} << (i % 8);
    packed.push_back(slots[i]);
  }
  return packed;
}

// Releases until September 2026 and since then make other segments of these numbers of keys. Where both make as many slots
// of them, nothing in the file tells which it was, and the wrong ones would lose nearly every key.
TEST(fingerprints, a_pack_has_the_segments_of_the_release_that_wrote_it_or_those_that_are_named) {
  struct pack {
    std::uint64_t keys;
    std::string before, now;  // what must be named, where it must
  };
  for (const pack& each :
       {pack{3000, "", ""}, {4000, "", ""}, {5000, "512", "256"}, {20'000, "1024", "512"}, {40'000, "", ""}}) {
    for (const std::string writer : {"xorfilter-go", "xor-singleheader"}) {  // before, now
      const std::string part = writer == "xorfilter-go" ? each.before : each.now;
      const byte_vector bytes = pack_of(built(writer, each.keys));
      const auto open = [&](const std::string& named) {
        return any_filter::from_bytes(bytes, {.format = "xor-singleheader", .variant = named});
      };
      EXPECT_EQ(code_of(open("64")), errc::invalid_argument) << each.keys;
      EXPECT_EQ(code_of(open("")), part.empty() ? success : errc::invalid_argument) << each.keys;
      const auto f = open(part);
      ASSERT_TRUE(f) << each.keys << " " << writer << " " << f.error().detail;
      for (std::uint64_t key = 0; key < each.keys; ++key)
        ASSERT_TRUE(f->may_contain(key)) << each.keys << " " << writer;
      EXPECT_EQ(f->to_bytes().value(), bytes);
    }
  }
}

TEST(fingerprints, a_pack_that_could_not_be_read_back_is_not_converted_to) {
  EXPECT_EQ(code_of(built("xorfilter-go", 5000).convert("xor-singleheader", "pack")), errc::unsupported);
  EXPECT_EQ(code_of(built("xorfilter-go", 11'300).convert("xor-singleheader", "pack")), errc::unsupported);
  const auto packed = built("xorfilter-go", 3000).convert("xor-singleheader", "pack").value();
  const auto back = any_filter::from_bytes(packed.to_bytes().value(), {.format = "xor-singleheader"}).value();
  for (std::uint64_t key = 0; key < 3000; ++key) ASSERT_TRUE(back.may_contain(key));
}

TEST(fingerprints, the_header_without_a_number_of_keys_is_read_whatever_release_wrote_it) {
  for (const std::uint64_t n : {100u, 5000u, 11'500u}) {
    const auto f = built("xor-singleheader", n, "serialize-v1").convert("xor-singleheader", "serialize");
    ASSERT_TRUE(f) << n << " " << f.error().detail;
    for (std::uint64_t key = 0; key < n; ++key) ASSERT_TRUE(f->may_contain(key));
  }
}

TEST(fingerprints, a_key_that_is_no_integer_may_be_present_unless_a_hash_is_named) {
  const auto integers = opened("xorfilter-go/binaryfuse16.bin");
  EXPECT_TRUE(integers.may_contain("alice"));
  std::array<bool, 1> out{};
  const std::array<bytes_view, 1> keys{as_key("alice")};
  EXPECT_EQ(integers.may_contain_many(keys, out), 1u);
  for (const std::string hash : {"xxh3-64", "xxh64", "murmur3-x64-128", "fnv1a-64"}) {
    const auto hashed =
        any_filter::from_bytes(golden("xorfilter-go/binaryfuse16.bin"), {.format = "xorfilter-go", .hash = hash})
            .value();
    EXPECT_EQ(hashed.origin().accepts, key_form::bytes);
    EXPECT_EQ(name_of(hashed.info().hash.id), hash);
    EXPECT_FALSE(hashed.may_contain("alice")) << hash;
  }
}

TEST(fingerprints, text_that_go_did_not_write_so_is_kept_as_it_is) {
  const byte_vector bytes = golden("xorfilter-go/xor8.json.filter");
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const std::string& changed : {text + "\n", "{ " + text.substr(1)}) {
    const auto raw = std::as_bytes(std::span(changed));
    const auto f = any_filter::from_bytes(raw).value();
    EXPECT_EQ(f.format(), "xorfilter-go");
    EXPECT_EQ(f.to_bytes().value(), byte_vector(raw.begin(), raw.end()));
  }
}

}  // namespace
}  // namespace seen::testing
