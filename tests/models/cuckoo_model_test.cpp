// The locks and versions of a shared cuckoo filter, in every execution: no key is missed while it is moved, no add is lost,
// the count stays true. Tables of a few dozen buckets, two threads, one move.
#include <seen/engines/cuckoo_guards.hpp>
#include <seen/filters/cuckoo.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <utility>

#include "models/model_access.hpp"

namespace seen::testing::models {
namespace {

using engine = engines::cuckoo_engine<cuckoo_rule, model_access>;

cuckoo_rule rule_of(std::uint64_t buckets, std::uint32_t bits, std::uint64_t chunks = 1) {
  return cuckoo_rule::make({.buckets = buckets, .fingerprint_bits = bits, .chunks = chunks}).value();
}

/// The first digest after `last` whose pair is as wanted.
template <class Wanted>
digest digest_in(const cuckoo_rule& rule, Wanted wanted, digest last = {}) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  for (digest d(last.value + odd); d != last; d.value += odd) {
    if (wanted(rule.place(d).pair)) return d;
  }
  std::abort();
}
// (The sum of the two is odd, as the rule has it.)
digest digest_in(const cuckoo_rule& rule, std::uint64_t first, std::uint64_t second, digest last = {}) {
  return digest_in(
      rule, [&](const engines::cuckoo_pair& p) { return p.first == first && p.second == second; }, last);
}

/// A table in memory of the test's own, so that it knows which words are the table's.
class table {
 public:
  static constexpr std::size_t most_words = 72;

  explicit table(const cuckoo_rule& rule) : rule_(rule) { here() = this; }
  table(const table&) = delete;
  table& operator=(const table&) = delete;
  ~table() { here() = nullptr; }

  void put(std::uint64_t bucket, std::uint32_t slot, std::uint64_t fingerprint) {
    const auto lanes = rule_.lanes();
    kernels::store_slot<plain_access>(lanes, words_.data(), bucket, slot * lanes.bits, fingerprint);
  }
  [[nodiscard]] engine filter() {
    return engine::over(rule_.shape(), storage::borrow(std::as_writable_bytes(std::span(words_)).first(rule_.bytes())))
        .value();
  }

  static bool holds(const void* address) {
    const table* const now = here();
    return now != nullptr && address >= now->words_.data() && address < now->words_.data() + most_words;
  }

 private:
  static table*& here() {
    static table* now = nullptr;
    return now;
  }

  cuckoo_rule rule_;
  alignas(64) std::array<std::uint64_t, most_words> words_{};
};

bool in_words(const void* where, bool is_pointer) {
  return !is_pointer && table::holds(where);
}
bool in_stripes(const void* where, bool is_pointer) {
  return !is_pointer && !table::holds(where);
}
const weakness words_loaded_relaxed{operation::load, in_words};
const weakness words_stored_relaxed{operation::store, in_words};
const weakness versions_loaded_relaxed{operation::load, in_stripes};
const weakness stripes_released_relaxed{operation::store, in_stripes};
const weakness stripes_acquired_relaxed{operation::exchange, in_stripes};

// --- a key that is moved

/// A filter in which an add has to move `key` out of one of two full buckets.
struct full_pair {
  static constexpr std::uint64_t from = 3, full = 40, other = 20;  // buckets of three stripes

  // The key's home is its first bucket or its second: a lookup reads the first one first.
  explicit full_pair(bool is_first)
      : words(rule()),
        key(is_first ? digest_in(rule(), from, other) : digest_in(rule(), other, from)),
        added(digest_in(rule(), from, full)),
        filter(filled()) {}

  static const cuckoo_rule& rule() {
    static const cuckoo_rule made = rule_of(64, 16);
    return made;
  }
  const char* check(std::uint64_t size) const {
    if (!has_added || !filter.may_contain(added)) return "a key is lost";
    return filter.size() == size && filter.census() == size ? nullptr : "the count is wrong";
  }

  table words;
  digest key, added;
  engine filter;
  bool has_added = false;

 private:
  engine filled() {
    words.put(from, 0, rule().place(key).fingerprint);
    for (std::uint32_t slot = 1; slot < 4; ++slot) words.put(from, slot, 5);
    for (std::uint32_t slot = 0; slot < 4; ++slot) words.put(full, slot, 9);
    return words.filter();
  }
};

/// Thread 0 adds and moves `key`; thread 1 asks for it.
struct moved_key : full_pair {
  static constexpr std::size_t threads = 2;
  moved_key(bool is_first, bool is_counted) : full_pair(is_first), counts(is_counted) {}

  void run(std::size_t thread) {
    if (thread == 0) {
      has_added = filter.add(added);
    } else {
      has_found = counts ? filter.count(key) == 1 : filter.may_contain(key);
    }
  }
  const char* check() const {
    if (!has_found || !filter.may_contain(key)) return "a key that is in was not found";
    return full_pair::check(9);
  }

