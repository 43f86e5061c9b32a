// From a range of keys to digests: tiles on the stack for one thread, windows for several.
//
//   keys ──hash──► tile of 8 KiB ──► use          more than a prefetch looks ahead, well inside the first-level cache
//   keys ──hash on threads──► window of 4 MiB ──► use on threads
//
// A contiguous range of digests is passed on as it is. A hash chosen at run time is called once per tile if the keys
// are contiguous. `use` is given a span of digests and says whether to go on.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/threads.hpp>
#include <seen/hash/hash.hpp>
#include <seen/hash/key.hpp>
#include <seen/kernels/prefetch.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace seen::inline v1::kernels {

/// std::uint64_t or its signed twin, each of which may be read as the other. (long long is neither where they are
/// long.)
template <class T>
inline constexpr bool is_word =
    std::same_as<std::remove_cv_t<T>, std::uint64_t> || std::same_as<std::remove_cv_t<T>, std::int64_t>;

/// Keys that lie side by side, to be read where they are.
template <class Range>
concept side_by_side = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range>;

/// The keys of such a range.
template <side_by_side Range>
[[nodiscard]] auto span_of(Range& keys) noexcept {
  return std::span(std::ranges::data(keys), std::ranges::size(keys));
}

/// Words that lie side by side, as words without a sign.
template <class Key>
requires is_word<Key>
[[nodiscard]] std::span<const std::uint64_t> as_words(std::span<Key> keys) noexcept {
  return {reinterpret_cast<const std::uint64_t*>(keys.data()), keys.size()};
}

/// Room for the digests of some keys. Nothing is written before it is needed, or a batch of three keys would pay for
/// all.
template <class Digest>
class tile {
 public:
  /// A multiple of 64, so that the answers of a tile are whole words of a bitmap.
  [[nodiscard]] static constexpr std::size_t size() noexcept {
    return std::max<std::size_t>(64, 8192 / sizeof(Digest) / 64 * 64);
  }
  [[nodiscard]] std::span<Digest> first(std::size_t n) noexcept {
    return {reinterpret_cast<Digest*>(bytes_.data()), n};
  }

 private:
  static_assert(std::is_trivially_copyable_v<Digest> && alignof(Digest) <= 64);
  alignas(64) std::array<std::byte, size() * sizeof(Digest)> bytes_;
};

/// Prefetches the keys of the next tile while this one's are looked up. (Always inlined: g++ 12 drops calls of
/// functions that only prefetch.)
template <class Digest, class Key>
[[gnu::always_inline]] inline void prefetch_front(std::span<Key> keys) noexcept {
  constexpr std::size_t line = 64;
  const auto* const begin = reinterpret_cast<const std::byte*>(keys.data());
  const std::size_t bytes = std::min(keys.size(), tile<Digest>::size()) * sizeof(Key);
  for (std::size_t at = 0; at < bytes; at += line) __builtin_prefetch(begin + at);
}

/// Text or bytes that lie elsewhere than the key, which says where. Hashed one key after the other, they would not be asked
/// for before they are needed.
template <class Key>
concept elsewhere = !integral_key<Key> && !own_key<Key> && requires(const Key& key) {
  { key.data() } -> std::convertible_to<const void*>;
};

/// How many keys ahead characters that lie elsewhere are asked for: some where the processor prefetches them itself, and many
/// where it forgets the way between two tiles, since the words of the filter come from beyond the cache.
enum class look_ahead : std::size_t { near = 16, far = 256 };

/// Hashes the keys from `first` on to digests, as many as these: by the hash's own call for many of them where it has one,
/// else in a loop that the compiler may make vectors of. (With a hash of its own, whose members nothing else can change
/// meanwhile.)
template <look_ahead Look = look_ahead::near, class Hash, class Key>
void hash_some(const Hash hash, std::span<Key> keys, std::size_t first, std::span<typename Hash::digest_type> digests) {
  const auto some = keys.subspan(first, digests.size());
  if constexpr (is_word<Key> && requires(std::span<const std::uint64_t> words) { hash.hash_many(words, digests); }) {
    hash.hash_many(as_words(some), digests);
  } else if constexpr (requires { hash.hash_many(some, digests); }) {
    hash.hash_many(some, digests);
  } else {
    for (std::size_t i = 0; i < some.size(); ++i) {
      if constexpr (elsewhere<Key>) {
        constexpr auto ahead = static_cast<std::size_t>(Look);
        if (first + i + ahead < keys.size()) prefetch_near(some.data()[i + ahead].data());
        if (Look == look_ahead::far && i % 4 == 0 && first + i + 2 * ahead < keys.size()) {
          prefetch_near(some.data() + i + 2 * ahead);
        }
      }
      digests[i] = hash_key(hash, some[i]);
    }
  }
}

