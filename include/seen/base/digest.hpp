// digest: the 64 bits a key becomes. All native engines see digests and nothing else.
//
//   key ──hash──► digest ──engine──► answer
//
// It is a type of its own because an integer is a *key*: f.add(42) hashes 42, f.add(seen::digest{42}) does not.
// Hash once, ask many filters: every operation of a filter also takes a digest.
#pragma once

#include <seen/base/version.hpp>

#include <compare>
#include <cstdint>

namespace seen::inline v1 {

/// A key already hashed to 64 uniform bits.
struct digest {
  std::uint64_t value = 0;

  constexpr digest() = default;
  constexpr explicit digest(std::uint64_t bits) noexcept : value(bits) {}

  friend constexpr auto operator<=>(digest, digest) = default;
};

}  // namespace seen::inline v1
