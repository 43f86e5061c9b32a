// How a static filter is built: on one thread or several, in memory or within a budget, in one go or in two. None of it
// shows in the bytes.
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "base/checksum.hpp"
#include "support/all_filters.hpp"
#include "support/error_code.hpp"
#include "support/key_shapes.hpp"
#include "support/native_image.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

using stage = build_progress::stage;

std::vector<digest> random_digests(std::size_t n, std::uint64_t seed) {
  std::vector<digest> digests;
  rng random(seed);
  for (std::size_t i = 0; i < n; ++i) digests.emplace_back(random());
  return digests;
}

// A pair of kinds: a shard of one is one piece of the body, of the other two.
template <class F>
class build : public ::testing::Test {
 protected:
  static std::vector<std::byte> bytes_of(const std::vector<digest>& digests, std::uint64_t shards,
                                         const build_options& options = {}) {
    return to_bytes(F::build(digests, {.shards = shards}, options).value()).value();
  }
};
using two_makes = ::testing::Types<binary_fuse, ribbon>;
TYPED_TEST_SUITE(build, two_makes, kind_names);

TYPED_TEST(build, threads_and_budgets_leave_no_trace) {
  const temp_dir dir;
  const auto digests = random_digests(60'000, 1);
  const auto expected = this->bytes_of(digests, 64);
  EXPECT_EQ(this->bytes_of(digests, 64, {.threads = 4}), expected);
  EXPECT_EQ(this->bytes_of(digests, 64, {.threads = 0}), expected);
  EXPECT_EQ(this->bytes_of(digests, 64, {.memory = 100 << 20, .spill_directory = dir.path()}), expected);
  EXPECT_EQ(this->bytes_of(digests, 64, {.checkpoint = dir / "part"}), expected);
}

// Bytes in files without a name that lie in a directory.
std::uint64_t nameless_bytes(const std::string& directory) {
  std::uint64_t sum = 0;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink(each.path(), gone).string();
    struct stat status {};
    if (target.starts_with(directory) && ::stat(each.path().c_str(), &status) == 0) {
      sum += static_cast<std::uint64_t>(status.st_size);
    }
  }
  return sum;
}

