// The windowed Bloom filter: forgets what is older than its window.
//
//   age      0 ───────────────── W ──── W(1 + 1/S)          always found │ maybe still found │ gone, but for the rate
//   ring     [filling][slice][slice] … [oldest]             S + 1 slices of ceil(W/S) keys: when the first is full the
//                                                           oldest is emptied and filled next
//
// The window is counted in adds (period = 0): a key is found for at least W adds after its last add. Or it is counted
// in time (period > 0): the caller says what time it is with advance(now), an unsigned number in any unit that does not
// go back, and a key is found for at least `period` units after it. Then slices turn by time alone, W is the number of
// keys expected in a period, and more keys than that raise the rate. Before the first advance it is time 0.
//
// Layout. Cell i holds bit i of every slice, so one pass over k cells asks all slices at once:
//
//   position i ──► cell [s0 s1 s2 … sS]   AND over the k cells ≠ 0: some slice has all bits of the key
//
// S = 7 (a byte per cell) takes the least space at 1 %, 1.66 times a Bloom filter's (math/windowed_bloom.hpp), and
// keeps a key for at most 8/7 of the window. Any S from 1 to 63 works; S + 1 a power of two leaves no bit of a cell
// unused.
//
// Cost: an add and a lookup are a Bloom filter's. Turning empties one bit of every cell in a walk over the table: a
// pause of 0.04 to 0.09 ms per MiB, once in W/S adds (docs/filters/windowed_bloom.md), never an allocation.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/target.hpp>
#include <seen/concepts.hpp>
#include <seen/engines/window_engine.hpp>
#include <seen/filter.hpp>
#include <seen/filters/bloom.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/math/windowed_bloom.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace seen::inline v1 {

/// The shape of a windowed_bloom.
struct windowed_bloom_shape {
  std::uint64_t window = 0;      ///< keys: the adds a key is remembered for, or those expected in a period
  std::uint64_t slices = 7;      ///< that the window is cut into, 1 to 63; one more is kept
  std::uint64_t period = 0;      ///< units of time that a key is remembered; 0: adds are counted, not time
  std::uint64_t slice_bits = 0;  ///< of one slice
  std::uint32_t probes = 0;      ///< 1 to 30

  /// Remembers the last `capacity` adds.
  static result<windowed_bloom_shape> plan(const target& asked) { return plan(asked, {}); }
  /// The same with the slices or period wished for; or with another window, or bits and probes (0: as planned).
  static result<windowed_bloom_shape> plan(const target& asked, const windowed_bloom_shape& wishes) {
    windowed_bloom_shape planned = wishes;
    if (planned.window == 0) planned.window = asked.capacity;
    if (planned.slices == 0) planned.slices = windowed_bloom_shape().slices;
    if (auto fine = check_slices(planned.slices); !fine) return fine.error();
    if (auto fine = math::check(target{planned.window, asked.fpr}); !fine) return fine.error();
    if (wishes.slice_bits == 0 || wishes.probes == 0) {
      const auto slice = math::slice_shape_for({planned.window, asked.fpr}, planned.slices);
      if (!slice) return slice.error();
      if (wishes.slice_bits == 0) planned.slice_bits = slice->bits;
      if (wishes.probes == 0) planned.probes = slice->probes;
    }
    return from_fields(planned.fields());
  }
  /// Wishes by their fields, unchecked: 0 for what is not wished for.
  static windowed_bloom_shape from_wishes(std::span<const std::uint64_t, 5> fields) noexcept {
    return {.window = fields[0],
            .slices = fields[1],
            .period = fields[2],
            .slice_bits = fields[3],
            .probes = clamp_to_u32(fields[4])};
  }

