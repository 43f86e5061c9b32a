// The builder beneath the static kinds, asked through a kind that is made for the purpose: it notes every digest it is given,
// and is as hard to solve as a test wants it to be.
#include <seen/building/shard_build.hpp>
#include <seen/math/shards.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <gtest/gtest.h>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "support/error_code.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

using building::digest_collector;
using building::sharded_options;
using building::workspace;
using stage = build_progress::stage;

constexpr std::uint64_t slot_bytes = 8;  // of a shard: the number of its digests

// What a build asked of the kind. A shard is solved from `growth` and `seed` on.
struct noting_kind {
  unsigned growth = 0, seed = 0;
  bool solves_and_lies = false;  // every attempt succeeds, and what it made does not hold the keys
  std::uint64_t workspace_per_key = 0;

  std::mutex guard = {};
  unsigned growth_now = 0;
  std::vector<std::pair<unsigned, unsigned>> tries = {};  // growth and seed of every attempt
  std::map<std::uint64_t, std::vector<std::uint64_t>> digests_of = {};

  building::shard_kind functions() {
    return {
        .fit = [this](const math::shard_counts& counts, unsigned larger) -> result<building::shard_kind::fitting> {
          growth_now = larger;
          return building::shard_kind::fitting{.identity = {7, counts.keys, counts.shards, larger},
                                               .table_bytes = slot_bytes * counts.shards};
        },
        .workspace_bytes = [this](std::uint64_t keys) { return keys * workspace_per_key; },
        .solve =
            [this](std::span<const std::uint64_t> digests, std::uint64_t shard, std::uint8_t tried, std::byte* tables,
                   workspace&) {
              const std::scoped_lock lock(guard);
              tries.emplace_back(growth_now, tried);
              digests_of[shard] = {digests.begin(), digests.end()};
              store_le<std::uint64_t>(tables + shard * slot_bytes, digests.size());
              return solves_and_lies || is_solved(tried);
            },
        .holds = [this](std::span<const std::uint64_t>, std::uint64_t, std::uint8_t tried,
                        const std::byte*) { return is_solved(tried); },
        .pieces =
            [](std::uint64_t shard) {
              return std::array<building::body_piece, 2>{{{.offset = shard * slot_bytes, .length = slot_bytes}, {}}};
            },
    };
  }

  [[nodiscard]] bool is_solved(unsigned tried) const noexcept { return growth_now >= growth && tried >= seed; }

  // All digests that reached the solver, in the order of the shards.
  [[nodiscard]] std::vector<std::uint64_t> all() const {
    std::vector<std::uint64_t> digests;
    for (const auto& [shard, own] : digests_of) digests.insert(digests.end(), own.begin(), own.end());
    return digests;
  }
};

// Digests that are different and lie all over: multiples of an odd number.
std::vector<digest> spread(std::size_t n, std::uint64_t first = 1) {
  std::vector<digest> digests;
  for (std::uint64_t i = first; i < first + n; ++i) digests.emplace_back(i * 0x9e3779b97f4a7c15);
  return digests;
}

std::vector<std::uint64_t> sorted_and_different(const std::vector<digest>& digests) {
  std::set<std::uint64_t> values;
  for (const digest d : digests) values.insert(d.value);
  return {values.begin(), values.end()};
}

result<storage> build(noting_kind& kind, const std::vector<digest>& digests, const sharded_options& options) {
  auto collector = digest_collector::make(options);
  if (!collector) return collector.error();
  if (auto added = collector->add(digests); !added) return added.error();
  return build_body(std::move(*collector), kind.functions(), options);
}

TEST(shard_build, a_shard_that_no_seed_solves_makes_all_of_them_larger) {
  for (const unsigned steps : {1u, 2u, 8u}) {
    noting_kind kind{.growth = steps};
    ASSERT_TRUE(build(kind, spread(100), {{}, 1})) << steps;
    ASSERT_EQ(kind.tries.size(), 32 * steps + 1);
    for (unsigned i = 0; i < kind.tries.size(); ++i) EXPECT_EQ(kind.tries[i], std::pair(i / 32, i % 32));
  }
  noting_kind kind{.growth = 9};
  EXPECT_EQ(code_of(build(kind, spread(100), {{}, 1})), errc::invalid_argument);
  EXPECT_EQ(kind.tries.size(), 9 * 32u);
}

TEST(shard_build, the_first_seed_whose_shard_holds_all_its_keys_is_written) {
  for (const bool lies : {false, true}) {
    noting_kind kind{.seed = 31, .solves_and_lies = lies};
    const auto body = build(kind, spread(100), {{}, 4});
    ASSERT_TRUE(body);
    EXPECT_EQ(kind.tries.size(), 4 * 32u);
    for (std::size_t shard = 0; shard < 4; ++shard) {
      EXPECT_EQ(body->bytes()[4 * slot_bytes + shard], std::byte{31}) << shard;
    }
  }
}

TEST(shard_build, a_caller_who_wants_no_more_is_heard_between_two_seeds) {
  noting_kind kind{.growth = 99};
  const auto stop = [](const build_progress& now) { return now.now != stage::solving; };
  EXPECT_EQ(code_of(build(kind, spread(100), {{.progress = stop}, 1})), errc::cancelled);
  EXPECT_EQ(kind.tries.size(), 1u);
}

