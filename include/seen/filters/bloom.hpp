// The classic Bloom filter: m bits, k probes, never a false negative.   [Bloom 1970]
//
//   digest = x0 ──► mulhi(x0, m) = position 0        bits  0 1 2 3 … m-1
//            x1 = x0·C ──► position 1                      . 1 . . 1 . . 1
//            x2 = x1·C ──► position 2 …                      ▲     ▲     ▲   all k set: "maybe", one clear: "no"
//
// The index rule is a multiplicative chain reduced by multiply-high. Double hashing, h1 + i·h2, would save a
// multiplication and cost 1.1-2.2 times the rate for n <= 1000. The chain measures like independent hashing. Nothing
// but the reduction depends on m, and floor(mulhi(x, m) / c) = mulhi(x, m / c), so a filter built too large folds down
// to any divisor of m (shrink_to_fpr).
//
// Space 1.44·log2(1/fpr) bits per key; rate in math/bloom.hpp. A lookup touches k lines. Where one cache miss matters
// more than a third more space, use a blocked kind.
//
// concurrent_bloom is the same engine with atomic words, and the same bytes.
#pragma once

#include <seen/base/target.hpp>
#include <seen/engines/bloom_engine.hpp>
#include <seen/filter.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/math/bloom.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace seen::inline v1 {

namespace detail {

/// Refuses m and k outside their ranges; shared by all rules over an array of bits.
result<void> check_shape(std::uint64_t bits, std::uint64_t probes);

}  // namespace detail

/// The shape of a bloom filter: what `plan<bloom>` computes and `bloom(bloom_shape{…})` takes.
struct bloom_shape {
  std::uint64_t bits = 0;    ///< m, 1 to 2^40
  std::uint32_t probes = 0;  ///< k, 1 to 30

  /// The smallest shape that holds the target's keys at its rate.
  static result<bloom_shape> plan(const target& asked) {
    auto shape = math::bloom_shape_for(asked);
    if (!shape) return shape.error();
    return bloom_shape{.bits = shape->bits, .probes = shape->probes};
  }
  /// The fields that a file stores and `info` prints, in this order.
  static constexpr std::array<std::string_view, 2> field_names{"bits", "probes"};
  [[nodiscard]] std::array<std::uint64_t, 2> fields() const noexcept { return {bits, probes}; }
  static result<bloom_shape> from_fields(std::span<const std::uint64_t, 2> fields) {
    if (auto ok = detail::check_shape(fields[0], fields[1]); !ok) return ok.error();
    return bloom_shape{.bits = fields[0], .probes = static_cast<std::uint32_t>(fields[1])};
  }
  /// Bytes of memory that the bits take.
  [[nodiscard]] std::size_t bytes() const noexcept { return engines::bit_array_bytes(bits); }
  /// Cache lines that a lookup of a present key touches.
  [[nodiscard]] std::uint32_t lines() const noexcept { return probes; }
  /// The false-positive rate with this many keys in it, more than planned included.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const { return math::bloom_fpr(bits, probes, keys); }

  friend bool operator==(const bloom_shape&, const bloom_shape&) = default;
};

/// The native rule: x0 = digest, x(i+1) = xi·C, position i = mulhi(xi, m).
class chain_rule {
 public:
  using digest_type = digest;
  using shape_type = bloom_shape;
  using state = std::uint64_t;

  static constexpr kind_info kind{.id = 1, .name = "bloom"};
  static constexpr std::uint16_t id = 1;
  static constexpr std::uint32_t max_probes = math::max_probes;
  /// A multiplier of good lattice structure in 2 to 8 dimensions, so that successive positions behave as independent.
  /// [Steele & Vigna 2022, "Computationally easy, spectrally good multipliers"]. Part of the file format.
  static constexpr std::uint64_t multiplier = 0xf1357aea2e62a9c5;
  /// C^0 to C^8, modulo 2^64.
  static constexpr std::array<std::uint64_t, 9> powers = [] {
    std::array<std::uint64_t, 9> power{1};
    for (std::size_t i = 1; i < power.size(); ++i) power[i] = power[i - 1] * multiplier;
    return power;
  }();

  static result<chain_rule> make(const bloom_shape& p) {
    if (auto ok = detail::check_shape(p.bits, p.probes); !ok) return ok.error();
    return chain_rule(p);
  }
  chain_rule() noexcept = default;

  [[nodiscard]] bloom_shape shape() const noexcept { return shape_; }
  [[nodiscard]] std::uint64_t bits() const noexcept { return shape_.bits; }
  [[nodiscard]] std::uint32_t probes() const noexcept { return shape_.probes; }

  [[nodiscard]] state start(digest d) const noexcept { return d.value; }
  // By the powers of C the N positions do not wait for one another, and their loads start together.
  template <std::size_t N>
  [[nodiscard]] std::array<std::uint64_t, N> take(state& x) const noexcept {
    std::array<std::uint64_t, N> at;
    for (std::size_t i = 0; i < N; ++i) at[i] = mulhi(x * powers[i], shape_.bits);
    x *= powers[N];
    return at;
  }

  [[nodiscard]] std::uint64_t fold_unit() const noexcept { return shape_.bits; }
  [[nodiscard]] chain_rule folded(std::uint64_t divisor) const noexcept {
    return chain_rule({.bits = shape_.bits / divisor, .probes = shape_.probes});
  }

 private:
  explicit chain_rule(const bloom_shape& shape) noexcept : shape_(shape) {}

  bloom_shape shape_;
};

/// A classic Bloom filter for one thread at a time, hashing with the default hash.
using bloom = filter<engines::bloom_engine<chain_rule, plain_access>, default_hash>;

/// The same filter with atomic words: add, may_contain and test_and_add from any thread, wait-free.
using concurrent_bloom = filter<engines::bloom_engine<chain_rule, atomic_access>, default_hash>;

}  // namespace seen::inline v1
