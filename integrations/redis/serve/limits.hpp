// limits: what one client, and all of them, may cost the server.
//
//   request   line 64 KiB │ item 160 MiB │ items 2^20 │ in all 256 MiB     beyond: an error, and the connection ends
//   replies   above 1 MiB nothing more of that client is read or carried out until it has taken some
//   together  connections 10,000 │ memory 1 GiB: buffers, and filters that clients have made
//
// A client that announces much is given nothing for it: buffers grow with the bytes that come.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace seen::redis {

struct limits {
  std::size_t line = std::size_t{64} << 10;      ///< a request in one line, as people type them
  std::size_t item = std::size_t{160} << 20;     ///< a word; a chunk of SCANDUMP has 128 MiB at most
  std::size_t items = std::size_t{1} << 20;      ///< words of a request
  std::size_t request = std::size_t{256} << 20;  ///< bytes of a request
  std::size_t unsent = std::size_t{1} << 20;     ///< bytes of replies that a client has not taken, beside the last one
  std::size_t clients = 10'000;
  std::uint64_t memory = std::uint64_t{1} << 30;
  unsigned idle = 0;    ///< seconds after which a silent client is let go; 0: never
  unsigned stall = 60;  ///< seconds after which a client is let go that takes none of its replies
};

/// Bytes that are taken of a limit by all threads together.
class budget {
 public:
  explicit budget(std::uint64_t most) noexcept : most_(most) {}

  /// Takes so many bytes, or none.
  [[nodiscard]] bool take(std::uint64_t bytes) noexcept {
    std::uint64_t used = used_.load(std::memory_order_relaxed);
    do {
      if (used > most_ || bytes > most_ - used) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
  }
  /// Takes what has been used already, above the limit too.
  void charge(std::uint64_t bytes) noexcept { used_.fetch_add(bytes, std::memory_order_relaxed); }
  void give_back(std::uint64_t bytes) noexcept { used_.fetch_sub(bytes, std::memory_order_relaxed); }

  [[nodiscard]] std::uint64_t used() const noexcept { return used_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t most() const noexcept { return most_; }
  [[nodiscard]] bool affords(std::uint64_t bytes) const noexcept { return used() <= most_ && bytes <= most_ - used(); }
  [[nodiscard]] bool is_exceeded() const noexcept { return used() > most_; }

 private:
  std::atomic<std::uint64_t> used_{0};
  const std::uint64_t most_;
};

}  // namespace seen::redis
