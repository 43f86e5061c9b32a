// The xor filter: built once from all keys; three slots whose exclusive or is the key's fingerprint.
//                                                                  [Graf & Lemire 2020, "Xor Filters"]
//
//   table of a shard   block 0      block 1      block 2        B slots of w bits each
//                      [...a....]   [......b.]   [.c......]     t[a] ^ t[b] ^ t[c] == fingerprint
//
//   a = mulhi(d, B·S) − B·shard   b = B + mulhi(y, B)   c = 2B + mulhi(y', B)   y, y': low half and middle of d·M
//
// 1.23·w bits per key at a rate of 2^-w, w = 8, 16 or 32: 9.84 bits at 0.39 %. A lookup reads three lines, in three far
// apart places, whatever the answer. Prefer binary_fuse, which does the same in 1.125·w bits and is built faster.
// This kind is here for comparison, and for files that others wrote with it.
//
//   build   peeling (building/peeling.hpp): 1.23·6 + 4 bytes per key beside the digests, the filter included
#pragma once

#include <seen/base/result.hpp>
#include <seen/building/slot_rule.hpp>
#include <seen/engines/shard_engine.hpp>
#include <seen/filter.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/math/fingerprints.hpp>
#include <seen/math/shards.hpp>
#include <seen/math/xor_filter.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace seen::inline v1 {

/// The shape of an xor filter.
struct xor_shape {
  std::uint64_t keys = 0;              ///< different keys in it
  std::uint32_t fingerprint_bits = 0;  ///< 8, 16 or 32
  std::uint64_t shards = 0;            ///< equal parts that are built one by one; 0 where there are no keys
  std::uint64_t block_length = 0;      ///< slots of each of the three blocks of a shard

  /// The smallest shape that takes so many keys at such a rate.
  static result<xor_shape> plan(const target& asked) { return plan(asked, {}); }
  /// The same with the fingerprint bits and shards that `wishes` says (0: free). The rest follows from the keys.
  static result<xor_shape> plan(const target& asked, const xor_shape& wishes) {
    if (wishes.keys != 0 || wishes.block_length != 0) {
      return {errc::invalid_argument, "keys and block-length follow from the capacity, and cannot be wished for"};
    }
    const auto width = math::slot_width_for(asked, wishes.fingerprint_bits);
    if (!width) return width.error();
    return fit({.fingerprint_bits = *width}, math::expected_counts(asked.capacity, wishes.shards), 0);
  }
  /// The shape for keys that are counted, with the fingerprint bits of `wishes`; each growth is a sixteenth more.
  static result<xor_shape> fit(const xor_shape& wishes, const math::shard_counts& counts, unsigned growth) {
    if (counts.largest > math::max_shard_slots) return math::check_slot_tables(1, 8, 1, counts.largest).error();
    const xor_shape p{counts.keys, wishes.fingerprint_bits, counts.shards,
                      math::xor_block_length(counts.largest, growth)};
    if (auto fine = p.check(); !fine) return fine.error();
    return p;
  }
  /// Memory that building a shard of so many keys takes, beside its digests and the tables.
  [[nodiscard]] static std::uint64_t workspace_bytes(const xor_shape& wishes, std::uint64_t keys) noexcept {
    return building::peel_bytes<building::xor_positions>(3 * math::xor_block_length(keys), keys,
                                                         wishes.fingerprint_bits);
  }

  /// Wishes from named fields, as the command line gives them; plan() refuses those out of range.
  [[nodiscard]] static xor_shape from_wishes(std::span<const std::uint64_t, 4> fields) noexcept {
    return {fields[0], clamp_to_u32(fields[1]), fields[2], fields[3]};
  }

  /// The fields that a file stores and `info` prints, in this order.
  static constexpr std::array<std::string_view, 4> field_names{"keys", "fingerprint-bits", "shards", "block-length"};
  [[nodiscard]] std::array<std::uint64_t, 4> fields() const noexcept {
    return {keys, fingerprint_bits, shards, block_length};
  }
  static result<xor_shape> from_fields(std::span<const std::uint64_t, 4> fields) {
    const xor_shape p = from_wishes(fields);
    if (auto fine = p.check(); !fine) return fine.error();
    return p;
  }

  /// Bytes of memory that the tables and seeds take.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return clamp_to_size(building::shard_body_bytes(slots() * (fingerprint_bits / 8) * shards, shards));
  }
  /// Cache lines that a lookup touches.
  [[nodiscard]] std::uint32_t lines() const noexcept { return 3; }
  /// The false-positive rate with this many keys in it.
  [[nodiscard]] double expected_fpr(std::uint64_t count) const noexcept {
    return math::fingerprint_model_fpr(fingerprint_bits, count);
  }
  /// Keys per slot.
  [[nodiscard]] double fill() const noexcept {
    return keys == 0 ? 0 : static_cast<double>(keys) / static_cast<double>(slots() * shards);
  }
  /// Slots of one shard.
  [[nodiscard]] std::uint64_t slots() const noexcept { return 3 * block_length; }
  /// Rejects numbers that do not describe a filter.
  [[nodiscard]] result<void> check() const {
    const std::uint64_t block = std::min<std::uint64_t>(block_length, std::uint64_t{1} << 33);  // 3·block must not wrap
    return math::check_slot_tables(keys, fingerprint_bits, shards, 3 * block);
  }

  friend bool operator==(const xor_shape&, const xor_shape&) = default;
};

/// The native rule: see the top of this file.
class xor_rule : public building::slot_rule<xor_shape, building::xor_positions, 3> {
 public:
  static constexpr kind_info kind{.id = 13, .name = "xor"};
  static constexpr std::uint16_t id = 13;

  xor_rule() noexcept = default;
  static result<xor_rule> make(const xor_shape& p) {
    if (auto fine = p.check(); !fine) return fine.error();
    return xor_rule(p);
  }

 private:
  explicit xor_rule(const xor_shape& p) noexcept
      : slot_rule(p, {.block = p.block_length, .all_starts = p.block_length * p.shards}) {}
};

/// An xor filter, hashing with the default hash.
using xor_filter = filter<engines::shard_engine<xor_rule>, default_hash>;

}  // namespace seen::inline v1
