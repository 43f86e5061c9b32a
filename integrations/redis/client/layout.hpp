// layout: how one filter lies in a cluster, so that every client finds the same part for a key.
//
//   users                     the record: a hash with the numbers below, written last and deleted first
//   users/{3}, users/{11} …   the parts, each a filter of its own with the key NAME/{t}
//
//   part i of N lies in slot floor((2i + 1) · 16384 / 2N); its tag t is the smallest number whose digits lie there
//   a key lies in part   i = high 64 bits of (XXH3-64 of the key, with the record's seed) · N
//
// So parts are spread evenly over slots, and those of one index of two filters of equal N lie in one slot, where BF.MERGE unites them. A key asks
// one part, so the rate is that of one filter. The filters hash by another function: which part a key is in says nothing of where in it.
//
// Part sizes differ by chance: of capacity c each is made for c/N + 4 · sqrt(c/N), which one in 30,000 exceeds.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "client/reply.hpp"
#include "client/request.hpp"
#include "client/slots.hpp"

namespace seen::redis::client {

inline constexpr std::string_view record_format = "seen-cluster-1";
inline constexpr std::uint64_t default_part_seed = 0x7365'656e'2e70'7274;  // "seen.prt"
inline constexpr std::uint64_t most_part_capacity = std::uint64_t{1} << 30;

/// What the record says.
struct spread_record {
  std::uint64_t parts = 1;
  std::uint64_t capacity = 0;  ///< of the whole filter
  std::string rate = "0.01";   ///< what was asked for, as it was written
  std::uint64_t seed = default_part_seed;
  std::string options = {};  ///< words of BF.RESERVE behind the capacity

  /// Of what HGETALL replied, names and values in turns.
  static result<spread_record> read(const std::string& name, const std::vector<reply>& fields);
  /// Names and values, in turns.
  [[nodiscard]] std::vector<std::string> fields() const;

  [[nodiscard]] bool is_keyed() const;
  /// What BF.RESERVE gives each part. errc::too_large: more parts are needed, and the error says how many.
  [[nodiscard]] result<std::uint64_t> part_capacity() const;
};

/// Of a filter of this capacity: three parts for each primary, and so many that none has more than 64 Mi items.
[[nodiscard]] std::uint64_t usual_parts(std::uint64_t capacity, std::size_t primaries) noexcept;

/// The name of a filter that is spread: not empty, and without braces.
[[nodiscard]] result<void> check_spread_name(std::string_view name);

/// A part, and where it lies.
struct part_place {
  std::string key;
  unsigned slot = 0;
};
[[nodiscard]] std::vector<part_place> part_places(const std::string& name, std::uint64_t parts);

/// In which part a key lies.
[[nodiscard]] std::size_t part_of(bytes_view key, std::uint64_t seed, std::uint64_t parts) noexcept;

}  // namespace seen::redis::client
