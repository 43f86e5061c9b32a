// The scalable Bloom filter: grows with its keys and keeps its rate. For those who do not know how many will come.
//
//   link      0        1            2            …          capacity n0·r^i, rate p0·s^i
//   keys   [ n0 ] [   n0·r   ] [      n0·r²      ]          [Almeida, Baquero, Preguiça, Hutchison 2007]
//   asked     ◄──── then ◄────────── first ──────┘
//
// The rate asked for is that of the whole chain, however long: p0 = fpr·(1 − s), and Σ p0·s^i < fpr. A key that some link
// may hold already is not added again, so duplicates take no room; a chain of exactly n0 keys has one link.
//
// Links are blocked Bloom filters here (one cache line a link and key) and classic ones in scalable_classic_bloom
// (filters/scalable_classic_bloom.hpp): smaller at the strict rates of late links, and a miss a probe.
//
// Space: each link is stricter than the one before, so growth is paid for. Grown 1000 times with growth 2 and tightening
// 1/2, at 1 %: 28.6 bits a key (classic links 23.1) where a filter of the right size takes 10; tightening 0.8: 19.6 (17.0).
// Just after a new link up to twice that. If n is known, plan for it.
//
// add may throw (std::bad_alloc; std::length_error at 255 links, at 2^40 bits in one link, or where the rate of the next
// link is beyond reach); nothing has changed then.
#pragma once

#include <seen/detail/scalable_engine.hpp>
#include <seen/filters/blocked_bloom.hpp>

namespace seen {
inline namespace v1 {

namespace detail {

/// Links that are blocked Bloom filters.
struct blocked_links {
  static constexpr kind_info kind{.id = 7, .name = "scalable-bloom"};
  template <class Access>
  using engine = block_engine<block_rule, Access>;
};

}  // namespace detail

/// The shape of a scalable_bloom: capacity of its first link, fpr of the whole, growth, tightening.
using scalable_bloom_params = detail::scalable_params<blocked_bloom_params>;

/// A filter that grows with its keys, a chain of blocked Bloom filters, for one thread at a time.
using scalable_bloom = filter<detail::scalable_engine<detail::blocked_links, plain_access>, xxh3_64>;

/// The same filter for many threads: lookups never wait, adds wait only while the next link is made.
using concurrent_scalable_bloom = filter<detail::scalable_engine<detail::blocked_links, atomic_access>, xxh3_64>;

}  // namespace v1
}  // namespace seen
