// Keys that come and go: cuckoo filters.
#include <seen/seen.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

// A filter for a known number of keys.
void come_and_go() {
  seen::cuckoo sessions({.capacity = 1'000'000, .fpr = 0.001});
  if (!sessions.add("alice")) std::puts("full: nothing changed");  // not up to its capacity
  sessions.remove("alice");                                        // only what was added
  std::printf("%zu sessions\n", static_cast<std::size_t>(sessions.size()));
}

// One that grows.
void grow() {
  seen::growing_cuckoo online({.capacity = 10'000, .fpr = 0.01});  // a first guess; the rate holds for any number
  for (std::uint64_t user = 0; user < 100'000; ++user) online.add(user);
  online.remove(99'999);
}

// One shared by threads.
void share() {
  seen::concurrent_cuckoo sessions({.capacity = 100'000, .fpr = 0.001});
  std::vector<std::jthread> workers;
  for (std::uint64_t w = 0; w < 4; ++w) {
    workers.emplace_back([&sessions, w] {
      for (std::uint64_t i = w; i < 1000; i += 4) {
        if (sessions.add(i)) sessions.remove(i);
      }
    });
  }
}

}  // namespace

int main() {
  come_and_go();
  grow();
  share();
}
