// The ribbon filter: a static set in hardly more bits than any filter needs. Built once from all keys.
//                             [Dillinger & Walzer 2021; Dillinger, Hübschle-Schneider, Sanders, Walzer 2022 ("BuRR")]
//
//   body   [ solutions of all shards ][ bump bits of all shards ][ a seed byte per shard ]
//   solution of a shard   [ layer 0 ][ layer 1 ][ layer 2 ]      blocks of 64 slots × r bits, word j of a block = bit j
//
//   digest d ──┬─ high half of d·(slots − 64) ──► slot s, where the key begins ──► bump bit of bucket s/128
//              └─ d·M ──┬─► both halves, xored: 64 coefficients, the first made 1     │ set, and s mod 128 < 32:
//                       └─► high half, low r bits: fingerprint                        ▼ d = the low half, next layer
//
//   may contain: the XOR of those of the slots s … s+63 whose coefficient is 1 equals the fingerprint          (r bits)
//
// Slots are chosen so that this holds for every key (building/ribbon_solve.hpp); for another key it holds with
// probability 2^-r. A key is in one layer and looks at 64 slots of it: 16·r adjacent bytes, two cache lines at r = 8.
// The bump bits of 10^8 keys are 100 KB and stay in the second-level cache.
//
//   rate 2^-r       bits per key, at 10^6: r·1.005 compact (r·1.010 at r = 1), r·1.02 balanced, r·1.05 fast
//                   (math/ribbon.hpp)
//
// Compact sends 3 % of the lookups to layer 1 (7 % at r = 1), balanced 0.8 %, fast 0.06 %. Small sets have one layer of
// as many slots as they need and no bump bits; a last block of fewer than 64 slots is read by code of its own
// (kernels/ribbon.hpp). A layer after the first, or an only one, is asked with d = the low half, which changes with the
// seed.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/target.hpp>
#include <seen/building/ribbon_solve.hpp>
#include <seen/building/shards.hpp>
#include <seen/engines/shard_engine.hpp>
#include <seen/filter.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/kernels/prefetch.hpp>
#include <seen/kernels/ribbon.hpp>
#include <seen/kernels/ribbon_eights.hpp>
#include <seen/kernels/ribbon_vectors.hpp>
#include <seen/math/fingerprints.hpp>
#include <seen/math/ribbon.hpp>
#include <seen/math/shards.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace seen::inline v1 {

/// The shape of a ribbon filter. A user may wish for fingerprint_bits, setting and shards.
struct ribbon_shape {
  std::uint64_t keys = 0;                          ///< different digests in it
  std::uint32_t fingerprint_bits = 0;              ///< r, from 1 to 32
  std::uint64_t shards = 0;                        ///< equal parts; 0 where there are no keys
  ribbon_setting setting = ribbon_setting::unset;  ///< what its size was chosen for
  std::array<std::uint64_t, 3> slots{};            ///< of each layer of a shard; 0: no such layer

  /// The shape for so many keys at such a rate.
  static result<ribbon_shape> plan(const target& asked) { return plan(asked, {}); }
  /// The same with what `wishes` says (a field of 0 is free).
  static result<ribbon_shape> plan(const target& asked, const ribbon_shape& wishes) {
    if (auto fine = math::check(asked); !fine) return fine.error();
    if (wishes.keys != 0 || wishes.slots != std::array<std::uint64_t, 3>{}) {
      return error{errc::invalid_argument, "keys and slots follow from the capacity, and cannot be wished for"};
    }
    ribbon_shape resolved = wishes;
    if (resolved.fingerprint_bits == 0) {
      resolved.fingerprint_bits = math::fingerprint_bits(asked.fpr);
      if (resolved.fingerprint_bits > math::ribbon_max_bits) {
        return error{errc::invalid_argument,
                     math::detail::wish(asked) + ": the most fingerprint bits are 32, which give 2.3e-10"};
      }
      resolved.fingerprint_bits = std::max<std::uint32_t>(1, resolved.fingerprint_bits);
    }
    return fit(resolved, math::expected_counts(asked.capacity, wishes.shards), 0);
  }

