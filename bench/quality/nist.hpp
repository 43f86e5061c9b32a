// The statistical tests of NIST SP 800-22 (revision 1a, Rukhin et al. 2010) that suit digests, each from bits to p-values.
//
//   bit_string ──► frequency, block_frequency, runs, longest_run, rank, spectral, non_overlapping, overlapping,
//                  universal, serial, approximate_entropy, cumulative_sums ──► p-values, uniform if the bits are random
//
// Parameters are the document's recommendations for a million bits; the functions take them where the document's examples have
// others (tests/hash/nist_test.cpp compares with those). Left out are linear complexity, which asks whether a shift register
// made the bits and takes minutes, and the two tests of random excursions, which do not apply to every sequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace seen::quality {

/// The upper incomplete gamma function Q(a, x) = Γ(a, x)/Γ(a), for a > 0 and x ≥ 0. [Abramowitz & Stegun 1964, 6.5]
[[nodiscard]] double igamc(double a, double x);

/// The p-value of a chi-square statistic.
[[nodiscard]] inline double chi_square_p(double statistic, double freedom) {
  return igamc(freedom / 2, statistic / 2);
}

/// Bits in the order in which they came.
class bit_string {
 public:
  bit_string() = default;
  /// Of a text of 0 and 1.
  explicit bit_string(std::string_view digits) {
    for (const char each : digits) push(each == '1');
  }

  void push(bool bit) { bits_.push_back(bit ? 1 : 0); }
  /// The lowest `count` bits of a word, highest first.
  void push_word(std::uint64_t word, int count) {
    for (int i = count - 1; i >= 0; --i) push((word >> i & 1) != 0);
  }
  void reserve(std::size_t count) { bits_.reserve(count); }
  [[nodiscard]] std::size_t size() const noexcept { return bits_.size(); }
  [[nodiscard]] unsigned operator[](std::size_t i) const noexcept { return bits_[i]; }

 private:
  std::vector<std::uint8_t> bits_;
};

using p_values = std::vector<double>;

[[nodiscard]] p_values frequency(const bit_string& bits);
[[nodiscard]] p_values block_frequency(const bit_string& bits, std::size_t block = 128);
[[nodiscard]] p_values runs(const bit_string& bits);
/// From 128 bits up; blocks are as long as the document has them for that many bits.
[[nodiscard]] p_values longest_run(const bit_string& bits);
/// Of square binary matrices.
[[nodiscard]] p_values rank(const bit_string& bits, std::size_t side = 32);
[[nodiscard]] p_values spectral(const bit_string& bits);
/// One p-value per aperiodic template of `length` bits: 148 of 9 bits.
[[nodiscard]] p_values non_overlapping(const bit_string& bits, unsigned length = 9, std::size_t blocks = 8);
/// Of one template, whose first bit is its highest.
[[nodiscard]] double non_overlapping_of(const bit_string& bits, unsigned pattern, unsigned length, std::size_t blocks);
/// Runs of nine ones in blocks of 1032 bits.
[[nodiscard]] p_values overlapping(const bit_string& bits);
/// Maurer's statistic of blocks of `length` bits, after `first` blocks to begin with, and its p-value.
struct maurer {
  double statistic;
  double p;
};
[[nodiscard]] maurer universal_of(const bit_string& bits, unsigned length, std::size_t first);
[[nodiscard]] p_values universal(const bit_string& bits);
[[nodiscard]] p_values serial(const bit_string& bits, unsigned length = 16);
[[nodiscard]] p_values approximate_entropy(const bit_string& bits, unsigned length = 10);
/// Forwards and backwards.
[[nodiscard]] p_values cumulative_sums(const bit_string& bits);

/// A test by its name.
struct nist_test {
  const char* name;
  p_values (*run)(const bit_string&);
};
[[nodiscard]] const std::vector<nist_test>& nist_tests();

}  // namespace seen::quality
