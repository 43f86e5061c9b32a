// The cuckoo filter: a fingerprint of each key in one of two buckets; keys can be removed and counted.
//                                                            [Fan, Andersen, Kaminsky, Mitzenmacher 2014]
//
//   digest ──► x·N ─┬─ high half ──► bucket             chunk 0           chunk 1        …   (256 KiB each, or one)
//                   └─ low half,                        [.... .... .... | .... .... …]
//                      top w bits ─► fingerprint t          ▲ i     ▲ (h(t) − i) mod B     4 slots of w bits per bucket
//
// Partial-key cuckoo hashing: the other bucket of a fingerprint follows from the fingerprint and the bucket it is in,
// so it can be moved without the key. Here the alternate of i is h(t) − i modulo B, which is its own inverse for ANY
// number of buckets: a table is as large as its keys need (kernels/cuckoo_map.hpp).
//
// A key never leaves its chunk, and a chunk fits the second-level cache: large batches are sorted by chunk and added at
// the cache's speed (kernels/bulk_add.hpp), and threads in different chunks never meet.
//
// t is never 0, which marks an empty slot: top bits of 0 are taken for 1, which costs a factor 1 + 2/2^w of the rate.
// Fingerprint and bucket are independent: of one product, they are different bits.
//
//   rate 8·load/2^w      bits per key w/0.95    10.5 at 1 %, 13.7 at 0.1 %, 16.8 at 0.012 %       (math/cuckoo.hpp)
//
// add says false when the table is full, and has changed nothing. Up to the planned capacity that does not happen (odds
// near 10^-6, for keys chosen independently of the hash). One key fits eight times: the ninth add is told full,
// whatever the load. remove takes out one fingerprint equal to the key's. Callers remove only what they added: a key
// that merely tests present shares another's fingerprint, and removing it loses the other.
//
// concurrent_cuckoo has the same bytes, for many threads. add and remove block: they hold two of at most 512 stripes
// (engines/cuckoo_guards.hpp) for one placement or one move, never for a search. may_contain and count take no lock and
// write nothing. A may_contain that finds its key returns at once; one that does not looks again while a writer is in
// one of its two stripes. A key whose add happened before a lookup is found by it, however it is being moved.
#pragma once
#include <seen/engines/cuckoo_engine.hpp>
#include <seen/filter.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/kernels/cuckoo_map.hpp>
#include <seen/math/cuckoo.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace seen::inline v1 {

/// The shape of a cuckoo filter.
struct cuckoo_shape {
  std::uint64_t buckets = 0;           ///< of four slots each, in all chunks together; rounded up to an even number
  std::uint32_t fingerprint_bits = 0;  ///< 8, 10, 12, 13, 14, 16, 17, 24 or 32
  /// Parts of the table, each of 2^s buckets, the last of fewer than twice as many. A key stays in its part. 0: chosen
  /// from buckets. A number that would leave a larger last part is raised.
  std::uint64_t chunks = 0;

  /// The smallest shape that takes so many keys at such a rate.
  static result<cuckoo_shape> plan(const target& asked) { return plan(asked, {}); }
  /// The same with what `wishes` says (a field of 0 is free). With buckets wished for, nothing is left to plan but the
  /// width.
  static result<cuckoo_shape> plan(const target& asked, const cuckoo_shape& wishes) {
    auto shape = math::cuckoo_shape_for(asked, wishes.fingerprint_bits);
    if (!shape) return shape.error();
    if (wishes.buckets == 0 && wishes.chunks == 0) return of(*shape);
    if (wishes.buckets != 0) shape->buckets = wishes.buckets;
    shape->chunks = wishes.chunks;
    if (auto fine = math::check(*shape); !fine) return fine.error();
    return of(math::cuckoo_whole_chunks(*shape));
  }

  /// Wishes from named fields, as the command line gives them; plan() refuses those out of range.
  [[nodiscard]] static cuckoo_shape from_wishes(std::span<const std::uint64_t, 3> fields) noexcept {
    return {fields[0], clamp_to_u32(fields[1]), fields[2]};
  }

  /// The fields that a file stores and `info` prints, in this order.
  static constexpr std::array<std::string_view, 3> field_names{"buckets", "fingerprint-bits", "chunks"};
  [[nodiscard]] std::array<std::uint64_t, 3> fields() const noexcept { return {buckets, fingerprint_bits, chunks}; }
  static result<cuckoo_shape> from_fields(std::span<const std::uint64_t, 3> fields) {
    if (fields[1] > 32) return math::detail::not_a_width(fields[1]);
    const cuckoo_shape p{fields[0], static_cast<std::uint32_t>(fields[1]), fields[2]};
    if (auto fine = math::check(p.numbers()); !fine) return fine.error();
    return p;
  }
  /// Bytes of memory that the slots take.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return engines::cuckoo_bytes(math::cuckoo_whole_chunks(numbers()).buckets, fingerprint_bits);
  }
  /// Cache lines that a lookup touches.
  [[nodiscard]] std::uint32_t lines() const noexcept { return 2; }
  /// The false-positive rate with this many keys in it.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const {
    return math::cuckoo_model_fpr(fingerprint_bits, math::cuckoo_whole_chunks(numbers()).buckets, keys);
  }
  /// The same as math/ sees it, and back.
  [[nodiscard]] math::cuckoo_shape numbers() const noexcept { return {buckets, fingerprint_bits, chunks}; }
  static cuckoo_shape of(const math::cuckoo_shape& s) noexcept { return {s.buckets, s.fingerprint_bits, s.chunks}; }

  friend bool operator==(const cuckoo_shape&, const cuckoo_shape&) = default;
};

