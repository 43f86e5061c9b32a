// Fields that lie, under checksums that are right: failure cases 13 and 17 for every field of every kind.
#include <bit>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hostile/lying_header.hpp"

namespace seen::testing {
namespace {

// 0, 1, the largest, everything around a power of two, around the true value, and products that wrap 2^64.
std::set<std::uint64_t> interesting(std::uint64_t truth) {
  std::set<std::uint64_t> values{0, 1, 2, 3, 255};
  for (int bit = 2; bit < 64; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    values.insert({power - 1, power, power + 1, power - 64, ~power + 1, truth ^ power});
  }
  for (const std::uint64_t step : {1u, 7u, 8u, 63u, 64u, 4096u, 65536u}) values.insert({truth + step, truth - step});
  for (const std::uint64_t factor : {2u, 8u, 64u, 4096u}) {
    values.insert({truth * factor, ~std::uint64_t{0} / factor + 1, ~std::uint64_t{0} / factor + 1 + truth});
  }
  values.insert({~std::uint64_t{0}, ~std::uint64_t{0} - 1, ~std::uint64_t{0} - 63});
  for (const double x : {0.5, 1.0, 2.0, -1.0, -0.0, 1e-300, std::numeric_limits<double>::denorm_min(),
                         std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    values.insert(std::bit_cast<std::uint64_t>(x));
  }
  return values;
}

class lying_field : public lying_header {};
INSTANTIATE_TEST_SUITE_P(flat, lying_field, ::testing::ValuesIn(flat_kinds), kind_in_name);

class lying_parameter : public lying_header {};
INSTANTIATE_TEST_SUITE_P(all, lying_parameter, ::testing::ValuesIn(kind_list()), kind_in_name);

TEST_P(lying_field, case_13_every_field_set_to_every_interesting_value_is_refused_or_harmless) {
  ASSERT_EQ(from_bytes_says(good), success);
  for (const number_field& each : header_fields) {
    const std::uint64_t truth = get(good, each);
    for (const std::uint64_t value : interesting(truth)) {
      auto bad = good;
      set(bad, each, value);
      if (get(bad, each) == truth) continue;
      for (const bool repaired : {true, false}) {
        if (repaired) (void)repair(bad);
        const bool taken = open_and_exercise(GetParam(), bad);
        ASSERT_TRUE(!taken || (each.values != number_field::others::refused && repaired))
            << each.name << " = " << value;
        set(bad, each, value ^ 1);  // and once with checksums that are wrong
      }
      if (HasFatalFailure()) return;
    }
  }
}

// All numbers of all segments: parameters, and the state of kinds that have some.
TEST_P(lying_parameter, case_13_every_parameter_set_to_every_interesting_value_is_refused_or_harmless) {
  std::size_t offset = at::entries;
  for (const auto& entry : image.entries) {
    ASSERT_EQ(entry.tag, 1u);
    ASSERT_GT(entry.value.size(), 16u);
    offset += 24;
    for (std::size_t i = 16; i < entry.value.size(); i += 8, offset += 8) {
      const number_field each{"parameter", offset, 8};
      const std::uint64_t truth = get(good, each);
      ASSERT_EQ(truth, get<std::uint64_t>(entry.value, i));
      for (const std::uint64_t value : interesting(truth)) {
        auto bad = good;
        set(bad, each, value);
        ASSERT_TRUE(repair(bad));
        (void)open_and_exercise(GetParam(), bad);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(lying_field, case_13_parameters_are_not_truncated) {
  const auto names = row().field_names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const number_field each{names[i].data(), at::entries + 24 + 8 * i, 8};
    const std::uint64_t truth = get(good, each);
    for (const std::uint64_t value : interesting(truth)) {
      auto bad = good;
      set(bad, each, value);
      ASSERT_TRUE(repair(bad));
      bool taken = false;
      if (auto any = open_every_way(GetParam(), bad, taken)) {
        // Whatever it is now, its parameters are the ones in the file and not those truncated to fewer bits.
        ASSERT_EQ(any->info().shape[i].value, value);
        exercise(std::move(*any));
      }
      if (HasFatalFailure()) return;
    }
    for (const std::uint64_t value : {std::uint64_t{0}, (std::uint64_t{1} << 40) + 1, truth + (std::uint64_t{1} << 32),
                                      truth + (std::uint64_t{1} << 61), ~std::uint64_t{0}}) {
      auto bad = good;
      set(bad, each, value);
      ASSERT_TRUE(repair(bad));
      EXPECT_EQ(from_bytes_says(bad), errc::corrupt) << each.name << " = " << value;
    }
  }
}

TEST_P(lying_field, case_13_a_rate_that_is_none_is_refused) {
  for (const double fpr : {1.0, 2.0, -1.0, -1e-300, std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    native_image bad = image;
    bad.fpr = fpr;
    expect_corrupt(bad, std::to_string(fpr).c_str());
  }
}

TEST_P(lying_field, any_capacity_and_rate_can_be_told) {
  for (const std::uint64_t capacity : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    for (const double fpr : {0.0, 1e-300, 0.999999}) {
      native_image odd = image;
      odd.capacity = capacity;
      odd.fpr = fpr;
      auto opened = any_filter::from_bytes(odd.encode());
      ASSERT_TRUE(opened) << opened.error().detail;
      const double expected = opened->info().fpr_at_capacity;
      EXPECT_TRUE(expected >= 0 && expected <= 1) << expected << " at " << capacity;
      exercise(std::move(*opened));
    }
  }
}

TEST_P(lying_field, case_17_a_census_that_is_not_the_bodys_is_refused) {
  for (const std::uint64_t census : {std::uint64_t{0}, image.census - 1, image.census + 1, ~std::uint64_t{0}}) {
    native_image bad = image;
    bad.census = census;
    const auto bytes = bad.encode();
    const auto refused = ways.from_bytes(bytes, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, errc::corrupt);
    EXPECT_EQ(refused.error().detail,
              "bytes: the header counts " + std::to_string(census) + ", the body " + std::to_string(image.census));
    EXPECT_EQ(code_of(any_filter::from_bytes(bytes)), errc::corrupt);
    const auto viewed = ways.view(bytes, {});
    ASSERT_TRUE(viewed.opened);  // in time independent of the size this cannot be seen
    EXPECT_EQ(code_of(viewed.whole), errc::corrupt);
  }
}

TEST_P(lying_field, a_body_emptied_under_its_census_is_refused_and_not_an_empty_filter) {
  native_image bad = image;
  std::fill(bad.body.begin(), bad.body.end(), std::byte{0});
  EXPECT_EQ(from_bytes_says(bad.encode()), errc::corrupt);
}

TEST_P(lying_field, bits_beyond_the_last_are_refused) {
  const std::uint64_t all = 8 * image.body.size();  // blocks have none beyond
  for (std::uint64_t bit = GetParam() == "bloom" ? parameters()[0] : all; bit < all; ++bit) {
    native_image bad = image;
    bad.body[static_cast<std::size_t>(bit / 8)] |= static_cast<std::byte>(1 << (bit % 8));
    ++bad.census;
    expect_corrupt(bad, std::to_string(bit).c_str());
  }
}

}  // namespace
}  // namespace seen::testing
