// Work on several threads at once, timed on the wall.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "core/harness.hpp"

namespace seen::bench {

/// Runs work(from, to) on every thread's part, `passes` times over; nanoseconds per key on the wall, from the moment all may
/// start until the last is done. (A pass takes some milliseconds, in which a system may not have moved the threads apart yet.)
template <class Work>
double together(unsigned threads, std::size_t keys, const Work& work, int passes = 1) {
  std::atomic<unsigned> waiting{0};
  std::atomic<bool> started{false};
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      ++waiting;
      while (!started) std::this_thread::yield();
      for (int pass = 0; pass < passes; ++pass) work(keys * t / threads, keys * (t + 1) / threads);
    });
  }
  while (waiting != threads) std::this_thread::yield();
  const double begin = now_ns();
  started = true;
  for (std::thread& each : all) each.join();
  return (now_ns() - begin) / static_cast<double>(keys) / passes;
}
/// Passes of what leaves the filter as it is.
inline constexpr int many_passes = 20;

}  // namespace seen::bench
