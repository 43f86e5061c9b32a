// Keys kept until their number is known: what a pipe brings can be read only once, and what is packed is read only once.
//
//   digests   [digest][digest] …                    8 bytes per key, where the filter takes digests
//   text      [length][bytes][length][bytes] …      lengths of 7 bits per byte, least significant first, high bit: more
//
// In text, a key costs its own bytes and one more (two from 128 bytes up).
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/result.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace seen::cli {

/// Digests in the order they came, for one replay.
class kept_digests {
 public:
  void keep(std::span<const digest> digests) {
    while (!digests.empty()) {
      if (chunks_.empty() || chunks_.back().size() == chunk_digests) chunks_.emplace_back().reserve(chunk_digests);
      std::vector<digest>& chunk = chunks_.back();
      const auto some = digests.first(std::min(digests.size(), chunk_digests - chunk.size()));
      chunk.insert(chunk.end(), some.begin(), some.end());
      digests = digests.subspan(some.size());
    }
  }

  /// Calls use(span of digests) -> result<void> until all were given; stops at an error.
  template <class Use>
  result<void> replay(Use use) const {
    for (const std::vector<digest>& chunk : chunks_) {
      if (auto used = use(std::span<const digest>(chunk)); !used) return used;
    }
    return {};
  }

 private:
  static constexpr std::size_t chunk_digests = std::size_t{32} << 10;

  std::vector<std::vector<digest>> chunks_;
};

/// Keys in the order they came, for one replay.
class kept_keys {
 public:
  /// Copies the keys.
  void keep(std::span<const bytes_view> keys) {
    for (const bytes_view key : keys) {
      const std::size_t need = key.size() + longest_length;
      if (chunks_.empty() || chunks_.back().capacity() - chunks_.back().size() < need) {
        chunks_.emplace_back().reserve(need > chunk_bytes ? need : chunk_bytes);
      }
      std::vector<std::byte>& chunk = chunks_.back();
      std::size_t length = key.size();
      for (; length >= 0x80; length >>= 7) chunk.push_back(static_cast<std::byte>(length | 0x80));
      chunk.push_back(static_cast<std::byte>(length));
      chunk.insert(chunk.end(), key.begin(), key.end());
    }
    count_ += keys.size();
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return count_; }

  /// Calls use(span of keys) -> result<void> until all were given, a batch at a time; stops at an error.
  template <class Use>
  result<void> replay(Use use) const {
    std::vector<bytes_view> batch;
    for (const std::vector<std::byte>& chunk : chunks_) {
      for (std::size_t at = 0; at < chunk.size();) {
        std::size_t length = 0;
        for (unsigned shift = 0;; shift += 7) {
          const auto part = std::to_integer<std::size_t>(chunk[at++]);
          length |= (part & 0x7f) << shift;
          if (part < 0x80) break;
        }
        batch.push_back(bytes_view(chunk).subspan(at, length));
        at += length;
      }
      if (auto used = use(std::span<const bytes_view>(batch)); !used) return used;
      batch.clear();
    }
    return {};
  }

 private:
  static constexpr std::size_t longest_length = 10;
  static constexpr std::size_t chunk_bytes = std::size_t{256} << 10;

  std::vector<std::vector<std::byte>> chunks_;
  std::uint64_t count_ = 0;
};

}  // namespace seen::cli
