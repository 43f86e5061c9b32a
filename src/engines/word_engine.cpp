// Folding, which several engines share.
#include <seen/base/text.hpp>
#include <seen/engines/word_engine.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace seen::inline v1::engines {

std::vector<std::uint64_t> divisors_from_above(std::uint64_t n, std::uint64_t most) {
  std::vector<std::uint64_t> divisors;
  for (std::uint64_t d = 1; n != 0 && d <= n / d; ++d) {
    if (n % d != 0) continue;
    for (const std::uint64_t each : {d, n / d}) {
      if (each > 1 && each <= most) divisors.push_back(each);
    }
  }
  std::sort(divisors.begin(), divisors.end(), std::greater<>());
  divisors.erase(std::unique(divisors.begin(), divisors.end()), divisors.end());
  return divisors;
}

result<void> check_shrink(double fpr, std::uint64_t set_bits) {
  if (!(fpr > 0 && fpr < 1)) {
    return {errc::invalid_argument, "shrink: fpr " + readable(fpr) + " is not strictly between 0 and 1"};
  }
  if (set_bits == 0) return {errc::unsupported, "shrink: the filter is empty: there is no key to size it by"};
  return {};
}

result<void> check_divisor(std::uint64_t unit, std::uint64_t divisor) {
  if (unit != 0 && divisor != 0 && unit % divisor == 0) return {};
  return {errc::invalid_argument,
          "fold: " + std::to_string(divisor) + " does not divide the size of " + std::to_string(unit)};
}

error no_divisor(std::uint64_t cells, double fpr) {
  return {errc::unsupported, "shrink: no divisor of " + std::to_string(cells) + " keeps the rate at or below " +
                                 readable(fpr) + "; the filter is unchanged"};
}

}  // namespace seen::inline v1::engines
