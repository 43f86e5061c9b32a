// The lists of kinds the kits run over. A new kind adds its name to the first; the others choose from it by
// what a kind can do.
//
//   all_filters         conformance, golden bytes, flips, fuzzing: what depends on the kind
//   container_filters   the file around a kind: one kind of each make is enough (and compiles in time)
#pragma once

#include <seen/seen.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace seen::testing {

/// Every kind for one thread.
using all_filters = ::testing::Types<bloom, partitioned_bloom, blocked_bloom, split_block, counting_bloom,
                                     blocked_counting_bloom, scalable_bloom, scalable_classic_bloom, cuckoo,
                                     growing_cuckoo, quotient, windowed_bloom, xor_filter, binary_fuse, ribbon>;

/// The kinds of a list that a concept holds for: a kit asks for what it needs, and runs over the kinds that have it.
template <template <class> class Can, class List, class Chosen = ::testing::Types<>>
struct select {
  using type = Chosen;
};
template <template <class> class Can, class F, class... Rest, class... Chosen>
struct select<Can, ::testing::Types<F, Rest...>, ::testing::Types<Chosen...>>
    : select<Can, ::testing::Types<Rest...>,
             std::conditional_t<Can<F>::value, ::testing::Types<Chosen..., F>, ::testing::Types<Chosen...>>> {};

template <class F>
using can_add = std::bool_constant<mutable_engine<typename F::engine_type>>;
template <class F>
using is_static = std::bool_constant<static_engine<typename F::engine_type>>;
template <class F>
using remembers =
    std::bool_constant<mutable_engine<typename F::engine_type> && !forgetting_engine<typename F::engine_type>>;
template <class F>
using can_merge = std::bool_constant<mergeable_engine<typename F::engine_type>>;
template <class F>
using can_intersect = std::bool_constant < requires(F& f) {
  f.intersect(f);
}
> ;
template <class F>
using is_monotone = std::bool_constant<monotone_engine<typename F::engine_type>>;
// The union of two is, bit for bit, what adding all keys gives, in any order.
template <class F>
using is_set_of_bits =
    std::bool_constant<bit_engine<typename F::engine_type> && mergeable_engine<typename F::engine_type> &&
                       monotone_engine<typename F::engine_type>>;
// A shape that is given as so many bits and so many probes.
template <class F>
using is_classic = std::bool_constant < requires {
  requires sizeof(typename F::shape_type{.bits = 1, .probes = 1}) != 0;
}
> ;

using mutable_filters = select<can_add, all_filters>::type;
using static_filters = select<is_static, all_filters>::type;
using remembering_filters = select<remembers, all_filters>::type;
using mergeable_filters = select<can_merge, all_filters>::type;
using monotone_filters = select<is_monotone, all_filters>::type;
using bit_filters = select<is_set_of_bits, all_filters>::type;
using classic_filters = select<is_classic, all_filters>::type;

/// Kinds of each make: an array of bits, a table with rules of its own, a chain.
using container_filters = ::testing::Types<bloom, quotient, scalable_bloom>;
/// Those of one segment that nothing but its parameters describes.
using flat_filters = ::testing::Types<bloom, blocked_bloom>;

/// Every kind for many threads.
using all_concurrent_filters =
    ::testing::Types<concurrent_bloom, concurrent_partitioned_bloom, concurrent_blocked_bloom, concurrent_split_block,
                     concurrent_counting_bloom, concurrent_blocked_counting_bloom, concurrent_scalable_bloom,
                     concurrent_scalable_classic_bloom>;

// Whatever the order of the adds, the bytes are the same.
template <class F>
using is_order_free =
    std::bool_constant<!growing_engine<typename F::engine_type> && !fallible_engine<typename F::engine_type>>;

/// How gtest names the instances: by the kind, "-" is not allowed in a test's name.
struct kind_names {
  static std::string of(std::string_view kind) {
    std::string name;  // letter by letter: g++ 12 warns of a copy that is then changed
    for (const char c : kind) name += c == '-' ? '_' : c;
    return name;
  }
  template <class F>
  static std::string GetName(int) {
    return of(F::kind.name);
  }
};

/// Key number i of the samples: "key-0", "key-1", …
inline std::string sample_key(std::uint64_t i) {
  return "key-" + std::to_string(i);
}

/// Adds a key that there must be room for.
template <class F, class Key>
void put(F& f, const Key& key) {
  if constexpr (fallible_engine<typename F::engine_type>) {
    EXPECT_TRUE(f.add(key)) << "no room";
  } else {
    f.add(key);
  }
}

/// put, a whole range.
template <class F, class Range>
void put_many(F& f, const Range& keys) {
  if constexpr (fallible_engine<typename F::engine_type>) {
    EXPECT_EQ(f.add_many(keys), std::size(keys)) << "no room";
  } else {
    f.add_many(keys);
  }
}

/// How a filter of kind F is made to hold some keys: added one by one, or built at once.
template <class F>
struct sampler {
  static F holding(std::span<const std::string> keys, const target& asked,
                   const typename F::hash_type& hash = typename F::hash_type()) {
    if constexpr (static_engine<typename F::engine_type>) {
      return F::build(keys, build_options{.fpr = asked.fpr}, hash).value();
    } else {
      F f(asked, hash);
      for (const std::string& key : keys) put(f, key);
      return f;
    }
  }
};

/// Sample keys number `first` to `first + count - 1`.
inline std::vector<std::string> sample_keys(std::uint64_t count, std::uint64_t first = 0) {
  std::vector<std::string> keys;
  for (std::uint64_t i = 0; i < count; ++i) keys.push_back(sample_key(first + i));
  return keys;
}

/// A filter of kind F made for `keys` keys at `fpr` that holds sample_key(0) .. sample_key(keys - 1).
template <class F>
F sample_of(std::uint64_t keys, double fpr = 0.01, typename F::hash_type hash = typename F::hash_type()) {
  return sampler<F>::holding(sample_keys(keys), {.capacity = keys == 0 ? 1 : keys, .fpr = fpr}, hash);
}

}  // namespace seen::testing
