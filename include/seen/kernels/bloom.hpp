// Probes of a classic Bloom filter, for any index rule and access policy: one key, and batches.
//
// One key. Testing probe by probe mispredicts on every absent key; testing all k loads in vain. Four at a time without
// a branch is the best of both: at half fill 15 of 16 absent keys end after the first four.
//
// Batches. A lookup in a table larger than the cache costs its misses, so a batch has to keep many of them in flight:
//
//   lookup  A tile of 64 keys goes through the probes in stages. A stage tests the next probe of every key still alive,
//           drops the keys whose bit was 0, computes the following probe of the others and prefetches it. Half of the
//           absent keys die at each stage, so the tile shrinks to nothing and no line is fetched in vain; the survivors
//           are compacted without a branch. In a table that fits the second-level cache misses cost little and stages
//           much: there a stage is four probes, and nothing is prefetched.
//   add     All k lines of a key are needed, so they are prefetched 8 keys ahead in a ring of positions.
//
// The prefetch goes to the second level ("T1" on x86): it has more outstanding misses than the first
// (docs/performance.md).
//
// A rule has a state per key (start) from which positions are taken, N at a time; see filters/bloom.hpp.
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

/// Tables up to this size are taken to be in the second-level cache: half of a common one.
inline constexpr std::size_t cached_bytes = std::size_t{512} << 10;

inline void prefetch(const void* address) noexcept {
  __builtin_prefetch(address, 0, 2);
}

template <class Access>
[[nodiscard]] bool test_bit(const std::uint64_t* words, std::uint64_t at) noexcept {
  return (Access::load(words + at / 64) & bit_mask(at)) != 0;
}

/// Whether all of N positions are set, without a branch: the loads overlap. (Shifting the words, not masking them: the
/// compiler then keeps one register for all N, and single lookups gain a tenth.)
template <class Access, std::size_t N>
[[nodiscard, gnu::always_inline]] inline bool test_all(const std::uint64_t* words,
                                                       const std::array<std::uint64_t, N>& at) noexcept {
  std::uint64_t all = 1;
  for (std::size_t i = 0; i < N; ++i) all &= little_endian(Access::load(words + at[i] / 64)) >> (at[i] & 63);
  return (all & 1) != 0;
}

/// Whether all positions of one digest are set: four at a time without a branch, the rest one by one.
template <class Access, class Rule>
[[nodiscard, gnu::always_inline]] inline bool bloom_lookup(const std::uint64_t* words, const Rule rule,
                                                           typename Rule::state state, std::uint32_t probes) noexcept {
  for (; probes >= 4; probes -= 4) {
    if (!test_all<Access>(words, rule.template take<4>(state))) return false;
  }
  for (; probes != 0; --probes) {
    if (!test_bit<Access>(words, rule.template take<1>(state)[0])) return false;
  }
  return true;
}

/// Sets every position of every digest.
template <class Access, class Rule>
void bloom_add_many(std::uint64_t* words, const Rule rule, std::uint32_t probes,
                    std::span<const typename Rule::digest_type> digests) noexcept {
  constexpr std::size_t ahead = 8;
  constexpr std::size_t most_probes = Rule::max_probes;
  std::array<std::uint64_t, ahead * most_probes> ring;
  const std::size_t n = digests.size();
  const auto locate = [&](std::size_t i) {
    std::uint64_t* const slot = &ring[(i % ahead) * most_probes];
    auto state = rule.start(digests[i]);
    for (std::uint32_t j = 0; j < probes; ++j) {
      slot[j] = rule.template take<1>(state)[0];
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

namespace stages {

// A tile of keys on its way through the probes: the first `alive` places of each array.
template <class Rule>
struct tile {
  static constexpr std::size_t size = 64;
  std::array<typename Rule::state, size> state;
  std::array<std::uint64_t, size> position;
  std::array<std::uint8_t, size> key;  // index of the survivor in the tile
  std::size_t alive = 0;
};

/// Stages of one probe, each prefetching the next: for tables beyond the cache.
template <class Access, class Rule>
void one_by_one(const std::uint64_t* words, const Rule rule, std::uint32_t probes, tile<Rule>& t) noexcept {
  for (std::size_t i = 0; i < t.alive; ++i) {
    t.position[i] = rule.template take<1>(t.state[i])[0];
    prefetch(words + t.position[i] / 64);
  }
  for (std::uint32_t stage = 1; stage < probes; ++stage) {
    std::size_t survivors = 0;
    for (std::size_t i = 0; i < t.alive; ++i) {
      const bool set = test_bit<Access>(words, t.position[i]);
      auto state = t.state[i];
      const std::uint8_t key = t.key[i];
      const std::uint64_t at = rule.template take<1>(state)[0];
      t.state[survivors] = state;
      t.position[survivors] = at;
      t.key[survivors] = key;
      prefetch(words + at / 64);
      survivors += set;
    }
    t.alive = survivors;
  }
  std::size_t survivors = 0;
  for (std::size_t i = 0; i < t.alive; ++i) {
    const bool set = test_bit<Access>(words, t.position[i]);
    t.key[survivors] = t.key[i];
    survivors += set;
  }
  t.alive = survivors;
}

/// One stage of N probes: what is left of the tile are the keys that passed.
template <class Access, std::size_t N, class Rule>
void keep_if_set(const std::uint64_t* words, const Rule rule, tile<Rule>& t) noexcept {
  std::size_t survivors = 0;
  for (std::size_t i = 0; i < t.alive; ++i) {
    auto state = t.state[i];
    const std::uint8_t key = t.key[i];
    const bool all = test_all<Access>(words, rule.template take<N>(state));
    t.state[survivors] = state;
    t.key[survivors] = key;
    survivors += all;
  }
  t.alive = survivors;
}

/// Stages of four probes: for tables in the cache.
template <class Access, class Rule>
void four_by_four(const std::uint64_t* words, const Rule rule, std::uint32_t probes, tile<Rule>& t) noexcept {
  for (; probes >= 4; probes -= 4) keep_if_set<Access, 4>(words, rule, t);
  switch (probes) {
    case 3:
      return keep_if_set<Access, 3>(words, rule, t);
    case 2:
      return keep_if_set<Access, 2>(words, rule, t);
    case 1:
      return keep_if_set<Access, 1>(words, rule, t);
    default:
      return;
  }
}

}  // namespace stages

/// Writes whether each digest may be present; returns how many may.
template <class Access, class Rule>
std::size_t bloom_lookup_many(const std::uint64_t* words, const Rule rule, std::uint32_t probes,
                              std::span<const typename Rule::digest_type> digests, bool* out) noexcept {
  const bool cached = rule.bits() / 8 <= cached_bytes;
  stages::tile<Rule> t;
  std::size_t found = 0;
  for (std::size_t base = 0; base < digests.size(); base += t.size) {
    t.alive = std::min(t.size, digests.size() - base);
    for (std::size_t i = 0; i < t.alive; ++i) {
      t.state[i] = rule.start(digests[base + i]);
      t.key[i] = static_cast<std::uint8_t>(i);
    }
    std::fill_n(out + base, t.alive, false);
    if (cached) {
      stages::four_by_four<Access>(words, rule, probes, t);
    } else {
      stages::one_by_one<Access>(words, rule, probes, t);
    }
    for (std::size_t i = 0; i < t.alive; ++i) out[base + t.key[i]] = true;
    found += t.alive;
  }
  return found;
}

}  // namespace kernels
}  // namespace v1
}  // namespace seen