  /// The shape for these keys: `wishes` has the width and, unless it is left open, the setting. Each step of growth
  /// adds a sixteenth.
  static result<ribbon_shape> fit(const ribbon_shape& wishes, const math::shard_counts& counts, unsigned growth) {
    ribbon_shape p{counts.keys, wishes.fingerprint_bits, counts.shards, wishes.setting, {}};
    if (p.setting == ribbon_setting::unset) p.setting = ribbon_setting::fast;
    if (counts.largest > math::max_bits) {
      return error{errc::too_large, std::to_string(counts.largest) + " keys in a shard; at most 2^40 are possible"};
    }
    if (counts.shards != 0) {
      const std::uint64_t keys = std::max<std::uint64_t>(1, counts.largest);
      p.slots = math::ribbon_layers_for(keys + growth * (keys / 16 + 1), p.fingerprint_bits, p.setting).slots;
    }
    if (auto fine = p.check(); !fine) return fine.error();
    return p;
  }

  /// Wishes from named fields, as the command line gives them; plan() refuses those out of range.
  [[nodiscard]] static ribbon_shape from_wishes(std::span<const std::uint64_t, 7> f) noexcept {
    return {f[0], clamp_to_u32(f[1]), f[2], static_cast<ribbon_setting>(clamp_to_u32(f[3])), {f[4], f[5], f[6]}};
  }

  /// Choices with a name, the usual one first.
  static constexpr std::array<kind_variant, 3> variants{
      {{"fast", "setting", 3}, {"balanced", "setting", 2}, {"compact", "setting", 1}}};

  /// The fields that a file stores and `info` prints, in this order.
  static constexpr std::array<std::string_view, 7> field_names{"keys",    "fingerprint-bits", "shards", "setting",
                                                               "slots-0", "slots-1",          "slots-2"};
  [[nodiscard]] std::array<std::uint64_t, 7> fields() const noexcept {
    return {keys, fingerprint_bits, shards, static_cast<std::uint64_t>(setting), slots[0], slots[1], slots[2]};
  }
  static result<ribbon_shape> from_fields(std::span<const std::uint64_t, 7> fields) {
    const ribbon_shape p = from_wishes(fields);
    if (auto fine = p.check(); !fine) return fine.error();
    return p;
  }

  /// Bytes of memory that the tables and seeds take.
  [[nodiscard]] std::size_t bytes() const noexcept {
    const math::ribbon_layers l = layers();
    return clamp_to_size(building::shard_body_bytes(shards * (l.solution_bytes() + l.bump_bytes()), shards));
  }
  /// Cache lines that a lookup touches.
  [[nodiscard]] std::uint32_t lines() const noexcept {
    return fingerprint_bits % 8 == 0 ? fingerprint_bits / 4 : (fingerprint_bits + 5) / 4;
  }
  /// The false-positive rate: 2^-r, and the chance of an equal digest.
  [[nodiscard]] double expected_fpr(std::uint64_t with_keys) const {
    return math::fingerprint_model_fpr(fingerprint_bits, with_keys);
  }
  /// Keys per slot.
  [[nodiscard]] double fill() const noexcept {
    const std::uint64_t all = shards * layers().total();
    return all == 0 ? 0 : static_cast<double>(keys) / static_cast<double>(all);
  }
  /// Memory that solving a shard of so many keys takes, beside its digests and the tables.
  [[nodiscard]] static std::uint64_t workspace_bytes(const ribbon_shape& wishes, std::uint64_t keys) noexcept {
    const std::uint32_t bits = std::clamp<std::uint32_t>(wishes.fingerprint_bits, 1, math::ribbon_max_bits);
    const math::ribbon_layers l =
        math::ribbon_layers_for(std::clamp<std::uint64_t>(keys, 1, math::max_bits), bits, wishes.setting);
    const std::uint64_t result = bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
    return l.slots[0] * (8 + result) + (l.slots[1] + l.slots[2]) * 16 +
           4096;  // rows; bumped keys, in a vector that grows
  }

