// The engines of pybloom's filters: slices of bits, and chains of filters that hash each in its own way.
#pragma once

#include <seen/engines/bloom_engine.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "formats/engines/bloom_rules.hpp"
#include "formats/engines/chain.hpp"
#include "formats/engines/tally.hpp"
#include "formats/hashing/foreign_hash.hpp"

namespace seen::inline v1::pybloom_live {

using foreign::probe_shape;

using list_type = foreign::digest_list<std::uint64_t, 64>;  // a rate of 5e-20; more is refused
inline constexpr std::uint32_t most_slices = 64;

/// Position j = j·s + word j mod s.
class list_slice_rule : public foreign::shaped_rule<list_slice_rule> {
  using base = foreign::shaped_rule<list_slice_rule>;

 public:
  using digest_type = list_type;
  struct state {
    const std::uint64_t* word;
    std::uint64_t slice;
  };
  static constexpr std::uint32_t max_probes = most_slices;

  /// shape.bits is a multiple of shape.probes.
  static result<list_slice_rule> make(const probe_shape& shape) {
    if (shape.probes > most_slices) {
      return {errc::too_large, "slices are " + std::to_string(shape.probes) + "; at most 64 are read here"};
    }
    auto rule = base::make(shape);
    if (!rule) return rule;
    rule->mod_ = detail::fastmod(rule->slice_bits());
    return rule;
  }
  [[nodiscard]] std::uint64_t slice_bits() const noexcept { return shape_.bits / shape_.probes; }

  // The digest outlives the state: both are gone when the call that was given the digest returns.
  [[nodiscard]] state start(const list_type& d) const noexcept { return {d.word.data(), 0}; }
  template <std::size_t N>
  [[nodiscard]] std::array<std::uint64_t, N> take(state& from) const noexcept {
    const std::uint64_t slice = slice_bits();
    std::array<std::uint64_t, N> at;
    for (std::size_t i = 0; i < N; ++i) {
      at[i] = from.slice + mod_(from.word[i]);
      from.slice += slice;
    }
    from.word += N;
    return at;
  }
};

using bits_engine = engines::bloom_engine<list_slice_rule, plain_access>;
using plain_engine = foreign::tally_engine<bits_engine, foreign::counts_new_keys>;

/// A filter of a chain, with its own hash, rate and capacity.
class link_engine {
 public:
  using digest_type = foreign::key_reference;
  using access_type = plain_access;

  plain_engine filter;
  foreign::foreign_hash<list_type> hash;
  double rate = 0;
  std::uint64_t capacity = 0;

  void add(foreign::key_reference key) noexcept { filter.add(hash(key.bytes())); }
  [[nodiscard]] bool may_contain(foreign::key_reference key) const noexcept {
    return filter.may_contain(hash(key.bytes()));
  }
  std::size_t may_contain_many(std::span<const foreign::key_reference> keys, bool* out) const noexcept {
    std::array<list_type, 32> lists;
    std::size_t found = 0;
    while (!keys.empty()) {
      const std::size_t some = std::min(keys.size(), lists.size());
      for (std::size_t i = 0; i < some; ++i) lists[i] = hash(keys[i].bytes());
      found += filter.may_contain_many(std::span(lists).first(some), out);
      keys = keys.subspan(some);
      out += some;
    }
    return found;
  }

  [[nodiscard]] std::uint64_t bits() const noexcept { return filter.bits(); }
  [[nodiscard]] bytes_view bytes() const noexcept { return filter.bytes(); }
  [[nodiscard]] std::uint64_t census() const noexcept { return filter.census(); }
  [[nodiscard]] double estimated_count() const noexcept { return filter.estimated_count(); }
  [[nodiscard]] double estimated_fpr() const noexcept { return filter.estimated_fpr(); }
  [[nodiscard]] bool saturated() const noexcept { return filter.saturated(); }
};

}  // namespace seen::inline v1::pybloom_live
