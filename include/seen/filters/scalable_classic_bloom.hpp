// scalable_classic_bloom: the growing filter of filters/scalable_bloom.hpp with classic Bloom filters as links. A fifth
// smaller when grown 1000 times at 1 %, and a cache miss a probe instead of one a link.
#pragma once

#include <seen/detail/scalable_engine.hpp>
#include <seen/filters/bloom.hpp>

namespace seen {
inline namespace v1 {

namespace detail {

/// Links that are classic Bloom filters.
struct classic_links {
  static constexpr kind_info kind{.id = 12, .name = "scalable-classic-bloom"};
  template <class Access>
  using engine = bloom_engine<chain_rule, Access>;
};

}  // namespace detail

/// The shape of a scalable_classic_bloom: capacity of its first link, fpr of the whole, growth, tightening.
using scalable_classic_bloom_params = detail::scalable_params<bloom_params>;

/// A filter that grows with its keys, a chain of classic Bloom filters, for one thread at a time.
using scalable_classic_bloom = filter<detail::scalable_engine<detail::classic_links, plain_access>, xxh3_64>;

/// The same filter for many threads: lookups never wait, adds wait only while the next link is made.
using concurrent_scalable_classic_bloom =
    filter<detail::scalable_engine<detail::classic_links, atomic_access>, xxh3_64>;

}  // namespace v1
}  // namespace seen
