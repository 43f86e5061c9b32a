// The formulas are those of SP 800-22 rev. 1a, section 2; 2.n is the number of the section at each.
#include "quality/nist.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

namespace seen::quality {
namespace {

double real(std::size_t n) {
  return static_cast<double>(n);
}

double two_sided(double z) {
  return std::erfc(std::abs(z) / std::numbers::sqrt2);
}

// Pearson's statistic of counts against probabilities.
template <class Counts, class Probabilities>
double pearson(const Counts& counts, const Probabilities& expected, std::size_t total) {
  double sum = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double mean = real(total) * expected[i];
    sum += (real(counts[i]) - mean) * (real(counts[i]) - mean) / mean;
  }
  return sum;
}

// How often each pattern of `length` bits occurs, the sequence being closed to a ring.
std::vector<std::size_t> pattern_counts(const bit_string& bits, unsigned length) {
  std::vector<std::size_t> counts(std::size_t{1} << length);
  const std::size_t mask = counts.size() - 1;
  std::size_t window = 0;
  for (std::size_t i = 0; i < bits.size() + length - 1; ++i) {
    window = (window << 1 | bits[i % bits.size()]) & mask;
    if (i + 1 >= length) ++counts[window];
  }
  return counts;
}

// psi^2 of section 2.11.
double psi_square(const bit_string& bits, unsigned length) {
  if (length == 0) return 0;
  double sum = 0;
  for (const std::size_t count : pattern_counts(bits, length)) sum += real(count) * real(count);
  return std::ldexp(sum, static_cast<int>(length)) / real(bits.size()) - real(bits.size());
}

// phi of section 2.12.
double phi(const bit_string& bits, unsigned length) {
  double sum = 0;
  for (const std::size_t count : pattern_counts(bits, length)) {
    const double share = real(count) / real(bits.size());
    if (count != 0) sum += share * std::log(share);
  }
  return sum;
}

double normal(double x) {
  return std::erfc(-x / std::numbers::sqrt2) / 2;
}

// 2.13: the largest distance from 0 of a walk of n steps.
double cusum_p(double n, double farthest) {
  if (farthest == 0) return 0;
  double p = 1;
  const auto toward_zero = [](double x) { return static_cast<long>(x); };
  const double root = std::sqrt(n);
  for (long k = toward_zero((-n / farthest + 1) / 4); k <= toward_zero((n / farthest - 1) / 4); ++k) {
    p -= normal(static_cast<double>(4 * k + 1) * farthest / root) -
         normal(static_cast<double>(4 * k - 1) * farthest / root);
  }
  for (long k = toward_zero((-n / farthest - 3) / 4); k <= toward_zero((n / farthest - 1) / 4); ++k) {
    p += normal(static_cast<double>(4 * k + 3) * farthest / root) -
         normal(static_cast<double>(4 * k + 1) * farthest / root);
  }
  return p;
}

// In place, of a power of two of numbers. [Cooley & Tukey 1965]
void transform(std::vector<std::complex<double>>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  std::vector<std::complex<double>> root(n / 2);
  for (std::size_t i = 0; i < n / 2; ++i) root[i] = std::polar(1.0, -2 * std::numbers::pi * real(i) / real(n));
  for (std::size_t half = 1; half < n; half *= 2) {
    for (std::size_t first = 0; first < n; first += 2 * half) {
      for (std::size_t i = 0; i < half; ++i) {
        const auto a = x[first + i], b = x[first + i + half] * root[i * (n / 2 / half)];
        x[first + i] = a + b;
        x[first + i + half] = a - b;
      }
    }
  }
}

// The lengths of the first half of the Fourier transform.
std::vector<double> spectrum(const bit_string& bits) {
  const std::size_t n = bits.size();
  std::vector<double> lengths(n / 2);
  std::vector<std::complex<double>> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = bits[i] == 1 ? 1 : -1;
  if ((n & (n - 1)) == 0) {
    transform(x);
    for (std::size_t i = 0; i < n / 2; ++i) lengths[i] = std::abs(x[i]);
    return lengths;
  }
  for (std::size_t k = 0; k < n / 2; ++k) {  // for the short examples of the document
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < n; ++i)
      sum += x[i] * std::polar(1.0, -2 * std::numbers::pi * real(i * k % n) / real(n));
    lengths[k] = std::abs(sum);
  }
  return lengths;
}

