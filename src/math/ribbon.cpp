// Checks the numbers of a ribbon filter. The formulas are explained in math/ribbon.hpp.
#include <seen/math/ribbon.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace seen::inline v1 {

namespace math {

result<void> check(const ribbon_layers& l, ribbon_setting setting, std::uint64_t keys, std::uint64_t shards) {
  const auto refuse = [](std::string why) { return error{errc::invalid_argument, std::move(why)}; };
  if (l.bits == 0 || l.bits > ribbon_max_bits) {
    return refuse("fingerprint-bits is " + std::to_string(l.bits) + "; it must be from 1 to 32");
  }
  if (setting == ribbon_setting::unset || setting > ribbon_setting::fast) {
    return refuse("setting is " + std::to_string(static_cast<std::uint32_t>(setting)) +
                  "; it must be 1 (compact), 2 (balanced) or 3 (fast)");
  }
  if (keys > max_bits || !is_shard_count(shards) || (keys == 0) != (shards == 0)) {
    return refuse("keys is " + std::to_string(keys) + " and shards " + std::to_string(shards) +
                  "; at most 2^40 keys in a power of two of shards, at most 2^24, none for no keys");
  }
  if ((shards == 0) != (l.slots[0] == 0) || (l.slots[1] == 0 && l.slots[2] != 0) ||
      (l.slots[0] == 0 && l.slots[1] != 0)) {
    return refuse("a layer of no slots comes before one of some, or there are slots without shards");
  }
  for (const std::uint64_t m : l.slots) {
    if (m > max_bits) return refuse("a layer has " + std::to_string(m) + " slots; at most 2^40 are possible");
    if (l.slots[1] != 0 && m != 0 && (m < 128 || m % 64 != 0)) {
      return refuse("a layer of several has " + std::to_string(m) +
                    " slots; it must be a multiple of 64, and at least 128");
    }
  }
  const std::uint64_t most = std::min<std::uint64_t>(max_bits / 8, std::numeric_limits<std::size_t>::max() / 2);
  if (shards != 0 && l.solution_bytes() + l.bump_bytes() > most / shards) {
    return {errc::too_large, "the slots of " + std::to_string(shards) + " shards take more than 2^40 bits"};
  }
  return {};
}

}  // namespace math

}  // namespace seen::inline v1
