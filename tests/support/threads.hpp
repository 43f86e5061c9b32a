// Several threads that start together, what they add, and what must be seen of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#if defined(__SANITIZE_THREAD__)
#define SEEN_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SEEN_THREAD_SANITIZER 1
#endif
#endif

namespace seen::testing {

/// How many times fewer keys a test takes under ThreadSanitizer.
#ifdef SEEN_THREAD_SANITIZER
inline constexpr std::uint64_t slowdown = 20;
#else
inline constexpr std::uint64_t slowdown = 1;
#endif

/// The threads of a test.
inline constexpr std::size_t threads = 8;

/// Keys of one thread: disjoint from the others'.
constexpr std::uint64_t key_of(std::size_t thread, std::uint64_t i) {
  return i * threads + thread;
}

/// Calls work(0) .. work(count - 1), each on a thread of its own, none before all are there; returns when all are done.
template <class Work>
void on_threads(std::size_t count, Work work) {
  std::atomic<std::size_t> waiting{count};
  std::vector<std::jthread> running;
  for (std::size_t i = 0; i < count; ++i) {
    running.emplace_back([&, i] {
      waiting.fetch_sub(1);
      while (waiting.load() != 0) std::this_thread::yield();
      work(i);
    });
  }
}

/// Eight threads call add(key) for `n` keys each while one more calls copy(), again and again: what copy() returns must
/// hold every key whose add was over when it was called.
template <class Add, class Copy>
void copies_hold_every_earlier_key(std::uint64_t n, Add add, Copy copy) {
  std::vector<std::atomic<std::uint64_t>> added(threads);
  std::atomic<std::size_t> running{threads};
  on_threads(threads + 1, [&](std::size_t t) {
    if (t < threads) {
      for (std::uint64_t i = 0; i < n; ++i) {
        add(key_of(t, i));
        added[t].store(i + 1, std::memory_order_release);
      }
      running.fetch_sub(1);
      return;
    }
    for (bool more = true; more;) {
      more = running.load() != 0;
      std::vector<std::uint64_t> before;
      for (const auto& count : added) before.push_back(count.load(std::memory_order_acquire));
      const auto copied = copy();
      for (std::size_t each = 0; each < threads; ++each) {
        for (std::uint64_t i = 0; i < before[each]; ++i) ASSERT_TRUE(copied.may_contain(key_of(each, i)));
      }
    }
  });
}

}  // namespace seen::testing