  bool counts, has_found = false;
};

TEST(cuckoo_model, a_key_is_found_in_every_execution_that_moves_it) {
  for (const bool is_first : {true, false}) {
    for (const bool counts : {false, true}) expect_fine<moved_key>(is_first, counts);
  }
}

TEST(cuckoo_model, a_key_is_missed_if_any_order_of_words_or_versions_is_weaker) {
  for (const weakness& each :
       {words_loaded_relaxed, words_stored_relaxed, versions_loaded_relaxed, stripes_released_relaxed}) {
    expect_found<moved_key>(each, false, false);
  }
}

/// Thread 0 adds and has to move a key; before it does, thread 1 may have taken the place that it was to go to, or put another
/// key where it was.
struct changed_path : full_pair {
  static constexpr std::size_t threads = 2;
  explicit changed_path(bool takes_out)
      : full_pair(true), removes(takes_out), next(digest_in(rule(), removes ? from : other, removes ? 60 : 41)) {}

  void run(std::size_t thread) {
    if (thread == 0) {
      has_added = filter.add(added);
    } else {
      is_fine = (!removes || filter.remove(key)) && filter.add(next);
    }
  }
  const char* check() const {
    if (!is_fine || !filter.may_contain(next) || (!removes && !filter.may_contain(key))) return "a key is lost";
    return full_pair::check(removes ? 9 : 10);
  }

  bool removes, is_fine = false;
  digest next;
};

TEST(cuckoo_model, a_move_that_is_no_longer_possible_is_not_made) {
  expect_fine<changed_path>(false);
  expect_fine<changed_path>(true);
}

/// One thread alone moves a key and asks for one that is absent: nothing can hold it up.
struct alone {
  static constexpr std::size_t threads = 1;
  void run(std::size_t) {
    moving.run(0);
    moving.run(1);
  }
  const char* check() { return moving.check(); }

  moved_key moving{true, false};
};

TEST(cuckoo_model, a_reader_looks_once_where_nobody_writes) {
  const outcome all = explore<alone>(weakness());
  EXPECT_EQ(all.violation, "");
  EXPECT_EQ(all.executions, 1u);
  EXPECT_EQ(all.cut, 0u);
}

// --- a change of several words

/// Thread 0 changes the two words of one bucket of a pair, as an owner of that bucket's stripe and a third one's; thread 1
/// reads both.
struct changed_bucket {
  static constexpr std::size_t threads = 2;

  explicit changed_bucket(std::uint64_t bucket)
      : bucket_(bucket), guards_(engines::cuckoo_guards<model_access>::make(1, 6, 0)) {}

  void run(std::size_t thread) {
    if (thread == 0) {
      const auto lock = guards_.lock_pair({bucket_, 50});
      for (std::uint64_t& word : words_) model_access::store_release(&word, 1);
    } else {
      differs_ = guards_.read({3, 20}, [&]() -> std::uint64_t {
        return model_access::load_acquire(&words_[1]) ^ model_access::load_acquire(&words_[0]);
      });
    }
  }
  const char* check() const { return differs_ == 0 ? nullptr : "half of a change was seen"; }

 private:
  std::uint64_t bucket_;
  engines::cuckoo_guards<model_access> guards_;
  std::array<std::uint64_t, 2> words_{};
  std::uint64_t differs_ = 0;
};

TEST(cuckoo_model, a_reader_notices_every_change_of_either_bucket) {
  for (const std::uint64_t bucket : {3, 20}) expect_fine<changed_bucket>(bucket);
}

// --- two writers

/// Two threads add at once; both keys must be in, each once. `full` slots of all their buckets are taken before.
struct two_adds {
  static constexpr std::size_t threads = 2;

  two_adds(const cuckoo_rule& rule, const std::array<digest, 2>& keys, std::uint32_t full)
      : words_(rule), keys_(keys), filter_(filled(rule, full)) {}

  void run(std::size_t thread) { added_[thread] = filter_.add(keys_[thread]); }
  const char* check() {
    for (std::size_t i = 0; i < 2; ++i) {
      if (!added_[i] || !filter_.may_contain(keys_[i])) return "a key is lost";
    }
    if (filter_.size() != before_ + 2 || filter_.census() != before_ + 2) return "the count is wrong";
    return filter_.remove(keys_[0]) && filter_.remove(keys_[1]) ? nullptr : "a key is lost";
  }

 private:
  engine filled(const cuckoo_rule& rule, std::uint32_t full) {
    for (const digest d : keys_) {
      const engines::cuckoo_pair at = rule.place(d).pair;
      for (const std::uint64_t bucket : {at.first, at.second}) {
        for (std::uint32_t slot = 0; slot < full; ++slot) words_.put(bucket, slot, 7 + slot);
      }
    }
    engine made = words_.filter();
    before_ = made.size();
    return made;
  }

