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

struct field {
  const char* name;
  std::size_t offset;
  std::size_t width;
  bool is_free = false;  // other values are fine too, as long as nothing breaks
};

constexpr field fields[] = {
    {"magic", 0, 8},
    {"major", at::major, 2},
    {"minor", at::minor, 2, true},
    {"header bytes", at::header_bytes, 4},
    {"file bytes", at::file_bytes, 8},
    {"kind", at::kind, 2},
    {"index rule", at::index_rule, 2},
    {"flags", at::flags, 4},
    {"hash id", at::hash_id, 2},
    {"encoding", at::encoding, 2},
    {"hash flags", at::hash_flags, 4},
    {"seed", at::seed, 8},
    {"check", at::check, 8},
    {"capacity", at::capacity, 8, true},
    {"fpr", at::fpr, 8, true},
    {"body offset", at::body_offset, 8},
    {"body bytes", at::body_bytes, 8},
    {"page bytes", at::page_bytes, 8},
    {"entry count", at::entry_count, 4},
    {"reserved", at::reserved, 4},
    {"entry tag", at::entries, 2},
    {"entry flags", at::entries + 2, 2, true},
    {"entry length", at::entries + 4, 4},
    {"segment offset", at::entries + 8, 8},
    {"segment length", at::entries + 16, 8},
};

std::uint64_t read_field(const byte_vector& bytes, const field& f) {
  std::uint64_t x = 0;
  for (std::size_t i = 0; i < f.width; ++i) x |= static_cast<std::uint64_t>(bytes[f.offset + i]) << (8 * i);
  return x;
}

void write_field(byte_vector& bytes, const field& f, std::uint64_t x) {
  for (std::size_t i = 0; i < f.width; ++i) bytes[f.offset + i] = static_cast<std::byte>(x >> (8 * i) & 0xff);
}

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
  for (const field& each : fields) {
    const std::uint64_t truth = read_field(good, each);
    for (const std::uint64_t value : interesting(truth)) {
      auto bad = good;
      write_field(bad, each, value);
      if (read_field(bad, each) == truth) continue;
      for (const bool repaired : {true, false}) {
        if (repaired) (void)repair(bad);
        const bool taken = open_and_exercise(GetParam(), bad);
        ASSERT_TRUE(!taken || (each.is_free && repaired)) << each.name << " = " << value;
        write_field(bad, each, value ^ 1);  // and once with checksums that are wrong
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
      const field each{"parameter", offset, 8};
      const std::uint64_t truth = read_field(good, each);
      ASSERT_EQ(truth, get<std::uint64_t>(entry.value, i));
      for (const std::uint64_t value : interesting(truth)) {
        auto bad = good;
        write_field(bad, each, value);
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
    const field each{names[i].data(), at::entries + 24 + 8 * i, 8};
    const std::uint64_t truth = read_field(good, each);
    for (const std::uint64_t value : interesting(truth)) {
      auto bad = good;
      write_field(bad, each, value);
      ASSERT_TRUE(repair(bad));
      bool taken = false;
      if (auto any = open_every_way(GetParam(), bad, taken)) {
        // Whatever it is now, its parameters are the ones in the file and not those truncated to fewer bits.
        ASSERT_EQ(any->info().fields[i].value, value);
        exercise(std::move(*any));
      }
      if (HasFatalFailure()) return;
    }
    for (const std::uint64_t value : {std::uint64_t{0}, (std::uint64_t{1} << 40) + 1, truth + (std::uint64_t{1} << 32),
                                      truth + (std::uint64_t{1} << 61), ~std::uint64_t{0}}) {
      auto bad = good;
      write_field(bad, each, value);
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
