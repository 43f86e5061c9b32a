// Runs in a quotient filter: finding, inserting and erasing one remainder.   [Pandey, Bender, Johnson, Patro 2017,
// "A General-Purpose Counting Filter: Making Every Bit Count": the rank-and-select quotient filter]
//
// All remainders of one quotient stand together, ascending: its run. Runs stand in the order of their quotients, each
// as near to the slot of its quotient as those before it let it, and never before that slot:
//
//   quotient x     0 1 2 3 4 5 6 7
//   occupieds      . 1 . 1 . . 1 .        keys (1,b) (1,a) (1,c) (3,d) (6,e)
//   slots          . a b c d . e .        run of 1: slots 1 to 3; run of 3: pushed to slot 4; 6 at home
//   runends        . . . 1 1 . 1 .        offset of a block that begins at slot 3: 1 (c is of a quotient before it)
//
// The j-th occupied quotient owns the j-th runend, so the end of a run is a rank and a select:
//
//   end_of_runs(x) = 1 + the slot of runend number rank(occupieds, x)      counted from 64·b + offset, b = x/64
//
// or 64·b + offset where no quotient of the block up to x is occupied. With it:
//
//   slot s is empty                        end_of_runs(s) ≤ s
//   remainders from slot t on stay put     end_of_runs(t - 1) ≤ t       (erasing moves only what is not at home)
//
// An unlucky cluster is long, so an insertion near the largest load moves some 250 remainders. Over a whole build the
// average is 11 up to that load, and five up to 0.9 [Knuth, "The Art of Computer Programming" 3, 6.4, linear probing].
//
// Metadata may be anything at all: every slot number is held below slots(), every loop moves one way and ends. Nonsense
// gives nonsense answers, never an access out of range.
#pragma once

#include <seen/base/select.hpp>
#include <seen/engines/quotient_slots.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace seen::inline v1::engines {

/// Returned by find_in_run for a remainder that is not there.
inline constexpr std::uint64_t no_slot = std::numeric_limits<std::uint64_t>::max();

/// The slot after the last run of quotients up to `x`: at most slots(). In a sound table it is within max_offset of the
/// block's end, and the search goes no further.
[[nodiscard]] inline std::uint64_t end_of_runs(const quotient_reader table, std::uint64_t x) noexcept {
  const std::uint64_t b = x / 64;
  const std::uint64_t first = b * 64 + table.offset(b);  // of the slots where the block's own runs may be
  unsigned left = detail::popcount(table.occupieds(b) & (~std::uint64_t{0} >> (63 - x % 64)));
  if (left == 0) return std::min(first, table.slots());
  std::uint64_t c = first / 64;
  if (c >= table.blocks()) return table.slots();
  std::uint64_t ends = table.runends(c) & (~std::uint64_t{0} << (first % 64));
  const std::uint64_t last = std::min(table.blocks(), b + quotient_layout::max_offset / 64 + 2);
  for (;;) {
    if (const unsigned at = detail::select_bit(ends, left - 1); at < 64) return c * 64 + at + 1;
    left -= detail::popcount(ends);
    if (++c >= last) return table.slots();
    ends = table.runends(c);
  }
}

/// The slot of a remainder equal to this one in the run of `x` (the last of several), or no_slot.
[[nodiscard, gnu::noinline]] inline std::uint64_t find_in_run(const quotient_reader table, std::uint64_t x,
                                                              std::uint64_t remainder) noexcept {
  if (!table.is_occupied(x)) return no_slot;
  for (std::uint64_t slot = end_of_runs(table, x); slot-- > x;) {
    const std::uint64_t stored = table.remainder(slot);
    if (stored <= remainder) return stored == remainder ? slot : no_slot;
    if (slot == x || table.is_runend(slot - 1)) break;
  }
  return no_slot;
}

// --- within one block
//
// Nearly always a run lies in the block of its quotient and is short. Then everything follows from three words, and the
// few remainders are compared in one word too: branches on lengths and comparisons would cost a misprediction each.

/// The words of a block as the short paths need them.
struct home_block {
  std::uint64_t occupieds;
  std::uint64_t runends;
  std::uint64_t fences;  ///< bit p: a run ends right before slot p; the lowest bit: those of earlier blocks do

  explicit home_block(const std::byte* block) noexcept
      : occupieds(load_le<std::uint64_t>(block)), runends(load_le<std::uint64_t>(block + 8)), fences(0) {
    const std::uint64_t offset = load_le<std::uint16_t>(block + 16);
    if (offset < 64) fences = (runends >> offset << offset << 1) | std::uint64_t{1} << offset;
  }
  /// Where the runs of quotients before `at`, 0 to 63, end; 64: not in this block.
  [[nodiscard]] unsigned end_before(unsigned at) const noexcept {
    return detail::select_bit(fences, detail::popcount(occupieds & detail::low_bits_below_64(at)));
  }
  /// The fence after `at`, 0 to 63; 64: not in this block.
  [[nodiscard]] unsigned next_fence(unsigned at) const noexcept {
    const std::uint64_t after = fences >> at >> 1;
    return after == 0 ? 64 : at + 1 + static_cast<unsigned>(std::countr_zero(after));
  }
};