  /// The layers of one shard.
  [[nodiscard]] math::ribbon_layers layers() const noexcept { return {slots, fingerprint_bits}; }
  /// Rejects numbers that are not a shape.
  [[nodiscard]] result<void> check() const { return math::check(layers(), setting, keys, shards); }

  friend bool operator==(const ribbon_shape&, const ribbon_shape&) = default;
};

/// The probes of a batch, one after another; Bits as in kernels/ribbon_vectors.hpp. Far: the table is beyond the cache,
/// and the lines of the digest 32 places ahead are asked for. (It is found a second time when its turn comes: what is
/// kept in memory meanwhile, written in parts and read as a whole, costs more than the two multiplications.)
template <class Rule, class Locate, std::uint32_t Bits, bool Far>
class ribbon_probes {
 public:
  ribbon_probes(const Rule& rule, const std::byte* tables, const Locate& locate,
                std::span<const digest> digests) noexcept
      : rule_(rule), tables_(tables), locate_(locate), digests_(digests.data()), size_(digests.size()) {
    if constexpr (Far) {
      for (std::size_t i = 0; i < std::min(ahead, size_); ++i)
        rule_.prefetch(tables_, rule_.find(locate_(digests_[i])));
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard, gnu::always_inline]] kernels::ribbon_probe next() noexcept {
    if (Far && at_ + ahead < size_) rule_.prefetch(tables_, rule_.find(locate_(digests_[at_ + ahead])));
    return rule_.template probe<Bits>(tables_, rule_.find(locate_(digests_[at_++])));
  }

 private:
  static constexpr std::size_t ahead = kernels::ribbon_ahead;

  const Rule rule_;
  const std::byte* tables_;
  Locate locate_;
  const digest* digests_;
  std::size_t size_;
  std::size_t at_ = 0;
};

/// The shards of a batch, and their keys that are not in the first layer.
template <class Rule, class Locate>
struct ribbon_shards : Locate {
  const Rule& rule;
  const std::byte* tables;

  [[nodiscard]] kernels::ribbon_probe bumped(digest d) const noexcept {
    return rule.template probe<8>(tables, rule.find((*this)(d)));
  }
};

/// Whether a shard that is one layer of so many slots may hold a digest. It reads ribbon_layer_bytes(slots, bits) bytes,
/// from any address.
[[nodiscard]] inline bool ribbon_layer_holds(const std::byte* layer, std::uint64_t slots, std::uint32_t bits,
                                             building::shard_digest d) noexcept {
  d.value = d.product().low;
  const std::uint64_t slot = mulhi(d.value, math::ribbon_starts(slots));
  const building::shard_digest::halves drawn = d.product();
  const std::uint64_t coefficients = building::ribbon_coefficients(drawn);
  const std::uint64_t fingerprint = drawn.high & ~std::uint32_t{0} >> (32 - bits);
  const kernels::ribbon_bits form(slots, bits);
  if (form.is_whole_at(slot)) {
    const std::byte* const block = layer + slot / 64 * (std::size_t{8} * bits);
    return kernels::ribbon_match({block, slot, coefficients | 1, fingerprint}, bits);
  }
  return form.match(layer, slot, coefficients >> math::ribbon_drop(slots) | 1, fingerprint);
}

/// The native rule: see the top of this file.
class ribbon_rule {
 public:
  using shape_type = ribbon_shape;

  static constexpr kind_info kind{.id = 15, .name = "ribbon"};
  static constexpr std::uint16_t id = 15;

