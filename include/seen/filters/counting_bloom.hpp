// The counting Bloom filter: a classic one whose bits are small counters, so that keys can be taken out again.
//   [Fan, Cao, Almeida, Broder 2000, "Summary Cache: A Scalable Wide-Area Web Cache Sharing Protocol"]
//
//   digest = x0 ──► mulhi(x0, m) = counter 0        counters  0 1 2 3 … m-1       each of w = 2, 4, 8 or 16 bits
//            x1 = x0·C ──► counter 1                          0 3 0 0 1 0 0 2
//            x2 = x1·C ──► counter 2 …                          ▲     ▲     ▲     none is 0: "maybe", one is 0: "no"
//
// The index rule is bloom's. Two probes of one key may fall on one counter. Then an add raises it twice and a remove
// lowers it twice, so one undoes the other, and a counter holds Binomial(k·n, 1/m) as math/counting_bloom.hpp has it.
// Answers do not depend on it: a counter is 0 or it is not.
//
// m and k are bloom's, so w times the space: 38 bits per key at 1 % with w = 4. Four bits are enough for keys added
// once each: at plan a counter reaches its maximum 15 with probability 3.5e-15. Keys added many times need 8 or 16.
// With 2 bits one counter in 26 is stuck at plan and no longer falls: only for filters that see few removals.
//
// concurrent_counting_bloom is the same engine with atomic words, and the same bytes: lookups wait-free, changes
// lock-free.
#pragma once

#include <seen/base/target.hpp>
#include <seen/engines/counting_engine.hpp>
#include <seen/filter.hpp>
#include <seen/filters/bloom.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/math/counting_bloom.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace seen::inline v1 {

/// The shape of a counting_bloom: what `plan<counting_bloom>` computes and `counting_bloom(counting_bloom_shape{…})`
/// takes.
struct counting_bloom_shape {
  std::uint64_t counters = 0;      ///< m, from 1 up; with their width at most 2^40 bits
  std::uint32_t probes = 0;        ///< k, 1 to 30
  std::uint32_t counter_bits = 4;  ///< w: 2, 4, 8 or 16

  /// The smallest shape that holds the target's keys at its rate, with counters of 4 bits.
  static result<counting_bloom_shape> plan(const target& asked) { return plan(asked, {.counter_bits = 0}); }
  /// The same where some fields are given; those that are 0 are free.
  static result<counting_bloom_shape> plan(const target& asked, const counting_bloom_shape& wishes) {
    const std::uint32_t width = wishes.counter_bits == 0 ? 4 : wishes.counter_bits;
    if (auto ok = check_width(width); !ok) return ok.error();
    auto shape = math::counting_shape_for(asked, width);
    if (!shape && (shape.error().code == errc::invalid_argument || wishes.counters == 0)) return shape.error();
    counting_bloom_shape planned{.counters = wishes.counters, .probes = wishes.probes, .counter_bits = width};
    if (planned.counters == 0 && planned.probes == 0) {
      planned.counters = shape->bits;
      planned.probes = shape->probes;
    } else if (planned.probes == 0) {
      planned.probes = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
          math::probes_for(std::min(planned.counters, math::max_bits), asked.capacity), 1, math::max_probes));
    } else if (planned.counters == 0) {
      if (auto ok = detail::check_shape(1, planned.probes); !ok) return ok.error();
      const double per_key = std::min(math::bits_per_key(asked.fpr, planned.probes), 0x1p23);
      planned.counters = math::bits_for(asked.capacity, static_cast<std::uint64_t>(per_key * 0x1p40));
    }
    if (auto ok = planned.check(); !ok) return ok.error();
    return planned;
  }

  /// The fields that a file stores and `info` prints, in this order.
  static constexpr std::array<std::string_view, 3> field_names{"counters", "probes", "counter-bits"};
  [[nodiscard]] std::array<std::uint64_t, 3> fields() const noexcept { return {counters, probes, counter_bits}; }
  static result<counting_bloom_shape> from_fields(std::span<const std::uint64_t, 3> fields) {
    if (auto ok = check_width(fields[2]); !ok) return ok.error();
    if (auto ok = detail::check_shape(1, fields[1]); !ok) return ok.error();
    const counting_bloom_shape p{.counters = fields[0],
                                 .probes = static_cast<std::uint32_t>(fields[1]),
                                 .counter_bits = static_cast<std::uint32_t>(fields[2])};
    if (auto ok = p.check(); !ok) return ok.error();
    return p;
  }
  /// The fields that `plan` must keep, as a user named them; 0 is free.
  static counting_bloom_shape from_wishes(std::span<const std::uint64_t, 3> fields) noexcept {
    return {.counters = fields[0], .probes = clamp_to_u32(fields[1]), .counter_bits = clamp_to_u32(fields[2])};
  }
  /// Rejects numbers that are not a shape, and names the values that are.
  [[nodiscard]] result<void> check() const {
    if (auto ok = check_width(counter_bits); !ok) return ok;
    if (counters < 1 || counters > math::max_bits / counter_bits) {
      return {counters < 1 ? errc::invalid_argument : errc::too_large,
              "counters is " + std::to_string(counters) + "; of " + std::to_string(counter_bits) +
                  " bits there may be from 1 to " + std::to_string(math::max_bits / counter_bits) + " (2^40 bits)"};
    }
    return detail::check_shape(counters * counter_bits, probes);
  }
  /// Bytes of memory that the counters take.
  [[nodiscard]] std::size_t bytes() const noexcept { return engines::bit_array_bytes(counters * counter_bits); }
  /// Cache lines that a lookup of a present key touches.
  [[nodiscard]] std::uint32_t lines() const noexcept { return probes; }
  /// The false-positive rate with this many keys in it, more than planned included.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const { return math::bloom_fpr(counters, probes, keys); }

  friend bool operator==(const counting_bloom_shape&, const counting_bloom_shape&) = default;

 private:
  static result<void> check_width(std::uint64_t width) {
    if (width == 2 || width == 4 || width == 8 || width == 16) return {};
    return {errc::invalid_argument, "counter-bits is " + std::to_string(width) + "; it must be 2, 4, 8 or 16"};
  }
};

