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
// often a chain truly errs, src/math/chain_rate.hpp says.
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
result<void> check(const chain_growth& g);

/// p0 = fpr·(1−s), the rate of link 0 of a chain whose overall rate stays below `fpr`.
[[nodiscard]] constexpr double scalable_first_fpr(double fpr, double tightening) noexcept {
  return fpr * (1 - tightening);
}

/// ceil(capacity·r), the keys of the link after one of `capacity` keys; nothing where that is 2^64 or more.
[[nodiscard]] std::optional<std::uint64_t> scalable_capacity_after(std::uint64_t capacity, double growth) noexcept;

/// The keys and the rate that link `index` of a chain is planned for. The rate of late links may be beyond reach:
/// bloom_shape_for says so.
[[nodiscard]] result<target> scalable_link(const target& overall, const chain_growth& g, std::uint32_t index);

/// p0/(1−s): no chain of any length passes it while its links keep their rates.
[[nodiscard]] constexpr double scalable_fpr_bound(double first_fpr, double tightening) noexcept {
  return first_fpr / (1 - tightening);
}

/// The kind of a chain's links.
enum class chain_links : std::uint8_t { classic, blocked };

/// The rate of a chain of at most `most` links that this many different keys were offered to; 1 where it cannot grow so far.
/// src/math/chain_rate.hpp derives it.
[[nodiscard]] double scalable_fpr(const target& overall, const chain_growth& g, chain_links links, std::uint32_t most,
                                  std::uint64_t keys);

}  // namespace seen::inline v1::math
