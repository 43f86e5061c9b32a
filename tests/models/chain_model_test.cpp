// Chains that grow under two threads, in every execution: no link is overfilled, no add is lost, readers find what is in
// and come to an end. The links are sets of a few numbers in a word each, so that a chain makes hardly a step of its own beyond those
// that are asked about.
#include <seen/filters/scalable_bloom.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string_view>

#include "models/model_access.hpp"

namespace seen::testing::models {
namespace {

struct set_shape {
  static constexpr std::array<std::string_view, 1> field_names{"capacity"};
  static result<set_shape> plan(const target& asked) { return set_shape{asked.capacity}; }
  std::uint64_t capacity = 0;
  friend bool operator==(const set_shape&, const set_shape&) = default;
};

/// A set of numbers below 64.
template <class Access>
class set_engine {
 public:
  using shape_type = set_shape;
  static result<set_engine> make(const set_shape& shape) { return set_engine(shape); }

  void add(digest d) noexcept { Access::set(&word_, std::uint64_t{1} << d.value); }
  [[nodiscard]] bool may_contain(digest d) const noexcept { return (Access::load(&word_) >> d.value & 1) != 0; }
  void clear() noexcept { Access::store(&word_, 0); }
  result<void> merge(const set_engine& other) {
    return Access::set(&word_, Access::load(&other.word_)), result<void>();
  }
  [[nodiscard]] set_shape shape() const noexcept { return shape_; }
  [[nodiscard]] std::uint64_t census() const noexcept {
    return static_cast<std::uint64_t>(std::popcount(Access::load(&word_)));
  }

 private:
  explicit set_engine(const set_shape& shape) : shape_(shape) {}

  set_shape shape_;
  std::uint64_t word_ = 0;
};
struct set_links {
  static constexpr kind_info kind{.id = 99, .name = "chain of sets"};
  using shape_type = scalable_shape<set_shape>;
  template <class Access>
  using engine = set_engine<Access>;
};
using chain = engines::scalable_engine<set_links, model_access>;

/// A chain whose links hold 1, 2, 4 … numbers, with those below `count`.
chain chain_of(std::uint64_t count) {
  auto made = chain::make({.first_capacity = 1, .fpr = 0.5}).value();
  for (std::uint64_t i = 0; i < count; ++i) made.add(digest(i));
  return made;
}

/// Two threads ask for a place of a link that has one left.
struct last_place {
  static constexpr std::size_t threads = 2;
  void run(std::size_t thread) { has_taken[thread] = link.take_place(); }
  const char* check() const {
    if (link.keys() != 5) return "a full link counts another number of keys";
    return has_taken[0] != has_taken[1] ? nullptr : "the last place was given to two or none";
  }

  engines::chain_link<set_engine<model_access>, model_access> link{
      {5, 0.5}, set_engine<model_access>::make({5}).value(), 4};
  std::array<bool, 2> has_taken{};
};

TEST(chain_model, the_last_place_of_a_link_is_given_to_one_thread) {
  expect_fine<last_place>();
}

/// Two threads add to a chain of `before` numbers, which must have `links` in the end.
struct two_adds {
  static constexpr std::size_t threads = 2;
  two_adds(std::uint64_t before, std::size_t links) : filter_(chain_of(before)), before_(before), links_(links) {}

  void run(std::size_t thread) { filter_.add(digest(40 + thread)); }
  const char* check() const {
    for (std::uint64_t i = 0; i < before_; ++i) {
      if (!filter_.may_contain(digest(i))) return "an old key is lost";
    }
    if (!filter_.may_contain(digest(40)) || !filter_.may_contain(digest(41))) return "a new key is lost";
    if (filter_.estimated_count() != static_cast<double>(before_ + 2)) return "the count is wrong";
    return filter_.links_in_chain() == links_ ? nullptr : "a link was made too many, or too few";
  }

 private:
  chain filter_;
  std::uint64_t before_;
  std::size_t links_;
};

TEST(chain_model, two_threads_that_grow_a_chain_lose_nothing_and_make_one_link) {
  expect_fine<two_adds>(0, 2);  // one of them finds the first link full
  expect_fine<two_adds>(1, 2);  // both do, and fill the second
  expect_fine<two_adds>(2, 3);
  for (const operation each : {operation::load, operation::store}) {
    expect_found<two_adds>(of_pointers(each), 1, 2);
  }
}

/// Thread 0 grows a chain, thread 1 asks it for a key of its oldest link.
struct grown_beside_a_reader {
  static constexpr std::size_t threads = 2;
  void run(std::size_t thread) {
    if (thread == 0) {
      filter.add(digest(40));
    } else {
      has_found = filter.may_contain(digest(0));
    }
  }
  const char* check() const { return has_found ? nullptr : "a key that is in was not found"; }

  chain filter = chain_of(3);
  bool has_found = false;
};

TEST(chain_model, a_reader_finds_its_key_while_the_chain_grows) {
  expect_fine<grown_beside_a_reader>();
  for (const operation each : {operation::load, operation::store}) {
    expect_found<grown_beside_a_reader>(of_pointers(each));
  }
}

/// Thread 0 clears a chain and grows it again, over links that thread 1 may still be in.
struct cleared_beside_a_reader {
  static constexpr std::size_t threads = 2;
  void run(std::size_t thread) {
    if (thread == 0) {
      filter.clear();
      for (std::uint64_t i = 40; i < 43; ++i) filter.add(digest(i));
    } else {
      (void)filter.may_contain(digest(0));  // says what it likes, and comes to an end
    }
  }
  const char* check() const {
    for (std::uint64_t i = 40; i < 43; ++i) {
      if (!filter.may_contain(digest(i))) return "a new key is lost";
    }
    if (filter.may_contain(digest(0)) || filter.may_contain(digest(1))) return "clear left a key";
    return filter.links_in_chain() == 2 ? nullptr : "a link was made too many, or too few";
  }

  chain filter = chain_of(5);
};

TEST(chain_model, a_reader_comes_to_an_end_while_the_chain_is_cleared_and_grows_anew) {
  expect_fine<cleared_beside_a_reader>();
}

/// Thread 0 adds, thread 1 swaps an empty chain in or merges another.
template <bool Merges>
struct exchanged_beside_an_adder {
  static constexpr std::size_t threads = 2;
  void run(std::size_t thread) {
    if (thread == 0) {
      filter.add(digest(40));
    } else if constexpr (Merges) {
      (void)filter.merge(other);
    } else {
      full = filter.reset();
    }
  }
  const char* check() {
    filter.add(digest(50));
    if (!filter.may_contain(digest(50))) return "the next add goes astray";
    const auto has = [&](std::uint64_t i) {
      return filter.may_contain(digest(i)) || (full && full->may_contain(digest(i)));
    };
    return has(0) && has(40) && (!Merges || has(1)) ? nullptr : "a key is lost";
  }

  chain filter = chain_of(1), other = chain_of(2);
  std::optional<chain> full;
};

TEST(chain_model, a_reset_or_a_merge_beside_an_adder_loses_nothing) {
  expect_fine<exchanged_beside_an_adder<false>>();
  expect_fine<exchanged_beside_an_adder<true>>();
}

}  // namespace
}  // namespace seen::testing::models
