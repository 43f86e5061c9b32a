// The peeler of building/peeling.hpp, compiled once for each kind of positions and each width.
#include <seen/building/peeling.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

namespace seen::inline v1::building {
namespace {

constexpr std::size_t stride = 1024;
constexpr std::size_t queue_size = 4096;

[[gnu::always_inline]] inline void fetch_to_write(const void* address) noexcept {
  __builtin_prefetch(address, 1, 3);
}
[[gnu::always_inline]] inline void fetch(const void* address) noexcept {
  __builtin_prefetch(address, 0, 3);
}

template <class UInt>
[[gnu::always_inline]] inline UInt load_slot(const std::byte* table, std::uint64_t slot) noexcept {
  return load_le<UInt>(table + slot * sizeof(UInt));
}
template <class UInt>
[[gnu::always_inline]] inline void store_slot(std::byte* table, std::uint64_t slot, UInt value) noexcept {
  store_le<UInt>(table + slot * sizeof(UInt), value);
}

// Numbers of keys, one per slot: the bits that fit a slot of the table may be there, the rest in an array of its own.
// Tables of 16 bits are used where memory is short: two places per link take a third longer than one
// (docs/performance.md, "Dead ends").
template <class Positions, class Fingerprint>
struct link_array {
  static constexpr bool in_table = sizeof(Fingerprint) == 4 || (sizeof(Fingerprint) == 2 && !Positions::is_local);
  using rest_type = std::conditional_t<in_table, std::uint16_t, std::uint32_t>;
  static constexpr bool has_rest = sizeof(Fingerprint) != 4;
  static constexpr int rest_shift = in_table ? 16 : 0;

  std::byte* table;
  rest_type* rest;

  [[nodiscard, gnu::always_inline]] std::uint32_t get(std::uint64_t slot) const noexcept {
    std::uint32_t number = 0;
    if constexpr (in_table) number = load_slot<Fingerprint>(table, slot);
    if constexpr (has_rest) number |= std::uint32_t{rest[slot]} << rest_shift;
    return number;
  }
  [[gnu::always_inline]] void set(std::uint64_t slot, std::uint32_t number) const noexcept {
    if constexpr (in_table) store_slot(table, slot, static_cast<Fingerprint>(number));
    if constexpr (has_rest) rest[slot] = static_cast<rest_type>(number >> rest_shift);
  }
  void clear(std::size_t begin, std::size_t end) const noexcept {  // of the rest
    if constexpr (has_rest) std::fill(rest + begin, rest + end, rest_type{0});
  }
  [[gnu::always_inline]] void toggle(std::uint64_t slot, std::uint32_t number) const noexcept {
    set(slot, get(slot) ^ number);
  }
  [[gnu::always_inline]] void prefetch(std::uint64_t slot) const noexcept {
    if constexpr (in_table) fetch_to_write(table + slot * sizeof(Fingerprint));
    if constexpr (has_rest) fetch_to_write(rest + slot);
  }
};

// Plain pointers, in a value that every phase takes by copy: a store to a byte may change any member that others can
// see, and the compiler would load all of them again.
template <std::size_t Arity, class Positions, class Fingerprint>
struct peeler {
  Positions positions;
  std::uint64_t origin;  // slots before this shard's that can be a key's first
  const std::uint64_t* digests;
  std::size_t keys;
  std::uint64_t multiplier;
  std::size_t slots;
  std::byte* table;
  link_array<Positions, Fingerprint> links;
  std::uint8_t* readers;
  std::uint32_t* order;
  std::uint32_t* queue;

