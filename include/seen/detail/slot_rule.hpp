// What the rules of xor and binary fuse have in common: a key's few slots exclusive-or to its fingerprint.
//
//   tables   [ slots of shard 0 ][ slots of shard 1 ] …      w bits a slot, little-endian
//                 ▲     ▲   ▲
//                 t[a] ^ t[b] ^ t[c] == the low w bits of high()  →  may be present
//
// Which slots is the kind's own affair (detail/peeling.hpp has the positions). Any content of the tables is a filter:
// positions are computed, never read.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/detail/peeling.hpp>
#include <seen/detail/shards.hpp>
#include <seen/kernels/bloom.hpp>
#include <seen/math/slot_tables.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace seen {
inline namespace v1 {
namespace detail {

/// What a key's slots follow from, and what they must exclusive-or to. (Not the slots themselves: they are a few
/// instructions away, and an array of them would be built in a vector register and taken apart again.)
struct slot_place {
  std::uint64_t shard_offset = 0;  ///< bytes
  slot_spot spot;
  std::uint32_t fingerprint = 0;  ///< its low w bits count
};

/// Lookups in tables of slots of one width that are read so many at a time.
template <class Positions, class Slot, std::size_t Arity>
struct slot_lookup {
  using place = slot_place;
  Positions positions;
  std::uint64_t stride = 0;  ///< bytes from one shard's table to the next

  [[nodiscard, gnu::always_inline]] place find(const shard_digest& d) const noexcept {
    const auto [low, high] = d.product();
    return {d.shard * stride, {positions.first(d.inner), low}, static_cast<std::uint32_t>(high)};
  }
  [[gnu::always_inline]] void prefetch(const std::byte* tables, const place& p) const noexcept {
    const std::byte* const table = tables + p.shard_offset;
    for (std::size_t i = 0; i < Arity; ++i) kernels::prefetch(table + positions.slot(p.spot, i) * sizeof(Slot));
  }
  /// Without a branch on what is in the slots: their misses overlap.
  [[nodiscard, gnu::always_inline]] bool test(const std::byte* tables, const place& p) const noexcept {
    const std::byte* const table = tables + p.shard_offset;
    auto all = static_cast<Slot>(p.fingerprint);
    for (std::size_t i = 0; i < Arity; ++i) {
      all = static_cast<Slot>(all ^ load_le<Slot>(table + positions.slot(p.spot, i) * sizeof(Slot)));
    }
    return all == 0;
  }
};

/// Tables, for a kind whose keys have their slots at `Positions`, MaxArity at most.
template <class Params, class Positions, std::size_t MaxArity>
class slot_rule {
 public:
  using params_type = Params;
  using place = slot_place;

  slot_rule() noexcept = default;
  slot_rule(const Params& p, const Positions& positions) noexcept
      : params_(p),
        positions_(positions),
        stride_(math::slot_table_stride(p.slots(), p.fingerprint_bits, p.shards)),
        is_common_(p.fingerprint_bits == 8 && p.lines() == 3) {}

  [[nodiscard]] Params params() const noexcept { return params_; }
  [[nodiscard]] std::uint64_t shards() const noexcept { return params_.shards; }
  [[nodiscard]] std::uint64_t table_bytes() const noexcept { return stride_ * params_.shards; }
  [[nodiscard]] std::array<body_piece, 2> pieces(std::uint64_t shard) const noexcept {
    return {body_piece{shard * stride_, stride_}, body_piece{}};
  }

  /// Calls `use` with the lookups of this width and arity: a batch chooses once.
  template <class Use>
  [[gnu::always_inline]] auto with_shape(Use use) const {
    switch (params_.fingerprint_bits) {
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
  void prefetch(const std::byte* tables, const place& p) const noexcept {
    with_shape([&](const auto& fixed) { fixed.prefetch(tables, p); });
  }
  /// One branch on what table it is, and of 8 bits and three slots a key none more: all others are a call away, for
  /// the compiler would begin all of them at once and run out of registers.
  [[nodiscard, gnu::always_inline]] bool test(const std::byte* tables, const place& p) const noexcept {
    if (is_common_) [[likely]]
      return lookup<std::uint8_t, 3>().test(tables, p);
    return test_other(tables + p.shard_offset, p.spot.first, p.spot.low, p.fingerprint);
  }

  [[nodiscard]] bool solve(std::span<const std::uint64_t> inner, std::uint64_t shard, std::uint8_t seed,
                           std::byte* tables, workspace& memory) const {
    std::byte* const table = tables + shard * stride_;
    const std::uint64_t slots = params_.slots();
    std::fill(table + slots * (params_.fingerprint_bits / 8), table + stride_, std::byte{0});
    if constexpr (MaxArity > 3) {
      if (reads_four()) return peel<4>(positions_, slots, inner, seed, params_.fingerprint_bits, table, memory);
    }
    return peel<3>(positions_, slots, inner, seed, params_.fingerprint_bits, table, memory);
  }

 private:
  [[nodiscard]] bool reads_four() const noexcept { return MaxArity > 3 && params_.lines() > 3; }

  template <class Slot, std::size_t Arity>
  [[nodiscard, gnu::always_inline]] slot_lookup<Positions, Slot, Arity> lookup() const noexcept {
    return {positions_, stride_};
  }
  template <class Slot, class Use>
  [[gnu::always_inline]] auto with_width(Use& use) const {
    return reads_four() ? use(lookup<Slot, MaxArity>()) : use(lookup<Slot, 3>());
  }
  // Arguments that fit registers: a place by value or reference costs a detour through memory.
  [[nodiscard, gnu::noinline]] bool test_other(const std::byte* table, std::uint64_t first, std::uint64_t low,
                                               std::uint32_t fingerprint) const noexcept {
    return with_shape([&](const auto& fixed) { return fixed.test(table, {0, {first, low}, fingerprint}); });
  }

  Params params_;
  Positions positions_;
  std::uint64_t stride_ = 0;
  bool is_common_ = false;
};

}  // namespace detail
}  // namespace v1
}  // namespace seen
