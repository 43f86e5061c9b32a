// Words that many threads change, in every execution: no bit is lost, nobody is told that a key was there before anybody
// added it, and a reset keeps what was added beside it.
#include <seen/filters/blocked_bloom.hpp>
#include <seen/filters/bloom.hpp>
#include <seen/filters/counting_bloom.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>

#include "models/model_access.hpp"

namespace seen::testing::models {
namespace {

const weakness torn{.where = [](const void*, bool) { return true; }, .torn = true};

// --- one word

/// Two threads change one word, each by a function of its own; the second change must not undo the first.
template <auto First, auto Second, std::uint64_t Before, std::uint64_t After>
struct one_word {
  static constexpr std::size_t threads = 2;
  void run(std::size_t thread) { thread == 0 ? First(&word) : Second(&word); }
  const char* check() const { return word == After ? nullptr : "a change is lost"; }

  std::uint64_t word = Before;
};

constexpr auto set_one = [](std::uint64_t* word) { model_access::set(word, 1); };
constexpr auto set_two = [](std::uint64_t* word) { model_access::set(word, 2); };
constexpr auto set_four_missing = [](std::uint64_t* word) { model_access::set_missing(word, 4); };
constexpr auto keep_all_but_four = [](std::uint64_t* word) { model_access::keep(word, ~std::uint64_t{4}); };
constexpr auto add_one = [](std::uint64_t* word) { (void)model_access::add(word, 1); };
constexpr auto update_by_one = [](std::uint64_t* word) {
  (void)model_access::update(word, [](std::uint64_t now) { return now + 1; });
};

template <class Scene>
void expect_atomic() {
  expect_fine<Scene>();
  expect_found<Scene>(torn);
}

TEST(words_model, changes_of_one_word_do_not_undo_one_another) {
  expect_atomic<one_word<set_one, set_two, 0, 3>>();
  expect_atomic<one_word<set_one, set_four_missing, 8, 13>>();
  expect_atomic<one_word<set_one, keep_all_but_four, 4, 1>>();
  expect_atomic<one_word<keep_all_but_four, set_two, 4, 2>>();
  expect_atomic<one_word<add_one, add_one, 0, 2>>();
  expect_atomic<one_word<update_by_one, update_by_one, 0, 2>>();
  expect_atomic<one_word<update_by_one, set_four_missing, 0, 5>>();
}

// --- filters

template <class Engine>
Engine small();
using bloom_model = engines::bloom_engine<chain_rule, model_access>;
template <>
bloom_model small<bloom_model>() {
  return bloom_model::make({.bits = 128, .probes = 3}).value();
}
using block_model = engines::block_engine<block_rule, model_access>;
template <>
block_model small<block_model>() {
  return block_model::make({.blocks = 1, .probes = 4}).value();
}
using counting_model = engines::counting_engine<counter_chain_rule, model_access>;
template <>
counting_model small<counting_model>() {
  return counting_model::make({.counters = 32, .probes = 3, .counter_bits = 4}).value();
}

// Two digests that lie apart, and in the same words.
const std::array<digest, 2> keys{digest(0x0123'4567'89ab'cdef), digest(0xfedc'ba98'7654'3210)};

template <class Engine>
struct two_adds {
  static constexpr std::size_t threads = 2;
  void run(std::size_t thread) { filter.add(keys[thread]); }
  const char* check() const {
    auto expected = small<Engine>();
    for (const digest each : keys) expected.add(each);
    return filter == expected ? nullptr : "a key is lost";
  }

  Engine filter = small<Engine>();
};

template <class Engine>
struct who_was_first {
  static constexpr std::size_t threads = 2;
  void run(std::size_t thread) { was_there[thread] = filter.test_and_add(keys[0]); }
  const char* check() const {
    if (was_there[0] && was_there[1]) return "both were told that the other one was first";
    return filter.may_contain(keys[0]) ? nullptr : "a key is lost";
  }

  Engine filter = small<Engine>();
  std::array<bool, 2> was_there{};
};

template <class Engine>
struct reset_beside {
  static constexpr std::size_t threads = 2;
  void run(std::size_t thread) {
    if (thread == 0) {
      filter.add(keys[0]);
    } else {
      full = filter.reset();
    }
  }
  const char* check() const {
    return filter.may_contain(keys[0]) || full->may_contain(keys[0]) ? nullptr : "a key is lost";
  }

  Engine filter = small<Engine>();
  std::optional<Engine> full;
};

template <class Engine>
class words_model_of : public ::testing::Test {};
using engines = ::testing::Types<bloom_model, block_model, counting_model>;
struct engine_names {
  template <class Engine>
  static std::string GetName(int) {
    return std::string(Engine::kind.name);
  }
};
TYPED_TEST_SUITE(words_model_of, engines, engine_names);

TYPED_TEST(words_model_of, two_threads_that_add_lose_nothing) {
  expect_fine<two_adds<TypeParam>>();
  expect_found<two_adds<TypeParam>>(torn);
}
TYPED_TEST(words_model_of, test_and_add_tells_at_least_one_thread_absent) {
  expect_fine<who_was_first<TypeParam>>();
}
TYPED_TEST(words_model_of, reset_beside_an_adder_loses_nothing) {
  expect_fine<reset_beside<TypeParam>>();
  for (const operation each : {operation::store, operation::load}) {
    expect_found<reset_beside<TypeParam>>(of_pointers(each));
  }
}

}  // namespace
}  // namespace seen::testing::models
