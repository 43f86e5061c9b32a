// Batches through a chain of filters: the newest link is asked for all digests, every older one only for those that no
// link before it had.
#pragma once

#include <seen/base/digest.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace seen::inline v1::engines {

/// Digests that are asked together: 256, and fewer of those that are long lists.
template <class Digest>
inline constexpr std::size_t chain_tile = sizeof(Digest) <= 64 ? 256 : 32;

/// Asks the older links for a tile of at most chain_tile digests that the newest has answered; returns how many more
/// are found. for_each_older(use) calls use(link) from newer to older until use says false.
template <class Digest, class ForEachOlder>
std::size_t ask_older_links(std::span<const Digest> tile, bool* out, ForEachOlder for_each_older) noexcept {
  constexpr std::size_t most = chain_tile<Digest>;
  std::array<Digest, most> absent;
  std::array<std::uint16_t, most> place;
  std::array<bool, most> present;
  std::size_t left = 0;
  for (std::size_t i = 0; i < tile.size(); ++i) {
    absent[left] = tile[i];
    place[left] = static_cast<std::uint16_t>(i);
    left += !out[i];
  }
  std::size_t found = 0;
  for_each_older([&](const auto& link) {
    if (left == 0) return false;
    const std::size_t hits = link.may_contain_many(std::span<const Digest>(absent).first(left), present.data());
    if (hits == 0) return true;
    found += hits;
    std::size_t still = 0;
    for (std::size_t i = 0; i < left; ++i) {
      if (present[i]) out[place[i]] = true;
      absent[still] = absent[i];
      place[still] = place[i];
      still += !present[i];
    }
    left = still;
    return true;
  });
  return found;
}

/// Writes whether some link may hold each digest; returns how many are found.
template <class Digest, class Newest, class ForEachOlder>
std::size_t ask_chain(std::span<const Digest> digests, bool* out, const Newest& newest, bool has_older,
                      ForEachOlder for_each_older) noexcept {
  std::size_t found = newest.may_contain_many(digests, out);
  if (!has_older) return found;
  constexpr std::size_t most = chain_tile<Digest>;
  for (std::size_t base = 0; base < digests.size(); base += most) {
    const std::size_t count = std::min(most, digests.size() - base);
    found += ask_older_links(digests.subspan(base, count), out + base, for_each_older);
  }
  return found;
}

}  // namespace seen::inline v1::engines