/// The native chain of bloom, over counters.
class counter_chain_rule {
 public:
  using digest_type = digest;
  using shape_type = counting_bloom_shape;
  using state = chain_rule::state;

  static constexpr kind_info kind{.id = 5, .name = "counting-bloom"};
  static constexpr std::uint16_t id = 5;
  static constexpr std::uint32_t max_probes = chain_rule::max_probes;

  static result<counter_chain_rule> make(const counting_bloom_shape& p) {
    if (auto ok = p.check(); !ok) return ok.error();
    auto chain = chain_rule::make({.bits = p.counters, .probes = p.probes});
    if (!chain) return chain.error();
    return counter_chain_rule(*chain, p.counter_bits);
  }
  counter_chain_rule() noexcept = default;

  [[nodiscard]] counting_bloom_shape shape() const noexcept {
    return {.counters = counters(), .probes = probes(), .counter_bits = width_};
  }
  [[nodiscard]] std::uint64_t counters() const noexcept { return chain_.bits(); }
  [[nodiscard]] std::uint32_t probes() const noexcept { return chain_.probes(); }
  [[nodiscard]] std::uint32_t width() const noexcept { return width_; }

  template <class Use>
  void visit(digest d, Use use) const noexcept {
    auto walk = chain_.start(d);
    for (std::uint32_t i = probes(); i != 0; --i) use(chain_.take<1>(walk)[0]);
  }

  template <class Access>
  void add(std::uint64_t* words, digest d) const noexcept {
    kernels::bloom_add(kernels::counter_cells<Access>(words, width_), chain_, chain_.start(d), probes());
  }
  template <class Access>
  [[nodiscard]] bool lookup(const std::uint64_t* words, digest d) const noexcept {
    return with_cells<Access>(
        words, [&](const auto cells) { return kernels::bloom_lookup(cells, chain_, chain_.start(d), probes()); });
  }
  template <class Access>
  void add_many(std::uint64_t* words, std::span<const digest> digests) const noexcept {
    kernels::bloom_add_many(kernels::counter_cells<Access>(words, width_), chain_, probes(), digests);
  }
  template <class Access>
  std::size_t lookup_many(const std::uint64_t* words, std::span<const digest> digests, bool* out) const noexcept {
    return with_cells<Access>(
        words, [&](const auto cells) { return kernels::bloom_lookup_many(cells, chain_, probes(), digests, out); });
  }
  template <class Access>
  [[nodiscard]] double rate(const std::uint64_t*, std::uint64_t nonzero) const noexcept {
    return math::fpr_of_fill(static_cast<double>(nonzero) / static_cast<double>(counters()), probes());
  }

 private:
  template <class Access, class Use>
  [[gnu::always_inline]] auto with_cells(const std::uint64_t* words, Use use) const noexcept {
    using kernels::counter_cells, kernels::usual_width;
    if constexpr (!Access::is_shared) {  // shared words are read whole, whatever the width
      if (width_ == usual_width()) return use(counter_cells<Access, const std::uint64_t, usual_width>(words, {}));
    }
    return use(counter_cells<Access, const std::uint64_t>(words, width_));
  }

  counter_chain_rule(const chain_rule& chain, std::uint32_t width) noexcept : chain_(chain), width_(width) {}

  chain_rule chain_;
  std::uint32_t width_ = 0;
};

/// A Bloom filter that keys can be removed from and counted in, for one thread at a time, hashing with the default hash.
using counting_bloom = filter<engines::counting_engine<counter_chain_rule, plain_access>, default_hash>;

/// The same filter with atomic words: lookups wait-free, add and remove lock-free, from any thread.
using concurrent_counting_bloom = filter<engines::counting_engine<counter_chain_rule, atomic_access>, default_hash>;

}  // namespace seen::inline v1
