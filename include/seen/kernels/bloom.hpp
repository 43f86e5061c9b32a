// Probes of a classic Bloom filter, for any index rule and any kind of cell: one key, and batches.
//
// A cell is what a probe looks at and an add leaves its mark in: a bit (bit_cells, below), or a counter
// (kernels/counters.hpp). Cells are a value with
//   test(at), test_all(array of N)   whether the cell, or every one of N, is marked
//   put_all(array of N)              marks them
//   fetch(at)                        asks for its line
//   bits(count)                      memory that so many cells take
//
// One key. A branch on what was read is mispredicted where present and absent keys mix, and costs more than the loads that
// it spares as long as these end in a cache. Beyond it lines are what a lookup costs, and branches spare them:
//
//   up to 16 MiB   all k probes, up to ten, without a branch: the time is the same whatever the keys
//   beyond         two probes, two, and the rest: at half fill three of four absent keys end after the first two
//
// Seven probes, those of 1 %, are inlined with every number known when compiling. Lookups with another number are one
// call further away: a switch over numbers would be an indirect jump for every key, or much code at every call.
//
// Batches. A lookup in a table larger than the cache costs its misses, so a batch has to keep many of them in flight:
//
//   lookup  A tile of 128 keys goes through the probes in two stages: two probes of every key, and of those that are
//           left all others at once.
//
//             128 keys ── 2 probes ──► 128 present, or 32 of 128 absent ── k-2 probes ──► answers
//
//           Three of four absent keys die in the first stage at half fill, so little is loaded in vain; the survivors
//           are compacted without a branch. In the cache, and with seven probes, a tile after one that was found nearly
//           whole goes through all of them at once. Beyond the second-level cache a stage first computes the positions of all
//           its keys and asks for their lines, then tests. (More stages spare lines, and cost more than the lines.)
//   add     All k lines of a key are needed, so they are prefetched 16 keys ahead.
//
// Probes are taken in groups whose size is known when compiling, up to eight: a loop over k costs a fifth of a lookup.
//
// The prefetch goes to the second level ("T1" on x86): it has more outstanding misses than the first
// (docs/performance.md).
//
// A rule has a state per key (start) from which positions are taken, N at a time; see filters/bloom.hpp.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/kernels/bit_pairs.hpp>
#include <seen/kernels/prefetch.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace seen::inline v1::kernels {

/// Single bits; Word is const where they are only read.
template <class Access, class Word = std::uint64_t>
struct bit_cells {
  Word* words;

  [[nodiscard]] static constexpr std::uint64_t bits(std::uint64_t count) noexcept { return count; }
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
  /// The same for two of a table beyond the cache.
  [[nodiscard, gnu::always_inline]] bool test_far(const std::array<std::uint64_t, 2>& at) const noexcept {
    if constexpr (Access::is_shared) return test_all(at);
    return test_pair(words, at[0], at[1]);
  }
  /// With shared words, a key that is there already costs no locked instruction. Four bits are looked at together, since
  /// a mispredicted branch for each would cost a new key more than the locked ORs that it spares; for the three or fewer
  /// after them it is the other way round.
  template <std::size_t N>
  [[gnu::always_inline]] void put_all(const std::array<std::uint64_t, N>& at) const noexcept {
    if constexpr (Access::is_shared && N < 4) {
      for (std::size_t i = 0; i < N; ++i) Access::set(words + at[i] / 64, bit_mask(at[i]));
      return;
    }
    if constexpr (Access::is_shared) {
      if (test_all(at)) return;
    }
    for (std::size_t i = 0; i < N; ++i) Access::set_missing(words + at[i] / 64, bit_mask(at[i]));
  }
  [[gnu::always_inline]] void fetch(std::uint64_t at) const noexcept { prefetch(words + at / 64); }
};

/// The number of probes with code of its own.
inline constexpr std::uint32_t usual_probes = 7;

/// Probes are taken in groups of at most so many.
inline constexpr std::uint32_t most_in_group = 8;