std::size_t rank_of(std::vector<std::uint32_t>& rows, std::size_t side) {
  std::size_t found = 0;
  for (std::size_t column = 0; column < side; ++column) {
    const std::uint32_t bit = std::uint32_t{1} << column;
    std::size_t pivot = found;
    while (pivot < side && (rows[pivot] & bit) == 0) ++pivot;
    if (pivot == side) continue;
    std::swap(rows[pivot], rows[found]);
    for (std::size_t i = found + 1; i < side; ++i) {
      if ((rows[i] & bit) != 0) rows[i] ^= rows[found];
    }
    ++found;
  }
  return found;
}

// The chance that a random binary matrix has rank r: section 3.5.
double rank_probability(int side, int r) {
  double log2 = r * (2 * side - r) - side * side, product = 1;
  for (int i = 0; i < r; ++i) {
    const double one_less = 1 - std::ldexp(1, i - side);
    product *= one_less * one_less / (1 - std::ldexp(1, i - r));
  }
  return std::exp2(log2) * product;
}

// A template that does not overlap with itself, shifted.
bool is_aperiodic(unsigned pattern, unsigned length) {
  for (unsigned shift = 1; shift < length; ++shift) {
    if (pattern >> shift == (pattern & ((1u << (length - shift)) - 1))) return false;
  }
  return true;
}

struct templates_found {
  std::vector<std::vector<std::size_t>> by_block;  // [block][pattern]
  double mean, variance;
};

// 2.7: occurrences of all patterns at once, each of which is looked for again behind the place where it was found.
templates_found count_templates(const bit_string& bits, unsigned length, std::size_t blocks) {
  const std::size_t block = bits.size() / blocks, patterns = std::size_t{1} << length;
  templates_found found;
  found.by_block.assign(blocks, std::vector<std::size_t>(patterns));
  for (std::size_t b = 0; b < blocks; ++b) {
    std::vector<std::size_t> next(patterns);
    std::size_t window = 0;
    for (std::size_t i = 0; i < block; ++i) {
      window = (window << 1 | bits[b * block + i]) & (patterns - 1);
      if (i + 1 < length || i + 1 - length < next[window]) continue;
      ++found.by_block[b][window];
      next[window] = i + 1;
    }
  }
  const double m = length, each = std::ldexp(1, -static_cast<int>(length));
  found.mean = (real(block) - m + 1) * each;
  found.variance = real(block) * (each - (2 * m - 1) * each * each);
  return found;
}

double template_p(const templates_found& found, unsigned pattern) {
  double sum = 0;
  for (const auto& counts : found.by_block) {
    const double off = real(counts[pattern]) - found.mean;
    sum += off * off / found.variance;
  }
  return chi_square_p(sum, real(found.by_block.size()));
}

}  // namespace

// By its series below a + 1, by its continued fraction above. [Abramowitz & Stegun 1964, 6.5.29, 6.5.31; Lentz 1976]
double igamc(double a, double x) {
  if (x <= 0) return 1;
  const double scale = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1) {
    double term = 1 / a, sum = term;
    for (double n = a + 1; term > sum * 1e-17; ++n) sum += term *= x / n;
    return 1 - sum * scale;
  }
  double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
  for (double i = 1; i < 1e6; ++i) {
    const double factor = -i * (i - a);
    b += 2;
    d = 1 / (factor * d + b);
    c = b + factor / c;
    h *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return scale * h;
}

p_values frequency(const bit_string& bits) {  // 2.1
  double sum = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) sum += bits[i] == 1 ? 1 : -1;
  return {two_sided(sum / std::sqrt(real(bits.size())))};
}

