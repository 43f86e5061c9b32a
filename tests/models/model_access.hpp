// model_access: how shared code touches words when an explorer runs it (models/explorer.hpp); and what a test says of a scene.
#pragma once

#include <seen/storage/access.hpp>

#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <type_traits>

#include "models/explorer.hpp"

namespace seen::testing::models {

/// Atomics of which the explorer decides what they return; plain memory where none is at work.
struct model_atomics {
  template <class T>
  class ref {
   public:
    explicit ref(T& object) noexcept : object_(&object) {}

    T load(std::memory_order order) const noexcept {
      explorer* const all = explorer::current();
      return all == nullptr ? *object_ : of(all->load(object_, bits(*object_), order, is_pointer));
    }
    void store(T value, std::memory_order order) const noexcept {
      explorer* const all = explorer::current();
      *object_ = all == nullptr ? value : of(all->store(object_, bits(*object_), bits(value), order, is_pointer));
    }
    T fetch_or(T mask, std::memory_order order) const noexcept {
      return update([mask](T now) { return now | mask; }, order);
    }
    T fetch_and(T mask, std::memory_order order) const noexcept {
      return update([mask](T now) { return now & mask; }, order);
    }
    T fetch_add(T by, std::memory_order order) const noexcept {
      return update([by](T now) { return now + by; }, order);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order order) const noexcept {
      explorer* const all = explorer::current();
      if (all == nullptr) {
        if (*object_ != expected) return expected = *object_, false;
        return *object_ = desired, true;
      }
      const auto change = [&](std::uint64_t now, std::uint64_t& after) {
        after = bits(desired);
        return now == bits(expected);
      };
      const auto [before, last, done] = all->exchange(object_, bits(*object_), change, order);
      *object_ = of(last);
      if (!done) expected = of(before);
      return done;
    }

   private:
    static constexpr bool is_pointer = std::is_pointer_v<T>;
    static std::uint64_t bits(T value) noexcept {
      if constexpr (is_pointer) {
        return reinterpret_cast<std::uintptr_t>(value);
      } else {
        return value;
      }
    }
    static T of(std::uint64_t value) noexcept {
      if constexpr (is_pointer) {
        return reinterpret_cast<T>(static_cast<std::uintptr_t>(value));
      } else {
        return value;
      }
    }
    template <class Change>
    T update(Change change, std::memory_order order) const noexcept {
      explorer* const all = explorer::current();
      if (all == nullptr) {
        const T before = *object_;
        *object_ = change(before);
        return before;
      }
      const auto always = [&](std::uint64_t now, std::uint64_t& after) {
        after = change(now);
        return true;
      };
      const auto [before, last, done] = all->exchange(object_, *object_, always, order);
      *object_ = last;
      return before;
    }

    T* object_;
  };

  class mutex {
   public:
    void lock() {
      if (explorer* const all = explorer::current()) all->take(&held_, 0, 1);
    }
    void unlock() {
      if (explorer* const all = explorer::current()) (void)all->store(&held_, 0, 0, std::memory_order_release, false);
    }

   private:
    std::uint64_t held_ = 0;
  };

  static void wait(unsigned) noexcept {
    if (explorer* const all = explorer::current()) all->wait();
  }
};

using model_access = shared_access<model_atomics>;

/// Every execution of Scene(arguments...), of the library as it is or with one order weakened.
template <class Scene, class... Arguments>
outcome explore(const weakness& weak, const Arguments&... arguments) {
  return explorer(weak).explore([&] { return Scene(arguments...); });
}
template <class Scene, class... Arguments>
void expect_fine(const Arguments&... arguments) {
  const outcome all = explore<Scene>(weakness(), arguments...);
  EXPECT_EQ(all.violation, "");
  EXPECT_GE(all.executions, 1u);
  ::testing::Test::RecordProperty("executions", std::to_string(all.executions));
}
/// That the scene fails, by any violation.
template <class Scene, class... Arguments>
void expect_found(const weakness& weak, const Arguments&... arguments) {
  EXPECT_NE(explore<Scene>(weak, arguments...).violation, "");
}

/// Pointers that are loaded or stored with relaxed order.
inline weakness of_pointers(operation what) {
  return {what, [](const void*, bool is_pointer) { return is_pointer; }};
}

}  // namespace seen::testing::models
