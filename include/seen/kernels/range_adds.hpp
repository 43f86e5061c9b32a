// Adding to one plain array on several threads: each thread has a range of places of its own, reads all digests and
// adds those that fall into it. Nothing is locked, and no word is touched by two threads. Digests are picked by whole
// vectors, which costs a small part of adding them to a table beyond the cache.
//
//   digests    d0 d1 d2 d3 …          in order of value, a place is a range of digests:
//   thread 0   ──────► [ 0 … B/2 )    0 ≤ d < first(B/2)
//   thread 1   ──────► [ B/2 … B )    first(B/2) ≤ d
#pragma once

#include <seen/base/digest.hpp>
#include <seen/base/threads.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace seen::inline v1::kernels {

/// How many digests a call may be given.
inline constexpr std::size_t most_digests_at_once = 1024;

/// Writes the digests from `first` to `last`, both included, in their order; returns how many there are. `out` needs
/// room for all that are given.
std::size_t digests_between(std::span<const digest> digests, std::uint64_t first, std::uint64_t last,
                            digest* out) noexcept;

/// The least digest whose place is `place` or a later one; place_of must not fall as digests grow.
template <class PlaceOf>
[[nodiscard]] std::uint64_t first_digest(std::uint64_t place, PlaceOf place_of) noexcept {
  std::uint64_t first = 0;
  for (std::uint64_t step = std::uint64_t{1} << 63; step != 0; step /= 2) {  // the largest digest before it, bit by bit
    if (place_of(digest(first + step - 1)) < place) first += step;
  }
  return first;
}

/// Calls add(some digests) on several threads, so that no place is touched by two of them and each place gets its
/// digests in order. Places are 0 … places-1.
template <class PlaceOf, class Add>
void add_by_ranges(std::span<const digest> digests, std::uint64_t places, unsigned threads, PlaceOf place_of, Add add) {
  threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, places));
  detail::for_each_index(threads, threads, [&](std::size_t part) {
    // Not places·part / threads, which might not fit.
    const auto border = [&](std::size_t i) {
      return first_digest(places / threads * i + places % threads * i / threads, place_of);
    };
    const std::uint64_t first = border(part);
    const std::uint64_t last = part + 1 == threads ? std::numeric_limits<std::uint64_t>::max() : border(part + 1) - 1;
    std::array<digest, 2 * kernels::most_digests_at_once> mine;
    std::size_t waiting = 0;
    for (auto rest = digests; !rest.empty();) {
      const auto some = rest.first(std::min(rest.size(), kernels::most_digests_at_once));
      waiting += kernels::digests_between(some, first, last, mine.data() + waiting);
      if (waiting >= kernels::most_digests_at_once) {
        add(std::span<const digest>(mine).first(waiting));
        waiting = 0;
      }
      rest = rest.subspan(some.size());
    }
    add(std::span<const digest>(mine).first(waiting));
    return true;
  });
}

/// Digests that one thread adds before it takes others.
inline constexpr std::size_t digests_per_part = 4096;

/// Calls add(some digests) on several threads, with as many digests each: for words that may be shared.
template <class Digest, class Add>
void for_each_part(std::span<const Digest> digests, unsigned threads, Add add) {
  constexpr std::size_t part = digests_per_part;
  detail::for_each_index((digests.size() + part - 1) / part, threads, [&](std::size_t i) {
    add(digests.subspan(i * part, std::min(part, digests.size() - i * part)));
    return true;
  });
}

}  // namespace seen::inline v1::kernels
