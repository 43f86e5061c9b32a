// packed_counter_engine<Rule>: k counters per key, as other libraries pack them.
//
//   counter j = bits w·j … w·j + w - 1 of the array, lowest bit first; w from 1 to 32, so that one may lie in two words
//
// Rule is a rule of bloom_rules.hpp: its positions are counters here. Counters stop at their maximum and stay there, as
// in our own counting filters (engines/counting_engine.hpp), whatever the peer does: a counter that has forgotten how many
// adds it stands for is not lowered. Widths that divide 64 would fit that engine too; other libraries have 3 and 32.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/concepts.hpp>
#include <seen/math/bloom.hpp>
#include <seen/math/estimate.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/storage.hpp>
#include <seen/survey.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "formats/engines/bloom_rules.hpp"

namespace seen::inline v1::foreign {

/// The shape of a foreign counting filter.
struct counter_shape {
  std::uint64_t counters = 0;
  std::uint32_t probes = 0;
  std::uint32_t counter_bits = 0;

  [[nodiscard]] result<void> check() const {
    if (counter_bits < 1 || counter_bits > 32) {
      return {errc::invalid_argument, "counter-bits is " + std::to_string(counter_bits) + "; it must be from 1 to 32"};
    }
    if (counters > math::max_bits / counter_bits) {
      return {errc::too_large, "counters is " + std::to_string(counters) + "; they may take 2^40 bits"};
    }
    return probe_shape{counters, probes}.check();
  }
  static result<counter_shape> plan(const target&) { return {errc::unsupported, "planned by its format"}; }
  static constexpr std::array<std::string_view, 3> field_names{"counters", "probes", "counter-bits"};
  [[nodiscard]] std::array<std::uint64_t, 3> fields() const noexcept { return {counters, probes, counter_bits}; }
  static result<counter_shape> from_fields(std::span<const std::uint64_t, 3> f) {
    const counter_shape shape{f[0], clamp_to_u32(f[1]), clamp_to_u32(f[2])};
    if (auto ok = shape.check(); !ok) return ok.error();
    return shape;
  }
  /// Eight bytes more than the counters take: the last one is read as a whole word.
  [[nodiscard]] std::size_t bytes() const noexcept { return engines::bit_array_bytes(counters * counter_bits + 64); }
  [[nodiscard]] std::uint32_t lines() const noexcept { return probes; }
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const { return math::bloom_fpr(counters, probes, keys); }

  friend bool operator==(const counter_shape&, const counter_shape&) = default;
};

template <class Rule>
class packed_counter_engine {
 public:
  using digest_type = typename Rule::digest_type;
  using shape_type = counter_shape;
  using access_type = plain_access;
  static constexpr kind_info kind{.id = 0, .name = "counting-bloom"};
  static constexpr std::uint16_t index_rule = 0;

  packed_counter_engine() = default;

  static result<packed_counter_engine> make(const counter_shape& shape) {
    auto bytes = storage::allocate(shape.bytes());
    if (!bytes) return bytes.error();
    return over(shape, std::move(*bytes));
  }
  /// Over shape.bytes() bytes; what lies beyond the last counter is not looked at.
  static result<packed_counter_engine> over(const counter_shape& shape, storage bytes) {
    if (auto ok = shape.check(); !ok) return ok.error();
    if (bytes.size() < shape.bytes()) return {errc::invalid_argument, "too few bytes for the counters"};
    auto rule = Rule::make({.bits = shape.counters, .probes = shape.probes});
    if (!rule) return rule.error();
    return packed_counter_engine(shape, *rule, std::move(bytes));
  }

  void add(const digest_type& d) noexcept {
    visit(d, [this](std::uint64_t at) { set(at, std::min(value(at) + 1, maximum())); });
  }
  void add_many(std::span<const digest_type> digests) noexcept {
    for (const digest_type& d : digests) add(d);
  }
  [[nodiscard]] bool may_contain(const digest_type& d) const noexcept { return count(d) != 0; }
  std::size_t may_contain_many(std::span<const digest_type> digests, bool* out) const noexcept {
    std::size_t found = 0;
    for (const digest_type& d : digests) found += * out++ = may_contain(d);
    return found;
  }
  bool remove(const digest_type& d) noexcept {
    if (!may_contain(d)) return false;
    visit(d, [this](std::uint64_t at) {
      const std::uint64_t now = value(at);
      if (now != 0 && now != maximum()) set(at, now - 1);
    });
    return true;
  }
  [[nodiscard]] std::uint64_t count(const digest_type& d) const noexcept {
    std::uint64_t least = maximum();
    visit(d, [&](std::uint64_t at) { least = std::min(least, value(at)); });
    return least;
  }
  void clear() noexcept { std::fill(bytes_.bytes().begin(), bytes_.bytes().end(), std::byte{0}); }

