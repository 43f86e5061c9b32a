// Failure case 19: every single-bit flip of a file is an error at load; mapped, at open or at verify().
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

#include "hostile/exercise.hpp"
#include "support/soak.hpp"

namespace seen::testing {
namespace {

template <class F>
class flips : public ::testing::Test {
 protected:
  // One bit of `bytes` the other way round: nobody may take it.
  static void expect_refused(byte_vector& bytes, std::size_t byte, int bit) {
    bytes[byte] ^= static_cast<std::byte>(1 << bit);
    const auto owned = from_bytes<F>(bytes);
    ASSERT_FALSE(owned) << "byte " << byte << " bit " << bit;
    const auto viewed = view<F>(bytes);
    ASSERT_TRUE(!viewed || !viewed->verify()) << "byte " << byte << " bit " << bit;
    bytes[byte] ^= static_cast<std::byte>(1 << bit);
  }
};
TYPED_TEST_SUITE(flips, all_filters, kind_names);

TYPED_TEST(flips, case_19_every_bit_of_a_file_counts) {
  // 4 KiB in the brief form, 64 KiB (half a million flips) in the long one.
  const std::uint64_t most = scaled(4 << 10, 64 << 10);
  std::uint64_t keys = 100;
  while (TypeParam::params_type::plan({.capacity = keys + keys / 16, .fpr = 0.01})->bytes() < most) keys += keys / 16;
  auto bytes = to_bytes(sample_of<TypeParam>(keys)).value();
  ASSERT_GE(bytes.size(), most / 3);  // some kinds have sizes of powers of two
  ASSERT_TRUE(from_bytes<TypeParam>(bytes));
  for (std::size_t byte = 0; byte < bytes.size(); ++byte) {
    for (int bit = 0; bit < 8; ++bit) this->expect_refused(bytes, byte, bit);
    if (this->HasFatalFailure()) return;
  }
  EXPECT_TRUE(from_bytes<TypeParam>(bytes));
}

TYPED_TEST(flips, case_19_padding_metadata_and_secret_count_too) {
  using keyed = filter<typename TypeParam::engine_type, siphash_2_4>;
  auto bytes = to_bytes(sample_of<keyed>(20, 0.01, siphash_2_4(secret{})),
                        {.store_secret = true, .alignment = 4096, .metadata = std::string(100, 'm')})
                   .value();
  ASSERT_TRUE(from_bytes<keyed>(bytes));
  for (std::size_t byte = 0; byte < bytes.size(); ++byte) {
    const int bit = static_cast<int>(byte % 8);
    bytes[byte] ^= static_cast<std::byte>(1 << bit);
    ASSERT_FALSE(from_bytes<keyed>(bytes)) << byte;
    ASSERT_FALSE(any_filter::from_bytes(bytes)) << byte;
    bytes[byte] ^= static_cast<std::byte>(1 << bit);
  }
}

TYPED_TEST(flips, case_19_every_page_of_a_long_file_counts) {
  auto bytes = to_bytes(sample_of<TypeParam>(100'000, 0.001)).value();
  ASSERT_TRUE(from_bytes<TypeParam>(bytes));
  const std::size_t step = static_cast<std::size_t>(scaled(8191, 61));  // primes: every offset in a word is met
  for (std::size_t byte = 0; byte < bytes.size(); byte += step) {
    this->expect_refused(bytes, byte, static_cast<int>(byte % 8));
    if (this->HasFatalFailure()) return;
  }
  for (std::size_t byte = bytes.size() - 64; byte < bytes.size(); ++byte) this->expect_refused(bytes, byte, 3);
}

TYPED_TEST(flips, two_pages_exchanged_or_one_zeroed_are_noticed) {
  const auto good = to_bytes(sample_of<TypeParam>(100'000, 0.001)).value();
  const auto body = static_cast<std::ptrdiff_t>(get<std::uint64_t>(good, at::body_offset));
  auto bad = good;
  std::swap_ranges(bad.begin() + body, bad.begin() + body + 65536, bad.begin() + body + 65536);
  EXPECT_EQ(code_of(from_bytes<TypeParam>(bad)), errc::corrupt);
  bad = good;
  std::fill(bad.begin() + body + 65536, bad.begin() + body + 2 * 65536, std::byte{0});
  EXPECT_EQ(code_of(from_bytes<TypeParam>(bad)), errc::corrupt);
}

}  // namespace
}  // namespace seen::testing