/// Calls use.operator()<count>(), for a count below Limit that is known only now.
template <std::size_t Limit, class Use>
[[gnu::always_inline]] inline void with_count(std::uint32_t count, Use use) {
  const auto call_if = [&]<std::size_t N>(std::integral_constant<std::size_t, N>) {
    return count == N && (use.template operator()<N>(), true);
  };
  [&]<std::size_t... N>(std::index_sequence<N...>) {
    (void)(call_if(std::integral_constant<std::size_t, N>()) || ...);
  }
  (std::make_index_sequence<Limit>());
}

/// Calls use.operator()<N>() for groups of N probes: fours, then the rest. Probes is a number, or one known when
/// compiling.
template <class Probes, class Use>
[[gnu::always_inline]] inline void for_each_group(const Probes probes, Use use) noexcept {
  std::uint32_t left = probes;
#pragma GCC unroll 2
  for (; left >= 4; left -= 4) use.template operator()<4>();
  with_count<4>(left, use);
}

namespace single {

/// Up to so many bits, 16 MiB, a lookup reads all its cells at once: the table is taken to be in a cache, the
/// third-level one of a server at the worst. (Zen 5 with 32 MiB of it, seven probes: at 12 MiB 6.6 ns whatever the keys,
/// by steps 5.3 absent and 11.5 half present; at 24 MiB much the same both ways; at 48 MiB 57 ns, by steps 39 and 56.)
inline constexpr std::uint64_t near_bits = std::uint64_t{1} << 27;

/// And up to so many probes: more belong to rates so low that nearly all of what is asked about is absent.
inline constexpr std::uint32_t most_at_once = 10;

/// Whether a table is larger than that.
template <class Cells, class Rule>
[[nodiscard, gnu::always_inline]] inline bool is_far(const Cells cells, const Rule& rule) noexcept {
  return cells.bits(rule.bits()) > near_bits;
}

/// The lookup with any number of probes.
template <class Cells, class Rule>
[[nodiscard, gnu::noinline]] bool lookup(const Cells cells, const Rule rule, typename Rule::state state,
                                         std::uint32_t probes) noexcept {
  if (probes > most_at_once || is_far(cells, rule)) {
    for (; probes >= 2; probes -= 2) {
      if (!cells.test_all(rule.template take<2>(state))) return false;
    }
    return probes == 0 || cells.test(rule.template take<1>(state)[0]);
  }
  bool present = true;
  for_each_group(probes, [&]<std::size_t N>() { present &= cells.test_all(rule.template take<N>(state)); });
  return present;
}

}  // namespace single

/// Whether all positions of one digest are marked.
template <class Cells, class Rule>
[[nodiscard, gnu::always_inline]] inline bool bloom_lookup(const Cells cells, const Rule rule,
                                                           typename Rule::state state, std::uint32_t probes) noexcept {
  if (probes != usual_probes) return single::lookup(cells, rule, state, probes);
  if (!single::is_far(cells, rule)) [[likely]] {
    const bool four = cells.test_all(rule.template take<4>(state));
    return four & cells.test_all(rule.template take<usual_probes - 4>(state));
  }
  // Far away every instruction spent on a key means less of a miss in flight. The compiler would do what both ways have in
  // common before it decides, and the next probe's multiplication with it; here it is not told that the state is the same.
  using state_type = typename Rule::state;
  if constexpr (std::is_integral_v<state_type> && sizeof(state_type) <= sizeof(void*)) asm("" : "+r"(state));
  if constexpr (requires(std::array<std::uint64_t, 2> at) { cells.test_far(at); }) {
    if (!cells.test_far(rule.template take<2>(state)) || !cells.test_far(rule.template take<2>(state))) return false;
    const auto [a, b, c] = rule.template take<usual_probes - 4>(state);
    const bool both = cells.test_far({a, b});
    return both & cells.test(c);
  } else {
    return cells.test_all(rule.template take<2>(state)) && cells.test_all(rule.template take<2>(state)) &&
           cells.test_all(rule.template take<usual_probes - 4>(state));
  }
}

