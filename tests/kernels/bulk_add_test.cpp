// Batches that are scattered to parts of a table before they are added: every digest arrives once, in the order of its part,
// however unevenly the digests fall.
#include <seen/kernels/bulk_add.hpp>

#include <algorithm>
#include <gtest/gtest.h>
#include <mutex>
#include <optional>
#include <random>
#include <vector>

namespace seen::testing {
namespace {

constexpr std::uint64_t tile = 1024;  // digests that are scattered at a time

// A table with a bucket for every part.
kernels::cuckoo_map map_of(std::size_t parts) {
  return kernels::cuckoo_map::of(parts, 1);
}

// A table of as many chunks as parts, which keeps what it is given; a part may have room for so many digests only.
class noting_work : public kernels::bulk_work {
 public:
  noting_work(std::vector<digest> all, std::size_t parts) : digests(std::move(all)), kept(parts) {}

  void read(std::uint64_t first, std::span<digest> to) const override {
    ASSERT_LE(first + to.size(), digests.size());
    std::copy_n(digests.begin() + static_cast<std::ptrdiff_t>(first), to.size(), to.begin());
  }
  std::size_t add(std::span<const digest> some) noexcept override {
    if (some.empty()) return 0;
    const std::scoped_lock lock(guard_);
    auto& into = kept[part_of(some[0])];
    std::size_t n = 0;
    while (n < some.size() && into.size() < room && some[n] != refused) into.push_back(some[n++]);
    return n;
  }
  void remove(std::span<const digest> some) noexcept override {
    const std::scoped_lock lock(guard_);
    for (const digest d : some) {
      auto& from = kept[part_of(d)];
      const auto at = std::find(from.begin(), from.end(), d);
      if (at == from.end()) {
        wrongly_removed = true;
      } else {
        from.erase(at);
      }
    }
  }

  [[nodiscard]] std::size_t part_of(digest d) const noexcept {
    return static_cast<std::size_t>(map_of(kept.size()).spot_of(d).bucket);
  }
  // What the parts hold when the first `count` digests are added one by one.
  [[nodiscard]] std::vector<std::vector<digest>> one_by_one(std::size_t count) const {
    std::vector<std::vector<digest>> expected(kept.size());
    for (std::size_t i = 0; i < count; ++i) expected[part_of(digests[i])].push_back(digests[i]);
    return expected;
  }

  std::vector<digest> digests;
  std::vector<std::vector<digest>> kept;  // by part
  std::size_t room = ~std::size_t{0};
  std::optional<digest> refused;  // has no room, though others after it would
  bool wrongly_removed = false;