  /// The fields that a file stores and `info` prints, in this order.
  static constexpr std::array<std::string_view, 5> field_names{"window", "slices", "period", "slice-bits", "probes"};
  [[nodiscard]] std::array<std::uint64_t, 5> fields() const noexcept {
    return {window, slices, period, slice_bits, probes};
  }
  static result<windowed_bloom_shape> from_fields(std::span<const std::uint64_t, 5> fields) {
    if (fields[0] == 0) return {errc::invalid_argument, "window 0 is not a number of keys from 1 up"};
    if (auto fine = check_slices(fields[1]); !fine) return fine.error();
    if (fields[3] == 0) return {errc::invalid_argument, "slice-bits is 0; it must be from 1 to 2^40"};
    if (auto fine = detail::check_shape(fields[3], fields[4]); !fine) return fine.error();
    if (fields[3] > math::max_bits / math::cell_bits(fields[1])) {
      return {errc::too_large, std::to_string(fields[1] + 1) + " slices of " + std::to_string(fields[3]) +
                                   " bits are more than 2^40 bits"};
    }
    if (auto fine = detail::check_shape(fields[3] * math::cell_bits(fields[1]), fields[4]); !fine) return fine.error();
    return from_wishes(fields);
  }

  /// Bytes of memory of all slices.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return engines::bit_array_bytes(slice_bits * math::cell_bits(slices));
  }
  /// Cache lines that a lookup of a present key touches.
  [[nodiscard]] std::uint32_t lines() const noexcept { return probes; }
  /// The false-positive rate after this many adds; or, with a period, with this many keys in every period.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const {
    if (period != 0) return math::ring_fpr({slice_bits, probes}, slices + 1, math::slice_length(keys, slices), 0);
    const std::uint64_t each = slice_keys(), full = each == 0 ? 0 : keys / each;
    if (full > slices) return math::ring_fpr({slice_bits, probes}, slices + 1, each, 0);
    return math::ring_fpr({slice_bits, probes}, full, each, keys - full * each);
  }

  /// Keys that a slice is planned for.
  [[nodiscard]] std::uint64_t slice_keys() const noexcept { return math::slice_length(window, slices); }
  /// Adds, or units of time, after which the next slice is filled.
  [[nodiscard]] std::uint64_t slice_length() const noexcept {
    return math::slice_length(period == 0 ? window : period, slices);
  }

  friend bool operator==(const windowed_bloom_shape&, const windowed_bloom_shape&) = default;

 private:
  static result<void> check_slices(std::uint64_t slices) {
    if (slices >= 1 && slices <= math::max_slices) return {};
    return {errc::invalid_argument, "slices is " + std::to_string(slices) + "; it must be from 1 to 63"};
  }
};

/// Where the bits of a digest lie in one slice of a ring: those of the classic rule, each the `slice`-th of its cell.
class cell_rule {
 public:
  using digest_type = digest;
  using shape_type = windowed_bloom_shape;
  using state = chain_rule::state;

  static constexpr kind_info kind{.id = 11, .name = "windowed-bloom"};
  static constexpr std::uint16_t id = 11;
  static constexpr std::uint32_t max_probes = chain_rule::max_probes;

  cell_rule(std::uint64_t cells, std::uint32_t cell_bits, std::uint64_t slice) noexcept
      : cells_(cells), shift_(static_cast<std::uint32_t>(std::countr_zero(cell_bits))), slice_(slice) {}

  [[nodiscard]] std::uint64_t bits() const noexcept { return cells_ << shift_; }
  [[nodiscard]] state start(digest d) const noexcept { return d.value; }
  template <std::size_t N>
  [[nodiscard]] std::array<std::uint64_t, N> take(state& x) const noexcept {
    std::array<std::uint64_t, N> at;
    for (std::size_t i = 0; i < N; ++i) at[i] = (mulhi(x * chain_rule::powers[i], cells_) << shift_) + slice_;
    x *= chain_rule::powers[N];
    return at;
  }

 private:
  std::uint64_t cells_;
  std::uint32_t shift_;
  std::uint64_t slice_;
};

/// A Bloom filter of the last `capacity` adds, or of a period of time, for one thread at a time.
using windowed_bloom = filter<engines::window_engine<cell_rule>, default_hash>;

}  // namespace seen::inline v1
