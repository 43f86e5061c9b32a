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
[[nodiscard]] inline double link_fpr(const bloom_shape& link, std::uint64_t keys) {
  return bloom_fpr(link.bits, link.probes, keys);
}
[[nodiscard]] inline double link_fpr(const blocked_shape& link, std::uint64_t keys) {
  return blocked_fpr(link.blocks, link.probes, keys);
}

namespace detail {

/// Keys that passed an older part of a chain, whose share `fill` of bits is set and which looks at `probes` of them.
struct passing_keys {
  double fill, share, at_clear, at_set;  // φ, P, w0, w1

  passing_keys(double set, double probes) noexcept
      : fill(set),
        share(1 - std::pow(set, probes)),
        at_clear(1 / share),
        at_set((1 - std::pow(set, probes - 1)) / share) {}

  /// P·q: an absent key passes the older part and finds `probes` set bits in the younger, of which the first `common` are
  /// at the fractions of the older one's. hit(w) is the share of bits that are set where probes are w times as frequent.
  template <class Hit>
  [[nodiscard]] double pass_and_hit(double common, double probes, Hit hit) const {
    const double set = hit(at_set), all = fill * set + (1 - fill) * hit(at_clear);
    return (std::pow(all, common) - (1 - share) * std::pow(set, common)) * std::pow(all, probes - common);
  }
};

/// The mean of f(x) over a normal x of this mean and variance: Gauss and Hermite's five points.
template <class Function>
[[nodiscard]] double mean_over_normal(double mean, double variance, Function f) {
  constexpr double outer = 2.8569700138728056, inner = 1.3556261799742657;
  constexpr double outer_weight = 0.011257411327720691, inner_weight = 0.22207592200561266;
  const double sigma = std::sqrt(variance);
  return 8.0 / 15 * f(mean) + inner_weight * (f(mean - inner * sigma) + f(mean + inner * sigma)) +
         outer_weight * (f(mean - outer * sigma) + f(mean + outer * sigma));
}

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
[[nodiscard]] inline double crowding(const bloom_shape& older, double older_keys, const bloom_shape& link,
                                     double keys) {
  const double probes = link.probes, common = std::min(older.probes, link.probes);
  const double load = keys / static_cast<double>(link.bits), chance = -std::expm1(-load * probes);
  const double set = -std::expm1(-older_keys * older.probes / static_cast<double>(older.bits));
  if (chance == 0 || set >= 1) return 1;  // nothing there, or nothing passes
  const detail::passing_keys passing(set, older.probes);
  const auto filled = [&](double frequency) { return -std::expm1(-load * (common * frequency + probes - common)); };
  // As many bits reach over two of the older ones as those have borders.
  const double across = std::min(1.0, static_cast<double>(older.bits) / static_cast<double>(link.bits));
  const double claimed = passing.pass_and_hit(common, probes, [&](double frequency) {
    const double beside_set = filled((frequency + passing.at_set) / 2);
    const double beside_clear = filled((frequency + passing.at_clear) / 2);
    return (1 - across) * filled(frequency) + across * (set * beside_set + (1 - set) * beside_clear);
  });
  return claimed / passing.share / std::pow(chance, probes);
}
[[nodiscard]] inline double crowding(const blocked_shape& older, double older_keys, const blocked_shape& link,
                                     double keys) {
  const auto fill_of = [](const lane_shape& shape, double in_block, double frequency) {
    return -std::expm1(std::max(0.0, in_block) * shape.bits_per_lane * frequency * std::log1p(-1.0 / shape.lane_bits));
  };
  const lane_shape above = block_lanes(older.probes), below = block_lanes(link.probes);
  const double load_above = older_keys / static_cast<double>(older.blocks);
  const double load = keys / static_cast<double>(link.blocks);
  const double passed = detail::mean_over_normal(
      load_above, load_above, [&](double in_block) { return 1 - std::pow(fill_of(above, in_block, 1), older.probes); });
  const double chance = detail::mean_over_normal(
      load, load, [&](double in_block) { return std::pow(fill_of(below, in_block, 1), link.probes); });
  if (chance == 0 || !(passed > 0)) return 1;
  // Patterns of another k lie elsewhere in the block: only the number of keys in it is common to both.
  const double common = older.probes == link.probes ? link.probes : 0;
  const double claimed = detail::mean_over_normal(load_above, load_above, [&](double in_older) {
    const detail::passing_keys passing(fill_of(above, in_older, 1), older.probes);
    if (!(passing.share > 0)) return 0.0;
    const double expected = load * passing.share / passed;
    return detail::mean_over_normal(expected, expected, [&](double in_block) {
      if (common == 0) return passing.share * std::pow(fill_of(below, in_block, 1), link.probes);
      return passing.pass_and_hit(common, link.probes,
                                  [&](double frequency) { return fill_of(below, in_block, frequency); });
    });
  });
  return claimed / passed / chance;
}

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
