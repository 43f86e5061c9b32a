// The explorer itself, by the small programs that memory models are told apart with: what may happen does, what may not does
// not.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <utility>

#include "models/model_access.hpp"

namespace seen::testing::models {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

using pair = std::pair<std::uint64_t, std::uint64_t>;
using outcomes = std::set<pair>;

std::uint64_t load(std::uint64_t& place, std::memory_order order) {
  return model_access::word_ref(place).load(order);
}
void store(std::uint64_t& place, std::uint64_t value, std::memory_order order) {
  model_access::word_ref(place).store(value, order);
}

/// Two words, two threads, and what they came to know.
struct state {
  std::uint64_t x = 0, y = 0;
  pair found{};
};

/// All that two threads can come to.
template <class First, class Second, class Found>
outcomes all_of(First first, Second second, Found found) {
  struct scene {
    void run(std::size_t thread) { thread == 0 ? (*first)(words) : (*second)(words); }
    const char* check() {
      all->insert((*found)(words));
      return nullptr;
    }
    First* first;
    Second* second;
    Found* found;
    outcomes* all;
    state words = {};
    std::size_t threads = 2;
  };
  outcomes all;
  EXPECT_EQ(explorer({}).explore([&] { return scene{&first, &second, &found, &all}; }).violation, "");
  return all;
}
constexpr auto what_was_found = [](const state& s) { return s.found; };
constexpr auto what_is_there = [](const state& s) { return pair(s.x, s.y); };

TEST(explorer, a_message_is_passed_by_release_and_acquire_alone) {
  const auto passed = [](std::memory_order stored, std::memory_order loaded) {
    return all_of(
        [=](state& s) {
          store(s.x, 1, relaxed);
          store(s.y, 1, stored);
        },
        [=](state& s) {
          s.found.first = load(s.y, loaded);
          s.found.second = load(s.x, relaxed);
        },
        what_was_found);
  };
  const outcomes with_an_edge{{0, 0}, {0, 1}, {1, 1}}, without{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  EXPECT_EQ(passed(release, acquire), with_an_edge);
  EXPECT_EQ(passed(relaxed, acquire), without);
  EXPECT_EQ(passed(release, relaxed), without);
}

TEST(explorer, a_store_may_be_late_for_another_thread) {
  const auto all = all_of(
      [](state& s) {
        store(s.x, 1, release);
        s.found.first = load(s.y, acquire);
      },
      [](state& s) {
        store(s.y, 1, release);
        s.found.second = load(s.x, acquire);
      },
      what_was_found);
  EXPECT_EQ(all, (outcomes{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
}

TEST(explorer, two_words_may_end_with_the_first_store_of_either_thread) {
  const auto all = all_of(
      [](state& s) {
        store(s.x, 1, relaxed);
        store(s.y, 2, relaxed);
      },
      [](state& s) {
        store(s.y, 1, relaxed);
        store(s.x, 2, relaxed);
      },
      what_is_there);
  EXPECT_EQ(all, (outcomes{{1, 1}, {1, 2}, {2, 1}, {2, 2}}));
}

TEST(explorer, a_thread_never_reads_one_word_backwards) {
  const auto all = all_of(
      [](state& s) {
        store(s.x, 1, relaxed);
        store(s.x, 2, relaxed);
      },
      [](state& s) {
        s.found.first = load(s.x, relaxed);
        s.found.second = load(s.x, relaxed);
      },
      what_was_found);
  EXPECT_EQ(all, (outcomes{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}));
}

// An edge goes on through a read-modify-write of whatever order, and ends at a store.
TEST(explorer, a_read_modify_write_hands_an_edge_on) {
  const auto handed_on = [](auto change) {
    return all_of(
        [=](state& s) {
          store(s.x, 1, relaxed);
          store(s.y, 1, release);
          change(s.y);
        },
        [=](state& s) {
          s.found.first = load(s.y, acquire);
          s.found.second = load(s.x, relaxed);
        },
        what_was_found);
  };
  EXPECT_EQ(handed_on([](std::uint64_t& y) { (void)model_access::add(&y, 1); }),
            (outcomes{{0, 0}, {0, 1}, {1, 1}, {2, 1}}));
  EXPECT_EQ(handed_on([](std::uint64_t& y) { store(y, 2, relaxed); }),
            (outcomes{{0, 0}, {0, 1}, {1, 1}, {2, 0}, {2, 1}}));
}

TEST(explorer, threads_that_wait_for_one_another_are_found) {
  struct scene {
    void run(std::size_t thread) {
      locks[thread].lock();
      locks[1 - thread].lock();
      locks[1 - thread].unlock();
      locks[thread].unlock();
    }
    static const char* check() { return nullptr; }
    std::array<model_access::mutex, 2> locks = {};
    std::size_t threads = 2;
  };
  const outcome all = explore<scene>(weakness());
  EXPECT_EQ(all.violation.substr(0, all.violation.find('\n')), "the threads wait for one another");
}

}  // namespace
}  // namespace seen::testing::models
