// Numbers, sizes and lists in messages: short, exact, and the same whatever the locale.
#include <seen/base/text.hpp>
#include <seen/engines/word_engine.hpp>
#include <seen/math/sizing.hpp>

#include <array>
#include <clocale>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <locale>
#include <string>
#include <string_view>
#include <vector>

namespace seen::testing {
namespace {

TEST(text, a_number_has_six_digits_or_as_many_as_are_asked_for) {
  EXPECT_EQ(readable(0.01), "0.01");
  EXPECT_EQ(readable(1.0 / 3), "0.333333");
  EXPECT_EQ(readable(1.0 / 3, 3), "0.333");
  EXPECT_EQ(readable(0), "0");
  EXPECT_EQ(readable(-2.5), "-2.5");
  EXPECT_EQ(readable(123456789), "1.23457e8");
  EXPECT_EQ(readable(std::numeric_limits<double>::max(), 3), "1.8e308");
  EXPECT_EQ(readable(std::numeric_limits<double>::infinity()), "inf");
}

TEST(text, an_exponent_has_no_plus_and_no_leading_zero) {
  EXPECT_EQ(readable(1e-6), "1e-6");
  EXPECT_EQ(readable(1e-12), "1e-12");
  EXPECT_EQ(readable(1e-100), "1e-100");
  EXPECT_EQ(readable(1e18), "1e18");
  EXPECT_EQ(readable(1e100), "1e100");
}

TEST(text, an_exact_number_has_the_fewest_digits_that_read_back) {
  EXPECT_EQ(exactly(0.01), "0.01");
  EXPECT_EQ(exactly(1e-9), "1e-9");
  EXPECT_EQ(exactly(1e18), "1e18");
  EXPECT_EQ(exactly(1.5e-10), "1.5e-10");
  EXPECT_EQ(exactly(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(exactly(std::uint64_t{1'000'000'000'000'000'000}), "1e18");
  EXPECT_EQ(exactly(std::uint64_t{1'000'001}), "1000001");
  EXPECT_EQ(exactly(std::uint64_t{100}), "100");
  EXPECT_EQ(exactly(~std::uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(exactly(std::uint64_t{1'000'000'000'000'000'001}), "1000000000000000001");  // no double
}

TEST(text, sizes_are_written_as_people_write_them) {
  EXPECT_EQ(readable_bytes(0), "0 bytes");
  EXPECT_EQ(readable_bytes(1023), "1023 bytes");
  EXPECT_EQ(readable_bytes(1024), "1 KiB");
  EXPECT_EQ(readable_bytes(1198133), "1.14 MiB");
  EXPECT_EQ(readable_bytes(9.1 * 1024 * 1024), "9.1 MiB");
  EXPECT_EQ(readable_bytes(1010.0 * 1024 * 1024), "0.986 GiB");
  EXPECT_EQ(readable_bytes(0x1p37), "128 GiB");
  EXPECT_EQ(readable_bytes(0x1p60), "1 EiB");
  EXPECT_EQ(readable_bytes(0x1p64), "16 EiB");
  EXPECT_EQ(readable_bytes(0x1p90), "1.02e3 YiB");
}

TEST(text, a_list_has_commas_between_its_names) {
  EXPECT_EQ(listed(std::vector<std::string>{}), "");
  EXPECT_EQ(listed(std::array<std::string_view, 1>{"xor"}), "xor");
  EXPECT_EQ(listed(std::array<const char*, 3>{"xor", "ribbon", "bloom"}), "xor, ribbon, bloom");
  const std::vector<int> numbers{1, 20};
  EXPECT_EQ(listed(numbers, [](int n) { return std::to_string(n); }), "1, 20");
}

// Everything a message is made of that a locale could change.
std::string sample() {
  return readable(1234567.5) + ' ' + readable(0.01, 3) + ' ' + exactly(0.015) + ' ' +
         exactly(std::uint64_t{1'234'567}) + ' ' + readable_bytes(9.1 * 1024 * 1024) + ' ' +
         math::check({.capacity = 10, .fpr = 1.5}).error().detail + ' ' + engines::check_shrink(1.5, 1).error().detail;
}

class comma : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(text, does_not_change_with_the_locale_of_the_language) {
  const std::string before = sample();
  const std::locale old = std::locale::global(std::locale(std::locale::classic(), new comma));
  const std::string after = sample();
  std::locale::global(old);
  EXPECT_EQ(after, before);
}

TEST(text, does_not_change_with_the_locale_of_the_system) {
  const std::string before = sample(), old = std::setlocale(LC_ALL, nullptr);
  const char* found = nullptr;
  for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "es_ES.UTF-8", "ru_RU.UTF-8", "pt_BR.UTF-8"}) {
    if (found == nullptr) found = std::setlocale(LC_ALL, name);
  }
  if (found == nullptr) GTEST_SKIP() << "no locale with a decimal comma is installed";
  const std::string after = sample();
  std::setlocale(LC_ALL, old.c_str());
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace seen::testing
