// secret: the 128 bits that make a filter safe against people who choose their keys.
//
// Whoever knows the hash of an unkeyed filter can pick keys that fill it or that it wrongly says "maybe" to. Under
// SipHash with a secret they can do no better than guess. The secret is not part of a file unless asked for.
#pragma once

#include <seen/base/result.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <sys/random.h>
#include <unistd.h>

namespace seen::inline v1 {

/// A 128-bit key for SipHash: bytes 0..7 and 8..15 are its two little-endian words.
struct secret {
  std::array<std::byte, 16> bytes{};

  /// A secret from the operating system's random source.
  static result<secret> random() {
    secret fresh;
    if (::getentropy(fresh.bytes.data(), fresh.bytes.size()) != 0) {
      return system_error("secret", "getentropy", errno);
    }
    return fresh;
  }

  friend bool operator==(const secret&, const secret&) = default;
};

}  // namespace seen::inline v1
