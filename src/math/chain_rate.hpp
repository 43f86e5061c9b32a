// How often a grown chain errs: the rate of a scalable Bloom filter after n different keys were offered to it.
//
// A key that some link claims is not added, and a link is full when it has *taken* its capacity C. Two things follow.
//
// 1. A link is fuller than C random keys make it. A key that the link itself claims would set no bit, so leaving it out
//    changes nothing: the bits are those of all N keys that reached the link, and it took those that it did not claim:
//
//      C = ∫_0^N (1 − p(u)) du          p(u) the link's rate with u keys. At p(C) = 0.45, N is about 1.2·C
//
//    A key reaches link j if links 0 … j−1 say no, so T offered keys are N_j = T·Π_{i<j}(1 − q_i) in link j, where q_i is
//    the share of such keys that link i claims. The chain's rate is 1 − Π(1 − q_i), over all links.
//
// 2. q_j is more than p_j(N_j). The probes of a key are at the same fractions of every link, so keys that passed an older
//    link have more of their probes where its bits are clear, and so have the absent keys that passed it: both crowd
//    into a part of the younger link. For one older link i, whose share φ of bits is set, k its probes, and with
//
//      P  = 1 − φ^k                      the keys that pass it
//      w0 = 1/P                          how much oftener than by chance a probe of such a key is at a clear bit of i
//      w1 = (1 − φ^(k−1))/P              and at a set one
//      ψc = 1 − e^(−w_c·kN/m)            the share of link j's bits, where those of link i are clear (0) or set (1), that
//                                        N such keys set
//      ψ  = (1 − φ)·ψ0 + φ·ψ1
//
//    an absent key passes link i and is claimed by link j with probability ψ^k − (φ·ψ1)^k, so that
//
//      q_j = (ψ^k − (φψ1)^k)/P           against p_j = (1 − e^(−kN/m))^k by chance: their quotient is the `crowding`
//
//    Probes that the younger link has beyond k are by chance in every case. Bits of link j that reach over two bits of
//    link i see the mean of both. In blocked filters this holds in every block, with the keys that fell into it: a block
//    of link i that is crowded lets fewer keys through to the blocks below it. With more than one older link the
//    quotients are multiplied: exact for pairs, and what three links do together is left out.
//
// Against chains that were grown and asked (tests/math, tests/rates; targets from 0.9 to 1e-4, growth 1.5 to 4,
// tightening 0.5 and 0.8, 20 to 200·C keys): within 1 %, or what the queries can tell, from first links of 100 keys up.
// With fewer, the moment at which a link is full differs from chain to chain, which the mean over a sharp bend does not
// see: up to 4 % high at C = 20.
#pragma once

#include <seen/math/blocked_bloom.hpp>
#include <seen/math/bloom.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace seen::inline v1::math {

/// The rates of one link alone.
[[nodiscard]] double link_fpr(const bloom_shape& link, std::uint64_t keys);
[[nodiscard]] double link_fpr(const blocked_shape& link, std::uint64_t keys);

namespace detail {

/// The integral of f from `from` to `to`: Gauss and Legendre's eight points.
template <class Function>
[[nodiscard]] double integral(double from, double to, Function f) {
  constexpr std::array<double, 4> point{0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  constexpr std::array<double, 4> weight{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                         0.1012285362903763};
  const double middle = (from + to) / 2, half = (to - from) / 2;
  double sum = 0;
  for (std::size_t i = 0; i < point.size(); ++i) {
    sum += weight[i] * (f(middle - half * point[i]) + f(middle + half * point[i]));
  }
  return half * sum;
}

}  // namespace detail

/// How much oftener than by chance a link with `keys` keys claims an absent key that an older link, which `older_keys`
/// reached, has let pass; all keys of the younger link have passed it too.
[[nodiscard]] double crowding(const bloom_shape& older, double older_keys, const bloom_shape& link, double keys);
[[nodiscard]] double crowding(const blocked_shape& older, double older_keys, const blocked_shape& link, double keys);

/// A link of a chain: how many keys it takes, and its shape.
template <class Shape>
struct chain_link {
  std::uint64_t capacity = 0;
  Shape shape;
};

/// The rate of a chain that `keys` different keys were offered to. `link_at(i)` is link i as an
/// std::optional<chain_link>, nothing where there can be none; then the rate is 1.
template <class Shape, class LinkAt>
[[nodiscard]] double chain_fpr(std::uint64_t keys, LinkAt link_at) {
  struct full_link {
    Shape shape;
    double keys;
  };
  constexpr double crowds = 1e-5;  // a link that claims fewer keys crowds the next ones by less than 1e-4
  std::vector<full_link> older;
  double log_passed = 0, left = static_cast<double>(keys);
  for (std::uint32_t i = 0; left > 0; ++i) {
    const std::optional<chain_link<Shape>> link = link_at(i);
    if (!link) return 1;
    const double capacity = static_cast<double>(link->capacity), passed = std::exp(log_passed), most = left * passed;
    const auto crowd = [&](double reached) {
      double factor = 1;
      for (const full_link& each : older) factor *= crowding(each.shape, each.keys, link->shape, reached);
      return factor;
    };
    const auto alone = [&](double reached) {  // a whole number of keys, or between two
      const double below = std::floor(reached);
      const double rate = link_fpr(link->shape, static_cast<std::uint64_t>(below));
      if (below == reached) return rate;
      return rate + (reached - below) * (link_fpr(link->shape, static_cast<std::uint64_t>(below) + 1) - rate);
    };
    double reached = std::min(capacity, most);
    if (most > capacity) {
      // The factor hardly depends on the keys, where the rate does by powers: one serves for the whole integral.
      const double factor = crowd(capacity);
      const auto declined = [&](double u) { return 1 - std::min(1.0, factor * alone(u)); };
      // Newton from the left: `declined` falls, so no step goes too far.
      double taken = detail::integral(0, capacity, declined);
      while (reached < most && capacity - taken > 1e-6 * capacity) {
        const double next = std::min(most, reached + (capacity - taken) / std::max(1e-12, declined(reached)));
        taken += detail::integral(reached, next, declined);
        reached = next;
      }
    }
    const double claimed = std::min(1.0, crowd(reached) * alone(reached));
    log_passed += std::log1p(-claimed);
    if (reached >= most) break;
    left -= reached / passed;
    if (claimed > crowds) older.push_back({link->shape, reached});
  }
  return -std::expm1(log_passed);
}

}  // namespace seen::inline v1::math