  // --- what it is

  [[nodiscard]] counter_shape shape() const noexcept { return shape_; }
  [[nodiscard]] std::uint32_t probes() const noexcept { return shape_.probes; }
  [[nodiscard]] bytes_view bytes() const noexcept { return bytes_.bytes(); }
  /// The counters that are not 0.
  [[nodiscard]] std::uint64_t census() const noexcept { return count_pieces(0, shape_.counters).used; }
  // For a survey: counter by counter.
  static constexpr std::string_view place = "counter";
  [[nodiscard]] std::uint64_t pieces() const noexcept { return shape_.counters; }
  [[nodiscard]] counted_places count_pieces(std::uint64_t first, std::uint64_t last) const noexcept {
    counted_places counted{.places = last - first};
    for (std::uint64_t i = first; i < last; ++i) counted.used += value(i) != 0;
    return counted;
  }
  [[nodiscard]] double fill() const noexcept {
    return shape_.counters == 0 ? 0 : static_cast<double>(census()) / static_cast<double>(shape_.counters);
  }
  [[nodiscard]] double estimated_count() const noexcept {
    return math::estimate_count(census(), shape_.counters, shape_.probes);
  }
  [[nodiscard]] double estimated_fpr() const noexcept { return math::fpr_of_fill(fill(), shape_.probes); }
  [[nodiscard]] bool saturated() const noexcept { return math::count_is_weak(fill()); }

  [[nodiscard]] std::uint64_t value(std::uint64_t at) const noexcept {
    const std::uint64_t bit = at * shape_.counter_bits;
    return load_le<std::uint64_t>(bytes_.bytes().data() + bit / 8) >> bit % 8 & maximum();
  }

 protected:
  [[nodiscard]] std::uint64_t maximum() const noexcept { return (std::uint64_t{1} << shape_.counter_bits) - 1; }
  void set(std::uint64_t at, std::uint64_t to) noexcept {
    const std::uint64_t bit = at * shape_.counter_bits, shift = bit % 8;
    std::byte* const where = bytes_.bytes().data() + bit / 8;
    store_le(where, (load_le<std::uint64_t>(where) & ~(maximum() << shift)) | to << shift);
  }
  template <class Use>
  void visit(const digest_type& d, Use use) const noexcept {
    auto state = rule_.start(d);
    for (std::uint32_t i = shape_.probes; i != 0; --i) use(rule_.template take<1>(state)[0]);
  }

 private:
  packed_counter_engine(const counter_shape& shape, const Rule& rule, storage bytes)
      : bytes_(std::move(bytes)), rule_(rule), shape_(shape) {}

  storage bytes_;
  Rule rule_;
  counter_shape shape_;
};

/// Counters, and how many adds there were that no remove has taken back, as the file states it.
template <class Rule>
class counted_counters : public packed_counter_engine<Rule> {
  using base = packed_counter_engine<Rule>;

 public:
  using typename base::digest_type;

  counted_counters() = default;
  counted_counters(base counters, std::uint64_t count) : base(std::move(counters)), count_(count) {}

  void add(const digest_type& d) noexcept {
    base::add(d);
    ++count_;
  }
  void add_many(std::span<const digest_type> digests) noexcept {
    for (const digest_type& d : digests) add(d);
  }
  bool remove(const digest_type& d) noexcept {
    if (!base::remove(d)) return false;
    count_ -= count_ != 0;
    return true;
  }
  void clear() noexcept {
    base::clear();
    count_ = 0;
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return count_; }
  [[nodiscard]] double estimated_count() const noexcept { return static_cast<double>(count_); }

 private:
  std::uint64_t count_ = 0;
};

}  // namespace seen::inline v1::foreign
