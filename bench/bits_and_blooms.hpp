// The baseline: the algorithm of the Go library bits-and-blooms v3, written in C++ from its published format.
//
// Four words per key from two MurmurHash3 x64-128 (the second over the key with a byte 1 appended); position i is
// h[i % 2] + i * h[2 + ((i + i % 2) % 4) / 2] modulo m, by division.
#pragma once

#include <seen/hash/murmur3.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace seen::bench {

class bits_and_blooms {
 public:
  explicit bits_and_blooms(std::size_t n)
      : m_(static_cast<std::uint64_t>(
            std::ceil(-static_cast<double>(n) * std::log(0.01) / (std::log(2) * std::log(2))))),
        k_(static_cast<std::uint32_t>(std::ceil(std::log(2) * static_cast<double>(m_) / static_cast<double>(n)))),
        words_((m_ + 63) / 64) {}

  void add(std::uint64_t key) {
    const auto h = base_words(key);
    for (std::uint32_t i = 0; i < k_; ++i) {
      const std::uint64_t at = position(h, i) % m_;
      words_[at >> 6] |= std::uint64_t{1} << (at & 63);
    }
  }
  [[nodiscard]] bool contains(std::uint64_t key) const {
    const auto h = base_words(key);
    for (std::uint32_t i = 0; i < k_; ++i) {
      const std::uint64_t at = position(h, i) % m_;
      if ((words_[at >> 6] >> (at & 63) & 1) == 0) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t bytes() const { return words_.size() * 8; }

 private:
  static std::array<std::uint64_t, 4> base_words(std::uint64_t key) {
    std::array<std::byte, 9> bytes;
    std::memcpy(bytes.data(), &key, 8);
    bytes[8] = std::byte{1};
    const auto first = murmur3_x64_128_words(bytes_view(bytes).first(8), 0);
    const auto second = murmur3_x64_128_words(bytes_view(bytes), 0);
    return {first[0], first[1], second[0], second[1]};
  }
  static std::uint64_t position(const std::array<std::uint64_t, 4>& h, std::uint64_t i) {
    return h[i % 2] + i * h[2 + ((i + i % 2) % 4) / 2];
  }

  std::uint64_t m_;
  std::uint32_t k_;
  std::vector<std::uint64_t> words_;
};

}  // namespace seen::bench
