// The rule of RocksDB's DynamicBloom, which its memtables share, in code of our own from what its comments say of it; its
// header needs the rest of RocksDB. Eight probes, two in each of four 64-bit words:
//
//   32-bit hash ─┬─ × words >> 32 ─► word a         words a, a ^ 1, a ^ 2, a ^ 3, which are in one cache line
//                └─ × odd ─► 64 bits, twelve for each word: two bits; then the next twelve, turned down
//
// A shared add loads a word and ORs it only if a bit is missing; a lookup stops at the first word that misses one. Keys are
// hashed by one folded product.
#pragma once

#include <seen/base/bits.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "../core/harness.hpp"

namespace seen::bench {

/// A filter of 12.18 bits per key, as blocks of 512 bits have, that threads may add to together.
class dynamic_bloom {
 public:
  explicit dynamic_bloom(std::size_t n)
      : lines_(units_for(n, 12.18, 512)), table_(std::make_unique<line[]>(static_cast<std::size_t>(lines_))) {}

  void add(std::uint64_t key) {
    each_word(key, [](std::atomic<std::uint64_t>& word, std::uint64_t bits) {
      if ((word.load(std::memory_order_relaxed) & bits) != bits) word.fetch_or(bits, std::memory_order_relaxed);
      return true;
    });
  }
  [[nodiscard, gnu::always_inline]] bool contains(std::uint64_t key) const {
    return each_word(key, [](const std::atomic<std::uint64_t>& word, std::uint64_t bits) {
      return (word.load(std::memory_order_relaxed) & bits) == bits;
    });
  }

 private:
  struct alignas(64) line {
    std::array<std::atomic<std::uint64_t>, 8> words{};
  };

  // Calls visit(word, bits) for the words of a key until one returns false; true if none did.
  template <class Visit>
  bool each_word(std::uint64_t key, Visit visit) const {
    constexpr std::uint64_t odd = 0x9e37'79b9'7f4a'7c13;
    const std::uint64_t hash = folded_product(key, odd) >> 32;
    const std::uint64_t first = (hash * (8 * lines_)) >> 32;
    line& at = table_[static_cast<std::size_t>(first / 8)];
    std::uint64_t remixed = hash * odd;
    for (std::size_t i = 0; i < 4; ++i, remixed = std::rotr(remixed, 12)) {
      const std::uint64_t bits = std::uint64_t{1} << (remixed % 64) | std::uint64_t{1} << (remixed / 64 % 64);
      if (!visit(at.words[(first % 8) ^ i], bits)) return false;
    }
    return true;
  }

  std::uint64_t lines_;
  std::unique_ptr<line[]> table_;
};

}  // namespace seen::bench
