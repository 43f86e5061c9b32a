// The cuckoo filter that grows: a chain of tables, and a further one when the last is full. Never "full"; keys can be
// removed and counted however often it has grown. For keys that come once: a table holds eight copies of a key, so
// every eight adds of one key take a table, up to 255 of them.
//
//   link 0 [1 copy, w0 bits]   link 1 [2 copies, w1 ≥ w0 bits]   link 2 [4 copies, w2 ≥ w1 bits] …
//    └ all copies have the buckets and the chunks of link 0
//
// A link is a cuckoo table (engines/cuckoo_engine.hpp) with a rule of its own (x and the rest as in
// kernels/cuckoo_map.hpp, N being the buckets of link 0):
//
//   copy         low bits of x ^ floor(x / 2^35)            twice the copies: one more bit of the same number
//   bucket       high half of x·N                           the same in every link
//   fingerprint  the top w bits of the low half, 0 taken    wider links: more bits of the same number
//                for 1
//   alternate    (h(t0) − i) mod B                          the same in every link: t0 is the first w0 bits of the
//                                                           fingerprint, 0 taken for 1
//
// Removal is what makes a chain of cuckoo filters hard. A key X may test present in a link where it is not, because the
// fingerprint of another key, Y, looks the same there. Taking that one out leaves X's own behind in its link, where Y
// need not match it: Y is lost, though it was added and never removed. Chains of independent tables have this false
// negative, at the rate of the filter, on every removal.
//
// Here it cannot happen. Say X ~j Y if X and Y have the same fingerprint and the same two buckets in link j. By the
// rule above everything that is compared in link j is a function of what is compared in link j+1, so
//
//   (nesting)   X ~j+1 Y implies X ~j Y.
//
// Removal takes from the NEWEST link that has a match. Claim: at any time the keys in the filter can be paired off with
// the fingerprints stored, one to one, so that each key is paired with one that it matches. (So every key is found, and
// count(X) is at least the number of times X is in.) Adding X stores one fingerprint and pairs it with X. Removing X
// takes a fingerprint F that X matches out of link j, the newest with such a one. If F is paired with X, done. If it is
// paired with Y, then Y ~j X. X itself is paired with some F' in a link k, and k ≤ j, since j is the newest with a
// match. By nesting Y ~k X, so Y matches F': pair Y with F'. Done.                                                      ∎
//
// The proof does not depend on where a key is added: add tries the newest link, then the older ones, where removals may
// have made room, and only then grows. It grows by doubling; if the newest link is less than half full (one key added
// over and over fills its eight slots and finds no room at any load) by a link of the same size, which nests as well.
//
// A lookup asks every link: two cache lines each. A good first guess of the capacity keeps the links few.
#pragma once

#include <seen/engines/cuckoo_engine.hpp>
#include <seen/engines/growing_cuckoo_engine.hpp>
#include <seen/filter.hpp>
#include <seen/filters/cuckoo.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/math/growing_cuckoo.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace seen::inline v1 {

/// The first table of a growing_cuckoo, and the rate it keeps.
struct growing_cuckoo_shape {
  std::uint64_t first_capacity = 0;  ///< keys of the first link
  double fpr = 0;                    ///< of the whole chain, however long

