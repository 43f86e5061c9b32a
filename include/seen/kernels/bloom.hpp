// Probes of a classic Bloom filter, for any index rule and any kind of cell: one key, and batches.
//
// A cell is what a probe looks at and an add leaves its mark in: a bit (bit_cells, below), or a counter
// (kernels/counters.hpp). Cells are a value with
//   test(at), test_all(array of N)   whether the cell, or every one of N, is marked
//   put(at)                          marks it
//   fetch(at)                        asks for its line
//   bytes(count)                     memory that so many cells take
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

/// Asks for a line. (Always inlined: g++ 12 takes a function that only prefetches for one without effect, and drops the
/// calls that it has not inlined by then.)
[[gnu::always_inline]] inline void prefetch(const void* address) noexcept {
  __builtin_prefetch(address, 0, 2);
}

/// Single bits; Word is const where they are only looked at.
template <class Access, class Word = std::uint64_t>
struct bit_cells {
  Word* words;

  [[nodiscard]] static constexpr std::uint64_t bytes(std::uint64_t count) noexcept { return count / 8; }
  [[nodiscard]] bool test(std::uint64_t at) const noexcept {
    return (Access::load(words + at / 64) & bit_mask(at)) != 0;
  }
  /// Without a branch: the loads overlap. (Shifting the words, not masking them: the compiler then keeps one register
  /// for all N, and single lookups gain a tenth.)
  template <std::size_t N>
  [[nodiscard, gnu::always_inline]] bool test_all(const std::array<std::uint64_t, N>& at) const noexcept {
    std::uint64_t all = 1;
    for (std::size_t i = 0; i < N; ++i) all &= little_endian(Access::load(words + at[i] / 64)) >> (at[i] & 63);
    return (all & 1) != 0;
  }
  void put(std::uint64_t at) const noexcept { Access::set(words + at / 64, bit_mask(at)); }
  void fetch(std::uint64_t at) const noexcept { prefetch(words + at / 64); }
};

/// Whether all positions of one digest are set: four at a time without a branch, the rest one by one.
template <class Cells, class Rule>
[[nodiscard, gnu::always_inline]] inline bool bloom_lookup(const Cells cells, const Rule rule,
                                                           typename Rule::state state, std::uint32_t probes) noexcept {
  for (; probes >= 4; probes -= 4) {
    if (!cells.test_all(rule.template take<4>(state))) return false;
  }
  for (; probes != 0; --probes) {
    if (!cells.test(rule.template take<1>(state)[0])) return false;
  }
  return true;
}

/// Sets every position of every digest.
template <class Cells, class Rule>
void bloom_add_many(const Cells cells, const Rule rule, std::uint32_t probes,
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
      cells.fetch(slot[j]);
    }
  };
  const std::size_t lead = std::min(ahead, n);
  for (std::size_t i = 0; i < lead; ++i) locate(i);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t* const slot = &ring[(i % ahead) * most_probes];
    for (std::uint32_t j = 0; j < probes; ++j) cells.put(slot[j]);
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
template <class Cells, class Rule>
void one_by_one(const Cells cells, const Rule rule, std::uint32_t probes, tile<Rule>& t) noexcept {
  for (std::size_t i = 0; i < t.alive; ++i) {
    t.position[i] = rule.template take<1>(t.state[i])[0];
    cells.fetch(t.position[i]);
  }
  for (std::uint32_t stage = 1; stage < probes; ++stage) {
    std::size_t survivors = 0;
    for (std::size_t i = 0; i < t.alive; ++i) {
      const bool set = cells.test(t.position[i]);
      auto state = t.state[i];
      const std::uint8_t key = t.key[i];
      const std::uint64_t at = rule.template take<1>(state)[0];
      t.state[survivors] = state;
      t.position[survivors] = at;
      t.key[survivors] = key;
      cells.fetch(at);
      survivors += set;
    }
    t.alive = survivors;
  }
  std::size_t survivors = 0;
  for (std::size_t i = 0; i < t.alive; ++i) {
    const bool set = cells.test(t.position[i]);
    t.key[survivors] = t.key[i];
    survivors += set;
  }
  t.alive = survivors;
}

/// One stage of N probes: what is left of the tile are the keys that passed.
template <std::size_t N, class Cells, class Rule>
void keep_if_set(const Cells cells, const Rule rule, tile<Rule>& t) noexcept {
  std::size_t survivors = 0;
  for (std::size_t i = 0; i < t.alive; ++i) {
    auto state = t.state[i];
    const std::uint8_t key = t.key[i];
    const bool all = cells.test_all(rule.template take<N>(state));
    t.state[survivors] = state;
    t.key[survivors] = key;
    survivors += all;
  }
  t.alive = survivors;
}

/// Stages of four probes: for tables in the cache.
template <class Cells, class Rule>
void four_by_four(const Cells cells, const Rule rule, std::uint32_t probes, tile<Rule>& t) noexcept {
  for (; probes >= 4; probes -= 4) keep_if_set<4>(cells, rule, t);
  switch (probes) {
    case 3:
      return keep_if_set<3>(cells, rule, t);
    case 2:
      return keep_if_set<2>(cells, rule, t);
    case 1:
      return keep_if_set<1>(cells, rule, t);
    default:
      return;
  }
}

}  // namespace stages

/// Writes whether each digest may be present; returns how many may.
template <class Cells, class Rule>
std::size_t bloom_lookup_many(const Cells cells, const Rule rule, std::uint32_t probes,
                              std::span<const typename Rule::digest_type> digests, bool* out) noexcept {
  const bool cached = cells.bytes(rule.bits()) <= cached_bytes;
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
      stages::four_by_four(cells, rule, probes, t);
    } else {
      stages::one_by_one(cells, rule, probes, t);
    }
    for (std::size_t i = 0; i < t.alive; ++i) out[base + t.key[i]] = true;
    found += t.alive;
  }
  return found;
}

}  // namespace kernels
}  // namespace v1
}  // namespace seen
