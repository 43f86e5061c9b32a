// Where other libraries' Bloom filters put the bits of a key: rules for bloom_engine.
//
//   sum_rule<Fold>   position i = Fold(a + i·b) mod m, from a digest_pair            most libraries
//   list_rule        position i = word i of the digest mod m                         one hash per position
//   slice_rule       position i = i·s + (a + i·b) mod s                              a slice per position
//   list_slice_rule  position i = i·s + word i mod s
//
// Sums wrap at 64 bits. The libraries disagree about how the sum becomes a number below m, and Fold says how.
// A library that counts i from 1 starts with a + b: its hash function gives it so. The modulus may be smaller than the
// array (bits-and-blooms takes words from its caller, RedisBloom rounds up).
//
// A rule of one format only lives in that format's file. The contract is in engines/bloom_engine.hpp.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/engines/bloom_engine.hpp>
#include <seen/filters/bloom.hpp>
#include <seen/filters/partitioned_bloom.hpp>
#include <seen/math/bloom.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "formats/hashing/foreign_hash.hpp"

namespace seen::inline v1::foreign {

/// More probes than any library plans for (a rate of 1e-38 takes 127): more is a broken file, or one to wear us out.
inline constexpr std::uint32_t max_probes = 255;

/// The shape of a foreign Bloom filter.
struct probe_shape {
  std::uint64_t bits = 0;  ///< positions are below it
  std::uint32_t probes = 0;
  std::uint64_t stored_bits = 0;  ///< the array may be longer; 0: as long as `bits`

  [[nodiscard]] std::uint64_t array_bits() const noexcept { return std::max(bits, stored_bits); }

  static result<probe_shape> make(std::uint64_t bits, std::uint64_t probes, std::uint64_t stored_bits = 0) {
    probe_shape shape{bits, clamp_to_u32(probes), stored_bits};
    if (auto ok = shape.check(); !ok) return ok.error();
    return shape;
  }
  [[nodiscard]] result<void> check() const {
    if (bits < 1 || array_bits() > math::max_bits) {
      return {bits < 1 ? errc::invalid_argument : errc::too_large,
              "bits is " + std::to_string(bits < 1 ? bits : array_bits()) + "; it must be from 1 to 2^40"};
    }
    if (probes < 1 || probes > max_probes) {
      return {errc::invalid_argument,
              "probes is " + std::to_string(probes) + "; it must be from 1 to " + std::to_string(max_probes)};
    }
    return {};
  }

  static result<probe_shape> plan(const target& asked) {
    auto usual = bloom_shape::plan(asked);
    if (!usual) return usual.error();
    return probe_shape{usual->bits, usual->probes};
  }
  static constexpr std::array<std::string_view, 2> field_names{"bits", "probes"};
  [[nodiscard]] std::array<std::uint64_t, 2> fields() const noexcept { return {bits, probes}; }
  static result<probe_shape> from_fields(std::span<const std::uint64_t, 2> fields) {
    return make(fields[0], fields[1]);
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return engines::bit_array_bytes(array_bits()); }
  [[nodiscard]] std::uint32_t lines() const noexcept { return probes; }
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const { return math::bloom_fpr(bits, probes, keys); }

  friend bool operator==(const probe_shape&, const probe_shape&) = default;
};

/// Shared by all rules over one probe_shape; Rule brings state, start and take.
template <class Rule>
class shaped_rule {
 public:
  using shape_type = probe_shape;
  static constexpr kind_info kind = chain_rule::kind;
  static constexpr std::uint16_t id = 0;  // has no native file
  static constexpr std::uint32_t max_probes = foreign::max_probes;

  static result<Rule> make(const probe_shape& shape) {
    if (auto ok = shape.check(); !ok) return ok.error();
    Rule rule;
    rule.shape_ = shape;
    rule.mod_ = detail::fastmod(shape.bits);
    return rule;
  }
  [[nodiscard]] probe_shape shape() const noexcept { return shape_; }
  [[nodiscard]] std::uint64_t bits() const noexcept { return shape_.array_bits(); }
  [[nodiscard]] std::uint32_t probes() const noexcept { return shape_.probes; }
  [[nodiscard]] std::uint64_t fold_unit() const noexcept { return 0; }
  [[nodiscard]] Rule folded(std::uint64_t) const noexcept { return static_cast<const Rule&>(*this); }

