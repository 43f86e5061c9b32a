// A benchmark that can be trusted on a noisy machine: contenders take turns round by round in one process, and what is
// reported is the median of a contender's rounds and, against the baseline, the median and the spread of the ratios of
// rounds that ran next to each other.
//
// A contender is a type with:
//   static constexpr const char* name
//   explicit C(std::size_t n)                      for n keys at 1 %
//   void add(std::uint64_t), bool contains(std::uint64_t) const
//   add_batch(span), contains_batch(span, bool*)   if it has them
//   std::size_t bytes() const
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace seen::bench {

inline std::uint64_t mix(std::uint64_t x) noexcept {  // SplitMix64's output function: distinct keys for distinct x
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

inline double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Keeps the compiler from seeing through a value, so that loop iterations stay separate calls.
template <class T>
void opaque(T& x) {
  asm volatile("" : "+r"(x));
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

/// The keys of one size: `added` go in; the queries are absent, half and half, or present.
struct workload {
  explicit workload(std::size_t n, std::size_t queries) : added(n) {
    for (std::size_t i = 0; i < n; ++i) added[i] = mix(i + 1);
    for (std::size_t i = 0; i < queries; ++i) {
      const std::uint64_t is_in = added[mix(i) % n];
      const std::uint64_t is_not = mix(i + (std::uint64_t{1} << 40));
      absent.push_back(is_not);
      half.push_back(mix(i) >> 63 ? is_in : is_not);
      present.push_back(is_in);
    }
  }
  std::vector<std::uint64_t> added, absent, half, present;
};

/// One measured quantity of one contender: a call that does `keys` operations and returns a checksum.
struct measurement {
  std::string label;
  std::size_t keys;
  std::function<std::uint64_t()> run;
  std::vector<double> ns = {};
  std::uint64_t answer = 0;
};

/// A filter under test, erased: its rows in a fixed order, so that equal rows of contenders can be compared.
struct entry {
  std::string name;
  double bits_per_key = 0;
  std::vector<measurement> rows;
};

template <class C>
entry enter(const workload& work) {
  auto built = std::make_shared<std::unique_ptr<C>>();
  entry e;
  e.name = C::name;
  const auto build = [built, &work]() -> std::uint64_t {
    built->reset();
    *built = std::make_unique<C>(work.added.size());
    if constexpr (requires(C & c) { c.add_batch(std::span(work.added)); }) {
      (*built)->add_batch(std::span(work.added));
    } else {
      for (const std::uint64_t key : work.added) (*built)->add(key);
    }
    return (*built)->bytes();
  };
  (void)build();
  e.bits_per_key = 8.0 * static_cast<double>((*built)->bytes()) / static_cast<double>(work.added.size());
  e.rows.push_back({"build", work.added.size(), build});
  struct {
    const char* label;
    const std::vector<std::uint64_t>* keys;
  } const mixes[] = {{"absent", &work.absent}, {"half", &work.half}, {"present", &work.present}};
  for (const auto& mixed : mixes) {
    const auto* keys = mixed.keys;
    e.rows.push_back({std::string("single ") + mixed.label, keys->size(), [built, keys] {
                        std::uint64_t found = 0;
                        const C& c = **built;
                        for (std::uint64_t key : *keys) {
                          opaque(key);
                          found += c.contains(key);
                        }
                        return found;
                      }});
  }
  for (const auto& mixed : mixes) {
    const auto* keys = mixed.keys;
    if constexpr (requires(const C& c, bool* out) { c.contains_batch(std::span(*keys), out); }) {
      auto out = std::make_shared<std::unique_ptr<bool[]>>(std::make_unique<bool[]>(keys->size()));
      e.rows.push_back({std::string("batch ") + mixed.label, keys->size(), [built, keys, out]() -> std::uint64_t {
                          return (*built)->contains_batch(std::span(*keys), out->get());
                        }});
    }
  }
  return e;
}

/// Runs every row of every contender once a round, in turns.
inline void run_rounds(std::vector<entry>& contenders, int rounds, int build_rounds) {
  const std::size_t rows = [&] {
    std::size_t most = 0;
    for (const entry& e : contenders) most = std::max(most, e.rows.size());
    return most;
  }();
  for (std::size_t row = 0; row < rows; ++row) {
    const int times = row == 0 ? build_rounds : rounds;
    for (int round = 0; round <= times; ++round) {
      for (entry& e : contenders) {
        if (row >= e.rows.size()) continue;
        measurement& m = e.rows[row];
        const double begin = now_ns();
        m.answer = m.run();
        const double spent = now_ns() - begin;
        if (round != 0) m.ns.push_back(spent / static_cast<double>(m.keys));  // the first round warms up
      }
    }
  }
}

}  // namespace seen::bench
