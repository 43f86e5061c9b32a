// A filter of the last keys, by number or by time, and how long it pauses to forget: docs/filters/windowed_bloom.md.
#include <seen/seen.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

// The shortest of eight adds that turn the ring while the ring turns a few times: that is the walk over the table.
void pause_of(std::uint64_t window) {
  using clock = std::chrono::steady_clock;
  seen::windowed_bloom f({.capacity = window, .fpr = 0.01});
  const std::uint64_t slice = f.shape().slice_keys();
  for (std::uint64_t key = 0; key < slice; ++key) f.add(key);
  double shortest = 1e9;
  for (std::uint64_t turn = 1; turn < 9; ++turn) {
    const auto begin = clock::now();
    f.add(turn * slice);
    shortest = std::min(shortest, std::chrono::duration<double, std::milli>(clock::now() - begin).count());
    for (std::uint64_t key = 1; key < slice; ++key) f.add(turn * slice + key);
  }
  std::printf("window of %llu keys: %.1f MiB, a turn takes %.2f ms\n", static_cast<unsigned long long>(window),
              static_cast<double>(f.shape().bytes()) / (1 << 20), shortest);
}

}  // namespace

int main(int count, char** words) {
  seen::windowed_bloom recent({.capacity = 1'000'000, .fpr = 0.01});  // the last million adds
  recent.add("alice");
  std::printf("%d\n", recent.may_contain("alice"));

  const auto hour = seen::windowed_bloom_shape::plan({.capacity = 50'000, .fpr = 0.001}, {.period = 3600}).value();
  seen::windowed_bloom logins(hour);  // an hour, in which 50,000 keys are expected
  logins.advance(1'700'000'000);      // the time, in seconds here
  logins.add("mallory");
  logins.advance(1'700'000'000 + 3600);
  const bool remembered = logins.may_contain("mallory");  // true: an hour old
  logins.advance(1'700'000'000 + 4200);
  const bool forgotten = !logins.may_contain("mallory");  // true: older than 8/7 of an hour
  pause_of(100'000);
  for (int i = 1; i < count; ++i) pause_of(std::strtoull(words[i], nullptr, 10));
  return remembered && forgotten ? 0 : 1;
}