  /// Whether this processor has the instructions with which a lookup of two blocks costs no more than one of three
  /// slots.
  [[nodiscard]] static bool is_fast_here() noexcept {
    return kernels::chosen_ribbon_body() == kernels::ribbon_body::avx512;
  }

  static result<ribbon_rule> make(const ribbon_shape& p) {
    if (auto fine = p.check(); !fine) return fine.error();
    return ribbon_rule(p);
  }
  ribbon_rule() noexcept = default;

  [[nodiscard]] ribbon_shape shape() const noexcept { return {keys_, layers_.bits, shards_, setting_, layers_.slots}; }
  [[nodiscard]] std::uint64_t shards() const noexcept { return shards_; }
  [[nodiscard]] std::uint64_t table_bytes() const noexcept { return bumps_at_ + shards_ * bump_bytes_; }

  /// All that a lookup needs of a digest.
  struct place {
    building::shard_digest digest;
    std::uint64_t slot = 0;  ///< where it begins in layer 0
  };

  [[nodiscard, gnu::always_inline]] place find(const building::shard_digest& d) const noexcept {
    return {d, mulhi(d.value, all_starts_) - d.shard * starts_};
  }
  [[gnu::always_inline]] void prefetch(const std::byte* tables, const place& at) const noexcept {
    prefetch(block_of<0>(tables + at.digest.shard * solution_bytes_, at.slot));
  }
  /// Single keys are asked inline of several layers of 8 bits, as most filters have.
  static constexpr unsigned inlined_forms = 1;
  [[nodiscard]] unsigned form() const noexcept { return layers_.count() > 1 && layers_.bits == 8 ? 0 : 1; }
  template <unsigned Form, bool Several>
  [[nodiscard, gnu::always_inline]] bool test_form(const std::byte* tables,
                                                   const building::shard_digest& d) const noexcept {
    const std::uint64_t shard = Several ? d.shard : 0;
    const std::byte* const solution = tables + shard * solution_bytes_;
    const std::byte* const bumps = tables + bumps_at_ + shard * bump_bytes_;
    const auto bumped = [&] { return test_bumped(solution, bumps, d.value, d.multiplier); };
#ifdef SEEN_BUILT_FOR_AVX512
    const building::shard_digest::halves drawn = d.product();
    return kernels::ribbon_avx512::test_one<Several>(first_layer(tables), d.shard, mulhi(d.value, all_starts_),
                                                     drawn.low, drawn.high, bumped);
#else
    const place at = find(d);
    if (is_bumped(bumps, at.slot)) [[unlikely]]
      return bumped();
    return kernels::ribbon_match(ask<8>(solution, at.slot, d), 8);
#endif
  }
  [[nodiscard]] bool test(const std::byte* tables, const place& at) const noexcept {
    if (layers_.count() == 1) {
      return ribbon_layer_holds(tables + at.digest.shard * solution_bytes_, layers_.slots[0], layers_.bits, at.digest);
    }
    return kernels::ribbon_match(probe<0>(tables, at), layers_.bits);
  }

  /// Writes whether each digest may be present, and returns how many may; `locate` finds their shards.
  template <class Locate>
  std::size_t test_many(const std::byte* tables, const Locate& locate, std::span<const digest> digests,
                        bool* out) const noexcept {
    if (layers_.count() == 1) {
      std::size_t found = 0;
      for (std::size_t i = 0; i < digests.size(); ++i) found += out[i] = test(tables, find(locate(digests[i])));
      return found;
    }
    if (layers_.bits == 8) return test_many<8>(tables, locate, digests, out);
    return test_many<0>(tables, locate, digests, out);
  }