/// Where the digests of a batch come from: an array of them, or a function that makes some when they are needed.
struct digest_source {
  const void* from;  ///< the array, or what the function reads
  std::size_t size;  ///< how many there are
  /// Writes digest `first` and those after it.
  void (*make)(const void* from, std::size_t first, std::span<digest> to) noexcept = nullptr;

  digest_source(const void* read, std::size_t count, decltype(make) function) noexcept
      : from(read), size(count), make(function) {}
  digest_source(std::span<const digest> digests) noexcept : from(digests.data()), size(digests.size()) {}
};

/// Keys that lie side by side and their hash, as a source of digests.
template <look_ahead Look, class Hash, class Key>
class hashed_pieces {
 public:
  hashed_pieces(const Hash& hash, std::span<Key> keys) noexcept : hash_(hash), keys_(keys) {}

  operator digest_source() const noexcept {
    return {this, keys_.size(), [](const void* self, std::size_t first, std::span<digest> to) noexcept {
              const auto& pieces = *static_cast<const hashed_pieces*>(self);
              hash_some<Look>(pieces.hash_, pieces.keys_, first, to);
              if constexpr (integral_key<Key>) prefetch_front<digest>(pieces.keys_.subspan(first + to.size()));
            }};
  }

 private:
  const Hash& hash_;
  std::span<Key> keys_;
};

/// Calls use for one tile of digests after the other.
template <class Hash, class Range, class Use>
void for_each_tile(const Hash& hash, Range& keys, Use use) {
  using digest_type = typename Hash::digest_type;
  using key_type = std::ranges::range_value_t<Range>;
  if constexpr (std::ranges::contiguous_range<Range> && std::same_as<key_type, digest_type>) {
    (void)use(std::span<const digest_type>(std::ranges::data(keys), std::ranges::size(keys)));
  } else if constexpr (side_by_side<Range>) {
    tile<digest_type> tile;
    const std::span all(std::ranges::data(keys), std::ranges::size(keys));
    for (std::size_t first = 0; first < all.size();) {
      const auto digests = tile.first(std::min(all.size() - first, tile.size()));
      hash_some(hash, all, first, digests);
      first += digests.size();
      if constexpr (integral_key<key_type>) prefetch_front<digest_type>(all.subspan(first));
      if (!use(std::span<const digest_type>(digests))) return;
    }
  } else {
    tile<digest_type> tile;
    const auto digests = tile.first(tile.size());
    std::size_t filled = 0;
    for (const auto& key : keys) {
      if constexpr (std::same_as<key_type, digest_type>) {
        digests[filled++] = key;
      } else {
        digests[filled++] = hash_key(hash, key);
      }
      if (filled == digests.size()) {
        if (!use(std::span<const digest_type>(digests))) return;
        filled = 0;
      }
    }
    if (filled != 0) (void)use(std::span<const digest_type>(digests.first(filled)));
  }
}

/// Calls use(digests, threads) for one window after the other, hashed on as many threads where the keys lie side by
/// side.
template <class Hash, class Range, class Use>
void for_each_window(const Hash& hash, Range& keys, unsigned threads, Use use) {
  using digest_type = typename Hash::digest_type;
  constexpr std::size_t tile_size = tile<digest_type>::size();
  constexpr std::size_t most = 512 * tile_size;  // threads meet rarely, and the window stays in the third-level cache
  if constexpr (side_by_side<Range>) {
    auto rest = std::span(std::ranges::data(keys), std::ranges::size(keys));
    if constexpr (std::same_as<std::ranges::range_value_t<Range>, digest_type>) {
      (void)use(std::span<const digest_type>(rest), threads);  // all at once: threads need not meet
    } else {
      std::vector<digest_type> window(std::min(rest.size(), most));
      while (!rest.empty()) {
        const auto some = rest.first(std::min(rest.size(), window.size()));
        detail::for_each_index(static_cast<std::size_t>(ceil_div(some.size(), tile_size)), threads, [&](std::size_t i) {
          const std::size_t first = i * tile_size, n = std::min(tile_size, some.size() - first);
          hash_some(hash, some, first, std::span(window).subspan(first, n));
          return true;
        });
        if (!use(std::span<const digest_type>(window).first(some.size()), threads)) return;
        rest = rest.subspan(some.size());
      }
    }
  } else {
    std::vector<digest_type> window;
    bool goes_on = true;
    for_each_tile(hash, keys, [&](std::span<const digest_type> digests) {
      window.insert(window.end(), digests.begin(), digests.end());
      if (window.size() < most) return true;
      goes_on = use(std::span<const digest_type>(window), threads);
      window.clear();
      return goes_on;
    });
    if (goes_on && !window.empty()) (void)use(std::span<const digest_type>(window), threads);
  }
}

}  // namespace seen::inline v1::kernels