 protected:
  detail::fastmod mod_;
  probe_shape shape_;
};

// --- how a sum becomes what is reduced

struct as_it_is {
  static constexpr std::uint64_t of(std::uint64_t x) noexcept { return x; }
};
struct without_sign {  // Java: x & Long.MAX_VALUE
  static constexpr std::uint64_t of(std::uint64_t x) noexcept { return x & ~(std::uint64_t{1} << 63); }
};
struct complement_if_negative {  // Java: x < 0 ? ~x : x
  static constexpr std::uint64_t of(std::uint64_t x) noexcept { return x >> 63 != 0 ? ~x : x; }
};
struct complement_if_negative_32 {  // the same of the low 32 bits
  static constexpr std::uint64_t of(std::uint64_t x) noexcept {
    const auto low = static_cast<std::uint32_t>(x);
    return low >> 31 != 0 ? static_cast<std::uint32_t>(~low) : low;
  }
};
struct magnitude {  // Java: Math.abs(x % m), the remainder having the sign of x
  static constexpr std::uint64_t of(std::uint64_t x) noexcept { return x >> 63 != 0 ? std::uint64_t{0} - x : x; }
};
struct low_half {
  static constexpr std::uint64_t of(std::uint64_t x) noexcept { return x & 0xffff'ffff; }
};
struct half_of {
  static constexpr std::uint64_t of(std::uint64_t x) noexcept { return x >> 1; }
};

/// Pair is digest_pair, or derived from it.
template <class Fold, class Pair = digest_pair>
class sum_rule : public shaped_rule<sum_rule<Fold, Pair>> {
 public:
  using digest_type = Pair;
  using state = digest_pair;

  [[nodiscard]] state start(digest_pair d) const noexcept { return d; }
  template <std::size_t N>
  [[nodiscard]] std::array<std::uint64_t, N> take(state& from) const noexcept {
    std::array<std::uint64_t, N> at;
    for (std::size_t i = 0; i < N; ++i) at[i] = this->mod_(Fold::of(from.a + i * from.b));
    from.a += N * from.b;
    return at;
  }
};

/// A filter with positions a, a + b, a + 2b, …
template <class Fold = as_it_is>
using sum_bloom = filter<engines::bloom_engine<sum_rule<Fold>, plain_access>, foreign_hash<digest_pair>>;

/// List is a digest_list.
template <class List>
class list_rule : public shaped_rule<list_rule<List>> {
 public:
  using digest_type = List;
  using state =
      decltype(List().word.data() + 0, static_cast<const typename decltype(List::word)::value_type*>(nullptr));
  static constexpr std::uint32_t max_probes = std::tuple_size_v<decltype(List::word)>;

  static result<list_rule> make(const probe_shape& shape) {
    if (shape.probes > max_probes) {
      return {errc::too_large, "probes is " + std::to_string(shape.probes) + "; at most " + std::to_string(max_probes) +
                                   " are read here"};
    }
    return shaped_rule<list_rule>::make(shape);
  }

  // The digest outlives the state: both are gone when the call that was given the digest returns.
  [[nodiscard]] state start(const List& d) const noexcept { return d.word.data(); }
  template <std::size_t N>
  [[nodiscard]] std::array<std::uint64_t, N> take(state& from) const noexcept {
    std::array<std::uint64_t, N> at;
    for (std::size_t i = 0; i < N; ++i) at[i] = this->mod_(from[i]);
    from += N;
    return at;
  }
};

template <class List>
using list_bloom = filter<engines::bloom_engine<list_rule<List>, plain_access>, foreign_hash<List>>;

}  // namespace seen::inline v1::foreign
