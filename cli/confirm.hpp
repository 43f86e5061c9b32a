// The keys that a filter says may be there, checked against the list that it was made of: then "maybe" is "yes" or "no".
//
//   1   questions ──► filter ──► maybes ──► digests of 128 bits in a table      memory: 21 to 43 bytes per maybe, once each
//   2   the list ──► table: those that meet a key are held                      the list is read once, and not kept
//   3   questions ──► filter ──► maybes ──► table ──► yes or no                 the same lines again, in their order
//
// What the filter denies is surely absent and costs nothing. So an intersection or a difference of two files is exact at about
// the speed of a filter, in memory for what they have in common and no more. A key of the list that the filter denies shows
// that the filter was not made of it, which is an error: the answers could not be exact.
//
// Exact up to digests: two different keys have the same 128 bits with odds of 2^-128, under a seed that is new in every run.
// (MurmurHash3 was not made to withstand somebody who constructs keys that collide under every seed.)
#pragma once

#include <seen/any_filter.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "keys.hpp"

namespace seen::cli {

/// Keys that may be in a filter, and which of them are in a list.
class confirmed_keys {
 public:
  confirmed_keys();

  /// Takes the keys that the filter did not deny.
  void collect(std::span<const bytes_view> keys, std::span<const bool> answers);
  /// Finds them in the list that the filter was made of.
  [[nodiscard]] result<void> read(key_reader& list, const std::string& name, const any_filter& filter,
                                  bool show_progress);
  /// Says no of those that are not in the list.
  void keep_held(std::span<const bytes_view> keys, std::span<bool> answers) const;

 private:
  using digest_words = std::array<std::uint64_t, 2>;

  [[nodiscard]] digest_words digest_of(bytes_view key) const noexcept;
  [[nodiscard]] std::size_t slot_of(const digest_words& d) const noexcept;  // where it is, or would be
  void grow();

  std::uint64_t seed_;
  std::vector<digest_words> slots_;  // a power of two of them, at most three quarters in use; zero: none
  std::vector<bool> held_;
  std::size_t used_ = 0;
};

}  // namespace seen::cli
