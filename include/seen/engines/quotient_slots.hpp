// The memory of a quotient filter: blocks of 64 slots, and how their fields are read and written.
//
//   block    occupieds    runends      offset    remainders                      18 + 8·r bytes, no gaps between blocks
//            64 bits      64 bits      16 bits   64 × r bits, slot 0 lowest
//
//   body     block 0 … block H - 1 │ tail of min(4, H) blocks │ count, 64 bits │ zeros up to 64 bytes
//
// Bit i of `occupieds` in block b: some key has the quotient 64·b + i. Bit i of `runends`: slot 64·b + i holds the last
// remainder of its run. `offset`: how many slots from 64·b on hold remainders whose quotient is below 64·b. Everything
// little-endian, at any alignment.
//
// The words lie side by side because a lookup needs them together: bit, offset and runends share a line three times of
// four, and the remainder is on it or on the next. A remainder is read with one unaligned 8-byte load, which is why r
// ends at 56 and why the count stands last: the load of the last remainder reaches into it.
//
// There is no wrap around: the last quotients overflow into the tail, whose blocks have no quotients of their own. At
// the largest load, 21/22, the overflow is longer than x with probability e^(-0.092·x), at 0.9 e^(-0.2·x) (a queue with
// Poisson arrivals and unit service): 256 slots end too soon for one full table in 10^10. With up to four blocks the
// tail holds everything that fits by count.
//
// Both classes are views of two pointers, and know nothing of runs (quotient_runs.hpp). The caller keeps block and slot
// numbers in range.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/select.hpp>
#include <seen/math/quotient.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace seen::inline v1::engines {

/// A fingerprint in two.
struct quotient_parts {
  std::uint64_t quotient;
  std::uint64_t remainder;
};

/// Where everything lies for so many blocks and r; all zero for a filter that was moved from.
struct quotient_layout {
  static constexpr std::uint64_t header_bytes = 18;
  /// The offset is 16 bits: a key further than this from its quotient's slot finds no room.
  static constexpr std::uint64_t max_offset = 0xffff;

  std::uint32_t remainder_bits = 0;
  std::uint64_t blocks = 0;        // with the tail
  std::uint64_t home_blocks = 0;   // those that have quotients of their own
  std::uint64_t fingerprints = 0;  // how many different ones there are
  std::uint64_t capacity = 0;      // the most remainders
  std::size_t block_bytes = 0;
  std::size_t count_at = 0;  // where the count of keys is
  // Some neighbouring remainders are compared at once: as many as are surely in a load that begins at a byte.
  std::uint32_t fields_at_once = 0;
  std::uint64_t field_ones = 0;  // the lowest bit of each of them
  std::uint64_t field_tops = 0;  // the highest

  quotient_layout() = default;
  /// For a shape that math::check_quotient_shape() lets pass.
  quotient_layout(std::uint64_t home, std::uint32_t r) noexcept
      : remainder_bits(r),
        blocks(math::quotient_blocks(home)),
        home_blocks(home),
        fingerprints(math::quotient_fingerprints(home, r)),
        capacity(math::quotient_capacity(home)),
        block_bytes(static_cast<std::size_t>(header_bytes + 8 * std::uint64_t{r})),
        count_at(static_cast<std::size_t>(blocks) * block_bytes),
        fields_at_once(57 / r) {
    for (std::uint32_t i = 0; i < fields_at_once; ++i) field_ones |= std::uint64_t{1} << (i * r);
    field_tops = field_ones << (r - 1);
  }

  /// Bytes up to the end of the count.
  [[nodiscard]] std::size_t used_bytes() const noexcept { return count_at + 8; }

  /// What is kept of a digest: where it lies among all digests, in so many steps. Fingerprints sort as digests do.
  [[nodiscard]] std::uint64_t fingerprint(digest d) const noexcept { return mulhi(d.value, fingerprints); }
  /// The slot where a fingerprint would like to be, and what is stored of it there.
  [[nodiscard]] quotient_parts parts(std::uint64_t fingerprint) const noexcept {
    return {fingerprint >> remainder_bits, fingerprint & detail::low_bits_below_64(remainder_bits)};
  }
  [[nodiscard]] quotient_parts parts(digest d) const noexcept { return parts(fingerprint(d)); }
};

/// Reads the fields of a table.
class quotient_reader {
 public:
  quotient_reader(const std::byte* table, const quotient_layout& layout) noexcept : table_(table), layout_(&layout) {}

  [[nodiscard]] std::uint64_t blocks() const noexcept { return layout_->blocks; }
  [[nodiscard]] std::uint64_t home_blocks() const noexcept { return layout_->home_blocks; }
  [[nodiscard]] std::uint64_t slots() const noexcept { return layout_->blocks * 64; }
  [[nodiscard]] std::uint32_t width() const noexcept { return layout_->remainder_bits; }

