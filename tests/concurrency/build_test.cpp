// Static filters built by several threads: no race, and the bytes of one thread.
#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "support/all_filters.hpp"
#include "support/key_shapes.hpp"

namespace seen::testing {
namespace {

template <class F>
class threaded_build : public ::testing::Test {};
TYPED_TEST_SUITE(threaded_build, static_filters, kind_names);

TYPED_TEST(threaded_build, eight_threads_make_what_one_makes) {
  std::vector<digest> digests;
  rng random(1);
  for (int i = 0; i < 100'000; ++i) digests.emplace_back(random());
  const auto one = TypeParam::build(digests, {.shards = 64}).value();
  std::uint64_t calls = 0;  // told from one thread at a time
  const auto count = [&](const build_progress&) { return ++calls != 0; };
  const auto eight = TypeParam::build(digests, {.shards = 64}, {.threads = 8, .progress = count}).value();
  EXPECT_EQ(eight, one);
  EXPECT_GE(calls, 64u + 256u);
}

TYPED_TEST(threaded_build, two_builds_at_once_do_not_meet) {
  std::vector<digest> digests;
  rng random(2);
  for (int i = 0; i < 30'000; ++i) digests.emplace_back(random());
  const auto expected = TypeParam::build(digests).value();
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] { good += TypeParam::build(digests).value() == expected; });
  }
  for (auto& each : threads) each.join();
  EXPECT_EQ(good, 4);
}

}  // namespace
}  // namespace seen::testing
