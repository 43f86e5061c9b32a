// The portable format's sizes against its document's formula, written here as the document has it and in floating point.
#include "math/portable_bloom.hpp"

#include <seen/any_filter.hpp>
#include <seen/filters/portable_bloom.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

#include "math/portable_bloom.hpp"
#include "support/error_code.hpp"
#include "support/key_shapes.hpp"

namespace seen::testing {
namespace {

struct document {
  long double formula;  // m before it is rounded up
  long double bits;
  std::uint32_t probes;

  document(std::uint64_t n, double p) {
    const long double ln2 = std::log(2.0L), keys = static_cast<long double>(n);
    formula = -keys * std::log(static_cast<long double>(p)) / (ln2 * ln2);
    bits = std::ceil(formula);
    probes = static_cast<std::uint32_t>(std::clamp(std::round(bits / keys * ln2), 1.0L, 30.0L));
  }

  // A long double that is a plain double, as on some machines, is no better than what is tested: a formula this close to a
  // whole number may come out on either side.
  [[nodiscard]] bool is_decided() const {
    constexpr long double error = 8 * std::numeric_limits<double>::epsilon();
    return std::ceil(formula * (1 - error)) == std::ceil(formula * (1 + error));
  }
};

void expect_the_documents_size(std::uint64_t n, double p) {
  const document expected(n, p);
  const auto shape = math::portable_shape_for({.capacity = n, .fpr = p});
  if (expected.formula > 0x1p32L) {
    ASSERT_FALSE(shape) << n << " keys at " << p;
    EXPECT_EQ(shape.error().code, errc::too_large);
    return;
  }
  ASSERT_TRUE(shape) << shape.error().detail;
  ASSERT_EQ(static_cast<long double>(shape->bits), expected.bits) << n << " keys at " << p;
  ASSERT_EQ(shape->probes, expected.probes) << n << " keys at " << p;
}

TEST(portable_sizes, are_the_documents_for_ten_thousand_random_targets) {
  rng random(18);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  int compared = 0, undecided = 0;
  while (compared < 10'000) {
    const auto n = static_cast<std::uint64_t>(std::exp2(33 * uniform()));
    const double p = std::exp2(-60 * uniform() * uniform());
    const document expected(n, p);
    if (p >= 1 || expected.formula > 0x1p32L) continue;
    if (!expected.is_decided()) {
      ++undecided;
      continue;
    }
    expect_the_documents_size(n, p);
    ++compared;
  }
  EXPECT_LE(undecided, 2);  // 2·16·2^-53·m of the targets, m being a few million on average: one in 10^8
}

TEST(portable_sizes, are_the_documents_at_both_ends_of_every_range) {
  const double rates[] = {std::numeric_limits<double>::denorm_min(),
                          std::numeric_limits<double>::min(),
                          1e-300,
                          1e-30,
                          1e-19,
                          1e-12,
                          1e-9,
                          std::nextafter(0x1p-30, 0.0),
                          0x1p-30,
                          0.01,
                          0.25,
                          std::nextafter(0.5, 0.0),
                          0.5,
                          std::nextafter(0.5, 1.0),
                          0.7,
                          std::sqrt(0.5),
                          0.75,
                          0.8,
                          0.99,
                          1 - 0x1p-20,
                          1 - 0x1p-33,
                          1 - 0x1p-52,
                          1 - 0x1p-53};
  for (const double p : rates) {
    for (int bit = 0; bit < 64; ++bit) {
      for (const std::uint64_t n :
           {std::uint64_t{1} << bit, (std::uint64_t{1} << bit) * 3 / 2 + 1, ~std::uint64_t{0} >> bit}) {
        if (document(n, p).is_decided()) expect_the_documents_size(n, p);
      }
    }
  }
}

TEST(portable_sizes, the_document_clamps_probes_and_leaves_the_bits_alone) {
  const auto size = [](std::uint64_t n, double p) { return plan<portable_bloom>({.capacity = n, .fpr = p}); };
  EXPECT_EQ(size(1000, 1e-12), (bloom_shape{57'511, 30}));
  EXPECT_EQ(size(1000, 0.8), (bloom_shape{465, 1}));
  EXPECT_EQ(size(137, 0.01), (bloom_shape{1314, 7}));
  EXPECT_EQ(size(40, 0.1), (bloom_shape{192, 3}));
  EXPECT_GT(plan<bloom>({.capacity = 1000, .fpr = 1e-12}).bits, 57'511u) << "a native filter keeps the rate";
}

TEST(portable_sizes, any_way_to_make_one_has_them) {
  for (const auto& [n, p] :
       {std::pair<std::uint64_t, double>{1000, 1e-12}, {1000, 0.8}, {3, 1e-300}, {30'000, 1e-15}}) {
    const auto shape = math::portable_shape_for({.capacity = n, .fpr = p}).value();
    EXPECT_EQ(portable_bloom({.capacity = n, .fpr = p}).shape(), (bloom_shape{shape.bits, shape.probes}));
    const auto f = any_filter::make({.target = {.capacity = n, .fpr = p}, .format = "portable"});
    ASSERT_TRUE(f) << f.error().detail;
    EXPECT_EQ(f->info().shape[0].value, shape.bits);
    EXPECT_EQ(f->info().shape[1].value, shape.probes);
  }
}

TEST(portable_sizes, what_is_no_target_is_refused) {
  const auto code = [](std::uint64_t n, double p) {
    return code_of(math::portable_shape_for({.capacity = n, .fpr = p}));
  };
  EXPECT_EQ(code(0, 0.01), errc::invalid_argument);
  for (const double p : {0.0, 1.0, -0.5, 2.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(code(10, p), errc::invalid_argument) << p;
  }
  EXPECT_EQ(code(~std::uint64_t{0}, 1e-300), errc::too_large);
  EXPECT_EQ(code(std::uint64_t{1} << 32, 0.5), errc::too_large);
  EXPECT_EQ(
      code_of(any_filter::make({.target = {.capacity = std::uint64_t{1} << 40, .fpr = 0.01}, .format = "portable"})),
      errc::too_large);
}

}  // namespace
}  // namespace seen::testing
