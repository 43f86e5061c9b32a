// FNV-1a, 64 bits: one xor and one multiplication per byte, twelve lines in any language.
//
//   h = offset basis;  for each byte b:  h = (h ^ b) · 0x100000001b3          [Fowler, Noll, Vo 1991]
//
// Raw, it is what phrozen/bloom and others use, and it is weak. Products carry upward only: bit j of a byte never
// reaches the digest bits below j; and the last byte is multiplied just once, so it never reaches the top bits, from
// which positions are taken. On sequential big-endian integers that ruins the rate (tests/hash/quality_test.cpp).
// `fnv1a_64_splitmix` cures it with the finaliser of SplitMix64 [Steele, Lea, Flood 2014]; it is the hash of the
// portable lab format. Neither takes a seed.
#pragma once

#include <seen/hash/hash.hpp>

#include <cstdint>

namespace seen::inline v1 {

/// The value FNV-1a starts from.
inline constexpr std::uint64_t fnv1a_64_offset_basis = 0xcbf2'9ce4'8422'2325;

/// FNV-1a over `key`, starting from `offset_basis` (peers that hash in pieces or by salt pass another).
[[nodiscard]] constexpr std::uint64_t fnv1a_64_word(bytes_view key,
                                                    std::uint64_t offset_basis = fnv1a_64_offset_basis) noexcept {
  std::uint64_t h = offset_basis;
  for (const std::byte b : key) h = (h ^ std::to_integer<std::uint64_t>(b)) * 0x0000'0100'0000'01b3;
  return h;
}

namespace detail {

enum class finish : bool { raw, splitmix };

/// Both FNV-1a hashes, with and without the finaliser.
template <finish Finish>
class fnv1a_64_base {
 public:
  static constexpr hash_id id = Finish == finish::raw ? hash_id::fnv1a_64 : hash_id::fnv1a_64_splitmix;
  static constexpr bool is_keyed = false;
  static constexpr bool is_avalanching = Finish == finish::splitmix;
  static constexpr int seed_bits = 0;
  using digest_type = digest;

  constexpr fnv1a_64_base() noexcept = default;
  /// For code that treats all hashes alike: any seed but 0 throws std::invalid_argument.
  explicit fnv1a_64_base(std::uint64_t seed) { static_cast<void>(checked_seed<fnv1a_64_base>(seed)); }

  [[nodiscard]] constexpr digest operator()(bytes_view key) const noexcept {
    const std::uint64_t h = fnv1a_64_word(key);
    return digest(Finish == finish::raw ? h : splitmix64(h));
  }

  [[nodiscard]] constexpr std::uint64_t seed() const noexcept { return 0; }

  [[nodiscard]] static result<fnv1a_64_base> restore(const hash_identity& stored, const secret* given) {
    return restore_hash<fnv1a_64_base>(stored, given);
  }
};

}  // namespace detail

/// FNV-1a 64 as it is: for reading peers' filters. Unseeded, and not avalanching.
using fnv1a_64 = detail::fnv1a_64_base<detail::finish::raw>;

/// FNV-1a 64 finished by SplitMix64: the hash of the portable lab format. Unseeded.
using fnv1a_64_splitmix = detail::fnv1a_64_base<detail::finish::splitmix>;

static_assert(hash_function<fnv1a_64> && hash_function<fnv1a_64_splitmix>);

}  // namespace seen::inline v1
