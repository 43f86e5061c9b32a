// How one link of a chain crowds the next. The formulas are explained in math/chain_rate.hpp.
#include "math/chain_rate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace seen::inline v1::math {
namespace {

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

}  // namespace

double link_fpr(const bloom_shape& link, std::uint64_t keys) {
  return bloom_fpr(link.bits, link.probes, keys);
}

double link_fpr(const blocked_shape& link, std::uint64_t keys) {
  return blocked_fpr(link.blocks, link.probes, keys);
}

double crowding(const bloom_shape& older, double older_keys, const bloom_shape& link, double keys) {
  const double probes = link.probes, common = std::min(older.probes, link.probes);
  const double load = keys / static_cast<double>(link.bits), chance = -std::expm1(-load * probes);
  const double set = -std::expm1(-older_keys * older.probes / static_cast<double>(older.bits));
  if (chance == 0 || set >= 1) return 1;  // nothing there, or nothing passes
  const passing_keys passing(set, older.probes);
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

double crowding(const blocked_shape& older, double older_keys, const blocked_shape& link, double keys) {
  const auto fill_of = [](const lane_shape& shape, double in_block, double frequency) {
    return -std::expm1(std::max(0.0, in_block) * shape.bits_per_lane * frequency * std::log1p(-1.0 / shape.lane_bits));
  };
  const lane_shape above = block_lanes(older.probes), below = block_lanes(link.probes);
  const double load_above = older_keys / static_cast<double>(older.blocks);
  const double load = keys / static_cast<double>(link.blocks);
  const double passed = mean_over_normal(
      load_above, load_above, [&](double in_block) { return 1 - std::pow(fill_of(above, in_block, 1), older.probes); });
  const double chance =
      mean_over_normal(load, load, [&](double in_block) { return std::pow(fill_of(below, in_block, 1), link.probes); });
  if (chance == 0 || !(passed > 0)) return 1;
  // Patterns of another k lie elsewhere in the block: only the number of keys in it is common to both.
  const double common = older.probes == link.probes ? link.probes : 0;
  const double claimed = mean_over_normal(load_above, load_above, [&](double in_older) {
    const passing_keys passing(fill_of(above, in_older, 1), older.probes);
    if (!(passing.share > 0)) return 0.0;
    const double expected = load * passing.share / passed;
    return mean_over_normal(expected, expected, [&](double in_block) {
      if (common == 0) return passing.share * std::pow(fill_of(below, in_block, 1), link.probes);
      return passing.pass_and_hit(common, link.probes,
                                  [&](double frequency) { return fill_of(below, in_block, frequency); });
    });
  });
  return claimed / passed / chance;
}

}  // namespace seen::inline v1::math