// By value, which the compiler turns into a conditional move and not into a branch.
[[nodiscard]] constexpr unsigned larger(unsigned a, unsigned b) noexcept {
  return a > b ? a : b;
}

/// is_in_run where a run reaches the next block, or is long.
[[nodiscard, gnu::noinline]] inline bool is_in_far_run(const quotient_reader table, std::uint64_t x,
                                                       std::uint64_t remainder) noexcept {
  const std::byte* const block = table.block(x / 64);
  const std::byte* const next = table.block(x / 64 + 1);  // there is one: blocks of the tail have no quotients
  const auto at = static_cast<unsigned>(x % 64);
  const auto offset = static_cast<unsigned>(load_le<std::uint16_t>(block + 16));
  if (offset < 64) {
    const unsigned rank = detail::popcount(load_le<std::uint64_t>(block) & detail::low_bits_below_64(at));
    const std::uint64_t ends = load_le<std::uint64_t>(block + 8) >> offset,
                        ends_next = load_le<std::uint64_t>(next + 8);
    const unsigned here = detail::popcount(ends);
    // Where fence number k is, in slots from the block's first on.
    const auto fence = [&](unsigned k) -> unsigned {
      if (k > here) return 65 + detail::select_bit(ends_next, k - 1 - here);
      return k == 0 ? offset : offset + 1 + detail::select_bit(ends, k - 1);
    };
    const unsigned begin = larger(fence(rank), at), end = fence(rank + 1);
    const unsigned first = begin < 64 ? std::min(end, 64u) - begin : 0, second = end - larger(begin, 64);
    const unsigned most = table.fields_at_once();
    if (end <= 128 && first <= most && (end <= 64 || second <= most)) {
      if (first != 0 && table.any_equal(block, begin, first, remainder)) return true;
      return end > 64 && table.any_equal(next, larger(begin, 64) - 64, second, remainder);
    }
  }
  return find_in_run(table, x, remainder) != no_slot;
}

/// Whether the run of `x` holds this remainder. The fewer its instructions, the more lookups are under way beyond the
/// cache: what a branch skips is worth more there than what it costs when mispredicted, as the first is by absent keys.
[[nodiscard, gnu::always_inline]] inline bool is_in_run(const quotient_reader table, std::uint64_t x,
                                                        std::uint64_t remainder) noexcept {
  const std::byte* const block = table.block(x / 64);
  const std::uint64_t at = x % 64, occupieds = load_le<std::uint64_t>(block);
  if ((occupieds >> at & 1) == 0) return false;
  // The remainder is a line further as a rule, some slots after its quotient's: both lines come at once.
  __builtin_prefetch(block + quotient_layout::header_bytes + at * table.width() / 8 + 8);
  const std::uint64_t offset = load_le<std::uint16_t>(block + 16);
  if (offset < 64) [[likely]] {
    const std::uint64_t fences = ((load_le<std::uint64_t>(block + 8) >> offset) * 2 + 1) << offset;
    const std::uint64_t both = detail::select_two(fences, detail::popcount(occupieds & detail::low_bits_below_64(at)));
    const std::uint64_t last = both & (both - 1);
    if (last != 0) [[likely]] {
      const std::uint64_t begin = std::max<std::uint64_t>(static_cast<unsigned>(std::countr_zero(both)), at);
      const std::uint64_t length = static_cast<unsigned>(std::countr_zero(last)) - begin;
      if (length <= table.fields_at_once()) [[likely]]
        return table.any_equal(block, begin, length, remainder);
    }
  }
  return is_in_far_run(table, x, remainder);
}

/// How many remainders of the run of `x` equal this one.
[[nodiscard]] inline std::uint64_t count_in_run(const quotient_reader table, std::uint64_t x,
                                                std::uint64_t remainder) noexcept {
  const std::uint64_t found = find_in_run(table, x, remainder);
  if (found == no_slot) return 0;
  std::uint64_t first = found;
  while (first > x && !table.is_runend(first - 1) && table.remainder(first - 1) == remainder) --first;
  return found - first + 1;
}