/// Shared by the rules of all cuckoo kinds: the table, and where a digest lies in it.
class cuckoo_table {
 public:
  cuckoo_table() noexcept = default;
  explicit cuckoo_table(const math::cuckoo_shape& s, std::uint64_t copies = 1, std::uint32_t dropped_bits = 0) noexcept
      : map_(kernels::cuckoo_map::of(s.buckets, s.chunks, copies, dropped_bits)),
        chunks_(s.chunks),
        lanes_(kernels::lanes::of(s.fingerprint_bits)),
        form_(form(s.fingerprint_bits, map_.last == 0)) {}

  [[nodiscard]] math::cuckoo_shape numbers() const noexcept { return {buckets(), lanes_.bits, chunks()}; }
  [[nodiscard]] std::uint64_t chunks() const noexcept { return chunks_; }
  /// Of all chunks together.
  [[nodiscard]] std::uint64_t buckets() const noexcept { return map_.copies * map_.buckets; }
  [[nodiscard]] bool empty() const noexcept { return map_.buckets == 0; }
  [[nodiscard]] std::uint64_t slots() const noexcept { return buckets() * kernels::cuckoo_slots; }
  [[nodiscard]] std::size_t bytes() const noexcept { return engines::cuckoo_bytes(buckets(), lanes_.bits); }
  [[nodiscard]] const kernels::lanes& lanes() const noexcept { return lanes_; }
  [[nodiscard]] const kernels::cuckoo_map& map() const noexcept { return map_; }

  /// The width and whether there is one chunk, as one number: a lookup tests both at once.
  [[nodiscard]] static constexpr std::uint32_t form(std::uint32_t bits, bool is_one_chunk) noexcept {
    return 2 * bits + is_one_chunk;
  }
  [[nodiscard]] std::uint32_t form() const noexcept { return form_; }

  /// Calls use with the masks of the width; of 16 bits, the commonest, as constants.
  template <class Use>
  [[gnu::always_inline]] auto with_lanes(Use use) const noexcept {
    if (lanes_.bits == 16) return use(kernels::fixed_lanes<16>());
    return use(lanes_);
  }
  /// The same, with constants for more widths: those of 3, 1, 0.2 and 0.02 %, and the two that are compared as vectors.
  template <class Use>
  [[gnu::always_inline]] auto with_common_lanes(Use use) const noexcept {
    switch (lanes_.bits) {
      case 8:
        return use(kernels::fixed_lanes<8>());
      case 10:
        return use(kernels::fixed_lanes<10>());
      case 12:
        return use(kernels::fixed_lanes<12>());
      case 24:
        return use(kernels::fixed_lanes<24>());
      case 32:
        return use(kernels::fixed_lanes<32>());
      default:
        return with_lanes(use);
    }
  }

 private:
  kernels::cuckoo_map map_;
  std::uint64_t chunks_ = 0;
  kernels::lanes lanes_;
  std::uint32_t form_ = 0;
};

/// The native rule: see the top of this file.
class cuckoo_rule : public cuckoo_table {
 public:
  using shape_type = cuckoo_shape;

  static constexpr kind_info kind{.id = 8, .name = "cuckoo"};
  static constexpr bool is_nested = false;
  static constexpr std::uint16_t id = 16;

  static result<cuckoo_rule> make(const cuckoo_shape& p) {
    if (auto fine = math::check(p.numbers()); !fine) return fine.error();
    const math::cuckoo_shape whole = math::cuckoo_whole_chunks(p.numbers());
    if (auto fine = math::check(whole); !fine) return fine.error();
    return cuckoo_rule(whole);
  }
  cuckoo_rule() noexcept = default;

  [[nodiscard]] cuckoo_shape shape() const noexcept { return cuckoo_shape::of(numbers()); }

  template <class Lanes>
  [[nodiscard, gnu::always_inline]] inline engines::cuckoo_place place(const Lanes& lanes, digest d) const noexcept {
    const auto [bucket, fraction] = map().spot_of(d);
    const std::uint64_t t = map().fingerprint(fraction, lanes.bits);
    return {{bucket, map().other(bucket, map().sum_of(t))}, t};
  }
  [[nodiscard]] engines::cuckoo_place place(digest d) const noexcept { return place(lanes(), d); }
  /// The chunk of a bucket.
  [[nodiscard]] kernels::cuckoo_map::extent chunk_of(std::uint64_t bucket) const noexcept {
    return map().chunk_of(bucket);
  }
  [[nodiscard, gnu::always_inline]] inline std::uint64_t alternate(std::uint64_t size, std::uint64_t bucket,
                                                                   std::uint64_t t) const noexcept {
    return map().other({0, size}, bucket, map().sum_of(t));
  }

 private:
  using cuckoo_table::cuckoo_table;
};

/// A cuckoo filter for one thread at a time, hashing with the default hash.
using cuckoo = filter<engines::cuckoo_engine<cuckoo_rule, plain_access>, default_hash>;

/// The same bytes for many threads.
using concurrent_cuckoo = filter<engines::cuckoo_engine<cuckoo_rule, atomic_access>, default_hash>;

}  // namespace seen::inline v1
