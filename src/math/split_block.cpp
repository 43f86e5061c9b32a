// Split-block filters: rate, and shape for a target. The formulas are explained in math/split_block.hpp.
#include <seen/base/text.hpp>
#include <seen/math/split_block.hpp>

#include <algorithm>
#include <cstdint>

#include "math/block_planning.hpp"
#include "math/mixture.hpp"

namespace seen::inline v1::math {

double split_block_mixture(double load) {
  return std::min(1.0, lane_mixture(split_block_shape, load) + load * equal_pattern);
}

double split_block_fpr(std::uint64_t blocks, std::uint64_t keys) {
  if (keys == 0) return 0;
  if (blocks == 0) return 1;
  constexpr std::uint64_t values = std::uint64_t{1} << 32;
  // `extra` blocks are met by fewer + 1 values of the high half, the others by `fewer`.
  const std::uint64_t fewer = values / blocks, extra = values % blocks;
  const auto rate_at = [keys](std::uint64_t met) {
    return lane_mixture_of_share(split_block_shape, keys, static_cast<double>(met) * 0x1p-32);
  };
  const double asked_extra = static_cast<double>(extra * (fewer + 1)) * 0x1p-32;  // share of the queries that go there
  const double lanes =
      extra == 0 ? rate_at(fewer) : (1 - asked_extra) * rate_at(fewer) + asked_extra * rate_at(fewer + 1);
  const double load = static_cast<double>(keys) / static_cast<double>(blocks);
  return std::min(1.0, lanes + load * equal_pattern);
}

result<std::uint64_t> split_blocks_for(const target& t) {
  if (auto fine = check(t); !fine) return fine.error();
  const std::uint64_t per_key = fewest_per_key(split_block_shape, t.fpr);
  if (per_key > most_per_key) return detail::rate_out_of_reach(t, "split-block");
  const std::uint64_t blocks = blocks_for(t.capacity, per_key, split_block_bits);
  if (blocks > max_planned_split_blocks) {
    const double bytes = static_cast<double>(t.capacity) * static_cast<double>(per_key) / bits_per_key_unit / 8;
    return {errc::too_large, detail::wish(t) + " need " + readable_bytes(bytes) +
                                 " in split blocks, which spread keys evenly up to 4 GiB; blocked-bloom goes further"};
  }
  return blocks;
}

}  // namespace seen::inline v1::math
