// Checks the shape of a blocked_bloom filter. The layout is drawn in filters/blocked_bloom.hpp.
#include <seen/filters/blocked_bloom.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace seen::inline v1 {

namespace detail {

result<void> check_blocks(std::uint64_t blocks, std::uint64_t most, std::string_view limit, std::size_t block_bytes) {
  if (blocks < 1 || blocks > most) {
    return {blocks < 1 ? errc::invalid_argument : errc::too_large,
            "blocks is " + std::to_string(blocks) + "; it must be from 1 to " + std::string(limit)};
  }
  if (blocks > std::numeric_limits<std::size_t>::max() / 2 / block_bytes) {
    return {errc::too_large, "blocks is " + std::to_string(blocks) + ", more than this machine can address"};
  }
  return {};
}

}  // namespace detail

}  // namespace seen::inline v1
