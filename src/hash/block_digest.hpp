// block_digest<Core>: the frame of MD5 and the SHA functions, which differ in what they do with a block.
//
//   message ‖ 0x80 ‖ zeros ‖ length in bits   ──cut into blocks──►   state = compress(state, block)   ──►  digest
//
// It is a small copyable value: one that has taken a prefix may be copied for every message that begins so.
// [Merkle 1989, Damgård 1989]
//
// Core brings (all static): word, block_bytes, digest_bytes, is_big (order of bytes), initial (the state), and
// compress(state, block). These functions are here to read other libraries' filters, not for secrets.
#pragma once

#include <seen/base/bits.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace seen::inline v1::detail {

template <class Core>
class block_digest {
 public:
  using word = typename Core::word;
  static constexpr std::size_t digest_bytes = Core::digest_bytes;
  using result_type = std::array<std::byte, digest_bytes>;

  /// Takes more of the message.
  void update(bytes_view bytes) noexcept {
    total_ += bytes.size();
    while (!bytes.empty()) {
      const std::size_t some = std::min(bytes.size(), Core::block_bytes - held_);
      std::memcpy(block_.data() + held_, bytes.data(), some);
      held_ += some;
      bytes = bytes.subspan(some);
      if (held_ == Core::block_bytes) compress();
    }
  }

  /// The digest of all that was taken. The object is of no use afterwards.
  [[nodiscard]] result_type finish() noexcept {
    constexpr std::size_t length_bytes = 2 * sizeof(word);
    block_[held_++] = std::byte{0x80};
    if (held_ > Core::block_bytes - length_bytes) {
      std::fill(block_.begin() + static_cast<std::ptrdiff_t>(held_), block_.end(), std::byte{0});
      compress();
    }
    std::fill(block_.begin() + static_cast<std::ptrdiff_t>(held_), block_.end(), std::byte{0});
    const std::uint64_t bits = total_ * 8;
    for (std::size_t i = 0; i < 8; ++i) {
      const std::size_t at = Core::is_big ? Core::block_bytes - 1 - i : Core::block_bytes - 8 + i;
      block_[at] = static_cast<std::byte>(bits >> (8 * i));
    }
    compress();
    result_type digest;
    for (std::size_t i = 0; i < digest_bytes; ++i) {
      const std::size_t shift = 8 * (Core::is_big ? sizeof(word) - 1 - i % sizeof(word) : i % sizeof(word));
      digest[i] = static_cast<std::byte>(state_[i / sizeof(word)] >> shift);
    }
    return digest;
  }

 private:
  void compress() noexcept {
    std::array<word, 16> words;
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = load_le<word>(block_.data() + i * sizeof(word));
      if constexpr (Core::is_big) words[i] = reversed(words[i]);
    }
    Core::compress(state_, words);
    held_ = 0;
  }
  static constexpr word reversed(word x) noexcept {
    word y = 0;
    for (std::size_t i = 0; i < sizeof(word); ++i)
      y = static_cast<word>(y << 8) | static_cast<word>(x >> (8 * i) & 255);
    return y;
  }

  std::remove_cv_t<decltype(Core::initial)> state_ = Core::initial;
  std::array<std::byte, Core::block_bytes> block_;
  std::size_t held_ = 0;
  std::uint64_t total_ = 0;
};

/// The digest of one message.
template <class Digest>
[[nodiscard]] typename Digest::result_type digest_of(bytes_view message) noexcept {
  Digest d;
  d.update(message);
  return d.finish();
}

}  // namespace seen::inline v1::detail