  [[nodiscard]] const std::byte* block(std::uint64_t b) const noexcept {
    return table_ + static_cast<std::size_t>(b) * layout_->block_bytes;
  }
  [[nodiscard]] std::uint64_t occupieds(std::uint64_t b) const noexcept { return load_le<std::uint64_t>(block(b)); }
  [[nodiscard]] std::uint64_t runends(std::uint64_t b) const noexcept { return load_le<std::uint64_t>(block(b) + 8); }
  [[nodiscard]] std::uint64_t offset(std::uint64_t b) const noexcept { return load_le<std::uint16_t>(block(b) + 16); }

  [[nodiscard]] bool is_occupied(std::uint64_t quotient) const noexcept {
    return (occupieds(quotient / 64) >> (quotient % 64) & 1) != 0;
  }
  [[nodiscard]] bool is_runend(std::uint64_t slot) const noexcept {
    return (runends(slot / 64) >> (slot % 64) & 1) != 0;
  }
  [[nodiscard]] std::uint64_t remainder(std::uint64_t slot) const noexcept {
    return load_le<std::uint64_t>(remainder_at(slot)) >> (slot % 64 * width() % 8) & detail::low_bits_below_64(width());
  }
  /// So many neighbouring remainders, from whatever slot, are surely in one load of 64 bits.
  [[nodiscard]] std::uint32_t fields_at_once() const noexcept { return layout_->fields_at_once; }
  /// Whether one of `count` remainders of a block from slot `first` on, at most fields_at_once(), is this.
  [[nodiscard]] bool any_equal(const std::byte* block, std::uint64_t first, std::uint64_t count,
                               std::uint64_t remainder) const noexcept {
    const std::uint64_t width = this->width(), bit = first * width;
    const std::uint64_t window = load_le<std::uint64_t>(block + bit / 8 + quotient_layout::header_bytes) >> bit % 8;
    // A field is zero where taking one from it borrows, and in the fields above it that are one.
    const std::uint64_t differ = window ^ remainder * layout_->field_ones;
    return ((differ - layout_->field_ones) & ~differ & layout_->field_tops &
            detail::low_bits_below_64(count * width)) != 0;
  }
  /// The byte in which the remainder of a slot begins.
  [[nodiscard]] const std::byte* remainder_at(std::uint64_t slot) const noexcept {
    return block(slot / 64) + quotient_layout::header_bytes + slot % 64 * width() / 8;
  }

 protected:
  const std::byte* table_;
  const quotient_layout* layout_;
};

/// Reads and writes the fields of a table.
class quotient_writer : public quotient_reader {
 public:
  quotient_writer(std::byte* table, const quotient_layout& layout) noexcept : quotient_reader(table, layout) {}

  [[nodiscard]] std::byte* block(std::uint64_t b) const noexcept {
    return const_cast<std::byte*>(quotient_reader::block(b));  // the constructor took them as writable
  }
  void set_occupied(std::uint64_t quotient, bool value) noexcept { set_bit(block(quotient / 64), quotient, value); }
  void set_runend(std::uint64_t slot, bool value) noexcept { set_bit(block(slot / 64) + 8, slot, value); }
  void set_offset(std::uint64_t b, std::uint64_t value) noexcept {
    store_le(block(b) + 16, static_cast<std::uint16_t>(value));
  }
  void set_occupieds(std::uint64_t b, std::uint64_t value) noexcept { store_le(block(b), value); }
  void set_runends(std::uint64_t b, std::uint64_t value) noexcept { store_le(block(b) + 8, value); }
  /// All remainders of a block: 64 times r bits are r words.
  void set_remainders(std::uint64_t b, const std::array<std::uint64_t, 64>& values) noexcept {
    std::byte* at = block(b) + quotient_layout::header_bytes;
    const std::uint32_t width = this->width();
    std::uint64_t word = 0;
    std::uint32_t filled = 0;
    for (const std::uint64_t value : values) {
      word |= value << filled;
      filled += width;
      if (filled < 64) continue;
      store_le(at, word);
      at += 8;
      filled -= 64;
      word = value >> (width - filled);  // what did not fit
    }
  }
  void set_remainder(std::uint64_t slot, std::uint64_t value) noexcept {
    std::byte* const at = const_cast<std::byte*>(remainder_at(slot));
    const auto shift = slot % 64 * width() % 8;
    store_le(at, (load_le<std::uint64_t>(at) & ~(detail::low_bits_below_64(width()) << shift)) | value << shift);
  }