/// Marks every position of one digest.
template <class Cells, class Rule>
[[gnu::always_inline]] inline void bloom_add(const Cells cells, const Rule rule, typename Rule::state state,
                                             std::uint32_t probes) noexcept {
  if (probes == usual_probes) {
    return for_each_group(std::integral_constant<std::uint32_t, usual_probes>(),
                          [&]<std::size_t N>() { cells.put_all(rule.template take<N>(state)); });
  }
  for (; probes >= 4; probes -= 4) cells.put_all(rule.template take<4>(state));
  for (; probes != 0; --probes) cells.put_all(rule.template take<1>(state));
}

/// Asks for the lines of N positions, and notes them. (One by one: a copy of the array, which the compiler makes with
/// vectors, would wait for the single stores that it was written with.)
template <class Cells, std::size_t N>
[[gnu::always_inline]] inline void fetch_all(const Cells cells, const std::array<std::uint64_t, N>& at,
                                             std::uint64_t* noted) noexcept {
#pragma GCC unroll 8
  for (std::size_t i = 0; i < N; ++i) {
    cells.fetch(at[i]);
    noted[i] = at[i];
  }
}

/// The N positions that were noted.
template <std::size_t N>
[[nodiscard, gnu::always_inline]] inline std::array<std::uint64_t, N> noted_positions(
    const std::uint64_t* noted) noexcept {
  std::array<std::uint64_t, N> at;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < N; ++i) at[i] = noted[i];
  return at;
}

namespace adding {

/// Keys between the prefetch of a key's lines and its add.
inline constexpr std::size_t ahead = 16;

template <class Cells, class Rule, class Probes>
void add_all(const Cells cells, const Rule rule, const Probes probes,
             std::span<const typename Rule::digest_type> digests) noexcept {
  if (cells.bits(rule.bits()) <= cached_bits) {
    for (const auto& d : digests) {
      auto state = rule.start(d);
      for_each_group(probes, [&]<std::size_t N>() { cells.put_all(rule.template take<N>(state)); });
    }
    return;
  }
  constexpr std::size_t stride = std::bit_ceil(std::size_t{Rule::max_probes});
  std::array<std::uint64_t, ahead * stride> ring;
  const auto locate = [&](std::size_t i) {
    auto state = rule.start(digests[i]);
    std::uint64_t* to = &ring[i % ahead * stride];
    for_each_group(probes, [&]<std::size_t N>() {
      fetch_all(cells, rule.template take<N>(state), to);
      to += N;
    });
  };
  const auto put = [&](std::size_t i) {
    const std::uint64_t* from = &ring[i % ahead * stride];
    for_each_group(probes, [&]<std::size_t N>() {
      cells.put_all(noted_positions<N>(from));
      from += N;
    });
  };
  const std::size_t n = digests.size(), lead = std::min(ahead, n);
  for (std::size_t i = 0; i < lead; ++i) locate(i);
  for (std::size_t i = lead; i < n; ++i) {
    put(i - lead);
    locate(i);
  }
  for (std::size_t i = n - lead; i < n; ++i) put(i);
}

}  // namespace adding

/// Marks every position of every digest. (Seven probes are worth code of their own here, too: a sixth of the time.)
template <class Cells, class Rule>
void bloom_add_many(const Cells cells, const Rule rule, std::uint32_t probes,
                    std::span<const typename Rule::digest_type> digests) noexcept {
  if (probes == usual_probes) {
    return adding::add_all(cells, rule, std::integral_constant<std::uint32_t, usual_probes>(), digests);
  }
  adding::add_all(cells, rule, probes, digests);
}

