// The kinds as the harness wants them. A contender states its shape, not a wish: filters that are compared have the size
// and the rate of their peers, so that what differs is the time.
#pragma once

#include <seen/filter.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/harness.hpp"

namespace seen::bench {

/// Integers, or text of so many times eight bytes.
template <std::size_t words>
using key_of_words = std::conditional_t<words == 0, std::uint64_t, std::string_view>;

/// A filter that keys are added to; a kind's contender derives from it and says the shape.
template <class F, std::size_t words = 0>
struct of_seen {
  static constexpr std::size_t key_words = words;
  using key_type = key_of_words<words>;

  explicit of_seen(F made) : f(std::move(made)) {}

  void add_batch(std::span<const key_type> keys) {
    if constexpr (fallible_engine<typename F::engine_type>) {
      if (f.add_many(keys) != keys.size()) std::abort();  // without all its keys it has no times worth printing
    } else {
      f.add_many(keys);
    }
  }
  [[nodiscard, gnu::always_inline]] bool contains(key_type key) const { return f.may_contain(key); }
  std::size_t contains_batch(std::span<const key_type> keys, bool* out) const {
    return f.may_contain_many(keys, {out, keys.size()});
  }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(memory_of(f.engine())); }

  F f;
};

/// A filter planned for a rate of one in `one_in`.
template <class F, int one_in>
struct planned : of_seen<F> {
  explicit planned(std::size_t n) : of_seen<F>(F({.capacity = n, .fpr = 1.0 / one_in})) {}
};

/// Keys that are digests already: what the filter costs without its hash.
template <class C>
struct of_digests {
  explicit of_digests(std::size_t n) : c(n) {}
  void add(std::uint64_t key) { c.f.add(digest(key)); }
  [[nodiscard, gnu::always_inline]] bool contains(std::uint64_t key) const { return c.f.may_contain(digest(key)); }
  [[nodiscard]] std::size_t bytes() const { return c.bytes(); }
  C c;
};

/// A static kind, built from all its keys at once with what `wishes` says of the shape.
template <class F, typename F::shape_type wishes, std::size_t words = 0>
struct of_static {
  static constexpr std::size_t key_words = words;
  using key_type = key_of_words<words>;

  explicit of_static(std::size_t) {}

  void add_batch(std::span<const key_type> keys) {
    auto built = F::build(keys, wishes);
    if (!built) std::abort();
    f = std::move(*built);
  }
  [[nodiscard, gnu::always_inline]] bool contains(key_type key) const { return f.may_contain(key); }
  std::size_t contains_batch(std::span<const key_type> keys, bool* out) const {
    return f.may_contain_many(keys, {out, keys.size()});
  }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(memory_of(f.engine())); }

  F f{typename F::engine_type(), typename F::hash_type()};
};

}  // namespace seen::bench
