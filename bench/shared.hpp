// One filter of a million integer keys that threads share, at the size of the block family: ours beside the rule that
// RocksDB's memtables share, and lookups beside plain filters of Boost's that are filled already.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "together.hpp"

namespace seen::bench {

/// Nanoseconds per key by call: add (new keys), again, contains (half are there).
using times_by_call = std::map<std::string, double>;

/// A filter for the section; measure() makes one, and so many threads add to it and ask it.
struct shared_filter {
  std::string name, peer;
  std::function<times_by_call(const workload&, unsigned threads)> measure;
};

namespace detail {

template <class C>
double contains_together(const C& c, const workload& keys, unsigned threads) {
  std::atomic<std::uint64_t> found{0};
  const std::span<const std::uint64_t> half = keys.half;
  return together(
      threads, half.size(),
      [&](std::size_t from, std::size_t to) { found += ask_singly(c, half.subspan(from, to - from)); }, many_passes);
}

}  // namespace detail

/// A filter that threads may add to together.
template <class C>
shared_filter shares(std::string name, std::string peer = "") {
  return {std::move(name), std::move(peer), [](const workload& keys, unsigned threads) {
            const auto c = std::make_unique<C>(keys.added.size());
            const auto add = [&](std::size_t from, std::size_t to) {
              for (std::size_t i = from; i < to; ++i) c->add(keys.added[i]);
            };
            times_by_call ns{{"add", together(threads, keys.added.size(), add)}};
            ns["again"] = together(threads, keys.added.size(), add, many_passes);
            ns["contains"] = detail::contains_together(*c, keys, threads);
            return ns;
          }};
}

/// A filter that only lookups may share.
template <class C>
shared_filter is_read(std::string name) {
  return {std::move(name), "", [](const workload& keys, unsigned threads) {
            const auto c = std::make_unique<C>(keys.added.size());
            detail::fill(*c, keys.added);
            return times_by_call{{"contains", detail::contains_together(*c, keys, threads)}};
          }};
}

}  // namespace seen::bench