  [[nodiscard, gnu::always_inline]] shard_digest key(std::size_t number) const noexcept {
    return {.shard = 0, .value = digests[number], .multiplier = multiplier};
  }
  // Nobody reads the slots from `begin` on, before `end`.
  void clear(std::size_t begin, std::size_t end) const noexcept {
    std::memset(table + begin * sizeof(Fingerprint), 0, (end - begin) * sizeof(Fingerprint));
    std::memset(readers + begin, 0, end - begin);
    links.clear(begin, end);
  }
  [[nodiscard, gnu::always_inline]] std::array<std::uint32_t, Arity> slots_of(const shard_digest& d) const noexcept {
    const auto [low, high] = d.product();
    const slot_spot spot{positions.first(d.value) - origin, low, high};
    std::array<std::uint32_t, Arity> at;
    for (std::size_t i = 0; i < Arity; ++i)
      at[i] = static_cast<std::uint32_t>(positions.part(i) + positions.within(spot, i));
    return at;
  }
};

template <std::size_t Arity, class Positions, class Fingerprint>
[[gnu::always_inline]] inline void prefetch(const peeler<Arity, Positions, Fingerprint>& p,
                                            const std::array<std::uint32_t, Arity>& at) noexcept {
  for (const std::uint32_t slot : at) {
    fetch_to_write(p.readers + slot);
    p.links.prefetch(slot);
  }
}

// Makes readers of the keys from number `begin` on whose first slot is before `end`, and moves `begin` on. False if a
// slot has 256 of them: such digests are not hashes.
template <std::size_t Arity, class Positions, class Fingerprint>
[[gnu::always_inline]] inline bool add_readers(const peeler<Arity, Positions, Fingerprint>& p, std::size_t& begin,
                                               std::size_t end) noexcept {
  constexpr std::size_t ahead = Positions::is_local ? 0 : 16;
  bool wrapped = false;
  const auto add = [&wrapped, p](std::size_t number, const std::array<std::uint32_t, Arity>& at) {
    for (const std::uint32_t slot : at) {
      wrapped |= ++p.readers[slot] == 0;
      p.links.toggle(slot, static_cast<std::uint32_t>(number));
    }
  };
  if constexpr (ahead == 0) {
    for (; begin < p.keys; ++begin) {
      const auto at = p.slots_of(p.key(begin));
      if (at[0] >= end) break;
      add(begin, at);
    }
  } else {
    std::array<std::array<std::uint32_t, Arity>, ahead> coming;
    for (; begin < p.keys + ahead; ++begin) {
      auto& at = coming[begin % ahead];
      if (begin >= ahead) add(begin - ahead, at);
      if (begin < p.keys) {
        at = p.slots_of(p.key(begin));
        prefetch(p, at);
      }
    }
  }
  return !wrapped;
}

// Empties a queue of `tail` slots; slots before `end` join it. Counts up `taken`. False: one did not fit.
template <std::size_t Arity, class Positions, class Fingerprint>
[[gnu::always_inline]] inline bool empty_queue(const peeler<Arity, Positions, Fingerprint>& p, std::size_t tail,
                                               std::size_t end, std::size_t& taken) noexcept {
  constexpr std::size_t mask = queue_size - 1, slots_ahead = 8, digest_ahead = Positions::is_local ? 8 : 16;
  bool room = true;
  for (std::size_t head = 0; head != tail; ++head) {
    const std::uint32_t slot = p.queue[head & mask];
    if (tail - head > digest_ahead) fetch(p.digests + p.links.get(p.queue[(head + digest_ahead) & mask]));
    if constexpr (!Positions::is_local) {
      if (tail - head > slots_ahead) prefetch(p, p.slots_of(p.key(p.links.get(p.queue[(head + slots_ahead) & mask]))));
    }
    if (p.readers[slot] != 1) continue;
    const std::uint32_t number = p.links.get(slot);
    p.order[taken++] = slot;
    const bool fits = tail - head <= queue_size - Arity;
    for (const std::uint32_t at : p.slots_of(p.key(number))) {
      const std::uint8_t left = --p.readers[at];
      p.links.toggle(at, number);
      p.queue[tail & mask] = at;
      const bool joins = (left == 1) & (at < end);
      tail += joins & fits;
      room &= fits | !joins;
    }
    p.links.set(slot, number);
  }
  return room;
}

// Whether all keys were taken out. Where slots are local, no key reads a slot before its first. So keys become readers
// as the first sweep comes to them, slots are cleared just ahead of it, and all of it happens in a window that stays in
// the cache.
template <std::size_t Arity, class Positions, class Fingerprint>
bool take_out_all(const peeler<Arity, Positions, Fingerprint> p) noexcept {
  constexpr bool is_local = Positions::is_local;
  const std::size_t reach = is_local ? static_cast<std::size_t>(p.positions.part(Arity)) : p.slots;
  std::size_t taken = 0, added = 0, cleared = 0;
  for (bool first = true, again = true; again; first = false) {
    again = false;
    for (std::size_t begin = 0; begin < p.slots; begin += stride) {
      const std::size_t end = std::min(begin + stride, p.slots);
      if (first && (is_local || begin == 0)) {
        const std::size_t clear = std::min(p.slots, end + reach);
        p.clear(cleared, clear);
        cleared = clear;
        if (!add_readers(p, added, is_local ? end : p.slots)) return false;
      }
      std::size_t waiting = 0;
      for (std::size_t slot = begin; slot < end; ++slot) {
        p.queue[waiting] = static_cast<std::uint32_t>(slot);
        waiting += p.readers[slot] == 1;
      }
      again |= !empty_queue(p, waiting, end, taken);
    }
  }
  return taken == p.keys;
}

// The slot given away last comes first: its key's other slots are settled by then. Its own is 0 or its link.
template <std::size_t Arity, class Positions, class Fingerprint>
void assign(const peeler<Arity, Positions, Fingerprint> p) noexcept {
  constexpr std::size_t ahead = 16;
  for (std::size_t i = p.keys; i-- > 0;) {
    const std::uint32_t slot = p.order[i];
    if (i >= 2 * ahead) {
      p.links.prefetch(p.order[i - 2 * ahead]);
      fetch(p.digests + p.links.get(p.order[i - ahead]));
    }
    const shard_digest d = p.key(p.links.get(slot));
    std::uint64_t value = d.product().high ^ load_slot<Fingerprint>(p.table, slot);
    for (const std::uint32_t at : p.slots_of(d)) value ^= load_slot<Fingerprint>(p.table, at);
    store_slot(p.table, slot, static_cast<Fingerprint>(value));
  }
}

template <class Fingerprint, std::size_t Arity, class Positions>
bool peel_width(const Positions& positions, std::uint64_t shard, std::size_t slots,
                std::span<const std::uint64_t> digests, std::uint8_t seed, std::byte* table, workspace& memory) {
  using links = link_array<Positions, Fingerprint>;
  const auto rest = memory.take<typename links::rest_type>(links::has_rest ? slots : 0);
  const auto readers = memory.take<std::uint8_t>(slots);
  const auto order = memory.take<std::uint32_t>(digests.size());
  const auto queue = memory.take<std::uint32_t>(queue_size);
  const peeler<Arity, Positions, Fingerprint> p{.positions = positions,
                                                .origin = shard * positions.starts(),
                                                .digests = digests.data(),
                                                .keys = digests.size(),
                                                .multiplier = seed_multiplier(seed),
                                                .slots = slots,
                                                .table = table,
                                                .links = {table, rest.data()},
                                                .readers = readers.data(),
                                                .order = order.data(),
                                                .queue = queue.data()};
  if (!take_out_all(p)) return false;
  assign(p);
  return true;
}

}  // namespace

template <std::size_t Arity, class Positions>
bool peel(const Positions& positions, std::uint64_t shard, std::uint64_t slots, std::span<const std::uint64_t> digests,
          std::uint8_t seed, std::uint32_t width, std::byte* table, workspace& memory) {
  const auto count = static_cast<std::size_t>(slots);
  switch (width) {
    case 8:
      return peel_width<std::uint8_t, Arity>(positions, shard, count, digests, seed, table, memory);
    case 16:
      return peel_width<std::uint16_t, Arity>(positions, shard, count, digests, seed, table, memory);
    default:
      return peel_width<std::uint32_t, Arity>(positions, shard, count, digests, seed, table, memory);
  }
}

template bool peel<3>(const xor_positions&, std::uint64_t, std::uint64_t, std::span<const std::uint64_t>, std::uint8_t,
                      std::uint32_t, std::byte*, workspace&);
template bool peel<3>(const fuse_positions&, std::uint64_t, std::uint64_t, std::span<const std::uint64_t>, std::uint8_t,
                      std::uint32_t, std::byte*, workspace&);
template bool peel<4>(const fuse_positions&, std::uint64_t, std::uint64_t, std::span<const std::uint64_t>, std::uint8_t,
                      std::uint32_t, std::byte*, workspace&);

}  // namespace seen::inline v1::building
