// Bumped ribbon retrieval by its authors (lorenzhs/BuRR): their fast filter of eight bits, two levels above the last, and
// 0.965 slots per key in the first, which leaves the rest of the keys to the next one.
#include <ribbon.hpp>
#include <sorter.cpp>

#include "peers.hpp"

namespace seen::bench {
namespace {

struct quiet_fast_filter : ribbon::FastFilterConfig<8, std::uint64_t> {
  static constexpr bool log = false;
};

struct of_burr {
  static constexpr double slots_per_key = 0.965;

  explicit of_burr(std::size_t n)
      : f(static_cast<std::size_t>(slots_per_key * static_cast<double>(n)), slots_per_key, 42) {}
  void add_batch(std::span<const std::uint64_t> keys) {
    f.AddRange(keys.begin(), keys.end());
    f.BackSubst();
  }
  [[nodiscard, gnu::always_inline]] bool contains(std::uint64_t key) const { return f.QueryFilter(key); }
  [[nodiscard]] std::size_t bytes() const { return f.Size(); }

  ribbon::ribbon_filter<2, quiet_fast_filter> f;
};

}  // namespace

std::string add_burr(std::vector<family>& families) {
  family_of(families, "static").contenders.push_back(contends<of_burr>(peers::burr));
  return "";
}

}  // namespace seen::bench