  [[nodiscard]] std::array<building::body_piece, 2> pieces(std::uint64_t shard) const noexcept {
    return {building::body_piece{shard * solution_bytes_, solution_bytes_},
            building::body_piece{bumps_at_ + shard * bump_bytes_, bump_bytes_}};
  }
  [[nodiscard]] bool solve(std::span<const std::uint64_t> digests, std::uint64_t shard, std::uint8_t seed,
                           std::byte* tables, building::workspace& memory) const {
    return building::solve_ribbon(layers_, shard, shards_, digests, seed, tables + shard * solution_bytes_,
                                  tables + bumps_at_ + shard * bump_bytes_, memory);
  }

 private:
  template <class Rule, class Locate, std::uint32_t Bits, bool Far>
  friend class ribbon_probes;
  template <class Rule, class Locate>
  friend struct ribbon_shards;

  explicit ribbon_rule(const ribbon_shape& p) noexcept
      : all_starts_(math::ribbon_starts(p.slots[0]) * p.shards),
        starts_(math::ribbon_starts(p.slots[0])),
        shards_(p.shards),
        solution_bytes_(p.layers().solution_bytes()),
        bump_bytes_(p.layers().bump_bytes()),
        bumps_at_(p.shards * solution_bytes_),
        block_bytes_(8 * p.fingerprint_bits),
        mask_(~std::uint32_t{0} >> (32 - p.fingerprint_bits)),
        layers_(p.layers()),
        keys_(p.keys),
        setting_(p.setting) {}

#ifdef SEEN_HAS_RIBBON_VECTORS
  [[nodiscard, gnu::always_inline]] kernels::ribbon_first_layer first_layer(const std::byte* tables) const noexcept {
    return {tables, bumps_at_, all_starts_, starts_, solution_bytes_, bump_bytes_};
  }
#endif
  // Bits: how many bits there are where that is known, or 0.
  template <std::uint32_t Bits>
  [[nodiscard, gnu::always_inline]] const std::byte* block_of(const std::byte* layer,
                                                              std::uint64_t slot) const noexcept {
    return layer + slot / 64 * (Bits != 0 ? 8 * Bits : block_bytes_);
  }
  template <std::uint32_t Bits>
  [[nodiscard, gnu::always_inline]] kernels::ribbon_probe ask(const std::byte* layer, std::uint64_t slot,
                                                              const building::shard_digest& d) const noexcept {
    const building::shard_digest::halves drawn = d.product();
    const std::uint64_t mask = Bits != 0 ? (std::uint64_t{1} << Bits) - 1 : mask_;
    return {block_of<Bits>(layer, slot), slot, building::ribbon_coefficients(drawn) | 1, drawn.high & mask};
  }
  [[nodiscard, gnu::always_inline]] static bool is_bumped(const std::byte* bumps, std::uint64_t slot) noexcept {
    const std::uint32_t bit = load_le<std::uint32_t>(bumps + slot / 4096 * 4) >> (slot / 128 % 32) & 1;
    return bit > (slot & (math::ribbon_bucket - math::ribbon_bumped_slots));  // set, and slot mod 128 below 32
  }

