// Shared by the rules of xor and binary fuse: a key's few slots exclusive-or to its fingerprint.
//
//   tables   [ slots of shard 0 ][ slots of shard 1 ] …      w bits per slot, little-endian
//                 ▲     ▲   ▲
//                 t[a] ^ t[b] ^ t[c] == the low w bits of the product's high half  →  may be present
//
// The kind chooses the slots (building/peeling.hpp has the positions). Any content of the tables is a filter:
// positions are computed, never read.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>
#include <seen/building/peeling.hpp>
#include <seen/building/shards.hpp>
#include <seen/kernels/prefetch.hpp>
#include <seen/kernels/spare_word.hpp>
#include <seen/math/fingerprints.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace seen::inline v1::building {

/// The numbers from which a key's slots follow, and the fingerprint: the high half's low bits. (Not the slots
/// themselves: they are a few instructions away, and an array of them would be built in a vector register and taken
/// apart again.)
struct slot_place {
  std::uint64_t skipped = 0;  ///< bytes before the slot that `first` counts from
  slot_spot spot;
};

/// Digests between the prefetch of a digest's slots and its answer: 32 measure 10 % slower with three lines per key.
inline constexpr std::size_t slots_ahead = 64;

/// Lookups in tables of slots of one width, of which a key reads Arity.
template <class Positions, class Slot, std::size_t Arity>
struct slot_lookup {
  using place = slot_place;
  Positions positions;
  std::uint64_t stride = 0;  ///< bytes of a shard's table
  std::uint64_t gap = 0;     ///< slots of a shard that cannot be a key's first

  [[nodiscard, gnu::always_inline]] place find(const shard_digest& d) const noexcept {
    const auto [low, high] = d.product();
    const std::uint64_t first = positions.first(d.value);
    // Where all slots follow from the first, that may be one of the whole table: gaps are whole segments.
    if constexpr (Positions::is_local) return {0, {first + d.shard * gap, low, high}};
    return {d.shard * stride, {first - d.shard * positions.starts(), low, high}};
  }
  /// Where slot i of a key lies.
  [[nodiscard, gnu::always_inline]] const std::byte* address(const std::byte* table, const slot_spot& spot,
                                                             std::size_t i) const noexcept {
    const std::byte* const part = table + positions.part(i) * sizeof(Slot);
    return part + positions.within(spot, i) * sizeof(Slot);
  }
  /// Without a branch on what is in the slots: their misses overlap.
  [[nodiscard, gnu::always_inline]] bool test(const std::byte* tables, const place& p) const noexcept {
    const std::byte* const table = in_register(tables + p.skipped);
    auto all = static_cast<Slot>(p.spot.high);
    for (std::size_t i = 0; i < Arity; ++i) {
      all = static_cast<Slot>(all ^ load_le<Slot>(address(table, p.spot, i)));
    }
    return all == 0;
  }
  /// All of a lookup, in registers to spare where slots follow from the first by shifts alone. Several: the digest may
  /// be of any shard, not only of the first.
  template <bool Several>
  [[nodiscard, gnu::always_inline]] bool test_one(const std::byte* tables, const shard_digest& d) const noexcept {
    using kernels::spare_word;
    if constexpr (Positions::is_local) {
      const auto [low, high] = d.product();
      spot_of<spare_word> spot{spare_word(positions.first(d.value)), spare_word(low), spare_word(high)};
      if constexpr (Several) spot.first = spot.first + spare_word(d.shard) * spare_word(gap);
      const spare_word part(positions.part(1));
      kernels::slot_sum<Slot> all(spot.high);
      for (std::size_t i = 0; i < Arity; ++i) {
        spare_word slot = positions.within(spot, i);
        if (i != 0) slot = slot + (i == 1 ? part : part * spare_word(i));
        all.add(tables + static_cast<std::uint64_t>(slot) * sizeof(Slot));
      }
      return all.is_zero();
    } else {
      return test(tables, find(d));
    }
  }

  /// Writes whether each digest may be present, and returns how many may. Far: the tables are beyond the cache, and the
  /// lines of each digest are asked for some digests before they are read.
  template <bool Far, class Locate>
  [[nodiscard]] std::size_t test_many(const std::byte* tables, const Locate locate, std::span<const digest> digests,
                                      bool* out) const noexcept {
    constexpr std::size_t ahead = slots_ahead;
    const slot_lookup lookup = *this;
    const std::size_t n = digests.size();
    std::size_t i = 0, found = 0;
    if (!Far || n <= ahead) {
      for (; i < n; ++i) found += out[i] = lookup.test(tables, lookup.find(locate(digests[i])));
      return found;
    }
    std::array<std::array<const std::byte*, ahead>, Arity> slots;
    std::array<Slot, ahead> fingerprints;
    const auto ask = [&slots, &fingerprints, lookup, tables, locate](std::size_t at, digest d) {
      const place p = lookup.find(locate(d));
      fingerprints[at] = static_cast<Slot>(p.spot.high);
      for (std::size_t j = 0; j < Arity; ++j) {
        slots[j][at] = lookup.address(tables + p.skipped, p.spot, j);
        kernels::prefetch(slots[j][at]);
      }
    };
    const auto answer = [&slots, &fingerprints](std::size_t at) {
      Slot all = fingerprints[at];
      for (std::size_t j = 0; j < Arity; ++j) all = static_cast<Slot>(all ^ load_le<Slot>(slots[j][at]));
      return all == 0;
    };
    for (; i < ahead; ++i) ask(i, digests[i]);
    for (i = 0; i + ahead < n; ++i) {
      found += out[i] = answer(i % ahead);
      ask(i % ahead, digests[i + ahead]);
    }
    for (; i < n; ++i) found += out[i] = answer(i % ahead);
    return found;
  }
};

