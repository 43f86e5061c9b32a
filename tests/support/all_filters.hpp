// The list of kinds the kits run over. A new kind adds its name here, and a sampler if it is not filled by add, and
// gets the conformance, golden, hostile and fault tests.
#pragma once

#include <seen/seen.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>

namespace seen::testing {

/// Every kind for one thread.
using all_filters = ::testing::Types<bloom, partitioned_bloom>;

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
