// Filters made of nothing but random positions, to hold a model against what it models.
#pragma once

#include <seen/base/bits.hpp>

#include <cmath>
#include <cstdint>

namespace seen::testing {

/// A fixed-seed generator. [Steele, Lea, Flood 2014, "Fast Splittable Pseudorandom Number Generators": SplitMix64]
class random_source {
 public:
  explicit random_source(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e37'79b9'7f4a'7c15;
    z = (z ^ z >> 30) * 0xbf58'476d'1ce4'e5b9;
    z = (z ^ z >> 27) * 0x94d0'49bb'1331'11eb;
    return z ^ z >> 31;
  }

  /// A uniform number below `range`.
  std::uint64_t below(std::uint64_t range) { return mulhi(next(), range); }

 private:
  std::uint64_t state_;
};

/// The mean of independent samples and its standard error.
class sample_mean {
 public:
  void add(double x) {
    ++count_;
    const double before = x - mean_;
    mean_ += before / count_;
    squares_ += before * (x - mean_);
  }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double standard_error() const { return std::sqrt(squares_ / (count_ - 1) / count_); }

  /// The mean is within six standard errors of `expected`: wrongly false for one seed in 5·10^8.
  [[nodiscard]] bool agrees_with(double expected) const { return std::abs(mean_ - expected) <= 6 * standard_error(); }

 private:
  double count_ = 0, mean_ = 0, squares_ = 0;
};

}  // namespace seen::testing
