// add_many on several threads: the bytes of one thread, and no race.
#include <seen/seen.hpp>

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace seen::testing {
namespace {

template <class F>
void check(std::size_t n, double fpr) {
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < n; ++i) keys.push_back(i * 64);
  F one({.capacity = n, .fpr = fpr});
  (void)one.add_many(keys);
  for (const unsigned threads : {2u, 4u, 7u}) {
    F several({.capacity = n, .fpr = fpr});
    (void)several.add_many(keys, parallel{.threads = threads});
    EXPECT_TRUE(several == one) << F::kind.name << ", " << threads << " threads";
  }
}

TEST(parallel_add, bits_set_by_several_threads_are_those_of_one) {
  check<bloom>(30'000, 0.01);
  check<blocked_bloom>(30'000, 0.01);
  check<split_block>(30'000, 0.01);
  check<counting_bloom>(30'000, 0.01);
  check<blocked_counting_bloom>(30'000, 0.01);
}

TEST(parallel_add, a_cuckoo_filter_filled_chunk_by_chunk_is_that_of_one_thread) {
  check<cuckoo>(1'000'000, 1e-4);  // beyond 2 MiB, where chunks are filled apart
}

TEST(parallel_add, more_threads_than_blocks_or_keys_are_no_harm) {
  blocked_bloom f({.capacity = 1, .fpr = 0.5});
  f.add_many(std::vector<int>{7}, parallel{.threads = 1000});
  f.add_many(std::vector<std::string>{}, parallel{});
  EXPECT_TRUE(f.may_contain(7));
}

}  // namespace
}  // namespace seen::testing