TYPED_TEST(build, what_the_budget_does_not_hold_is_spilled_and_comes_back) {
  const temp_dir dir;
  auto digests = random_digests(2'300'000, 2);
  digests.insert(digests.end(), digests.begin(), digests.begin() + 100'000);  // equals, of which some are spilled
  const auto expected = this->bytes_of(digests, 4, {.fpr = 0.2});
  std::uint64_t spilled = 0;
  const auto watch = [&](const build_progress&) {
    spilled = nameless_bytes(dir.path());
    return true;
  };
  const build_options small{.fpr = 0.2, .memory = 30 << 20, .spill_directory = dir.path(), .progress = watch};
  EXPECT_EQ(this->bytes_of(digests, 4, small), expected);
  EXPECT_GT(spilled, 4u << 20);
  EXPECT_LT(spilled, 19u << 20);
  EXPECT_TRUE(dir.names().empty()) << "the spilled digests had a name";
}

TYPED_TEST(build, a_budget_that_is_too_small_says_what_is_needed) {
  const auto digests = random_digests(100'000, 3);
  const temp_dir dir;
  const auto refused = TypeParam::build(digests, {.memory = 1000, .spill_directory = dir.path()});
  ASSERT_EQ(code_of(refused), errc::no_memory);
  EXPECT_NE(refused.error().detail.find("MiB beside the filter; the budget is 1000 bytes"), std::string::npos)
      << refused.error().detail;
}

// What a solver does where its queue is full, or a bucket cannot make room beside it and has to go further back: seldom, and
// without it another seed would do. So it shows in the bytes alone.
TEST(build, the_rare_ways_of_the_solvers_are_pinned) {
  using pinned_xor = filter<xor_filter::engine_type, xxh3_64>;  // whose identity is in the bytes
  using pinned_ribbon = filter<ribbon::engine_type, xxh3_64>;
  const auto checksum_of = [](const auto& built) { return detail::checksum::of(to_bytes(built.value()).value()); };
  std::mt19937_64 random(1);
  std::vector<digest> many;  // from 100,000 on the queue of a peeling in one shard gets full
  for (int i = 0; i < 100'000; ++i) many.emplace_back(random());
  EXPECT_EQ(checksum_of(pinned_xor::build(many, {.fpr = 1.0 / 256})), 0x5be458755fc69f9fu);
  random.seed(7);
  std::vector<digest> crowded;  // 240 more than its share in an eighth of the slots
  for (int i = 0; i < 4000; ++i) crowded.emplace_back(random());
  for (int i = 0; i < 240; ++i) crowded.emplace_back((std::uint64_t{1} << 62) + (random() >> 3));
  const ribbon_shape shape{.setting = ribbon_setting::compact};
  EXPECT_EQ(checksum_of(pinned_ribbon::build(crowded, shape, {.fpr = 1.0 / 256})), 0x03db250ff5fa8877u);
}

// Keys that were not kept would be false negatives: once an add has failed, no filter comes out.
TEST(build, after_a_failed_add_nothing_is_built) {
  const temp_dir dir;
  const auto digests = random_digests(3'000'000, 9);
  auto b = builder<binary_fuse>::make({.shards = 4}, {.memory = 30 << 20, .spill_directory = dir.path()}).value();
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1 << 20, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto added = b.add_many(digests);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, errc::io);
  EXPECT_EQ(added.error().system, EFBIG);
  EXPECT_EQ(b.add(digest(1)).error(), added.error());
  EXPECT_EQ(std::move(b).finish().error(), added.error());
}

TEST(build, a_spill_directory_that_cannot_be_written_to_is_told_before_any_key) {
  const auto refused = builder<ribbon>::make({}, {.memory = 1 << 30, .spill_directory = "/no/such/directory"});
  ASSERT_EQ(code_of(refused), errc::io);
  EXPECT_NE(refused.error().detail.find("spill directory: /no/such/directory"), std::string::npos)
      << refused.error().detail;
  EXPECT_EQ(refused.error().system, ENOENT);  // kept beneath the words around it
}

TYPED_TEST(build, progress_counts_every_key_of_every_stage) {
  const auto digests = random_digests(20'000, 4);
  std::optional<build_progress> last[2];
  bool in_order = true;
  const auto watch = [&](const build_progress& now) {
    auto& before = last[now.now == stage::solving];
    in_order = in_order && now.done <= now.total && (!before || before->done <= now.done);
    before = now;
    return true;
  };
  ASSERT_TRUE(TypeParam::build(digests, {.shards = 16}, {.threads = 2, .progress = watch}));
  EXPECT_TRUE(in_order);
  for (const auto& each : last) {
    ASSERT_TRUE(each);
    EXPECT_EQ(each->done, 20'000u);
    EXPECT_EQ(each->total, 20'000u);
    EXPECT_EQ(each->resumed, 0u);
  }
}

TYPED_TEST(build, a_caller_who_wants_no_more_is_heard_in_every_stage) {
  const auto digests = random_digests(20'000, 5);
  for (const stage when : {stage::sorting, stage::solving}) {
    for (const unsigned threads : {1u, 3u}) {
      int calls_after = 0;
      bool said = false;
      const auto stop = [&](const build_progress& now) {
        calls_after += said;
        said = said || now.now == when;
        return !said;
      };
      const auto stopped = TypeParam::build(digests, {.shards = 256}, {.threads = threads, .progress = stop});
      EXPECT_EQ(code_of(stopped), errc::cancelled);
      EXPECT_EQ(calls_after, 0) << "asked again after the answer was no";
    }
  }
}

TYPED_TEST(build, a_build_that_was_stopped_takes_up_its_finished_shards) {
  const temp_dir dir;
  const std::string part = dir / "part";
  const auto digests = random_digests(30'000, 6);
  const auto expected = this->bytes_of(digests, 32);
  const auto stop_half_way = [](const build_progress& now) {
    return now.now != stage::solving || now.done < now.total / 2;
  };
  EXPECT_EQ(code_of(TypeParam::build(digests, {.shards = 32}, {.checkpoint = part, .progress = stop_half_way})),
            errc::cancelled);
  std::uint64_t resumed = 0;
  const auto watch = [&](const build_progress& now) {
    resumed = now.resumed;
    return true;
  };
  EXPECT_EQ(this->bytes_of(digests, 32, {.checkpoint = part, .progress = watch}), expected);
  EXPECT_GT(resumed, 10'000u);
  EXPECT_LT(resumed, 20'000u);
  // The file holds all shards now, and is good for a third time.
  EXPECT_EQ(this->bytes_of(digests, 32, {.checkpoint = part, .progress = watch}), expected);
  EXPECT_EQ(resumed, 30'000u);
}

// Nothing in a checkpoint is believed without a checksum.
TYPED_TEST(build, a_checkpoint_of_other_keys_or_with_any_bit_flipped_does_no_harm) {
  const temp_dir dir;
  const std::string part = dir / "part";
  const auto digests = random_digests(2000, 7);
  const build_options options{.checkpoint = part};
  constexpr std::uint64_t shards = 4;
  const auto expected = this->bytes_of(digests, shards);
  // Of as many keys that fall alike into shards, so that the shape is the same.
  auto others = digests;
  for (digest& d : others) d.value ^= 1 << 20;
  ASSERT_TRUE(TypeParam::build(others, {.shards = shards}, options));
  EXPECT_EQ(this->bytes_of(digests, shards, options), expected);
  const auto whole = read_bytes(part);
  for (std::size_t byte = 0; byte < whole.size(); byte += byte < 512 || byte + 24 > whole.size() ? 1 : 97) {
    auto bad = whole;
    bad[byte] ^= std::byte{1};
    write_bytes(part, bad);
    ASSERT_EQ(this->bytes_of(digests, shards, options), expected) << byte;
  }
}

// What a kill or a power cut leaves of one: a piece of it, pages that never came, or nothing but room.
TYPED_TEST(build, a_checkpoint_of_any_length_or_with_pages_missing_is_a_beginning) {
  const temp_dir dir;
  const std::string part = dir / "part";
  const auto digests = random_digests(2000, 7);
  const auto expected = this->bytes_of(digests, 4);
  ASSERT_EQ(this->bytes_of(digests, 4, {.checkpoint = part}), expected);
  const auto whole = read_bytes(part);
  const auto goes_on_from = [&](const std::vector<std::byte>& left) {
    write_bytes(part, left);
    ASSERT_EQ(this->bytes_of(digests, 4, {.checkpoint = part}), expected);
    ASSERT_EQ(read_bytes(part), whole);
  };
  for (const std::size_t length : {0u, 1u, 7u, 8u, 9u, 40u, 63u, 64u, 65u, 100u, 4095u, 4096u, 4097u}) {
    SCOPED_TRACE(length);
    goes_on_from({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
    goes_on_from(std::vector<std::byte>(length));
  }
  goes_on_from(std::vector<std::byte>(whole.size()));
  goes_on_from(std::vector<std::byte>(200'000));
  for (std::size_t page = 0; page < whole.size(); page += 4096) {
    SCOPED_TRACE(page);
    auto left = whole;
    std::fill_n(left.begin() + static_cast<std::ptrdiff_t>(page), std::min<std::size_t>(4096, whole.size() - page),
                std::byte{0});
    goes_on_from(left);
  }
}

TYPED_TEST(build, a_file_that_is_no_checkpoint_is_left_alone) {
  const temp_dir dir;
  const auto digests = random_digests(2000, 7);
  for (const std::string& text :
       {std::string("x"), std::string("a letter to a friend, of some length, so that it could be a header of 64 bytes"),
        std::string(65536, '\0') + "x", std::string(5000, '\0') + "a picture of a disk"}) {
    write_bytes(dir / "letter", testing::bytes_of(text));
    EXPECT_EQ(code_of(TypeParam::build(digests, {.shards = 8}, {.checkpoint = dir / "letter"})), errc::exists);
    EXPECT_EQ(code_of(builder<TypeParam>::make({}, {.checkpoint = dir / "letter"})), errc::exists);  // before any key
    EXPECT_EQ(read_bytes(dir / "letter"), testing::bytes_of(text));
  }
}

TEST(build, a_checkpoint_that_is_a_link_a_pipe_or_a_directory_is_refused_and_not_followed) {
  const temp_dir dir;
  const auto digests = random_digests(1000, 8);
  ASSERT_TRUE(binary_fuse::build(digests, {.shards = 4}, {.checkpoint = dir / "other's"}));
  const auto others = read_bytes(dir / "other's");
  for (const char* target : {"other's", "absent"}) {
    ASSERT_EQ(::symlink(target, (dir / target + "-link").c_str()), 0);
    EXPECT_EQ(code_of(binary_fuse::build(digests, {.shards = 2}, {.checkpoint = dir / target + "-link"})),
              errc::exists);
  }
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  ASSERT_EQ(::mkdir((dir / "directory").c_str(), 0700), 0);
  for (const char* name : {"pipe", "directory"}) {
    EXPECT_EQ(code_of(binary_fuse::build(digests, {.shards = 2}, {.checkpoint = dir / name})), errc::exists);
  }
  EXPECT_EQ(read_bytes(dir / "other's"), others);
  EXPECT_EQ(dir.names(), (std::vector<std::string>{"absent-link", "directory", "other's", "other's-link", "pipe"}));
}

TEST(build, a_checkpoint_in_use_or_out_of_reach_is_an_error) {
  const temp_dir dir;
  const auto digests = random_digests(1000, 8);
  const build_options options{.checkpoint = dir / "part"};
  const auto first = binary_fuse::build(digests, {.shards = 4}, options).value();  // holds the file as long as it lives
  EXPECT_EQ(code_of(binary_fuse::build(digests, {.shards = 4}, options)), errc::busy);
  EXPECT_EQ(code_of(binary_fuse::build(digests, {.shards = 4}, {.checkpoint = dir / "no/part"})), errc::io);
}

}  // namespace
}  // namespace seen::testing
