// scalable_classic_bloom: the growing filter of filters/scalable_bloom.hpp with classic Bloom filters as links. A fifth
// smaller when grown 1000 times at 1 %, and a cache miss per probe instead of one per link.
#pragma once

#include <seen/engines/scalable_engine.hpp>
#include <seen/filters/bloom.hpp>
#include <seen/filters/scalable_bloom.hpp>

namespace seen::inline v1 {

/// The shape of a scalable_classic_bloom: capacity of its first link, fpr of the whole, growth, tightening.
using scalable_classic_bloom_shape = scalable_shape<bloom_shape>;

/// Links that are classic Bloom filters.
struct classic_links {
  static constexpr kind_info kind{.id = 12, .name = "scalable-classic-bloom"};
  using shape_type = scalable_classic_bloom_shape;
  template <class Access>
  using engine = engines::bloom_engine<chain_rule, Access>;
};

/// A filter that grows with its keys, a chain of classic Bloom filters, for one thread at a time.
using scalable_classic_bloom = filter<engines::scalable_engine<classic_links, plain_access>, default_hash>;

/// The same filter for many threads: lookups never wait, adds wait only while the next link is made.
using concurrent_scalable_classic_bloom = filter<engines::scalable_engine<classic_links, atomic_access>, default_hash>;

}  // namespace seen::inline v1