  /// A first link for the target's keys, and its rate for the whole chain.
  static result<growing_cuckoo_shape> plan(const target& asked) {
    auto first = math::growing_cuckoo_first(asked);
    if (!first) return first.error();
    return growing_cuckoo_shape{asked.capacity, asked.fpr};
  }
  /// The fields that a file stores and `info` prints, in this order.
  static constexpr std::array<std::string_view, 2> field_names{"first-capacity", "fpr"};
  static constexpr std::array<field_type, 2> field_types{field_type::integer, field_type::real};
  [[nodiscard]] std::array<std::uint64_t, 2> fields() const noexcept {
    return {first_capacity, std::bit_cast<std::uint64_t>(fpr)};
  }
  static result<growing_cuckoo_shape> from_fields(std::span<const std::uint64_t, 2> fields) {
    return plan({.capacity = fields[0], .fpr = std::bit_cast<double>(fields[1])});
  }
  /// Bytes of memory that the first link takes.
  [[nodiscard]] std::size_t bytes() const noexcept {
    const auto first = math::growing_cuckoo_first({first_capacity, fpr});
    return first ? engines::cuckoo_bytes(first->buckets, first->fingerprint_bits) : 0;
  }
  /// Cache lines that a lookup touches in the first link.
  [[nodiscard]] std::uint32_t lines() const noexcept { return 2; }
  /// The false-positive rate with this many keys in it: exact up to the capacity, beyond it for links that filled as
  /// planned.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const {
    const auto first = math::growing_cuckoo_first({first_capacity, fpr});
    return first ? math::growing_cuckoo_fpr(*first, {first_capacity, fpr}, keys) : 1;
  }

  friend bool operator==(const growing_cuckoo_shape&, const growing_cuckoo_shape&) = default;
};

/// The shape of one link: a cuckoo table, and how many bits of a fingerprint say where its other bucket is.
struct nested_cuckoo_shape {
  math::cuckoo_shape table;  ///< of all copies together
  std::uint64_t copies = 1;  ///< of link 0: a power of two
  std::uint32_t first_bits = 0;

  friend bool operator==(const nested_cuckoo_shape&, const nested_cuckoo_shape&) = default;
};

/// The rule of a link: see the top of this file.
class nested_cuckoo_rule : public cuckoo_table {
 public:
  using shape_type = nested_cuckoo_shape;
  using chain_shape = growing_cuckoo_shape;

  static constexpr kind_info kind{.id = 9, .name = "growing-cuckoo"};
  static constexpr bool is_nested = true;
  static constexpr std::uint16_t id = 17;

  static result<nested_cuckoo_rule> make(const nested_cuckoo_shape& p) {
    if (auto fine = math::check(p.table); !fine) return fine.error();
    return nested_cuckoo_rule(p);
  }
  nested_cuckoo_rule() noexcept = default;

  [[nodiscard]] nested_cuckoo_shape shape() const noexcept {
    return {numbers(), map().copies, lanes().bits - map().dropped};
  }

  template <class Lanes>
  [[nodiscard, gnu::always_inline]] inline engines::cuckoo_place place(const Lanes& lanes, digest d) const noexcept {
    const auto [bucket, fraction] = map().spot_of(d);
    const std::uint64_t t = map().fingerprint(fraction, lanes.bits), copy = map().copy_of(d);
    return {{copy + bucket, copy + map().other(bucket, map().nested_sum_of(t))}, t};
  }
  [[nodiscard]] engines::cuckoo_place place(digest d) const noexcept { return place(lanes(), d); }
  /// The chunk of a bucket, in whichever copy it is.
  [[nodiscard]] kernels::cuckoo_map::extent chunk_of(std::uint64_t bucket) const noexcept {
    const std::uint64_t in_copy = bucket % map().buckets;
    const auto [start, size] = map().chunk_of(in_copy);
    return {bucket - in_copy + start, size};
  }
  [[nodiscard, gnu::always_inline]] inline std::uint64_t alternate(std::uint64_t size, std::uint64_t bucket,
                                                                   std::uint64_t t) const noexcept {
    return map().other({0, size}, bucket, map().nested_sum_of(t));
  }

 private:
  explicit nested_cuckoo_rule(const nested_cuckoo_shape& p) noexcept
      : cuckoo_table(p.table, p.copies, p.table.fingerprint_bits - p.first_bits) {}
};

/// A cuckoo filter that grows with its keys, for one thread at a time, hashing with the default hash.
using growing_cuckoo = filter<engines::growing_cuckoo_engine<nested_cuckoo_rule>, default_hash>;

}  // namespace seen::inline v1