namespace stages {

/// Keys of a tile.
inline constexpr std::size_t tile_keys = 128;

// A tile of keys on its way through the probes: the first `alive` places of state and key.
template <class Rule>
struct tile {
  static constexpr std::size_t size = tile_keys;
  std::array<typename Rule::state, size> state;
  std::array<std::uint64_t, size * most_in_group> position;
  std::array<std::uint8_t, size> key;  // index of the survivor in the tile
  std::size_t alive = 0;
};

/// One stage of N probes. from(i) is the state of key i of those alive; to(i, state, set) is told what comes after
/// these probes and whether they were set.
template <std::size_t N, bool Last = false, class Cells, class Rule, class From, class To>
[[gnu::always_inline]] inline void stage(const Cells cells, const Rule rule, bool cached, tile<Rule>& t, From from,
                                         To to) noexcept {
  if (cached) {
    for (std::size_t i = 0; i < t.alive; ++i) {
      auto state = from(i);
      const bool set = cells.test_all(rule.template take<N>(state));
      to(i, state, set);
    }
    return;
  }
  for (std::size_t i = 0; i < t.alive; ++i) {
    auto state = from(i);
    const auto at = rule.template take<N>(state);
    fetch_all(cells, at, &t.position[i * N]);
    if (!Last) t.state[i] = state;
  }
  for (std::size_t i = 0; i < t.alive; ++i) {
    to(i, t.state[i], cells.test_all(noted_positions<N>(&t.position[i * N])));
  }
}

/// All seven probes of every key without stages. (Not inlined: beside them it would take registers from them, 5 % of a batch of
/// absent keys.)
template <class Cells, class Rule>
[[gnu::noinline]] std::size_t all_at_once(const Cells cells, const Rule rule,
                                          std::span<const typename Rule::digest_type> digests, bool* out) noexcept {
  std::size_t found = 0;
  for (std::size_t i = 0; i < digests.size(); ++i) {
    auto state = rule.start(digests[i]);
    const bool four = cells.test_all(rule.template take<4>(state));
    found += out[i] = four & cells.test_all(rule.template take<usual_probes - 4>(state));
  }
  return found;
}

}  // namespace stages

/// Writes whether each digest may be present; returns how many may. There is at least one probe.
template <class Cells, class Rule>
std::size_t bloom_lookup_many(const Cells cells, const Rule rule, std::uint32_t probes,
                              std::span<const typename Rule::digest_type> digests, bool* out) noexcept {
  constexpr std::uint32_t first_stage = 2;
  const bool cached = cells.bits(rule.bits()) <= cached_bits;
  const std::uint32_t rest = probes - std::min(probes, first_stage);
  const std::uint32_t last_stage = rest == 0 ? 0 : (rest - 1) % most_in_group + 1;
  const bool can_take_at_once = cached && probes == usual_probes;
  stages::tile<Rule> t;
  std::size_t found = 0, found_before = 0;
  for (std::size_t base = 0; base < digests.size(); base += t.size) {
    t.alive = std::min(t.size, digests.size() - base);
    // Where nearly all of the tile before was found, nearly all of this one is, and stages spare nothing.
    const std::size_t found_last = found - std::exchange(found_before, found);
    if (can_take_at_once && found_last > t.size / 8 * 7) {
      found += stages::all_at_once(cells, rule, digests.subspan(base, t.alive), out + base);
      continue;
    }
    std::size_t survivors = 0;
    const auto keep = [&](std::size_t key, const typename Rule::state& state, bool set) {
      t.state[survivors] = state;
      t.key[survivors] = static_cast<std::uint8_t>(key);
      survivors += set;
    };
    const auto start = [&](std::size_t i) { return rule.start(digests[base + i]); };
    const auto begin = [&](std::size_t i, const typename Rule::state& state, bool set) {
      out[base + i] = false;
      keep(i, state, set);
    };
    const auto state_of = [&](std::size_t i) { return t.state[i]; };
    if (probes < first_stage) {
      stages::stage<1>(cells, rule, cached, t, start, begin);
    } else {
      stages::stage<first_stage>(cells, rule, cached, t, start, begin);
    }
    for (std::uint32_t left = rest; left > last_stage; left -= most_in_group) {
      t.alive = std::exchange(survivors, 0);
      stages::stage<most_in_group>(
          cells, rule, cached, t, state_of,
          [&](std::size_t i, const typename Rule::state& state, bool set) { keep(t.key[i], state, set); });
    }
    t.alive = survivors;
    with_count<most_in_group + 1>(last_stage, [&]<std::size_t N>() {
      stages::stage<N, true>(cells, rule, cached, t, state_of,
                             [&](std::size_t i, const typename Rule::state&, bool set) {
                               out[base + t.key[i]] = set;
                               found += set;
                             });
    });
  }
  return found;
}

}  // namespace seen::inline v1::kernels
