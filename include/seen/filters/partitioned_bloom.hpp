// The partitioned Bloom filter: k slices of s = ceil(m/k) bits, and probe i falls in slice i.
//
//   slice 0 [..1.....]   slice 1 [.....1..]   …   slice k-1 [1.......]      one bit of the key in each
//
// Positions of one key never coincide, so the rate is exactly (1 - (1 - 1/s)^n)^k, a hair above the classic filter's at
// the same size. The kind matters where slices live apart (hardware banks, one slice per node). Within a slice
// the index rule is the classic chain, and a filter folds by any divisor of s.
#pragma once

#include <seen/filters/bloom.hpp>
#include <seen/math/partitioned_bloom.hpp>

#include <cstddef>
#include <cstdint>

namespace seen::inline v1 {

/// The shape of a partitioned_bloom.
struct partitioned_bloom_shape {
  std::uint64_t bits = 0;    ///< of all slices together; rounded up to a multiple of probes
  std::uint32_t probes = 0;  ///< number of slices, 1 to 30

  /// The classic filter's shape for the target, rounded up to whole slices.
  static result<partitioned_bloom_shape> plan(const target& asked) {
    auto shape = math::partitioned_shape_for(asked);
    if (!shape) return shape.error();
    return partitioned_bloom_shape{.bits = shape->bits(), .probes = shape->probes};
  }
  /// The fields that a file stores and `info` prints, in this order.
  static constexpr std::array<std::string_view, 2> field_names{"bits", "probes"};
  [[nodiscard]] std::array<std::uint64_t, 2> fields() const noexcept { return {bits, probes}; }
  static result<partitioned_bloom_shape> from_fields(std::span<const std::uint64_t, 2> fields) {
    if (auto ok = detail::check_shape(fields[0], fields[1]); !ok) return ok.error();
    return partitioned_bloom_shape{.bits = fields[0], .probes = static_cast<std::uint32_t>(fields[1])};
  }
  /// Bits of one slice.
  [[nodiscard]] std::uint64_t slice_bits() const noexcept { return probes == 0 ? 0 : ceil_div(bits, probes); }
  /// Bytes of memory that the bits take.
  [[nodiscard]] std::size_t bytes() const noexcept { return engines::bit_array_bytes(rounded().bits); }
  /// Cache lines that a lookup of a present key touches.
  [[nodiscard]] std::uint32_t lines() const noexcept { return probes; }
  /// The false-positive rate with this many keys in it, more than planned included.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const {
    return math::partitioned_fpr(slice_bits(), probes, keys);
  }
  [[nodiscard]] partitioned_bloom_shape rounded() const noexcept {
    return {.bits = slice_bits() * probes, .probes = probes};
  }
  /// The same with slices that have many divisors to fold by, multiples of 5040.
  [[nodiscard]] partitioned_bloom_shape foldable() const noexcept {
    return {.bits = round_up(slice_bits(), math::foldable_unit) * probes, .probes = probes};
  }

  friend bool operator==(const partitioned_bloom_shape&, const partitioned_bloom_shape&) = default;
};

/// Position i = i·s + mulhi(xi, s), with the chain of the classic rule.
class slice_rule {
 public:
  using digest_type = digest;
  using shape_type = partitioned_bloom_shape;
  struct state {
    std::uint64_t x;
    std::uint64_t slice_begin;
  };

  static constexpr kind_info kind{.id = 2, .name = "partitioned-bloom"};
  static constexpr std::uint16_t id = 2;
  static constexpr std::uint32_t max_probes = math::max_probes;

  static result<slice_rule> make(const partitioned_bloom_shape& p) {
    if (auto ok = detail::check_shape(p.bits, p.probes); !ok) return ok.error();
    if (auto ok = detail::check_shape(p.rounded().bits, p.probes); !ok) return ok.error();
    return slice_rule(p.rounded());
  }
  slice_rule() noexcept = default;

  [[nodiscard]] partitioned_bloom_shape shape() const noexcept { return {.bits = bits(), .probes = probes_}; }
  [[nodiscard]] std::uint64_t bits() const noexcept { return slice_ * probes_; }
  [[nodiscard]] std::uint32_t probes() const noexcept { return probes_; }

  [[nodiscard]] state start(digest d) const noexcept { return {d.value, 0}; }
  template <std::size_t N>
  [[nodiscard]] std::array<std::uint64_t, N> take(state& from) const noexcept {
    std::array<std::uint64_t, N> at;
    for (std::size_t i = 0; i < N; ++i) {
      at[i] = from.slice_begin + i * slice_ + mulhi(from.x * chain_rule::powers[i], slice_);
    }
    from.x *= chain_rule::powers[N];
    from.slice_begin += N * slice_;
    return at;
  }

  [[nodiscard]] std::uint64_t fold_unit() const noexcept { return slice_; }
  [[nodiscard]] slice_rule folded(std::uint64_t divisor) const noexcept {
    return slice_rule({.bits = bits() / divisor, .probes = probes_});
  }

 private:
  explicit slice_rule(const partitioned_bloom_shape& p) noexcept : slice_(p.slice_bits()), probes_(p.probes) {}

  std::uint64_t slice_ = 0;
  std::uint32_t probes_ = 0;
};

/// A Bloom filter whose probes fall into disjoint slices, for one thread at a time.
using partitioned_bloom = filter<engines::bloom_engine<slice_rule, plain_access>, default_hash>;

/// The same filter with atomic words.
using concurrent_partitioned_bloom = filter<engines::bloom_engine<slice_rule, atomic_access>, default_hash>;

}  // namespace seen::inline v1
