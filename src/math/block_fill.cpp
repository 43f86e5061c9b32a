// The formulas are explained in seen/math/block_fill.hpp.
#include <seen/math/binomial.hpp>
#include <seen/math/block_fill.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1::math {
namespace {

constexpr double most_load = 2000;

// That none of b throws hits one of `bins` bits of a lane.
double miss(const lane_shape& block, double bins) noexcept {
  return std::pow(1 - bins / block.lane_bits, block.bits_per_lane);
}

// One more throw into a lane: P(j bits hit), j from 0 up.
void throw_into(std::vector<double>& lane) {
  const auto bits = static_cast<double>(lane.size() - 1);
  for (std::size_t j = lane.size(); j-- > 0;) {
    const double stays = static_cast<double>(j) / bits;
    lane[j] *= stays;
    if (j != 0) lane[j] += lane[j - 1] * (1 - static_cast<double>(j - 1) / bits);
  }
}

std::vector<double> convolved(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sum(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] < 1e-18) continue;
    for (std::size_t j = 0; j < b.size(); ++j) sum[i + j] += a[i] * b[j];
  }
  return sum;
}

// Of `lanes` lanes like this one.
std::vector<double> of_lanes(std::vector<double> lane, std::uint32_t lanes) {
  std::vector<double> all{1};
  for (; lanes != 0; lanes /= 2) {
    if (lanes % 2 != 0) all = convolved(all, lane);
    if (lanes > 1) lane = convolved(lane, lane);
  }
  return all;
}

}  // namespace

double keys_per_block(const lane_shape& block, double fill) noexcept {
  return -std::log1p(-fill) / (1 - miss(block, 1));
}

double variance_of_block(const lane_shape& block, double load) noexcept {
  const double lanes = block.lanes, bits = block.lane_bits, a = miss(block, 1), c = miss(block, 2);
  const double clear = lanes * bits * std::exp(-load * (1 - a));
  const double pairs = lanes * bits * (bits - 1) * std::exp(-load * (1 - c)) +
                       lanes * (lanes - 1) * bits * bits * std::exp(-load * (1 - a * a));
  return std::max(0.0, pairs + clear - clear * clear);
}

std::vector<double> distribution_of_block(const lane_shape& block, double load) {
  if (!(load <= most_load)) return {};
  std::vector<double> whole(bits_of_block(block) + std::size_t{1}), lane(block.lane_bits + std::size_t{1});
  lane[0] = 1;
  const auto most = static_cast<std::uint64_t>(load + 9 * std::sqrt(load) + 20);
  for (std::uint64_t keys = 0; keys <= most; ++keys) {
    const double weight = poisson_pmf(load, keys);
    if (weight > 1e-12) {
      const std::vector<double> set = of_lanes(lane, block.lanes);
      for (std::size_t i = 0; i < set.size(); ++i) whole[i] += weight * set[i];
    }
    for (std::uint32_t bit = 0; bit < block.bits_per_lane; ++bit) throw_into(lane);
  }
  return whole;
}

}  // namespace seen::inline v1::math