/// Puts a remainder into the run of `x` if that moves no more than a few remainders of one block. False: it would move
/// more, and nothing changed.
[[gnu::always_inline]] inline bool insert_nearby(quotient_writer table, std::uint64_t x,
                                                 std::uint64_t remainder) noexcept {
  std::byte* const block = table.block(x / 64);
  const auto at = static_cast<unsigned>(x % 64);
  const home_block home(block);
  const unsigned before = home.end_before(at);
  if (before >= 64) return false;
  // An absent run is one of no slots at the place where it would begin.
  const std::uint64_t has_run = home.occupieds >> at & 1;
  const unsigned after = home.next_fence(before);
  const unsigned begin = larger(before, at), end = larger(has_run != 0 ? after : before, at);
  unsigned empty = end;  // the first slot from here on that no run before it reaches
  for (unsigned next; empty < 63 && (next = home.end_before(empty + 1)) > empty;) empty = next;
  const unsigned taken = empty - begin + 1;
  if (empty >= 63 || taken > table.fields_at_once()) return false;

  const unsigned place = begin + table.insert_sorted(block, begin, end - begin, taken, remainder);
  const std::uint64_t is_last = place == end;
  const std::uint64_t moved = home.runends & detail::low_bits_below_64(empty) & ~detail::low_bits_below_64(place);
  std::uint64_t runends = home.runends + moved;  // each of them one up: twice itself
  runends &= ~((is_last & has_run) << (place - 1) % 64);
  store_le(block + 8, runends | is_last << place);
  store_le(block, home.occupieds | std::uint64_t{1} << at);
  return true;
}

/// The first empty slot from `slot` on, or slots(). Jumps from the end of one run to the end of those that it pushed
/// on, in the words of one block after another.
[[nodiscard]] inline std::uint64_t first_empty(const quotient_reader table, std::uint64_t slot) noexcept {
  while (slot < table.slots()) {
    const std::uint64_t b = slot / 64;
    const home_block home(table.block(b));
    auto at = static_cast<unsigned>(slot % 64);
    while (at < 63) {
      const unsigned next = home.end_before(at + 1);
      if (next <= at) return b * 64 + at;
      at = next;
    }
    if (at == 63 && end_of_runs(table, b * 64 + 63) <= b * 64 + 63) return b * 64 + 63;
    // The runs reach the next block; how far, its offset says.
    slot = b * 64 + 64;
    if (slot < table.slots()) slot += table.offset(b + 1);
  }
  return table.slots();
}

/// Puts a remainder into the run of `x`, however much has to move. False: no room within the tail or the reach of an
/// offset, and nothing changed.
[[gnu::noinline]] inline bool insert_anywhere(quotient_writer table, std::uint64_t x,
                                              std::uint64_t remainder) noexcept {
  const std::uint64_t end = std::max(end_of_runs(table, x), x);
  const std::uint64_t empty = first_empty(table, end);
  if (empty >= table.slots()) return false;
  for (std::uint64_t b = x / 64 + 1; b <= empty / 64; ++b) {
    if (table.offset(b) == quotient_layout::max_offset) return false;
  }

  std::uint64_t place = end;
  bool is_last = true;
  if (table.is_occupied(x)) {
    while (place > x && table.remainder(place - 1) > remainder) {
      --place;
      if (place > x && table.is_runend(place - 1)) break;
    }
    is_last = place == end;
    if (is_last && end > x) table.set_runend(end - 1, false);
  } else {
    table.set_occupied(x, true);
  }
  table.shift_up(place, empty);
  table.set_runend(place, is_last);
  table.set_remainder(place, remainder);
  for (std::uint64_t b = x / 64 + 1; b <= empty / 64; ++b) table.set_offset(b, table.offset(b) + 1);
  return true;
}

/// Puts a remainder into the run of `x`. False: no room, and nothing changed.
[[gnu::always_inline]] inline bool insert_in_run(quotient_writer table, std::uint64_t x,
                                                 std::uint64_t remainder) noexcept {
  return insert_nearby(table, x, remainder) || insert_anywhere(table, x, remainder);
}

/// Takes the remainder at `slot`, as find_in_run gave it, out of the run of `x`.
inline void erase_from_run(quotient_writer table, std::uint64_t x, std::uint64_t slot) noexcept {
  std::uint64_t settled = slot + 1;  // the first slot after it whose remainder stays, or that is empty
  for (std::uint64_t next; settled < table.slots() && (next = end_of_runs(table, settled - 1)) > settled;) {
    settled = next;
  }
  const bool is_first = slot == x || table.is_runend(slot - 1), is_last = table.is_runend(slot);
  table.shift_down(slot, settled - 1);
  if (is_last && is_first) table.set_occupied(x, false);
  if (is_last && !is_first) table.set_runend(slot - 1, true);
  for (std::uint64_t b = x / 64 + 1; b <= (settled - 1) / 64; ++b) {
    if (const std::uint64_t offset = table.offset(b); offset != 0) table.set_offset(b, offset - 1);
  }
}

}  // namespace seen::inline v1::engines
