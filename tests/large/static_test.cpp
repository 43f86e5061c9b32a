// Static kinds at sizes where memory is what counts: how much a build takes, measured in a process of its own.
#include <cstdint>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <vector>

#include "support/all_filters.hpp"
#include "support/child.hpp"
#include "support/key_shapes.hpp"
#include "support/soak.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

template <class F>
class large_static : public ::testing::Test {};
TYPED_TEST_SUITE(large_static, static_filters, kind_names);

// The largest the process has been, in bytes.
std::uint64_t peak_bytes() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
}

struct cost {
  std::uint64_t keys = 0;
  std::uint64_t lost = 1;
  std::uint64_t extra = 0;  // memory of the build, the filter included and the caller's digests not
  std::uint64_t filter_bytes = 0;
};

template <class F>
cost cost_of(std::size_t n, std::uint64_t shards, const build_options& options = {}) {
  const child_process child([&](const child_process::reporter& report) {
    std::vector<digest> digests;
    digests.reserve(n);
    rng random(1);
    for (std::size_t i = 0; i < n; ++i) digests.emplace_back(random());
    const std::uint64_t before = peak_bytes();
    const auto f = F::build(digests, {.fingerprint_bits = 8, .shards = shards}, options);
    if (!f) return;
    const std::uint64_t extra = peak_bytes() - before;
    std::uint64_t lost = 0;
    for (const digest d : digests) lost += !f->may_contain(d);
    report(f->size());
    report(lost);
    report(extra);
    report(f->shape().bytes());
  });
  cost measured;
  EXPECT_TRUE(child.read(measured.keys) && child.read(measured.lost) && child.read(measured.extra) &&
              child.read(measured.filter_bytes));
  return measured;
}

// Where one shard becomes several, and one array becomes partitions.
TYPED_TEST(large_static, no_key_is_lost_where_shards_begin) {
  for (const std::size_t n : {math::sharded_keys - 1, math::sharded_keys, math::sharded_keys + 1}) {
    std::vector<digest> digests;
    digests.reserve(n);
    rng random(n);
    for (std::size_t i = 0; i < n; ++i) digests.emplace_back(random());
    const auto f = TypeParam::build(digests, {.fpr = 0.3}).value();
    EXPECT_EQ(f.shape().shards, n < math::sharded_keys ? 1u : 16u);
    std::size_t lost = 0;
    for (const digest d : digests) lost += !f.may_contain(d);
    EXPECT_EQ(lost, 0u) << n;
  }
}

constexpr std::uint64_t slack = 6 << 20;  // of the allocator, the stack, and what is the same for any number of keys

// 8 bytes per key for the digests and at most 12 for everything else.
TYPED_TEST(large_static, a_build_without_shards_takes_at_most_twelve_bytes_a_key_beside_the_digests) {
  const std::size_t n = static_cast<std::size_t>(scaled(20'000'000, 100'000'000));
  const cost measured = cost_of<TypeParam>(n, 1);
  EXPECT_EQ(measured.keys, n);
  EXPECT_EQ(measured.lost, 0u);
  EXPECT_LE(measured.extra, (8 + 12) * n + slack);
}

TYPED_TEST(large_static, a_build_in_shards_stays_within_its_budget) {
  const std::size_t n = static_cast<std::size_t>(scaled(20'000'000, 100'000'000));
  const temp_dir dir;
  const build_options options{.threads = 2, .memory = std::uint64_t{96} << 20, .spill_directory = dir.path()};
  const cost measured = cost_of<TypeParam>(n, 0, options);
  EXPECT_EQ(measured.keys, n);
  EXPECT_EQ(measured.lost, 0u);
  EXPECT_LE(measured.extra, options.memory + measured.filter_bytes + slack);
}

}  // namespace
}  // namespace seen::testing
