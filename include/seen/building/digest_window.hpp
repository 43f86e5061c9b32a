// Digests in order: a batch is added to a sorted table as a sorted list, so many at a time.
//
//   keys ──read──► window: at most 2^22 digests ──sort──► ascending ──► the table, from its first slot to its last
//                         and as many places to sort with: at most 64 MiB
//
// Sorting takes some 8 ns per digest (src/building/digest_sort.hpp).
#pragma once

#include <seen/storage/storage.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace seen::inline v1::building {

/// Room for some digests and for sorting them.
class digest_window {
 public:
  /// The most digests of a window.
  static constexpr std::uint64_t most = std::uint64_t{1} << 22;

  /// Room for so many. Throws std::bad_alloc.
  explicit digest_window(std::size_t digests);

  /// The places of the first n digests.
  [[nodiscard]] std::span<std::uint64_t> first(std::size_t n) noexcept { return {words_, n}; }
  /// The places to sort with, whose content is of no use after it.
  [[nodiscard]] std::span<std::uint64_t> scratch() noexcept { return {words_ + room_, room_}; }
  /// Sorts the first n digests.
  void sort(std::size_t n) noexcept;

 private:
  std::size_t room_;
  std::unique_ptr<std::uint64_t[]> few_;  // as the heap gave them: zeros would be written over
  storage many_;                          // on large pages
  std::uint64_t* words_;
};

}  // namespace seen::inline v1::building
