// Peeling: making a table in which the few slots of a key exclusive-or to its fingerprint.
//
// Every key is an edge between the slots it reads. A slot that only one key reads can be given to that key: whatever
// the key's other slots hold in the end, this one makes up for it. Once the key is taken out, others become free, and
// so on. If no key is left, the slots are filled in the reverse order. [Majewski, Wormald, Havas, Czech 1996] With
// enough slots it succeeds: 1.222 per key for three slots anywhere [Molloy 2005], 1.09 for three and 1.024 for four
// that lie near one another in a long table, since it then unravels from its ends [Dietzfelbinger & Walzer 2019; Walzer
// 2021].
//
//   table       [ . . . . . . . . . ]     fingerprints: the result
//   readers     [ 2 1 0 3 1 . . . . ]     a byte per slot: keys that read it and are not taken out
//   links       [ ^ k ^ ^ k . . . . ]     32 bits per slot: exclusive or of those keys' numbers; one reader: its number
//   order       [ 1 4 … ]                 32 bits per key: slots in the order in which they were given away
//
// The order, which decides the bytes: the slots are looked at in strides of 1024, from the first. Those of a stride
// with one reader join a queue, in order; then the queue is emptied from the front. A slot that still has one reader is
// given to it, each slot of that key has one reader less, and those that have one left and lie in this stride or before
// it join the queue, in the order of the key's positions. (Slots further on will be looked at.) A queue of 4096 takes
// no more: slots that it cannot take are left, and after the last stride all slots are looked at again from the first,
// as long as that happens. A slot that is never given away is 0.
//
// Links are numbers of keys, not digests: half the memory, and the digests stay as they are for the next seed. A table
// of 32 bits per slot is empty while keys are taken out, so links are in it. One of 16 bits has room for half of each
// link, but two places per link take longer: only xor filters, which have more slots, use it. With s slots per key:
//
//   bytes per key beside the digests, table included    w = 8: 6·s + 4    16: 7·s + 4, xor 5·s + 4    32: 5·s + 4
//   (fuse, s = 1.125: 10.75, 11.9, 9.6; xor, s = 1.23: 11.4, 10.2, 10.2)
//
// Digests are sorted and the first slot follows from their top bits, so all of this runs through a fuse table in a
// window of a few segments. A stride's keys are counted, and its slots cleared, just before it is looked at. That
// spares two passes through memory, a quarter of the time at 4·10^6 keys. The slots of an xor filter lie anywhere:
// there all keys are counted first, and lines are asked for some keys ahead. Readers and links side by side in one word
// of 64 bits were slower, since less of the window then fits the second-level cache.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/building/shards.hpp>
#include <seen/building/workspace.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace seen::inline v1::building {

/// The numbers from which the slots of a key follow, in words of any kind.
template <class Word>
struct spot_of {
  Word first;  ///< its first slot, in the whole table or in its shard's
  Word low;    ///< the halves of the shard's product
  Word high;
};
/// The same in integers.
using slot_spot = spot_of<std::uint64_t>;

/// The slots of a key in an xor filter: one in each of three blocks.
struct xor_positions {
  static constexpr bool is_local = false;
  std::uint64_t block = 0;       ///< slots of one
  std::uint64_t all_starts = 0;  ///< slots that can be a key's first: the first block's of all shards

  [[nodiscard]] std::uint64_t starts() const noexcept { return block; }
  [[nodiscard, gnu::always_inline]] std::uint64_t first(std::uint64_t digest) const noexcept {
    return mulhi(digest, all_starts);
  }
  /// Where the part of the table begins that has a key's slot i.
  [[nodiscard, gnu::always_inline]] std::uint64_t part(std::size_t i) const noexcept { return i * block; }
  /// Slot i, from there. The second follows from the low half of the product, the third from its middle.
  [[nodiscard, gnu::always_inline]] std::uint64_t within(const slot_spot& s, std::size_t i) const noexcept {
    if (i == 0) return s.first;
    return mulhi(i == 1 ? s.low : s.high << 32 | s.low >> 32, block);
  }
};

/// The slots of a key in a fuse filter: one in each of a few segments that follow one another.
struct fuse_positions {
  static constexpr bool is_local = true;
  std::uint64_t all_starts = 0;      ///< slots that can be a key's first, of all shards
  std::uint64_t segment_length = 0;  ///< 2^k
  std::uint32_t offset_bits = 0;     ///< k, from 1 to 18
  std::uint32_t shift = 0;           ///< 64 - k
  std::uint64_t shard_starts = 0;    ///< of one shard: the slots of all segments but the last arity - 1

  fuse_positions() noexcept = default;
  fuse_positions(std::uint64_t starts, std::uint64_t length, std::uint64_t shards) noexcept
      : all_starts(starts * shards),
        segment_length(length),
        offset_bits(static_cast<std::uint32_t>(std::countr_zero(length))),
        shift(64 - offset_bits),
        shard_starts(starts) {}

  [[nodiscard]] std::uint64_t starts() const noexcept { return shard_starts; }
  [[nodiscard, gnu::always_inline]] std::uint64_t first(std::uint64_t digest) const noexcept {
    return mulhi(digest, all_starts);
  }
  /// Where slot i is counted from, so that all are found from the first one alike.
  [[nodiscard, gnu::always_inline]] std::uint64_t part(std::size_t i) const noexcept { return i * segment_length; }
  /// Slot i, from there. Offsets are the top k bits of the low half, the top k of the lower 32 of the high half, and
  /// the next k of the low half; they stay within a segment.
  template <class Word>
  [[nodiscard, gnu::always_inline]] Word within(const spot_of<Word>& s, std::size_t i) const noexcept {
    if (i == 0) return s.first;
    if (i == 1) return s.first ^ s.low >> shift;
    if (i == 3) return s.first ^ s.low << offset_bits >> shift;
    if constexpr (std::is_integral_v<Word>) {
      return s.first ^ static_cast<std::uint32_t>(s.high) >> (shift & 31);  // 32 - k: machines see one number
    } else {
      return s.first ^ s.high << 32 >> shift;
    }
  }
};

/// Fills `table`, so many little-endian slots of `width` bits, so that the slots of every digest exclusive-or to
/// its fingerprint. The digests are those of a shard, ascending and different, fewer than 2^32, as the slots are.
/// False: not with this seed; the table is garbage then. Throws std::bad_alloc. (For xor positions and arity 3, fuse
/// positions and arity 3 or 4.)
template <std::size_t Arity, class Positions>
[[nodiscard]] bool peel(const Positions& positions, std::uint64_t shard, std::uint64_t slots,
                        std::span<const std::uint64_t> digests, std::uint8_t seed, std::uint32_t width,
                        std::byte* table, workspace& memory);

/// Memory that peel takes beside digests and table.
template <class Positions>
[[nodiscard]] constexpr std::uint64_t peel_bytes(std::uint64_t slots, std::uint64_t keys,
                                                 std::uint32_t width) noexcept {
  return slots * (width == 32 ? 1 : width == 16 && !Positions::is_local ? 3 : 5) + 4 * keys + (std::uint64_t{64} << 10);
}

}  // namespace seen::inline v1::building
