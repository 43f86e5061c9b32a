// A quotient filter's table written from a sorted list of fingerprints, slot by slot and bit by bit, by the words of
// docs/formats/native.md and sharing no code with the library: what the engine's bytes must be.
#pragma once

#include <seen/filters/quotient.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace seen::testing {

/// A digest with this quotient and remainder: of those that have them the first, or the one that lies among them as
/// `rest` lies among all numbers.
inline digest digest_with(const quotient_shape& p, std::uint64_t quotient, std::uint64_t remainder,
                          std::uint64_t rest = 0) {
  const std::uint64_t fingerprint = quotient << p.remainder_bits | remainder, all = p.blocks << (6 + p.remainder_bits);
  // The first digest of fingerprint f is ceil(f·2^64/all), long division bit by bit; none has more than 2^64/64 of them.
  const auto first_of = [&](std::uint64_t f) {
    std::uint64_t result = 0, left = f;
    for (int bit = 0; bit < 64; ++bit) {
      const bool carry = left >> 63 != 0;
      left <<= 1;
      result <<= 1;
      if (carry || left >= all) {
        left -= all;
        result |= 1;
      }
    }
    return result + (left != 0);
  };
  const std::uint64_t first = first_of(fingerprint), next = fingerprint + 1 == all ? 0 : first_of(fingerprint + 1);
  return digest(first + mulhi(rest, next - first));
}

/// The body of a filter that holds these fingerprints (ascending), or nothing where they do not fit.
inline std::optional<std::vector<std::byte>> modelled_bytes(const quotient_shape& p,
                                                            const std::vector<std::uint64_t>& fingerprints) {
  const std::uint64_t quotients = 64 * p.blocks;
  const std::uint64_t blocks = p.blocks + (p.blocks < 4 ? p.blocks : 4);
  const std::uint64_t block_bits = 64 + 64 + 16 + 64 * std::uint64_t{p.remainder_bits};
  std::vector<std::byte> bytes(static_cast<std::size_t>((blocks * block_bits / 8 + 8 + 63) / 64 * 64));
  const auto put = [&](std::uint64_t at, std::uint64_t width, std::uint64_t value) {
    for (std::uint64_t i = 0; i < width; ++i) {
      if ((value >> i & 1) != 0) bytes[static_cast<std::size_t>((at + i) / 8)] |= std::byte(1 << (at + i) % 8);
    }
  };
  if (fingerprints.size() > quotients * 21 / 22) return {};
  put(blocks * block_bits, 64, fingerprints.size());

  std::uint64_t next = 0;  // the first free slot
  std::vector<std::uint64_t> offsets(static_cast<std::size_t>(blocks));
  for (std::size_t i = 0; i < fingerprints.size(); ++i) {
    const std::uint64_t quotient = fingerprints[i] >> p.remainder_bits;
    const std::uint64_t slot = std::max(next, quotient), block = slot / 64;
    if (block >= blocks) return {};
    next = slot + 1;
    const bool is_last = i + 1 == fingerprints.size() || fingerprints[i + 1] >> p.remainder_bits != quotient;
    if (is_last) put(quotient / 64 * block_bits + quotient % 64, 1, 1);
    put(block * block_bits + 64 + slot % 64, 1, is_last);
    put(block * block_bits + 144 + slot % 64 * p.remainder_bits, p.remainder_bits, fingerprints[i]);
    for (std::uint64_t b = quotient / 64 + 1; b <= block; ++b) {
      std::uint64_t& offset = offsets[static_cast<std::size_t>(b)];
      offset = std::max(offset, next - b * 64);
      if (offset > 65535) return {};
    }
  }
  for (std::uint64_t b = 0; b < blocks; ++b) put(b * block_bits + 128, 16, offsets[static_cast<std::size_t>(b)]);
  return bytes;
}

/// All fingerprints of an engine.
inline std::vector<std::uint64_t> fingerprints_of(const quotient::engine_type& e) {
  std::vector<std::uint64_t> all;
  for (const std::uint64_t fingerprint : e.fingerprints()) all.push_back(fingerprint);
  return all;
}

/// The bytes of an engine.
inline std::vector<std::byte> bytes_of(const quotient::engine_type& e) {
  return {e.bytes().begin(), e.bytes().end()};
}

/// An engine over a copy of some bytes, unchecked.
inline quotient::engine_type engine_over(const quotient_shape& p, const std::vector<std::byte>& bytes) {
  auto copy = storage::allocate(bytes.size()).value();
  std::copy(bytes.begin(), bytes.end(), copy.data());
  return quotient::engine_type::over(p, std::move(copy)).value();
}

}  // namespace seen::testing