  table words_;
  std::array<digest, 2> keys_;
  std::uint64_t before_ = 0;
  engine filter_;
  std::array<bool, 2> added_{};
};

TEST(cuckoo_model, two_threads_that_add_to_one_pair_lose_nothing) {
  const auto rule = rule_of(64, 16);
  const digest a = digest_in(rule, 3, 20), b = digest_in(rule, 3, 20, a);
  expect_fine<two_adds>(rule, std::array{a, b}, 0u);
  for (const weakness& each : {stripes_acquired_relaxed, stripes_released_relaxed}) {
    expect_found<two_adds>(each, rule, std::array{a, b}, 0u);
  }
}

// Each pair has a stripe that the other does not have.
TEST(cuckoo_model, two_threads_that_add_to_one_bucket_of_two_pairs_lose_nothing) {
  const auto rule = rule_of(64, 16);
  for (const std::uint64_t shared : {5, 40}) {
    const std::uint64_t others = shared % 2 == 0 ? 21 : 20;
    expect_fine<two_adds>(rule, std::array{digest_in(rule, shared, others), digest_in(rule, shared, others + 32)}, 0u);
  }
}

// Buckets of 13-bit slots that share a word: a slot of the one ends in it, a slot of the other begins.
TEST(cuckoo_model, two_threads_that_add_to_neighbours_in_a_word_lose_nothing) {
  const auto rule = rule_of(64, 13);
  expect_fine<two_adds>(rule, std::array{digest_in(rule, 7, 20), digest_in(rule, 8, 41)}, 1u);
}

TEST(cuckoo_model, two_threads_that_both_have_to_move_keys_lose_nothing) {
  const auto rule = rule_of(64, 16);
  expect_fine<two_adds>(rule, std::array{digest_in(rule, 3, 20), digest_in(rule, 20, 3)}, 4u);
}

// --- the whole filter beside an adder

/// Thread 0 adds a key to a filter that holds another, thread 1 empties it.
struct cleared {
  static constexpr std::size_t threads = 2;

  cleared(const cuckoo_rule& rule, const std::array<digest, 2>& keys)
      : filter_(engine::make(rule.shape()).value()), key_(keys[0]) {
    (void)filter_.add(keys[1]);
  }
  void run(std::size_t thread) {
    if (thread == 0) {
      (void)filter_.add(key_);
    } else {
      filter_.clear();
    }
  }
  const char* check() const {
    if (filter_.size() > 1) return "clear left a key";
    return filter_.size() == filter_.census() ? nullptr : "the count is wrong";
  }

 private:
  engine filter_;
  digest key_;
};

TEST(cuckoo_model, clear_beside_an_adder_leaves_a_true_count) {
  const auto rule = rule_of(64, 16);
  expect_fine<cleared>(rule, std::array{digest_in(rule, 3, 20), digest_in(rule, 20, 41)});
}

// 513 chunks have 512 stripes: the first and the last share one.
TEST(cuckoo_model, clear_beside_an_adder_leaves_a_true_count_where_chunks_share_stripes) {
  const auto rule = rule_of(513 * 16, 8, 513);
  const auto in_chunk = [&](std::uint64_t chunk) {
    return digest_in(rule, [&](const engines::cuckoo_pair& p) { return p.first / 16 == chunk; });
  };
  expect_fine<cleared>(rule, std::array{in_chunk(0), in_chunk(512)});
}

/// Thread 0 asks for a key and adds it to a filter that holds another, thread 1 resets the filter.
struct reset_beside {
  static constexpr std::size_t threads = 2;

  reset_beside(const cuckoo_rule& rule, const std::array<digest, 2>& keys)
      : filter_(engine::make(rule.shape()).value()), key_(keys[0]) {
    (void)filter_.add(keys[1]);
  }
  void run(std::size_t thread) {
    if (thread == 0) {
      (void)filter_.may_contain(key_);
      (void)filter_.add(key_);
    } else {
      full_ = filter_.reset();
    }
  }
  const char* check() const {
    if (filter_.count(key_) + full_->count(key_) != 1) return "a key is lost";
    const bool is_true = filter_.size() == filter_.census() && full_->size() == full_->census();
    return is_true && filter_.size() + full_->size() == 2 ? nullptr : "the count is wrong";
  }

 private:
  engine filter_;
  std::optional<engine> full_;
  digest key_;
};

TEST(cuckoo_model, reset_beside_an_adder_loses_nothing) {
  const auto rule = rule_of(64, 16);
  const std::array keys{digest_in(rule, 3, 20), digest_in(rule, 20, 41)};
  expect_fine<reset_beside>(rule, keys);
  for (const operation each : {operation::store, operation::load}) {
    expect_found<reset_beside>(of_pointers(each), rule, keys);
  }
}

}  // namespace
}  // namespace seen::testing::models
