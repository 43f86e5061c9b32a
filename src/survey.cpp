// What chance does to the fill of a region.
#include <seen/math/block_fill.hpp>
#include <seen/survey.hpp>

#include <algorithm>
#include <cmath>

namespace seen::inline v1 {

double surveyed_table::sigma(std::uint64_t places) const noexcept {
  const double share = whole.fill(), some = static_cast<double>(places);
  if (places == 0 || share <= 0 || share >= 1) return 0;
  // The region is a part of what it is compared with.
  const double apart = 1 - some / static_cast<double>(whole.places);
  double variance = share * (1 - share) / some;
  if (block.lanes != 0) {
    const double bits = math::bits_of_block(block);
    variance = math::variance_of_block(block, math::keys_per_block(block, share)) / bits / some;
  }
  return std::sqrt(variance * apart);
}

double surveyed_table::deviation(const counted_places& region) const noexcept {
  const double one = sigma(region.places);
  return one > 0 ? (region.fill() - whole.fill()) / one : 0;
}

// Where used places come in clusters, the blocks' keys, (mean / sigma)^2 is the number of clusters whatever their size.
bool surveyed_table::is_odd(const counted_places& region) const noexcept {
  const double share = whole.fill(), enough = 7 * sigma(region.places);
  return std::min(share, 1 - share) >= enough && std::abs(deviation(region)) > 6;
}

}  // namespace seen::inline v1