p_values block_frequency(const bit_string& bits, std::size_t block) {  // 2.2
  const std::size_t blocks = bits.size() / block;
  double sum = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    std::size_t ones = 0;
    for (std::size_t i = 0; i < block; ++i) ones += bits[b * block + i];
    const double off = real(ones) / real(block) - 0.5;
    sum += off * off;
  }
  return {chi_square_p(4 * real(block) * sum, real(blocks))};
}

p_values runs(const bit_string& bits) {  // 2.3
  const std::size_t n = bits.size();
  std::size_t ones = 0, changes = 1;
  for (std::size_t i = 0; i < n; ++i) ones += bits[i];
  for (std::size_t i = 1; i < n; ++i) changes += bits[i] != bits[i - 1];
  const double share = real(ones) / real(n), expected = 2 * real(n) * share * (1 - share);
  if (std::abs(share - 0.5) >= 2 / std::sqrt(real(n))) return {0};
  return {std::erfc(std::abs(real(changes) - expected) / (2 * std::sqrt(2 * real(n)) * share * (1 - share)))};
}

p_values longest_run(const bit_string& bits) {  // 2.4; the probabilities are those of 3.4
  struct setting {
    std::size_t least_bits, block;
    unsigned shortest;
    std::vector<double> probabilities;
  };
  static const std::array<setting, 3> settings{{
      {750'000, 10'000, 10, {0.0882, 0.2092, 0.2483, 0.1933, 0.1208, 0.0675, 0.0727}},
      {6272, 128, 4, {0.1174, 0.2430, 0.2493, 0.1752, 0.1027, 0.1124}},
      {128, 8, 1, {0.2148, 0.3672, 0.2305, 0.1875}},
  }};
  const auto& s = *std::find_if(settings.begin(), settings.end(), [&](const setting& each) {
    return bits.size() >= each.least_bits || each.least_bits == 128;
  });
  const std::size_t blocks = bits.size() / s.block;
  std::vector<std::size_t> counts(s.probabilities.size());
  for (std::size_t b = 0; b < blocks; ++b) {
    std::size_t run = 0, longest = 0;
    for (std::size_t i = 0; i < s.block; ++i) {
      run = bits[b * s.block + i] == 1 ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    ++counts[std::min(std::max<std::size_t>(longest, s.shortest) - s.shortest, counts.size() - 1)];
  }
  return {chi_square_p(pearson(counts, s.probabilities, blocks), real(counts.size() - 1))};
}

p_values rank(const bit_string& bits, std::size_t side) {  // 2.5
  const std::size_t matrices = bits.size() / (side * side);
  std::array<std::size_t, 3> counts{};
  std::vector<std::uint32_t> rows(side);
  for (std::size_t m = 0; m < matrices; ++m) {
    for (std::size_t i = 0; i < side; ++i) {
      rows[i] = 0;
      for (std::size_t j = 0; j < side; ++j) rows[i] = rows[i] << 1 | bits[(m * side + i) * side + j];
    }
    ++counts[std::min<std::size_t>(side - rank_of(rows, side), 2)];
  }
  const int n = static_cast<int>(side);
  const double full = rank_probability(n, n), one_less = rank_probability(n, n - 1);
  return {chi_square_p(pearson(counts, std::array{full, one_less, 1 - full - one_less}, matrices), 2)};
}

p_values spectral(const bit_string& bits) {  // 2.6
  const double n = real(bits.size()), threshold = std::sqrt(std::log(1 / 0.05) * n);
  std::size_t below = 0;
  for (const double length : spectrum(bits)) below += length < threshold;
  return {two_sided((real(below) - 0.95 * n / 2) / std::sqrt(n * 0.95 * 0.05 / 4))};
}

double non_overlapping_of(const bit_string& bits, unsigned pattern, unsigned length, std::size_t blocks) {
  return template_p(count_templates(bits, length, blocks), pattern);
}

p_values non_overlapping(const bit_string& bits, unsigned length, std::size_t blocks) {  // 2.7
  const templates_found found = count_templates(bits, length, blocks);
  p_values all;
  for (unsigned pattern = 0; pattern < 1u << length; ++pattern) {
    if (is_aperiodic(pattern, length)) all.push_back(template_p(found, pattern));
  }
  return all;
}

p_values overlapping(const bit_string& bits) {  // 2.8; the probabilities are those of 3.8, by Hamano and Kaneko
  constexpr std::size_t block = 1032, length = 9;
  constexpr std::array probabilities{0.364091, 0.185659, 0.139381, 0.100571, 0.0704323, 0.139865};
  const std::size_t blocks = bits.size() / block;
  std::array<std::size_t, 6> counts{};
  for (std::size_t b = 0; b < blocks; ++b) {
    std::size_t run = 0, found = 0;
    for (std::size_t i = 0; i < block; ++i) {
      run = bits[b * block + i] == 1 ? run + 1 : 0;
      found += run >= length;
    }
    ++counts[std::min<std::size_t>(found, 5)];
  }
  return {chi_square_p(pearson(counts, probabilities, blocks), 5)};
}

maurer universal_of(const bit_string& bits, unsigned length, std::size_t first) {  // 2.9
  // Means and variances by the length of a block, from 1.
  constexpr std::array means{0.7326495, 1.5374383, 2.4016068, 3.3112247, 4.2534266, 5.2177052, 6.1962507, 7.1836656};
  constexpr std::array variances{0.690, 1.338, 1.901, 2.358, 2.705, 2.954, 3.125, 3.238};
  std::vector<std::size_t> last(std::size_t{1} << length);
  const std::size_t blocks = bits.size() / length, tested = blocks - first;
  double sum = 0;
  for (std::size_t i = 1; i <= blocks; ++i) {
    std::size_t value = 0;
    for (std::size_t j = 0; j < length; ++j) value = value << 1 | bits[(i - 1) * length + j];
    if (i > first) sum += std::log2(real(i - last[value]));
    last[value] = i;
  }
  const double l = length, k = real(tested), statistic = sum / k;
  const double factor = 0.7 - 0.8 / l + (4 + 32 / l) * std::pow(k, -3 / l) / 15;
  const double sigma = factor * std::sqrt(variances[length - 1] / k);
  return {statistic, two_sided((statistic - means[length - 1]) / sigma)};
}

p_values universal(const bit_string& bits) {
  return {universal_of(bits, 7, 1280).p};
}

p_values serial(const bit_string& bits, unsigned length) {  // 2.11
  const double whole = psi_square(bits, length), less = psi_square(bits, length - 1);
  const double least = length < 2 ? 0 : psi_square(bits, length - 2);
  const double freedom = std::ldexp(1, static_cast<int>(length) - 2);
  return {igamc(freedom, (whole - less) / 2), igamc(freedom / 2, (whole - 2 * less + least) / 2)};
}

p_values approximate_entropy(const bit_string& bits, unsigned length) {  // 2.12
  const double entropy = phi(bits, length) - phi(bits, length + 1);
  const double statistic = 2 * real(bits.size()) * (std::numbers::ln2 - entropy);
  return {igamc(std::ldexp(1, static_cast<int>(length) - 1), statistic / 2)};
}

p_values cumulative_sums(const bit_string& bits) {  // 2.13
  p_values both;
  for (const bool forwards : {true, false}) {
    double sum = 0, farthest = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      sum += bits[forwards ? i : bits.size() - 1 - i] == 1 ? 1 : -1;
      farthest = std::max(farthest, std::abs(sum));
    }
    both.push_back(cusum_p(real(bits.size()), farthest));
  }
  return both;
}

const std::vector<nist_test>& nist_tests() {
  static const std::vector<nist_test> all{
      {"frequency", frequency},
      {"block frequency", [](const bit_string& bits) { return block_frequency(bits); }},
      {"cumulative sums", cumulative_sums},
      {"runs", runs},
      {"longest run", longest_run},
      {"rank", [](const bit_string& bits) { return rank(bits); }},
      {"spectral", spectral},
      {"templates", [](const bit_string& bits) { return non_overlapping(bits); }},
      {"overlapping", overlapping},
      {"universal", universal},
      {"entropy", [](const bit_string& bits) { return approximate_entropy(bits); }},
      {"serial", [](const bit_string& bits) { return serial(bits); }},
  };
  return all;
}

}  // namespace seen::quality