  // The question, and the layer it goes to. Only where there are several.
  template <std::uint32_t Bits>
  [[nodiscard, gnu::always_inline]] kernels::ribbon_probe probe(const std::byte* tables,
                                                                const place& at) const noexcept {
    const building::shard_digest& d = at.digest;
    const std::byte* const solution = tables + d.shard * solution_bytes_;
    const std::byte* const bumps = tables + bumps_at_ + d.shard * bump_bytes_;
    if (is_bumped(bumps, at.slot)) [[unlikely]]
      return bumped_probe(solution, bumps, d.value, d.multiplier);
    return ask<Bits>(solution, at.slot, d);
  }
  // The rare cases are calls, with arguments that fit registers: a lookup keeps nothing in memory for them.
  [[nodiscard, gnu::noinline]] kernels::ribbon_probe bumped_probe(const std::byte* layer, const std::byte* bumps,
                                                                  std::uint64_t value,
                                                                  std::uint64_t multiplier) const noexcept {
    building::shard_digest d{.value = value, .multiplier = multiplier};
    std::uint64_t slot = 0;
    for (std::uint32_t i = 1; i < layers_.count(); ++i) {
      layer += math::ribbon_layer_bytes(layers_.slots[i - 1], layers_.bits);
      bumps += math::ribbon_bump_bytes(layers_.slots[i - 1]);
      d.value = d.product().low;
      slot = mulhi(d.value, math::ribbon_starts(layers_.slots[i]));
      if (i + 1 < layers_.count() && !is_bumped(bumps, slot)) break;
    }
    return ask<0>(layer, slot, d);
  }
  [[nodiscard, gnu::noinline, gnu::pure]] bool test_bumped(const std::byte* layer, const std::byte* bumps,
                                                           std::uint64_t value,
                                                           std::uint64_t multiplier) const noexcept {
    return kernels::ribbon_match(bumped_probe(layer, bumps, value, multiplier), layers_.bits);
  }
  template <std::uint32_t Bits, class Locate>
  std::size_t test_many(const std::byte* tables, const Locate& locate, std::span<const digest> digests,
                        bool* out) const noexcept {
    const bool near = Locate::are_sorted || table_bytes() <= kernels::cached_bytes;
    std::size_t found = 0;
#ifdef SEEN_HAS_RIBBON_VECTORS
    if constexpr (Bits == 8) {
      if (kernels::chosen_ribbon_body() == kernels::ribbon_body::avx512) {
        const ribbon_shards<ribbon_rule, Locate> shards{locate, *this, tables};
        found = near ? kernels::ribbon_avx512::test_eights<false>(first_layer(tables), shards, digests, out)
                     : kernels::ribbon_avx512::test_eights<true>(first_layer(tables), shards, digests, out);
        const std::size_t done = digests.size() / 8 * 8;
        digests = digests.subspan(done);
        out += done;
      }
    }
#endif
    if (near) {
      const ribbon_probes<ribbon_rule, Locate, Bits, false> probes(*this, tables, locate, digests);
      return found + kernels::ribbon_match_many<Bits>(probes, layers_.bits, out, kernels::chosen_ribbon_body());
    }
    const ribbon_probes<ribbon_rule, Locate, Bits, true> probes(*this, tables, locate, digests);
    return found + kernels::ribbon_match_many<Bits>(probes, layers_.bits, out, kernels::chosen_ribbon_body());
  }

  // The lines of a probe's window; of more than sixteen bits, those of the first sixteen.
  [[gnu::always_inline]] void prefetch(const std::byte* block) const noexcept {
    if (block_bytes_ == 64) {
      kernels::prefetch(block);
      kernels::prefetch(block + 64);
      return;
    }
    const bool whole = block_bytes_ <= 128;
    prefetch(block, whole ? 2 * block_bytes_ : 128);
    if (!whole) prefetch(block + block_bytes_, 128);
  }
  [[gnu::always_inline]] static void prefetch(const std::byte* begin, std::uint64_t bytes) noexcept {
    for (std::uint64_t at = 0; at < bytes; at += 64) kernels::prefetch(begin + at);
    kernels::prefetch(begin + bytes - 1);
  }

  // Used first by a lookup.
  std::uint64_t all_starts_ = 0;  // of all shards
  std::uint64_t starts_ = 0;
  std::uint64_t shards_ = 0;
  std::uint64_t solution_bytes_ = 0;  // of a shard
  std::uint64_t bump_bytes_ = 0;      // of a shard
  std::uint64_t bumps_at_ = 0;
  std::uint64_t block_bytes_ = 0;
  std::uint32_t mask_ = 0;
  math::ribbon_layers layers_;
  std::uint64_t keys_ = 0;
  ribbon_setting setting_ = ribbon_setting::unset;
};

/// A ribbon filter, hashing with the default hash. Built once: see base/build_options.hpp.
using ribbon = filter<engines::shard_engine<ribbon_rule>, default_hash>;

}  // namespace seen::inline v1