/// Tables, for a kind whose keys have their slots at `Positions`, MaxArity at most.
template <class Shape, class Positions, std::size_t MaxArity>
class slot_rule {
 public:
  using shape_type = Shape;
  using place = slot_place;

  slot_rule() noexcept = default;
  slot_rule(const Shape& p, const Positions& positions) noexcept
      : shape_(p),
        positions_(positions),
        stride_(p.slots() * (p.fingerprint_bits / 8)),
        gap_(p.slots() - positions.starts()) {}

  [[nodiscard]] Shape shape() const noexcept { return shape_; }
  [[nodiscard]] std::uint64_t shards() const noexcept { return shape_.shards; }
  [[nodiscard]] std::uint64_t table_bytes() const noexcept { return stride_ * shape_.shards; }
  [[nodiscard]] std::array<body_piece, 2> pieces(std::uint64_t shard) const noexcept {
    return {body_piece{shard * stride_, stride_}, body_piece{}};
  }

  /// Calls `use` with the lookups of this width and arity: a batch chooses once.
  template <class Use>
  [[gnu::always_inline]] auto with_shape(Use use) const {
    switch (shape_.fingerprint_bits) {
      case 8:
        return with_width<std::uint8_t>(use);
      case 16:
        return with_width<std::uint16_t>(use);
      default:
        return with_width<std::uint32_t>(use);
    }
  }

  [[nodiscard, gnu::always_inline]] place find(const shard_digest& d) const noexcept {
    return lookup<std::uint8_t, 3>().find(d);  // the same for all
  }
  /// The forms whose single keys are asked inline: three slots of 8 bits, four of 8, three of 16 or 32.
  static constexpr unsigned inlined_forms = 4;
  /// The number of this one.
  [[nodiscard]] unsigned form() const noexcept {
    if (shape_.fingerprint_bits == 8) return reads_four() ? 1 : 0;
    if (reads_four()) return inlined_forms;
    return shape_.fingerprint_bits == 16 ? 2 : 3;
  }
  /// The answer where the form is known, and whether there are several shards.
  template <unsigned Form, bool Several>
  [[nodiscard, gnu::always_inline]] bool test_form(const std::byte* tables, const shard_digest& d) const noexcept {
    if constexpr (Form == 0) {
      return lookup<std::uint8_t, 3>().template test_one<Several>(tables, d);
    } else if constexpr (Form == 1) {
      return lookup<std::uint8_t, MaxArity>().template test_one<Several>(tables, d);
    } else if constexpr (Form == 2) {
      return lookup<std::uint16_t, 3>().template test_one<Several>(tables, d);
    } else {
      return lookup<std::uint32_t, 3>().template test_one<Several>(tables, d);
    }
  }
  [[nodiscard]] bool test(const std::byte* tables, const place& p) const noexcept {
    return with_shape([&](const auto& fixed) { return fixed.test(tables, p); });
  }

  /// Writes whether each digest may be present, and returns how many may; `locate` finds their shards.
  template <class Locate>
  std::size_t test_many(const std::byte* tables, const Locate& locate, std::span<const digest> digests,
                        bool* out) const noexcept {
    constexpr std::uint64_t near = std::uint64_t{4} << 20;  // below, the misses of a few keys overlap by themselves
    const bool far = table_bytes() > near && !(Locate::are_sorted && Positions::is_local);
    return with_shape([&](const auto& fixed) {
      return far ? fixed.template test_many<true>(tables, locate, digests, out)
                 : fixed.template test_many<false>(tables, locate, digests, out);
    });
  }

  [[nodiscard]] bool solve(std::span<const std::uint64_t> digests, std::uint64_t shard, std::uint8_t seed,
                           std::byte* tables, workspace& memory) const {
    std::byte* const table = tables + shard * stride_;
    const std::uint64_t slots = shape_.slots();
    if constexpr (MaxArity > 3) {
      if (reads_four()) return peel<4>(positions_, shard, slots, digests, seed, shape_.fingerprint_bits, table, memory);
    }
    return peel<3>(positions_, shard, slots, digests, seed, shape_.fingerprint_bits, table, memory);
  }

 private:
  [[nodiscard]] bool reads_four() const noexcept { return MaxArity > 3 && shape_.lines() > 3; }

  template <class Slot, std::size_t Arity>
  [[nodiscard, gnu::always_inline]] slot_lookup<Positions, Slot, Arity> lookup() const noexcept {
    return {positions_, stride_, gap_};
  }
  template <class Slot, class Use>
  [[gnu::always_inline]] auto with_width(Use& use) const {
    return reads_four() ? use(lookup<Slot, MaxArity>()) : use(lookup<Slot, 3>());
  }
  Shape shape_;
  Positions positions_;
  std::uint64_t stride_ = 0;  // bytes of a shard's table
  std::uint64_t gap_ = 0;
};

}  // namespace seen::inline v1::building
