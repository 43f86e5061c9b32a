// Opening takes no more heap than the file is long, plus 64 KiB: failure cases 14 and 15, measured.
#include <cstdint>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "hostile/exercise.hpp"
#include "support/allocations.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

// 64 KiB, of which a file's metadata may take all; and a little for what keeps the books.
constexpr std::uint64_t slack = 65 << 10;

// Memory that comes from mmap passes operator new by; the size of the address space shows it.
std::uint64_t address_space_peak() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    std::uint64_t kibibytes = 0;
    if (word == "VmPeak:" && status >> kibibytes) return kibibytes << 10;
  }
  return 0;
}

class heap : public kind_test {
 protected:
  /// The most heap any way of opening `bytes` takes.
  [[nodiscard]] std::uint64_t heap_to_open(const byte_vector& bytes) const;

  const typed_ways& ways = ways_into(GetParam());
};
INSTANTIATE_TEST_SUITE_P(makes, heap, ::testing::ValuesIn(container_kinds), kind_in_name);

std::uint64_t heap::heap_to_open(const byte_vector& bytes) const {
  std::uint64_t most = 0;
  const auto measure = [&](auto open) {
    const heap_watch watch;
    (void)open();
    most = std::max(most, watch.peak());
  };
  for (const bool recover : {false, true}) {
    const open_options options{.recover = recover};
    measure([&] { return ways.from_bytes(bytes, options).has_value(); });
    measure([&] { return ways.view(bytes, options).opened.has_value(); });
    measure([&] { return any_filter::from_bytes(bytes, options).has_value(); });
    measure([&] { return any_filter::from_bytes(bytes, {.format = "portable"}).has_value(); });
  }
  return most;
}

TEST_P(heap, opening_a_good_file_takes_its_length_and_little_more) {
  const temp_dir dir;
  for (const std::uint64_t keys : {1u, 1000u, 100'000u, 1'000'000u}) {
    const auto f = sample_of(GetParam(), keys);
    for (const std::size_t metadata : {0u, 65536u}) {
      const auto bytes = f.to_bytes({.alignment = 4096, .metadata = std::string(metadata, 'm')}).value();
      EXPECT_LE(heap_to_open(bytes), bytes.size() + slack) << keys << " keys, metadata " << metadata;
      write_bytes(dir / "f", bytes);
      const heap_watch watch;
      ASSERT_TRUE(ways.map(dir / "f"));
      EXPECT_LE(watch.peak(), metadata * 2 + slack) << keys << " keys";
    }
  }
}

TEST_P(heap, case_14_a_few_bytes_that_declare_much_get_nothing) {
  const std::uint64_t space = address_space_peak();
  ASSERT_GT(space, 0u);
  // k = 5 and m = 2^34 bits in 12 bytes, then shorter ones; then a native header that claims 8 TiB of body.
  byte_vector portable_header(12);
  set(portable_header, 0, std::uint32_t{5});
  set(portable_header, 4, std::uint64_t{1} << 34);
  for (std::size_t size = 0; size <= 12; ++size) {
    const byte_vector bytes(portable_header.begin(), portable_header.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_LE(heap_to_open(bytes), slack) << size;
  }
  const auto good = sample_of(GetParam(), 10).to_bytes().value();
  for (int bit = 6; bit < 64; ++bit) {
    const std::uint64_t claimed = std::uint64_t{1} << bit;
    native_image image = native_image::of(good);
    image.entries = {native_image::segment(0, claimed, {8 * claimed, 5})};
    auto bytes = image.encode();
    set(bytes, at::body_bytes, claimed);
    for (const std::uint64_t file_bytes : {std::uint64_t{bytes.size()}, claimed}) {
      set(bytes, at::file_bytes, file_bytes);
      (void)repair(bytes);
      EXPECT_LE(heap_to_open(bytes), slack) << bit;
    }
    auto with_metadata = good;
    set(with_metadata, at::header_bytes, static_cast<std::uint32_t>(claimed));
    (void)repair(with_metadata);
    EXPECT_LE(heap_to_open(with_metadata), slack) << bit;
  }
  EXPECT_LE(address_space_peak() - space, std::uint64_t{4} << 20);
}

TEST_P(heap, a_header_full_of_entries_takes_no_more_than_the_file) {
  const native_image plain = native_image::of(sample_of(GetParam(), 10).to_bytes().value());
  for (const std::size_t count : {100u, 256u, 257u, 1000u, 10'000u}) {
    native_image segments = plain;  // each of 24 bytes in the file, and of more in memory
    segments.entries.clear();
    segments.body.assign(64 * count, std::byte{0});
    for (std::size_t i = 0; i < count; ++i) segments.entries.push_back(native_image::segment(64 * i, 64, {}));
    auto bytes = segments.encode();
    EXPECT_LE(heap_to_open(bytes), bytes.size() + slack) << count << " segments";

    native_image empty = plain;
    empty.entries.clear();
    for (std::size_t i = 0; i < count; ++i) empty.entries.push_back(native_image::segment(0, 0, {}));
    empty.entries.push_back(plain.entries[0]);
    bytes = empty.encode();
    EXPECT_LE(heap_to_open(bytes), bytes.size() + slack) << count << " empty segments";

    native_image unknown = plain;
    for (std::size_t i = 0; i < count; ++i) unknown.entries.push_back({77, 0, {}});
    bytes = unknown.encode();
    EXPECT_LE(heap_to_open(bytes), bytes.size() + slack) << count << " unknown entries";
  }
  native_image parameters = plain;
  parameters.entries = {native_image::segment(0, plain.body.size(), std::vector<std::uint64_t>(30'000, 1))};
  const auto bytes = parameters.encode();
  EXPECT_LE(heap_to_open(bytes), bytes.size() + slack) << "30,000 parameters";
}

}  // namespace
}  // namespace seen::testing
