// The scalable Bloom filter: grows with its keys and keeps its rate. For those who do not know how many will come.
//
//   link      0        1            2            …          capacity n0·r^i, rate p0·s^i
//   keys   [ n0 ] [   n0·r   ] [      n0·r²      ]          [Almeida, Baquero, Preguiça, Hutchison 2007]
//   asked     ◄──── then ◄────────── first ──────┘
//
// The rate asked for is that of the whole chain, however long: p0 = fpr·(1 − s), and Σ p0·s^i < fpr. A key that some
// link may hold already is not added again, so duplicates take no room; a chain of exactly n0 keys has one link.
//
// Links are blocked Bloom filters here (one cache line per link and key) and classic ones in scalable_classic_bloom
// (filters/scalable_classic_bloom.hpp): smaller at the strict rates of late links, and a miss per probe.
//
// Space: each link is stricter than the one before, so growth is paid for. Grown 1000 times with growth 2 and
// tightening 1/2, at 1 %: 28.6 bits per key (classic links 23.1), where a filter of the right size takes 10; tightening
// 0.8: 19.6 (17.0). Just after a new link it is up to twice that. If n is known, plan for it.
//
// add may throw (std::bad_alloc; std::length_error at 255 links, at 2^40 bits in one link, or where the rate of the
// next link is beyond reach), and has then changed nothing.
#pragma once

#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/concepts.hpp>
#include <seen/engines/scalable_engine.hpp>
#include <seen/filters/blocked_bloom.hpp>
#include <seen/math/scalable_bloom.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace seen::inline v1 {

/// The shape of a scalable filter whose links are described by `LinkShape`.
template <class LinkShape>
struct scalable_shape {
  /// The most links of a chain: a file has room for 256 segments, and the chain's own shape takes one.
  static constexpr std::uint32_t max_links = 255;

  std::uint64_t first_capacity = 0;  ///< keys of the first link
  double fpr = 0;                    ///< rate of the whole chain, however long
  double growth = 2;                 ///< capacity of a link over the one before, above 1 up to 65536
  double tightening = 0.5;           ///< rate of a link over the one before, strictly between 0 and 1

  /// A chain whose first link holds the target's keys.
  static result<scalable_shape> plan(const target& asked) { return plan(asked, {}); }
  /// The same with the growth and tightening wished for (0: the usual ones), or another first capacity or rate.
  static result<scalable_shape> plan(const target& asked, const scalable_shape& wishes) {
    const auto wish_or = [](auto wish, auto otherwise) { return wish == 0 ? otherwise : wish; };
    const scalable_shape planned{.first_capacity = wish_or(wishes.first_capacity, asked.capacity),
                                 .fpr = wish_or(wishes.fpr, asked.fpr),
                                 .growth = wish_or(wishes.growth, scalable_shape().growth),
                                 .tightening = wish_or(wishes.tightening, scalable_shape().tightening)};
    if (auto first = planned.first_link(); !first) return first.error();
    return planned;
  }

  /// The fields that a file stores and `info` prints, in this order.
  static constexpr std::array<std::string_view, 4> field_names{"first-capacity", "fpr", "growth", "tightening"};
  static constexpr std::array<field_type, 4> field_types{field_type::integer, field_type::real, field_type::real,
                                                         field_type::real};
  [[nodiscard]] std::array<std::uint64_t, 4> fields() const noexcept {
    return {first_capacity, std::bit_cast<std::uint64_t>(fpr), std::bit_cast<std::uint64_t>(growth),
            std::bit_cast<std::uint64_t>(tightening)};
  }
  /// Wishes by their fields, unchecked: 0 for what is not wished for.
  static scalable_shape from_wishes(std::span<const std::uint64_t, 4> fields) noexcept {
    return {.first_capacity = fields[0],
            .fpr = std::bit_cast<double>(fields[1]),
            .growth = std::bit_cast<double>(fields[2]),
            .tightening = std::bit_cast<double>(fields[3])};
  }
  static result<scalable_shape> from_fields(std::span<const std::uint64_t, 4> fields) {
    const scalable_shape stored = from_wishes(fields);
    if (auto first = stored.first_link(); !first) return first.error();
    return stored;
  }

  /// Bytes of memory of the first link; an empty chain has no other.
  [[nodiscard]] std::size_t bytes() const {
    const auto first = first_link();
    return first ? first->bytes() : 0;
  }
  /// Cache lines that a lookup of a key in the newest link touches.
  [[nodiscard]] std::uint32_t lines() const {
    const auto first = first_link();
    return first ? first->lines() : 0;
  }
  /// The false-positive rate of a chain that this many different keys were offered to; 1 where it cannot grow so far.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const {
    constexpr bool in_blocks = std::same_as<LinkShape, blocked_bloom_shape>;
    constexpr auto links = in_blocks ? math::chain_links::blocked : math::chain_links::classic;
    return math::scalable_fpr({first_capacity, fpr}, follow(), links, max_links, keys);
  }

  [[nodiscard]] math::chain_growth follow() const noexcept { return {.growth = growth, .tightening = tightening}; }
  /// The shape of link 0, or what is wrong with these fields.
  [[nodiscard]] result<LinkShape> first_link() const {
    const auto link = math::scalable_link({first_capacity, fpr}, follow(), 0);
    if (!link) return link.error();
    return LinkShape::plan(*link);
  }

  friend bool operator==(const scalable_shape&, const scalable_shape&) = default;
};

/// The shape of a scalable_bloom: capacity of its first link, fpr of the whole, growth, tightening.
using scalable_bloom_shape = scalable_shape<blocked_bloom_shape>;

/// Links that are blocked Bloom filters.
struct blocked_links {
  static constexpr kind_info kind{.id = 7, .name = "scalable-bloom"};
  using shape_type = scalable_bloom_shape;
  template <class Access>
  using engine = engines::block_engine<block_rule, Access>;
};

/// A filter that grows with its keys, a chain of blocked Bloom filters, for one thread at a time.
using scalable_bloom = filter<engines::scalable_engine<blocked_links, plain_access>, default_hash>;

/// The same filter for many threads: lookups never wait, adds wait only while the next link is made.
using concurrent_scalable_bloom = filter<engines::scalable_engine<blocked_links, atomic_access>, default_hash>;

}  // namespace seen::inline v1
