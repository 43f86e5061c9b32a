// The scalable Bloom filter in numbers: a chain of filters, each larger and stricter than the one before.
//
//   link      0        1            2                       rate of the chain ≤ Σ p_i < p0/(1−s)
//   keys      n0       n0·r         n0·r²   …               [Almeida, Baquero, Preguiça, Hutchison 2007,
//   rate      p0       p0·s         p0·s²   …                "Scalable Bloom Filters"]
//
// The user asks for the rate of the whole chain, however long: p0 = fpr·(1−s).
//
// Capacities are whole numbers, the same in every language: r is taken in units of 2^-32 (rounded down) and
// n_(i+1) = ceil(n_i·r), so that even one key times 1.1 grows. Rates are products of doubles from left to right. How
// often a chain truly errs, chain_rate.hpp says.
#pragma once

#include <seen/math/sizing.hpp>

#include <cstdint>
#include <optional>

namespace seen::inline v1::math {

/// How the links of a chain follow one another.
struct chain_growth {
  double growth = 2;        ///< r: capacity of a link over the one before
  double tightening = 0.5;  ///< s: rate of a link over the one before

  friend bool operator==(const chain_growth&, const chain_growth&) = default;
};

/// Refuses growth that does not grow (below 1 + 2^-32) or explodes, and tightening outside (0, 1).
inline result<void> check(const chain_growth& g) {
  if (!(g.growth >= 1 + 0x1p-32 && g.growth <= 65536)) {
    return {errc::invalid_argument, "growth " + detail::number(g.growth) + " is not a factor above 1, up to 65536"};
  }
  if (!(g.tightening > 0 && g.tightening < 1)) {
    return {errc::invalid_argument,
            "tightening " + detail::number(g.tightening) + " is not a factor strictly between 0 and 1"};
  }
  return {};
}

/// p0 = fpr·(1−s), the rate of link 0 of a chain whose overall rate stays below `fpr`.
[[nodiscard]] constexpr double scalable_first_fpr(double fpr, double tightening) noexcept {
  return fpr * (1 - tightening);
}

/// ceil(capacity·r), the keys of the link after one of `capacity` keys; nothing where that is 2^64 or more.
[[nodiscard]] inline std::optional<std::uint64_t> scalable_capacity_after(std::uint64_t capacity,
                                                                          double growth) noexcept {
  const auto growth_q32 = static_cast<std::uint64_t>(growth * 0x1p32);
  const std::uint64_t high = mulhi(capacity, growth_q32), low = capacity * growth_q32;
  if (high >> 32 != 0 || (high << 32 | low >> 32) == ~std::uint64_t{0}) return {};
  return (high << 32 | low >> 32) + (low << 32 != 0);
}

/// What link `index` of a chain must hold, at what rate. The rate of late links may be beyond reach: bloom_shape_for
/// says so.
[[nodiscard]] inline result<target> scalable_link(const target& overall, const chain_growth& g, std::uint32_t index) {
  if (auto fine = check(overall); !fine) return fine.error();
  if (auto fine = check(g); !fine) return fine.error();
  target link{overall.capacity, scalable_first_fpr(overall.fpr, g.tightening)};
  for (std::uint32_t i = 0; i < index; ++i) {
    const auto next = scalable_capacity_after(link.capacity, g.growth);
    if (!next) {
      return error{errc::too_large, "link " + std::to_string(index) + " of a chain from " +
                                        detail::number(overall.capacity) + " keys growing by " +
                                        detail::number(g.growth) + " would hold more than 2^64 keys"};
    }
    link = {*next, link.fpr * g.tightening};
  }
  return link;
}

/// p0/(1−s): no chain of any length passes it while its links keep their rates.
[[nodiscard]] constexpr double scalable_fpr_bound(double first_fpr, double tightening) noexcept {
  return first_fpr / (1 - tightening);
}

}  // namespace seen::inline v1::math