TEST(shard_build, one_array_is_refused_before_it_is_sorted_where_the_budget_has_no_room_for_a_second) {
  const temp_dir dir;
  constexpr std::uint64_t n = 10'000;
  const std::uint64_t needed = 2 * 8 * n + storage::alignment;
  bool was_begun = false;
  const auto watch = [&](const build_progress&) { return was_begun = true; };
  for (const std::uint64_t missing : {1u, 0u}) {
    noting_kind kind;
    const auto made =
        build(kind, spread(n), {{.memory = needed - missing, .spill_directory = dir.path(), .progress = watch}, 1});
    EXPECT_EQ(code_of(made), missing == 0 ? success : errc::no_memory);
    EXPECT_EQ(was_begun, missing == 0);
  }
}

TEST(shard_build, no_more_threads_sort_than_the_budget_has_room_for) {
  const temp_dir dir;
  const auto digests = spread(256 * 2000);  // 2000 of each partition, or a few more
  constexpr std::uint64_t chunks = 256 * 32768, sorting_one = 2 * 8 * 2000;
  std::set<std::thread::id> sorters;
  unsigned told = 0;
  const auto watch = [&](const build_progress& now) {
    if (now.now != stage::sorting) return true;
    sorters.insert(std::this_thread::get_id());
    if (++told < 5) std::this_thread::sleep_for(std::chrono::milliseconds(20));  // others would begin meanwhile
    return true;
  };
  noting_kind kind{.workspace_per_key = 10};
  const sharded_options options{
      {.threads = 8, .memory = chunks + 2 * sorting_one - 1, .spill_directory = dir.path(), .progress = watch}, 256};
  ASSERT_TRUE(build(kind, digests, options));
  EXPECT_EQ(kind.all().size(), digests.size());
  EXPECT_EQ(sorters.size(), 1u);
}

TEST(shard_build, digests_from_several_threads_all_arrive) {
  for (const unsigned threads : {1u, 2u, 3u, 7u}) {
    for (const std::uint64_t count : {0u, 1u, 2u, 6u, 7u, 8u, 1023u, 1024u, 3073u, 7 * 1024 + 6u}) {
      const sharded_options options{{.threads = threads}, 4};
      auto collector = digest_collector::make(options).value();
      const auto digests = spread(count);
      ASSERT_TRUE(collector.add_parallel(count, threads, [&](std::uint64_t first, std::span<digest> to) {
        std::copy_n(digests.begin() + static_cast<std::ptrdiff_t>(first), to.size(), to.begin());
      }));
      EXPECT_EQ(collector.size(), count);
      noting_kind kind;
      ASSERT_TRUE(build_body(std::move(collector), kind.functions(), options));
      ASSERT_EQ(kind.all(), sorted_and_different(digests)) << threads << " threads, " << count << " digests";
    }
  }
}

// A chunk holds 4096 digests. Where it is full and the budget spent, equal ones are dropped; with more than half of it left it goes to
// the disk, and otherwise it is filled again.
TEST(shard_build, what_is_spilled_comes_back_whether_or_not_equal_digests_were_dropped) {
  const temp_dir dir;
  for (const std::size_t different : {1u, 2u, 100u, 2047u, 2048u, 2049u, 3000u, 4095u, 4096u}) {
    std::vector<digest> digests;
    for (std::uint64_t pool = 0; pool < 5; ++pool) {
      for (std::size_t i = 0; i < 4096; ++i) {
        const std::uint64_t low = (pool * 4096 + i % different) * 0x9e3779b97f4a7c15 >> 8;
        digests.emplace_back(std::uint64_t{0x42} << 56 | low);  // all of one partition
      }
    }
    noting_kind kind;
    // The shares of so many threads are more than the budget from the first digest on.
    ASSERT_TRUE(build(kind, digests, {{.threads = 64, .memory = 4 << 20, .spill_directory = dir.path()}, 2}));
    ASSERT_EQ(kind.all(), sorted_and_different(digests)) << different << " different ones";
  }
}

TEST(shard_build, a_finished_shard_that_does_not_hold_its_keys_is_made_again) {
  const temp_dir dir;
  const sharded_options options{{.checkpoint = dir / "part"}, 4};
  const auto digests = spread(1000);
  noting_kind first;
  ASSERT_TRUE(build(first, digests, options));
  EXPECT_EQ(first.tries.size(), 4u);
  noting_kind second;
  ASSERT_TRUE(build(second, digests, options));
  EXPECT_EQ(second.tries.size(), 0u);
  noting_kind stricter{.seed = 1};  // to which the seeds that were written, 0, hold nothing
  ASSERT_TRUE(build(stricter, digests, options));
  EXPECT_EQ(stricter.tries.size(), 4 * 2u);
}

// No record speaks for the bytes behind the seeds, and they are in the filter's file.
TEST(shard_build, what_a_checkpoint_has_behind_the_seeds_is_not_in_the_body) {
  const temp_dir dir;
  const sharded_options options{{.checkpoint = dir / "part"}, 4};
  const auto digests = spread(1000);
  noting_kind kind;
  ASSERT_TRUE(build(kind, digests, options));
  auto left = read_bytes(dir / "part");
  constexpr std::size_t padding = 4096 + 4 * slot_bytes + 4;  // behind a page of records, four slots and four seeds
  ASSERT_EQ(left.size(), padding + 4 + 8);
  std::fill_n(left.begin() + padding, 4, std::byte{0xff});
  write_bytes(dir / "part", left);
  const auto body = build(kind, digests, options);
  ASSERT_TRUE(body);
  EXPECT_EQ(kind.tries.size(), 4u) << "the shards are not made again";
  for (std::size_t i = 4 * slot_bytes + 4; i < body->size(); ++i) EXPECT_EQ(body->bytes()[i], std::byte{0}) << i;
}

}  // namespace
}  // namespace seen::testing
