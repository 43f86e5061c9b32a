// Lookups in a ring of Bloom filters whose bits lie side by side: cell i has bit i of every slice.
//
//   all = every slice;  for each probe: all &= cell at its position;   a slice that is left has all bits of the key
//
// One pass answers for all slices, with as many loads as one Bloom filter needs. An absent key ends when no slice is
// left, about log2(slices) probes later than in one filter. In a table beyond the cache a tile of 64 keys goes through
// the probes in stages, each prefetching the next, as in kernels/bloom.hpp.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/kernels/prefetch.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace seen::inline v1::kernels {

/// The cell that begins at bit `at`, in its lowest bits; what is above them belongs to other cells.
[[nodiscard]] inline std::uint64_t cell_at(const std::uint64_t* words, std::uint64_t at) noexcept {
  return little_endian(words[at / 64]) >> (at & 63);
}

/// Those of `slices` that have every bit of the digest.
template <class Rule>
[[nodiscard, gnu::always_inline]] inline std::uint64_t window_lookup(const std::uint64_t* words, const Rule rule,
                                                                     typename Rule::state state, std::uint32_t probes,
                                                                     std::uint64_t slices) noexcept {
  for (; probes >= 4; probes -= 4) {
    for (const std::uint64_t at : rule.template take<4>(state)) slices &= cell_at(words, at);
    if (slices == 0) return 0;
  }
  for (; probes != 0; --probes) slices &= cell_at(words, rule.template take<1>(state)[0]);
  return slices;
}

/// Keys of a tile.
inline constexpr std::size_t window_tile = 64;

/// Writes whether some slice has every bit of each digest; returns for how many.
template <class Rule>
std::size_t window_lookup_many(const std::uint64_t* words, const Rule rule, std::uint32_t probes, std::uint64_t slices,
                               std::span<const typename Rule::digest_type> digests, bool* out) noexcept {
  std::size_t found = 0;
  if (rule.bits() / 8 <= cached_bytes) {
    for (std::size_t i = 0; i < digests.size(); ++i) {
      out[i] = window_lookup(words, rule, rule.start(digests[i]), probes, slices) != 0;
      found += out[i];
    }
    return found;
  }
  constexpr std::size_t tile = window_tile;
  std::array<typename Rule::state, tile> state;
  std::array<std::uint64_t, tile> position, left;
  std::array<std::uint8_t, tile> key;
  for (std::size_t base = 0; base < digests.size(); base += tile) {
    std::size_t alive = std::min(tile, digests.size() - base);
    std::fill_n(out + base, alive, false);
    for (std::size_t i = 0; i < alive; ++i) {
      state[i] = rule.start(digests[base + i]);
      position[i] = rule.template take<1>(state[i])[0];
      prefetch(words + position[i] / 64);
      left[i] = slices;
      key[i] = static_cast<std::uint8_t>(i);
    }
    for (std::uint32_t stage = 0; stage < probes; ++stage) {
      std::size_t survivors = 0;
      for (std::size_t i = 0; i < alive; ++i) {
        const std::uint64_t still = left[i] & cell_at(words, position[i]);
        auto next = state[i];
        const std::uint64_t at = rule.template take<1>(next)[0];
        if (stage + 1 != probes) prefetch(words + at / 64);
        state[survivors] = next;
        position[survivors] = at;
        left[survivors] = still;
        key[survivors] = key[i];
        survivors += still != 0;
      }
      alive = survivors;
    }
    for (std::size_t i = 0; i < alive; ++i) out[base + key[i]] = true;
    found += alive;
  }
  return found;
}

}  // namespace seen::inline v1::kernels
