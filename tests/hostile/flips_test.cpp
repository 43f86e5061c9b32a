// Failure case 19: every single-bit flip of a file is an error at load; mapped, at open or at verify().
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

#include "hostile/exercise.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

class flips : public kind_test {
 protected:
  // One bit of `bytes` the other way round: nobody may take it.
  void expect_refused(byte_vector& bytes, std::size_t byte, int bit) const {
    bytes[byte] ^= static_cast<std::byte>(1 << bit);
    ASSERT_FALSE(ways.from_bytes(bytes, {})) << "byte " << byte << " bit " << bit;
    const auto viewed = ways.view(bytes, {});
    ASSERT_TRUE(!viewed.opened || !viewed.whole) << "byte " << byte << " bit " << bit;
    bytes[byte] ^= static_cast<std::byte>(1 << bit);
  }

  const typed_ways& ways = ways_into(GetParam());
};
INSTANTIATE_TEST_SUITE_P(all, flips, ::testing::ValuesIn(kind_list()), kind_in_name);

TEST_P(flips, case_19_every_bit_of_a_file_counts) {
  // 1 KiB in the brief form, 64 KiB (half a million flips) in the long one.
  const std::uint64_t most = scaled(1 << 10, 64 << 10);
  std::uint64_t keys = 100;
  while (row().plan({.capacity = keys + keys / 16, .fpr = 0.01})->bytes < most) keys += keys / 16;
  auto bytes = sample_of(GetParam(), keys).to_bytes().value();
  ASSERT_GE(bytes.size(), most / 3);  // some kinds have sizes of powers of two
  ASSERT_TRUE(ways.from_bytes(bytes, {}));
  for (std::size_t byte = 0; byte < bytes.size(); ++byte) {
    for (int bit = 0; bit < 8; ++bit) expect_refused(bytes, byte, bit);
    if (HasFatalFailure()) return;
  }
  EXPECT_TRUE(ways.from_bytes(bytes, {}));
}

TEST_P(flips, case_19_padding_metadata_and_secret_count_too) {
  auto bytes = sample_of(GetParam(), 20, 0.01, {.hash = hash_id::siphash_2_4, .secret = secret{}})
                   .to_bytes({.store_secret = true, .alignment = 4096, .metadata = std::string(100, 'm')})
                   .value();
  using keyed_bloom = filter<bloom::engine_type, siphash_2_4>;  // a type stands for all
  const bool is_bloom = GetParam() == "bloom";
  ASSERT_TRUE(!is_bloom || from_bytes<keyed_bloom>(bytes));
  ASSERT_TRUE(any_filter::from_bytes(bytes));
  for (std::size_t byte = 0; byte < bytes.size(); ++byte) {
    const int bit = static_cast<int>(byte % 8);
    bytes[byte] ^= static_cast<std::byte>(1 << bit);
    ASSERT_FALSE(is_bloom && from_bytes<keyed_bloom>(bytes)) << byte;
    ASSERT_FALSE(any_filter::from_bytes(bytes)) << byte;
    bytes[byte] ^= static_cast<std::byte>(1 << bit);
  }
}

TEST_P(flips, case_19_every_page_of_a_long_file_counts) {
  auto bytes = sample_of(GetParam(), 100'000, 0.001).to_bytes().value();
  ASSERT_TRUE(ways.from_bytes(bytes, {}));
  const std::size_t step = static_cast<std::size_t>(scaled(8191, 61));  // primes: every offset in a word is met
  for (std::size_t byte = 0; byte < bytes.size(); byte += step) {
    expect_refused(bytes, byte, static_cast<int>(byte % 8));
    if (HasFatalFailure()) return;
  }
  for (std::size_t byte = bytes.size() - 64; byte < bytes.size(); ++byte) expect_refused(bytes, byte, 3);
}

TEST_P(flips, two_pages_exchanged_or_one_zeroed_are_noticed) {
  const auto good = sample_of(GetParam(), 100'000, 0.001).to_bytes().value();
  const auto body = static_cast<std::ptrdiff_t>(get<std::uint64_t>(good, at::body_offset));
  auto bad = good;
  std::swap_ranges(bad.begin() + body, bad.begin() + body + 65536, bad.begin() + body + 65536);
  EXPECT_EQ(code_of(ways.from_bytes(bad, {})), errc::corrupt);
  bad = good;
  std::fill(bad.begin() + body + 65536, bad.begin() + body + 2 * 65536, std::byte{0});
  EXPECT_EQ(code_of(ways.from_bytes(bad, {})), errc::corrupt);
}

}  // namespace
}  // namespace seen::testing
