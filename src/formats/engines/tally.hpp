// tally_engine<Engine, Policy>: an engine that keeps the number of keys which the file of its format states.
//
//   counts_adds       every add                                BoomFilters, pyprobables
//   counts_new_keys   adds that changed something              pybloom, RedisBloom
//   counts_and_joins  the same; a union has the sum of both    DCSO
//
// The number is what the file said and what was added here since; it is as true as the file is.
#pragma once

#include <seen/base/result.hpp>
#include <seen/concepts.hpp>
#include <seen/math/estimate.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace seen::inline v1::foreign {

struct counts_adds {
  static constexpr bool only_new = false;
  static constexpr bool joins = false;
};
struct counts_new_keys {
  static constexpr bool only_new = true;
  static constexpr bool joins = false;
};
struct counts_and_joins {
  static constexpr bool only_new = true;
  static constexpr bool joins = true;
};

template <class Engine, class Policy>
class tally_engine : public Engine {
 public:
  using typename Engine::digest_type;

  tally_engine() = default;
  tally_engine(Engine engine, std::uint64_t count) : Engine(std::move(engine)), count_(count) {}

  void add(digest_type d) noexcept {
    if constexpr (Policy::only_new) {
      count_ += !Engine::test_and_add(d);
    } else {
      Engine::add(d);
      ++count_;
    }
  }
  bool test_and_add(digest_type d) noexcept {
    const bool before = Engine::test_and_add(d);
    count_ += !(Policy::only_new && before);
    return before;
  }
  void add_many(std::span<const digest_type> digests) noexcept {
    if constexpr (Policy::only_new) {
      for (const digest_type& d : digests) add(d);
    } else {
      Engine::add_many(digests);
      count_ += digests.size();
    }
  }
  void clear() noexcept {
    Engine::clear();
    count_ = 0;
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return count_; }
  [[nodiscard]] double estimated_count() const noexcept { return static_cast<double>(count_); }
  /// What the number of set bits tells, but for the keys, which are counted.
  [[nodiscard]] math::fill_estimates estimates_of(std::uint64_t set) const noexcept
      requires(requires(const Engine& e) { e.estimates_of(set); }) {
    math::fill_estimates now = Engine::estimates_of(set);
    now.keys = estimated_count();
    return now;
  }
  void set_size(std::uint64_t count) noexcept { count_ = count; }

  // Bits unite, counts do not, unless the library itself adds them up.
  result<void> merge(const tally_engine& other) requires(Policy::joins) {
    if (count_ + other.count_ < count_) {
      return {errc::too_large, "merge: counts differ: " + std::to_string(count_) + " here, " +
                                   std::to_string(other.count_) + " there have no sum of 64 bits"};
    }
    if (auto merged = Engine::merge(other); !merged) return merged;
    count_ += other.count_;
    return {};
  }
  result<void> merge(const tally_engine&) requires(!Policy::joins) = delete;
  result<void> intersect(const tally_engine&) = delete;
  result<void> shrink_to_fpr(double) = delete;

 private:
  std::uint64_t count_ = 0;
};

}  // namespace seen::inline v1::foreign
