// Comparing doubles by relative error.
#pragma once

#include <cmath>
#include <gtest/gtest.h>
#include <iomanip>

namespace seen::testing {

/// |actual/expected − 1| ≤ tolerance, or both 0.
inline ::testing::AssertionResult close(double actual, double expected, double tolerance) {
  const double error = expected == 0 ? std::abs(actual) : std::abs(actual / expected - 1);
  if (error <= tolerance) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << std::setprecision(17) << actual << ", expected " << expected
                                       << ", relative error " << error << " above " << tolerance;
}

}  // namespace seen::testing
