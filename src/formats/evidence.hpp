// How much a file's bytes prove: the odds that a file of anything else has them by accident.
//
//   evidence e(from);
//   e.fixed(0, 4).fixed(8, 8);   // these bytes have only one possible value, if it is the format's
//   return e.weigh();            // fitting, likely or certain
//
// In those places a filter of another library has content, and most of what a header says is small
// numbers. So a byte counts for as many bits as it is improbable *in this file*:
//
//   a 0       -log2 of the share of zeros in the rest of the file: much in a full filter, nothing in one with few keys
//   others    -log2 f^b (1 - f)^(8 - b), b of its bits being set and f the share of set bits in the rest of the file; where
//             the rest is short, by the f that makes it the most probable: a byte with one bit set counts for 4 bits, not 8
//
// A number that agrees with the length of the file says less than its odds: every program's header has one. So a format whose
// header is nothing else is weighed with `detection::likely`, or `fitting`, as the most that it can be.
#pragma once

#include <seen/registry.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/encodings/bytes.hpp"

namespace seen::inline v1::foreign {

class evidence {
 public:
  static constexpr double likely_bits = 24, certain_bits = 32;

  explicit evidence(const source& from) : from_(&from) {}

  /// Bytes with only one possible value: constants, and what follows from other numbers or from the length.
  evidence& fixed(std::uint64_t offset, std::uint64_t count);
  /// Bytes drawn at random, of which hardly any is 0, as it would be in a file of few keys.
  evidence& random(std::uint64_t offset, std::uint64_t count);
  /// The double or float at `offset`, a rate. People write rates with a digit or two, and there are few of these numbers. One that nobody
  /// would ask for (below 10^-15) leaves the whole doubtful.
  evidence& rate(std::uint64_t offset, double value);
  evidence& rate(std::uint64_t offset, float value);
  /// A relation that holds by accident once in 2^bits; less than 0 where what was called fixed is one of several.
  evidence& odds(double bits) {
    odds_ += bits;
    return *this;
  }

  [[nodiscard]] double bits() const;
  /// certain, likely or fitting by the bits, and at most `best`.
  [[nodiscard]] detection weigh(detection best = detection::certain) const;

 private:
  struct range {
    std::uint64_t begin, end;
  };
  struct shares {
    std::uint64_t bytes = 0, zeros = 0, ones = 0, set_bits = 0;  // `ones`: bytes of eight set bits
  };
  void take(std::uint64_t offset, std::uint64_t count, std::vector<std::byte>& to);
  [[nodiscard]] bool is_weighed(std::uint64_t offset) const;
  [[nodiscard]] shares rest() const;
  template <class Real>
  evidence& rate_of(std::uint64_t offset, Real value);

  const source* from_;
  std::vector<std::byte> fixed_, random_;
  std::vector<range> weighed_;  // where these are
  double odds_ = 0;
  bool doubtful_ = false;
};

/// Whether a Bloom filter of so many bits may have so many probes by its sizing, k = m/n · ln 2: for one key the most, and for
/// no rate that anybody asks for more than 64.
[[nodiscard]] bool is_sized(std::uint64_t bits, std::uint64_t probes);

}  // namespace seen::inline v1::foreign
