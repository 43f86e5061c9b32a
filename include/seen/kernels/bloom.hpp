// Batches over a classic Bloom filter, for any index rule and access policy.
//
// A lookup in a table larger than the cache costs its misses, so a batch has to keep many of them in flight:
//
//   lookup  A tile of 64 keys goes through the probes in stages. Stage i tests probe i of every key still alive, drops
//           the keys whose bit was 0, computes probe i+1 of the others and prefetches it. Half of the absent keys die
//           at each stage, so the tile shrinks to nothing and no probe is computed in vain; the survivors are compacted
//           without a branch.
//   add     All k lines of a key are needed, so they are prefetched 8 keys ahead in a ring of positions.
//
// The prefetch goes to the second level ("T1" on x86): it has more outstanding misses than the first
// (docs/performance.md).
//
// A rule has a state per key (start) from which positions come one after another (next); see filters/bloom.hpp.
#pragma once

#include <seen/base/bits.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace seen {
inline namespace v1 {
namespace kernels {

inline void prefetch(const void* address) noexcept {
  __builtin_prefetch(address, 0, 2);
}

/// Sets every position of every digest.
template <class Access, class Rule>
void bloom_add_many(std::uint64_t* words, Rule rule, std::uint32_t probes,
                    std::span<const typename Rule::digest_type> digests) noexcept {
  constexpr std::size_t ahead = 8;
  constexpr std::size_t most_probes = Rule::max_probes;
  std::array<std::uint64_t, ahead * most_probes> ring;
  const std::size_t n = digests.size();
  const auto locate = [&](std::size_t i) {
    std::uint64_t* const slot = &ring[(i % ahead) * most_probes];
    auto state = rule.start(digests[i]);
    for (std::uint32_t j = 0; j < probes; ++j) {
      slot[j] = rule.next(state);
      prefetch(words + slot[j] / 64);
    }
  };
  const std::size_t lead = std::min(ahead, n);
  for (std::size_t i = 0; i < lead; ++i) locate(i);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t* const slot = &ring[(i % ahead) * most_probes];
    for (std::uint32_t j = 0; j < probes; ++j) Access::set(words + slot[j] / 64, bit_mask(slot[j]));
    if (i + ahead < n) locate(i + ahead);
  }
}

/// Writes whether each digest may be present; returns how many may.
template <class Access, class Rule>
std::size_t bloom_lookup_many(const std::uint64_t* words, Rule rule, std::uint32_t probes,
                              std::span<const typename Rule::digest_type> digests, bool* out) noexcept {
  constexpr std::size_t tile = 64;
  std::array<typename Rule::state, tile> state;
  std::array<std::uint64_t, tile> position;
  std::array<std::uint8_t, tile> key;  // index in the tile of each survivor
  std::size_t found = 0;
  for (std::size_t base = 0; base < digests.size(); base += tile) {
    std::size_t alive = std::min(tile, digests.size() - base);
    std::fill_n(out + base, alive, false);
    for (std::size_t i = 0; i < alive; ++i) {
      state[i] = rule.start(digests[base + i]);
      position[i] = rule.next(state[i]);
      key[i] = static_cast<std::uint8_t>(i);
      prefetch(words + position[i] / 64);
    }
    for (std::uint32_t stage = 1; stage < probes; ++stage) {
      std::size_t survivors = 0;
      for (std::size_t i = 0; i < alive; ++i) {
        const bool set = (Access::load(words + position[i] / 64) & bit_mask(position[i])) != 0;
        auto next = state[i];
        const std::uint8_t index = key[i];
        const std::uint64_t at = rule.next(next);
        state[survivors] = next;
        position[survivors] = at;
        key[survivors] = index;
        prefetch(words + at / 64);
        survivors += set;
      }
      alive = survivors;
    }
    for (std::size_t i = 0; i < alive; ++i) {
      const bool set = (Access::load(words + position[i] / 64) & bit_mask(position[i])) != 0;
      out[base + key[i]] = set;
      found += set;
    }
  }
  return found;
}

}  // namespace kernels
}  // namespace v1
}  // namespace seen
