// The list of kinds the kits run over. A new kind adds its name here, and a sampler if it is not filled by add, and
// gets the conformance, golden, hostile and fault tests.
#pragma once

#include <seen/seen.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace seen::testing {

/// Every kind for one thread.
using all_filters = ::testing::Types<bloom, partitioned_bloom>;

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
using can_merge_bits =
    std::bool_constant<mergeable_engine<typename F::engine_type> && bit_engine<typename F::engine_type>>;
template <class F>
using has_bits = std::bool_constant<mutable_engine<typename F::engine_type> && bit_engine<typename F::engine_type>>;

using mutable_filters = select<can_add, all_filters>::type;
using mergeable_filters = select<can_merge_bits, all_filters>::type;
using bit_filters = select<has_bits, all_filters>::type;

/// Every kind for many threads.
using all_concurrent_filters = ::testing::Types<concurrent_bloom, concurrent_partitioned_bloom>;

/// How gtest names the instances: by the kind, "-" is not allowed in a test's name.
struct kind_names {
  template <class F>
  static std::string GetName(int) {
    std::string name(F::kind.name);
    for (char& c : name) {
      if (c == '-') c = '_';
    }
    return name;
  }
};

/// Key number i of the samples: "key-0", "key-1", …
inline std::string sample_key(std::uint64_t i) {
  return "key-" + std::to_string(i);
}

/// How a filter of kind F is made to hold some keys; a static kind specialises it.
template <class F>
struct sampler {
  static F holding(std::span<const std::string> keys, const target& asked,
                   const typename F::hash_type& hash = typename F::hash_type()) {
    F f(asked, hash);
    for (const std::string& key : keys) (void)f.add(key);
    return f;
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
