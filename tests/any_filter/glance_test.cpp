// Filters described by their headers, folded by a divisor, and watched while they are read and written.
#include <seen/any_filter.hpp>
#include <seen/registry.hpp>

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "support/error_code.hpp"
#include "support/kind_samples.hpp"
#include "support/native_image.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

TEST(glance, of_a_filter_is_its_info_but_for_what_is_counted) {
  for (const kind_row& each : kinds()) {
    SCOPED_TRACE(each.kind.name);
    const any_filter filter = sample_of(each.kind.name, 20'000);
    const filter_info deep = filter.info(), quick = filter.glance();
    EXPECT_TRUE(deep.counted && !quick.counted);
    EXPECT_EQ(quick.kind, deep.kind);
    EXPECT_EQ(quick.format, deep.format);
    EXPECT_EQ(quick.shape, deep.shape);
    EXPECT_TRUE(quick.hash == deep.hash && quick.target == deep.target);
    EXPECT_EQ(quick.bytes, deep.bytes);
    EXPECT_EQ(quick.keys_exact, deep.keys_exact);
    EXPECT_EQ(quick.fpr_at_capacity, deep.fpr_at_capacity);
    EXPECT_EQ(quick.origin.alignment, deep.origin.alignment);
  }
}

TEST(glance, agrees_with_inspect_wherever_it_says_something) {
  const temp_dir dir;
  for (const kind_row& each : kinds()) {
    SCOPED_TRACE(each.kind.name);
    const std::string path = dir / std::string(each.kind.name);
    ASSERT_TRUE(sample_of(each.kind.name, 20'000).save(path));
    const filter_info deep = any_filter::inspect(path).value(), quick = any_filter::glance(path).value();
    EXPECT_TRUE(deep.counted);
    EXPECT_FALSE(quick.counted);
    EXPECT_FALSE(quick.origin.verified);
    EXPECT_TRUE(quick.origin.mapped);
    EXPECT_EQ(quick.kind, deep.kind);
    EXPECT_EQ(quick.shape, deep.shape);
    EXPECT_EQ(quick.hash, deep.hash);
    EXPECT_EQ(quick.bytes, deep.bytes);
    EXPECT_EQ(quick.origin.file_bytes, deep.origin.file_bytes);
    EXPECT_EQ(quick.keys_exact, deep.keys_exact);
    EXPECT_EQ(quick.fpr_at_capacity, deep.fpr_at_capacity);
    if (!std::isnan(quick.keys)) EXPECT_EQ(quick.keys, deep.keys);
    if (quick.fill) EXPECT_EQ(*quick.fill, *deep.fill);
    EXPECT_EQ(std::isnan(quick.keys), each.map_writable == nullptr && each.build == nullptr && !deep.keys_exact);
  }
}

TEST(glance, says_nothing_that_nobody_vouches_for) {
  const temp_dir dir;
  ASSERT_TRUE(sample_of("bloom", 1000).save(dir / "f"));
  {
    auto here = any_filter::map_writable(dir / "f").value();
    ASSERT_TRUE(here.add("x"));
  }
  const filter_info quick = any_filter::glance(dir / "f").value();
  EXPECT_FALSE(quick.origin.sealed);
  EXPECT_TRUE(std::isnan(quick.keys));
  EXPECT_FALSE(quick.fill);
}

TEST(fold, a_folded_filter_is_one_that_was_made_so_small) {
  for (const char* kind : {"bloom", "blocked-bloom", "split-block"}) {
    SCOPED_TRACE(kind);
    const std::string unit = std::string(kind) == "bloom" ? "bits" : "blocks";
    const auto made = [&](std::uint64_t size) {
      make_options options{.kind = kind, .shape = {{unit, size}}};
      if (std::string(kind) != "split-block") options.shape.push_back({"probes", 8});
      auto f = any_filter::make(options).value();
      for (std::uint64_t i = 0; i < 100; ++i) EXPECT_TRUE(f.add(i));
      return f;
    };
    auto folded = made(3600);
    EXPECT_EQ(folded.fold_unit(), 3600u);
    EXPECT_EQ(code_of(folded.fold_by(7)), errc::invalid_argument);
    EXPECT_EQ(code_of(folded.fold_by(0)), errc::invalid_argument);
    ASSERT_TRUE(folded.fold_by(1));
    ASSERT_TRUE(folded.fold_by(3));
    EXPECT_EQ(folded.to_bytes().value(), made(1200).to_bytes().value());
  }
  auto cuckoo = sample_of("cuckoo", 10);
  EXPECT_EQ(cuckoo.fold_unit(), 0u);
  EXPECT_EQ(code_of(cuckoo.fold_by(2)), errc::unsupported);
}

TEST(watch, sees_every_byte_that_is_read_or_written) {
  const temp_dir dir;
  const auto f = any_filter::make({.kind = "bloom", .shape = {{"bits", 1u << 27}, {"probes", 5}}}).value();
  std::vector<std::uint64_t> written, read;
  ASSERT_TRUE(f.save(dir / "f", {.watch = [&](std::uint64_t bytes) { written.push_back(bytes); }}));
  const std::uint64_t size = read_bytes(dir / "f").size();
  EXPECT_EQ(written.back(), size);
  EXPECT_GE(written.size(), 4u);  // 16 MiB in pieces
  ASSERT_TRUE(any_filter::load(dir / "f", {.watch = [&](std::uint64_t bytes) { read.push_back(bytes); }}));
  EXPECT_GE(read.back(), size);
  EXPECT_GE(read.size(), 4u);
}

}  // namespace
}  // namespace seen::testing