  /// Puts a remainder where it belongs among the `sorted` remainders of a block from slot `first` on, moving what comes
  /// after it up by one: slot first + taken - 1, which is empty, is filled. `taken` is at most fields_at_once().
  /// Returns how many stay before it.
  unsigned insert_sorted(std::byte* block, unsigned first, unsigned sorted, unsigned taken,
                         std::uint64_t remainder) noexcept {
    const unsigned width = this->width(), bit = first * width, shift = bit % 8;
    std::byte* const at = block + quotient_layout::header_bytes + bit / 8;
    const std::uint64_t word = load_le<std::uint64_t>(at), window = word >> shift;
    // Each field of `window` against the new one: the top bits decide, or where they agree the difference of the rest.
    const std::uint64_t top = layout_->field_tops, all = remainder * layout_->field_ones;
    const std::uint64_t difference = (all | top) - (window & ~top);
    const std::uint64_t not_above = ((~window & all) | (~(window ^ all) & difference)) & top;
    const unsigned before = detail::popcount(not_above & detail::low_bits_below_64(sorted * width));
    // The fields that move are added 2^width - 1 times more, which puts them one field higher. The empty field was 0.
    const std::uint64_t moved =
        window & detail::low_bits_below_64(taken * width) & ~detail::low_bits_below_64(before * width);
    store_le(at, word + (((moved << width) - moved + (remainder << before * width)) << shift));
    return before;
  }

  /// Moves the slots `first` to `last` - 1 up by one: `last` is overwritten, `first` is left as it was.
  void shift_up(std::uint64_t first, std::uint64_t last) noexcept {
    std::uint64_t to = last;
    for (; first / 64 < to / 64; to = to / 64 * 64 - 1) {
      shift_up_in_block(to / 64 * 64, to);
      copy_slot(to / 64 * 64 - 1, to / 64 * 64);
    }
    shift_up_in_block(first, to);
  }

  /// Moves the slots `first` + 1 to `last` down by one: `first` is overwritten, `last` is left empty.
  void shift_down(std::uint64_t first, std::uint64_t last) noexcept {
    std::uint64_t from = first;
    for (; from / 64 < last / 64; from = from / 64 * 64 + 64) {
      shift_down_in_block(from, from | 63);
      copy_slot((from | 63) + 1, from | 63);
    }
    shift_down_in_block(from, last);
    set_runend(last, false);
    set_remainder(last, 0);
  }

 private:
  static void set_bit(std::byte* word, std::uint64_t at, bool value) noexcept {
    const std::uint64_t mask = std::uint64_t{1} << (at % 64), old = load_le<std::uint64_t>(word);
    store_le(word, value ? old | mask : old & ~mask);
  }

  void copy_slot(std::uint64_t from, std::uint64_t to) noexcept {
    set_runend(to, is_runend(from));
    set_remainder(to, remainder(from));
  }

  // Within a block the remainders are one long number: bits [low, high) become what lies r bits below (or above) them.
  void shift_up_in_block(std::uint64_t first, std::uint64_t last) noexcept {
    if (first == last) return;
    std::byte* const start = block(first / 64);
    const std::uint64_t ends = load_le<std::uint64_t>(start + 8),
                        moved = detail::low_bits_below_64(last % 64) & ~detail::low_bits_below_64(first % 64);
    store_le(start + 8, (ends & ~(moved << 1)) | (ends & moved) << 1);

    const std::uint64_t low = (first % 64 + 1) * width(), high = (last % 64 + 1) * width();
    for (std::uint64_t i = (high - 1) / 64;; --i) {
      std::byte* const word = start + quotient_layout::header_bytes + i * 8;
      const std::uint64_t old = load_le<std::uint64_t>(word);
      const std::uint64_t below = i == 0 ? 0 : load_le<std::uint64_t>(word - 8);
      replace(word, old, old << width() | below >> (64 - width()), i * 64, low, high);
      if (i == low / 64) return;
    }
  }

  void shift_down_in_block(std::uint64_t first, std::uint64_t last) noexcept {
    if (first == last) return;
    std::byte* const start = block(first / 64);
    const std::uint64_t ends = load_le<std::uint64_t>(start + 8),
                        moved = detail::low_bits_below_64(last % 64) & ~detail::low_bits_below_64(first % 64);
    store_le(start + 8, (ends & ~moved) | (ends >> 1 & moved));

    const std::uint64_t low = first % 64 * width(), high = last % 64 * width();
    for (std::uint64_t i = low / 64; i * 64 < high; ++i) {
      std::byte* const word = start + quotient_layout::header_bytes + i * 8;
      const std::uint64_t old = load_le<std::uint64_t>(word);
      const std::uint64_t above = i + 1 == width() ? 0 : load_le<std::uint64_t>(word + 8);
      replace(word, old, old >> width() | above << (64 - width()), i * 64, low, high);
    }
  }

  // Stores `fresh` over the bits of a word that lie in [low, high), the word's first being number `begin`.
  static void replace(std::byte* word, std::uint64_t old, std::uint64_t fresh, std::uint64_t begin, std::uint64_t low,
                      std::uint64_t high) noexcept {
    const std::uint64_t mask = detail::low_bits(high - begin) & ~(low > begin ? detail::low_bits(low - begin) : 0);
    store_le(word, (old & ~mask) | (fresh & mask));
  }
};

}  // namespace seen::inline v1::engines
