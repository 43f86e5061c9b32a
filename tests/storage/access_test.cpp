// The two ways to touch a word: what each operation does, that both leave the same bytes, and which atomic operations
// the shared one is made of.
#include <seen/storage/access.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <utility>
#include <vector>

namespace seen::testing {
namespace {

static_assert(!plain_access::is_shared);
static_assert(atomic_access::is_shared);

template <class Access>
class access : public ::testing::Test {
 protected:
  std::uint64_t word = 0xf0;
};
using both = ::testing::Types<plain_access, atomic_access>;
TYPED_TEST_SUITE(access, both);

TYPED_TEST(access, load_gives_what_store_left) {
  EXPECT_EQ(TypeParam::load(&this->word), 0xf0u);
  TypeParam::store(&this->word, ~std::uint64_t{0});
  EXPECT_EQ(TypeParam::load(&this->word), ~std::uint64_t{0});
  TypeParam::store_release(&this->word, 7);
  EXPECT_EQ(this->word, 7u) << "the word itself, not a copy";
}

TYPED_TEST(access, set_adds_bits_and_takes_none) {
  TypeParam::set(&this->word, 0x11);
  EXPECT_EQ(this->word, 0xf1u);
  TypeParam::set(&this->word, 0x11);
  EXPECT_EQ(this->word, 0xf1u);
  TypeParam::set_missing(&this->word, 0x82);
  EXPECT_EQ(this->word, 0xf3u) << "also where some of them are there";
  TypeParam::set(&this->word, 0);
  EXPECT_EQ(this->word, 0xf3u);
}

TYPED_TEST(access, keep_takes_all_other_bits) {
  TypeParam::keep(&this->word, 0x3c);
  EXPECT_EQ(this->word, 0x30u);
}

TYPED_TEST(access, add_and_update_return_what_was_there) {
  EXPECT_EQ(TypeParam::add(&this->word, 2), 0xf0u);
  EXPECT_EQ(TypeParam::add(&this->word, ~std::uint64_t{0}), 0xf2u) << "one less";
  EXPECT_EQ(this->word, 0xf1u);
  EXPECT_EQ(TypeParam::update(&this->word, [](std::uint64_t old) { return old * 2; }), 0xf1u);
  EXPECT_EQ(this->word, 0x1e2u);
}

TYPED_TEST(access, pointer_gives_what_was_published) {
  std::uint64_t other = 1;
  std::uint64_t* slot = nullptr;
  EXPECT_EQ(TypeParam::pointer(slot), nullptr);
  TypeParam::publish(slot, &other);
  EXPECT_EQ(TypeParam::pointer(slot), &other);
}

// Where only loads are promised, nothing may be stored: mapped files are read-only pages.
TEST(shared_access, what_changes_nothing_writes_nothing) {
  void* const page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  auto* const word = static_cast<std::uint64_t*>(page);
  *word = 0xff;
  ASSERT_EQ(mprotect(page, 4096, PROT_READ), 0);
  EXPECT_EQ(atomic_access::load(word), 0xffu);
  EXPECT_EQ(atomic_access::load_acquire(word), 0xffu);
  atomic_access::set(word, 0x81);  // there already
  EXPECT_EQ(atomic_access::update(word, [](std::uint64_t old) { return old; }), 0xffu);
  EXPECT_EQ(munmap(page, 4096), 0);
}

TEST(shared_access, loses_nothing_between_threads) {
  constexpr unsigned threads = 4, rounds = 10'000;
  std::array<std::uint64_t, 3> words{};
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t) {
    all.emplace_back([&words, t] {
      for (unsigned i = 0; i < rounds; ++i) {
        atomic_access::set(&words[0], std::uint64_t{1} << (16 * t + i % 16));
        atomic_access::add(&words[1], 1);
        atomic_access::update(&words[2], [](std::uint64_t old) { return old + 1; });
      }
    });
  }
  for (std::thread& each : all) each.join();
  EXPECT_EQ(words[0], ~std::uint64_t{0});
  EXPECT_EQ(words[1], std::uint64_t{threads} * rounds);
  EXPECT_EQ(words[2], std::uint64_t{threads} * rounds);
}

// Atomics that note what is asked of them: an operation and its order.
std::vector<std::string> noted;

void note(const char* operation, std::memory_order order) {
  const char* const name = order == std::memory_order_relaxed   ? " relaxed"
                           : order == std::memory_order_acquire ? " acquire"
                           : order == std::memory_order_release ? " release"
                                                                : " another order";
  noted.push_back(std::string(operation) + name);
}

struct noting_atomics {
  template <class T>
  struct ref {
    explicit ref(T& value) : value(value) {}
    T load(std::memory_order order) const { return note("load", order), value; }
    void store(T to, std::memory_order order) const { note("store", order), value = to; }
    T fetch_add(T by, std::memory_order order) const { return note("add", order), std::exchange(value, value + by); }
    T fetch_or(T by, std::memory_order order) const { return note("or", order), std::exchange(value, value | by); }
    T fetch_and(T by, std::memory_order order) const { return note("and", order), std::exchange(value, value & by); }
    // Fails the first time it is asked, as another thread's change or the machine's whim would make it.
    bool compare_exchange_weak(T& expected, T to, std::memory_order order) const {
      note("swap", order);
      if (std::exchange(fails, false)) return expected = value, false;
      return value = to, true;
    }
    static inline bool fails = false;
    T& value;
  };
  using mutex = std::mutex;
  static void wait(unsigned) {}
};
using noting = shared_access<noting_atomics>;

template <class Use>
std::vector<std::string> what(Use use) {
  noted.clear();
  use();
  return noted;
}
using names = std::vector<std::string>;

TEST(shared_access, is_relaxed_but_where_its_name_says_otherwise) {
  std::uint64_t word = 0;
  std::uint64_t* slot = nullptr;
  EXPECT_EQ(what([&] { (void)noting::load(&word); }), names{"load relaxed"});
  EXPECT_EQ(what([&] { noting::store(&word, 1); }), names{"store relaxed"});
  EXPECT_EQ(what([&] { (void)noting::load_acquire(&word); }), names{"load acquire"});
  EXPECT_EQ(what([&] { noting::store_release(&word, 1); }), names{"store release"});
  EXPECT_EQ(what([&] { noting::add(&word, 1); }), names{"add relaxed"});
  EXPECT_EQ(what([&] { noting::keep(&word, 1); }), names{"and relaxed"});
  EXPECT_EQ(what([&] { noting::publish(slot, &word); }), names{"store release"});
  EXPECT_EQ(what([&] { (void)noting::pointer(slot); }), names{"load acquire"});
}

TEST(shared_access, set_looks_first_and_set_missing_does_not) {
  std::uint64_t word = 1;
  EXPECT_EQ(what([&] { noting::set(&word, 1); }), names{"load relaxed"});
  EXPECT_EQ(what([&] { noting::set(&word, 3); }), (names{"load relaxed", "or relaxed"}));
  EXPECT_EQ(what([&] { noting::set_missing(&word, 3); }), names{"or relaxed"});
  EXPECT_EQ(word, 3u);
}

TEST(shared_access, update_tries_again_with_what_another_thread_left) {
  std::uint64_t word = 5;
  noting_atomics::ref<std::uint64_t>::fails = true;
  int asked = 0;
  const auto tried = what([&] {
    EXPECT_EQ(noting::update(&word,
                             [&](std::uint64_t old) {
                               ++asked;
                               return old + 1;
                             }),
              5u);
  });
  EXPECT_EQ(tried, (names{"load relaxed", "swap relaxed", "swap relaxed"}));
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(word, 6u);
}

}  // namespace
}  // namespace seen::testing
