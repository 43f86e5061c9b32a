// Runs one function on several threads that start together.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace seen::testing {

/// Calls work(0) .. work(count - 1), each on a thread of its own, none before all are there; returns when all are done.
template <class Work>
void on_threads(std::size_t count, Work work) {
  std::atomic<std::size_t> waiting{count};
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      waiting.fetch_sub(1);
      while (waiting.load() != 0) std::this_thread::yield();
      work(i);
    });
  }
}

}  // namespace seen::testing
