// Sizes that do not fit into a machine's addresses. On a 32-bit machine a cast of 4 GiB and a bit leaves the bit: what is too large
// has to be refused, by name, before anything of a smaller size is taken for it. Where addresses have 64 bits the same calls work,
// or ask for more than the test wants to take; those are left to `make arch`.
#include <seen/any_filter.hpp>
#include <seen/native/native.hpp>
#include <seen/registry.hpp>
#include <seen/storage/file.hpp>
#include <seen/storage/storage.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "support/error_code.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

constexpr bool is_narrow = sizeof(void*) == 4;
constexpr std::uint64_t beyond = (std::uint64_t{1} << 32) + 4096;  // as 32 bits, a page

// An empty file with a hole of many bytes behind its beginning.
void write_sparse(const std::string& path, bytes_view beginning, std::uint64_t size) {
  write_bytes(path, beginning);
  std::filesystem::resize_file(path, size);
}

TEST(address_space, a_size_that_is_too_large_stays_too_large) {
  EXPECT_EQ(clamp_to_size(beyond), is_narrow ? std::numeric_limits<std::size_t>::max() : beyond);
  EXPECT_EQ(clamp_to_size(4096), 4096u);
}

TEST(address_space, memory_beyond_the_machines_is_refused_with_both_sides_named) {
  const auto most = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
  for (const std::size_t bytes : {most + 1, std::numeric_limits<std::size_t>::max()}) {
    const auto got = storage::allocate(bytes);
    ASSERT_EQ(code_of(got), errc::no_memory);
    EXPECT_NE(got.error().detail.find(is_narrow ? "a program of 32 bits has at most 2 GiB" : "this machine has"),
              std::string::npos)
        << got.error().detail;
  }
}

TEST(address_space, a_file_is_mapped_whole_or_not_at_all) {
  const temp_dir dir;
  write_sparse(dir / "f", {}, beyond);
  const auto f = file::open(dir / "f");
  ASSERT_TRUE(f) << f.error().detail;
  EXPECT_EQ(f->size().value(), beyond);
  const auto mapped = f->map(beyond, false);
  if (is_narrow) {
    EXPECT_EQ(code_of(mapped), errc::no_memory);
  } else {
    ASSERT_TRUE(mapped) << mapped.error().detail;
    EXPECT_EQ(mapped->size(), beyond);
  }
}

TEST(address_space, a_native_body_that_does_not_fit_is_refused) {
  if (!is_narrow) GTEST_SKIP() << "it would take 4 GiB";
  native::header h;
  h.segments = {{{}, 0, beyond}};
  h.body_bytes = beyond;
  h.page_bytes = beyond;
  const source zeros{"zeros", 2 * beyond, [](std::uint64_t, std::span<std::byte> into) -> result<void> {
                       std::fill(into.begin(), into.end(), std::byte{0});
                       return {};
                     }};
  EXPECT_EQ(code_of(native::read_body(h, zeros)), errc::no_memory);
}

TEST(address_space, a_file_of_another_library_that_does_not_fit_is_refused) {
  if (!is_narrow) GTEST_SKIP() << "it would take 4 GiB";
  const temp_dir dir;
  // Bits, probes, bits again, words: the highest byte first.
  std::vector<std::byte> head(24);
  const auto put = [&](std::size_t at, std::uint64_t value) {
    for (std::size_t i = 0; i < 8; ++i) head[at + i] = static_cast<std::byte>(value >> (56 - 8 * i));
  };
  put(0, 8 * beyond);
  put(8, 3);
  put(16, 8 * beyond);
  write_sparse(dir / "f", head, head.size() + beyond);
  const auto opened = any_filter::load(dir / "f", {.format = "bits-and-blooms"});
  EXPECT_EQ(code_of(opened), errc::no_memory) << opened.error().detail;
}

TEST(address_space, a_filter_that_does_not_fit_is_refused_whatever_its_kind) {
  if (!is_narrow) GTEST_SKIP() << "they would take 7 GB and more";
  for (const kind_row& row : kinds()) {
    if (row.build != nullptr) continue;  // what is built takes memory as its keys come
    for (const std::uint64_t capacity : {std::uint64_t{4'000'000'000}, std::uint64_t{7'000'000'000}}) {
      const auto made =
          any_filter::make({.kind = std::string(row.kind.name), .target = {.capacity = capacity, .fpr = 0.001}});
      const errc code = code_of(made);
      EXPECT_TRUE(code == errc::too_large || code == errc::no_memory)
          << row.kind.name << ", " << capacity << " keys: " << code;
    }
  }
}

}  // namespace
}  // namespace seen::testing
