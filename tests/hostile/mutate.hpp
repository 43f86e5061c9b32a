// Random changes to files, of the kinds that decoders trip over.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "support/key_shapes.hpp"
#include "support/native_image.hpp"

namespace seen::testing {

/// Values that have broken decoders: edges of every width, and what is near a size that is there.
inline std::uint64_t nasty(rng& random, std::size_t size) {
  switch (random.below(8)) {
    case 0:
      return random.below(4);
    case 1:
      return ~std::uint64_t{0} - random.below(70);
    case 2:
      return (std::uint64_t{1} << random.below(64)) - random.below(3);
    case 3:
      return size + random.below(130) - 65;
    case 4:
      return 64 * random.below(64);
    case 5:
      return std::uint64_t{1} << random.below(64);
    case 6:
      return random.below(256);
    default:
      return random();
  }
}

/// One change to some bytes: a flip, a field, a piece more, fewer or elsewhere.
inline void mutate(byte_vector& bytes, rng& random) {
  if (bytes.empty()) bytes.resize(1);
  // Most of what there is to break is in the header.
  const std::size_t reach = random.below(3) == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 220);
  const auto where = static_cast<std::size_t>(random.below(reach));
  const auto begin = [&](std::size_t i) { return bytes.begin() + static_cast<std::ptrdiff_t>(i); };
  switch (random.below(9)) {
    case 0:
    case 1:
      bytes[where] ^= static_cast<std::byte>(1 << random.below(8));
      break;
    case 2:
      bytes[where] = static_cast<std::byte>(random());
      break;
    case 3:
    case 4:
    case 5: {  // a field, at its natural alignment
      const std::size_t width = std::size_t{2} << random.below(3);
      const std::size_t at = where / width * width;
      if (at + width > bytes.size()) break;
      const std::uint64_t value = nasty(random, bytes.size());
      for (std::size_t i = 0; i < width; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
      break;
    }
    case 6: {  // some bytes more, zero or from elsewhere
      const auto count = static_cast<std::size_t>(8 << random.below(5));
      byte_vector more(count);
      if (random.below(2) == 0) {
        const auto from = static_cast<std::size_t>(random.below(bytes.size()));
        std::copy_n(begin(from), std::min(count, bytes.size() - from), more.begin());
      }
      bytes.insert(begin(where / 8 * 8), more.begin(), more.end());
      break;
    }
    case 7: {  // some bytes fewer
      const std::size_t count = std::min<std::size_t>(std::size_t{8} << random.below(5), bytes.size() - where);
      bytes.erase(begin(where), begin(where + count));
      break;
    }
    default: {  // a piece over another
      const auto from = static_cast<std::size_t>(random.below(bytes.size()));
      const std::size_t count =
          std::min<std::size_t>(std::size_t{1} << random.below(7), bytes.size() - std::max(from, where));
      std::copy_n(byte_vector(begin(from), begin(from + count)).begin(), count, begin(where));
      break;
    }
  }
}

}  // namespace seen::testing
