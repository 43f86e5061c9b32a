// Static builds from digests on one thread and on two, in turns; by the clock on the wall, since threads share the work.
#pragma once

#include <seen/seen.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "harness.hpp"

namespace seen::bench {

template <class F>
void time_threads(const std::vector<digest>& digests, int rounds) {
  std::vector<double> ns[2], gains;
  for (int round = 0; round <= rounds; ++round) {
    double spent[2];
    for (unsigned threads = 1; threads <= 2; ++threads) {
      const double begin = now_ns();
      if (!F::build(digests, {.fpr = 1.0 / 256, .threads = threads})) std::abort();
      spent[threads - 1] = (now_ns() - begin) / static_cast<double>(digests.size());
    }
    if (round == 0) continue;  // warms up
    for (int i = 0; i < 2; ++i) ns[i].push_back(spent[i]);
    gains.push_back(spent[0] / spent[1]);
  }
  std::sort(gains.begin(), gains.end());
  std::printf("  %-12s %8.1f %8.1f %8.2fx (%.2f-%.2f)\n", std::string(F::kind.name).c_str(), median(ns[0]),
              median(ns[1]), median(gains), gains.front(), gains.back());
}

/// Prints a row a kind.
inline void time_building(std::size_t n, int rounds) {
  std::vector<digest> digests;
  digests.reserve(n);
  for (std::size_t i = 0; i < n; ++i) digests.emplace_back(mix(i + 1));
  std::printf("\nstatic kinds built from %zu digests, ns a key on the wall:  1 thread, 2 threads, gain (spread)\n", n);
  const int times = n > 10'000'000 ? std::min(rounds, 3) : rounds;
  time_threads<binary_fuse>(digests, times);
  time_threads<ribbon>(digests, times);
  time_threads<xor_filter>(digests, times);
}

}  // namespace seen::bench
