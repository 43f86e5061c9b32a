// The rate of lanes in blocks that hold unequal numbers of keys. The formulas are explained in math/mixture.hpp.
#include "math/mixture.hpp"

#include <cmath>
#include <cstdint>

namespace seen::inline v1::math {

namespace {

// f(i) for i = 0, 1, 2, … in turn.
class lane_rate {
 public:
  explicit lane_rate(const lane_shape& shape) noexcept : shape_(shape), lane_(shape.lane_bits, shape.bits_per_lane) {}

  double operator()(std::uint64_t) noexcept {
    const double rate = std::pow(lane_.independent(), shape_.lanes);
    for (std::uint32_t bit = 0; bit < shape_.bits_per_lane; ++bit) lane_.throw_ball();
    return rate;
  }

 private:
  lane_shape shape_;
  occupancy lane_;
};

// So many balls per lane bit that the rate is 1 to the last digit, and summing would take long.
bool lanes_are_full(const lane_shape& shape, double load) noexcept {
  return load * shape.bits_per_lane / shape.lane_bits > detail::crowded;
}

}  // namespace

double lane_mixture(const lane_shape& shape, double load) {
  if (lanes_are_full(shape, load)) return 1;
  return poisson_mixture(load, lane_rate(shape));
}

double lane_mixture_of_share(const lane_shape& shape, std::uint64_t keys, double share) {
  if (lanes_are_full(shape, static_cast<double>(keys) * share)) return 1;
  return binomial_mixture_of_share(keys, share, lane_rate(shape));
}

double lane_mixture(const lane_shape& shape, std::uint64_t keys, std::uint64_t blocks) {
  return lane_mixture_of_share(shape, keys, 1 / static_cast<double>(blocks));
}

}  // namespace seen::inline v1::math