 private:
  std::mutex guard_;
};

// A different digest for every number, of a part among so many.
digest digest_of(std::uint64_t number, std::size_t part, std::size_t parts) {
  const std::uint64_t middle = (2 * part + 1) * ((std::uint64_t{1} << 63) / parts);
  return digest(((middle & ~std::uint64_t{0xffffffff}) | number) -
                (number << 32));  // whose low half is added to the high
}

void check(const std::vector<digest>& digests, std::size_t parts, std::uint64_t window) {
  const kernels::bulk_plan plan{.map = map_of(parts), .parts = parts, .window = window};
  for (const unsigned threads : {1u, 2u, 3u, 7u}) {
    noting_work work(digests, parts);
    ASSERT_EQ(bulk_add(plan, digests.size(), threads, work), digests.size()) << threads << " threads";
    ASSERT_EQ(work.kept, work.one_by_one(digests.size())) << threads << " threads";
  }
}

TEST(bulk_add, digests_that_lie_all_over_arrive_in_order) {
  std::mt19937_64 random(11);
  std::vector<digest> digests;
  for (std::uint64_t i = 0; i < 50'001; ++i) digests.push_back(digest_of(i, random() % 16, 16));
  check(digests, 16, 50'001);
  check(digests, 16, 10'007);
  digests.resize(10);
  check(digests, 16, 10'007);
}

TEST(bulk_add, digests_of_a_single_part_end_shares_early_and_none_is_lost) {
  for (const std::size_t part : {0u, 7u, 15u}) {
    std::vector<digest> digests;
    for (std::uint64_t i = 0; i < 60'000; ++i) digests.push_back(digest_of(i, part, 16));
    check(digests, 16, 32'768);
  }
}

TEST(bulk_add, a_share_that_ends_early_beside_others_that_do_not_leaves_no_gap) {
  std::mt19937_64 random(12);
  for (const std::uint64_t skewed : {0u, 1u, 2u, 5u}) {  // the share of the window whose digests are of one part
    std::vector<digest> digests;
    for (std::uint64_t i = 0; i < 65'536; ++i) {
      digests.push_back(digest_of(i, i / 8192 == skewed ? 3 : random() % 16, 16));
    }
    check(digests, 16, 65'536);
  }
}

// A share of 65,536 digests in 16 parts looks for more while no part has over 4096 + 8·64 of them, and a tile more has
// room. One that has exactly as many takes another tile, which fills its room to the last place.
TEST(bulk_add, room_is_used_to_the_last_place_and_not_beyond) {
  constexpr std::uint64_t usable = 4096 + 8 * 64;
  for (const std::uint64_t reached : {usable - 1, usable, usable + 1, usable + tile}) {
    for (const std::size_t part : {0u, 14u, 15u}) {
      std::vector<digest> digests;
      const auto put = [&](std::size_t to) { digests.push_back(digest_of(digests.size(), to, 16)); };
      std::size_t other = 0;
      // As many as are to be there at the end of a tile; the rest of that tile goes to other parts in turn.
      while (digests.size() < reached) put(part);
      while (digests.size() % tile != 0) put((part + 1 + other++ % 15) % 16);
      for (std::uint64_t i = 0; i < 2 * tile; ++i) put(part);
      while (digests.size() < 65'536) put(other++ % 16);
      const kernels::bulk_plan plan{.map = map_of(16), .parts = 16, .window = 65'536};
      noting_work work(digests, 16);
      ASSERT_EQ(bulk_add(plan, digests.size(), 1, work), digests.size());
      ASSERT_EQ(work.kept, work.one_by_one(digests.size())) << "part " << part << ", " << reached << " digests";
    }
  }
}

TEST(bulk_add, stops_at_the_first_digest_without_room_and_gives_back_what_came_after) {
  std::mt19937_64 random(13);
  std::vector<digest> digests;
  for (std::uint64_t i = 0; i < 40'000; ++i) digests.push_back(digest_of(i, random() % 8, 8));
  const kernels::bulk_plan plan{.map = map_of(8), .parts = 8, .window = 30'000};
  for (const std::size_t room : {0u, 1u, 1000u, 3500u, 4500u}) {
    for (const unsigned threads : {1u, 3u}) {
      noting_work work(digests, 8);
      work.room = room;
      std::vector<std::size_t> counts(8);
      std::size_t fits = 0;
      while (++counts[work.part_of(digests[fits])] <= room) ++fits;
      ASSERT_EQ(bulk_add(plan, digests.size(), threads, work), fits) << room;
      ASSERT_EQ(work.kept, work.one_by_one(fits)) << room;
      ASSERT_FALSE(work.wrongly_removed);
    }
  }
}

TEST(bulk_add, nothing_of_a_part_is_added_after_a_digest_without_room) {
  std::mt19937_64 random(14);
  std::vector<digest> digests;
  for (std::uint64_t i = 0; i < 30'000; ++i) digests.push_back(digest_of(i, random() % 8, 8));
  const kernels::bulk_plan plan{.map = map_of(8), .parts = 8, .window = 30'000};
  for (const std::size_t at : {0u, 1u, 5000u, 9999u, 10'000u, 10'001u, 29'999u}) {
    for (const unsigned threads : {1u, 3u}) {
      noting_work work(digests, 8);
      work.refused = digests[at];
      ASSERT_EQ(bulk_add(plan, digests.size(), threads, work), at);
      ASSERT_EQ(work.kept, work.one_by_one(at)) << at;
      ASSERT_FALSE(work.wrongly_removed);
    }
  }
}

}  // namespace
}  // namespace seen::testing
