// Failure case 27: writers killed at any moment. Synced keys are never lost, and a saved file is always whole.
//
// Killing a process loses nothing that it has handed to the system; what a power cut would lose is the business of
// fsync, whose place in the order of calls is tested in system_calls.py. Here the moments are random (and seeded).
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <utility>

#include "support/all_filters.hpp"
#include "support/child.hpp"
#include "support/key_shapes.hpp"
#include "support/soak.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

constexpr std::uint64_t capacity = 20'000;

template <class F>
class killed : public ::testing::Test {
 protected:
  // Lets the child report a few times, waits a moment longer, kills it; the last number it reported.
  static std::uint64_t kill_at_random(child_process& child, rng& random) {
    std::uint64_t last = 0;
    for (std::uint64_t reports = random.below(6); reports != 0; --reports) {
      if (!child.read(last)) break;
    }
    ::usleep(static_cast<useconds_t>(random.below(3000)));
    EXPECT_TRUE(child.kill()) << "the writer gave up by itself";
    while (child.read(last)) {
    }
    return last;
  }
};
TYPED_TEST_SUITE(killed, monotone_filters, kind_names);

TYPED_TEST(killed, case_27_a_writable_map_loses_no_synced_key) {
  if constexpr (!monotone_engine<typename TypeParam::engine_type>) {
    GTEST_SKIP() << "bits of this kind go down too";
  } else {
    const temp_dir dir;
    const std::string path = dir / "f";
    rng random(27);
    std::uint64_t synced = 0;  // keys of this file known to be on the device
    std::uint64_t all = 0;
    for (std::uint64_t round = 0, rounds = scaled(50, 10'000); round < rounds; ++round) {
      if (synced == 0 || synced > capacity) {
        ASSERT_TRUE(save(TypeParam({.capacity = capacity, .fpr = 1e-4}), path));
        synced = 0;
      }
      child_process child([&](const auto& report) {
        std::uint64_t added = synced;
        for (;;) {  // a few syncs, then a seal and a fresh map: all of it may be cut anywhere
          auto w = map_writable<TypeParam>(path, {.recover = true});
          if (!w) ::_exit(1);
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 20; ++j) w->add(sample_key(added++));
            if (!w->sync()) ::_exit(1);
            report(added);
          }
          if (!std::move(*w).seal()) ::_exit(1);
        }
      });
      const std::uint64_t reported = this->kill_at_random(child, random);
      all += reported > synced ? reported - synced : 0;
      synced = std::max(synced, reported);
      const auto f = load<TypeParam>(path, {.recover = true});
      ASSERT_TRUE(f) << f.error().detail << " in round " << round;
      for (std::uint64_t i = 0; i < synced; ++i) ASSERT_TRUE(f->may_contain(sample_key(i))) << i << " round " << round;
      ASSERT_EQ(dir.names(), std::vector<std::string>{"f"});
    }
    EXPECT_GT(all, 1000u) << "the writers hardly got to write: this tests nothing";
  }
}

TYPED_TEST(killed, case_27_a_file_being_saved_is_always_whole) {
  const temp_dir dir;
  const std::string path = dir / "f";
  const TypeParam one = sample_of<TypeParam>(5000), two = sample_of<TypeParam>(9000);
  ASSERT_TRUE(save(one, path));
  rng random(28);
  for (std::uint64_t round = 0, rounds = scaled(50, 10'000); round < rounds; ++round) {
    child_process child([&](const auto& report) {
      for (std::uint64_t saves = 1;; ++saves) {
        if (!save(saves % 2 == 0 ? one : two, path)) ::_exit(1);
        report(saves);
      }
    });
    (void)this->kill_at_random(child, random);
    const auto f = load<TypeParam>(path);
    ASSERT_TRUE(f) << f.error().detail << " in round " << round;
    ASSERT_TRUE(*f == one || *f == two) << "round " << round;
  }
  ASSERT_TRUE(save(one, path));
  EXPECT_EQ(dir.names(), std::vector<std::string>{"f"});
}

}  // namespace
}  // namespace seen::testing
