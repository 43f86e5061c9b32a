// storage: owned, borrowed and adopted bytes; failure case 33 for the class everything above relies on.
#include <seen/base/text.hpp>
#include <seen/storage/allocator.hpp>
#include <seen/storage/pages.hpp>
#include <seen/storage/storage.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <new>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace seen::testing {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

bool all_are(bytes_view bytes, int value) {
  return std::all_of(bytes.begin(), bytes.end(), [&](std::byte b) { return b == static_cast<std::byte>(value); });
}

void fill(storage& s, int value) {
  std::fill(s.bytes().begin(), s.bytes().end(), static_cast<std::byte>(value));
}

storage filled(std::size_t bytes, int value) {
  auto s = storage::allocate(bytes);
  EXPECT_TRUE(s) << s.error().detail;
  fill(*s, value);
  return std::move(*s);
}

TEST(storage, allocates_zeroed_bytes_on_a_64_byte_boundary_at_every_size) {
  // 4 MiB is where the heap ends and mappings begin, and seven eighths of a huge page; both sides of them, of a page and
  // of a huge page.
  for (const std::size_t size :
       {std::size_t{1},    std::size_t{63},        std::size_t{64},   std::size_t{65},   std::size_t{4096},
        mebibyte - 1,      7 * mebibyte / 4 - 64,  7 * mebibyte / 4,  2 * mebibyte - 64, 2 * mebibyte,
        2 * mebibyte + 64, 15 * mebibyte / 4 - 64, 15 * mebibyte / 4, 4 * mebibyte - 1,  4 * mebibyte,
        4 * mebibyte + 1,  4 * mebibyte + 4096,    6 * mebibyte,      8 * mebibyte - 64, 17 * mebibyte + 192}) {
    auto s = storage::allocate(size);
    ASSERT_TRUE(s) << s.error().detail;
    EXPECT_EQ(s->size(), size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(s->data()) % storage::alignment, 0u) << size;
    EXPECT_TRUE(all_are(s->bytes(), 0)) << size;
    fill(*s, 0xff);  // every byte is ours, the last one too
    EXPECT_TRUE(all_are(s->bytes(), 0xff)) << size;
  }
}

TEST(storage, memory_that_was_used_before_comes_back_zeroed) {
  for (const std::size_t size : {std::size_t{4096}, 5 * mebibyte}) {
    for (int round = 0; round < 10; ++round) {
      const storage s = filled(size, 0xa5);
      EXPECT_TRUE(all_are(s.bytes(), 0xa5));
    }
    EXPECT_TRUE(all_are(storage::allocate(size).value().bytes(), 0)) << size;
  }
}

TEST(storage, from_4_mebibytes_on_and_where_huge_pages_are_nearly_filled_it_begins_on_one) {
  for (const std::size_t size : {7 * mebibyte / 4, 15 * mebibyte / 4, 4 * mebibyte}) {
    std::vector<storage> many;  // all at once: the system alone would not place them all so
    for (std::size_t i = 0; i < 8; ++i) {
      many.push_back(storage::allocate(size + i * 4096).value());
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(many.back().data()) % huge_page, 0u) << size << ' ' << i;
    }
  }
}

// The pages of this process.
std::uint64_t mapped_pages() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  statm >> pages;
  return pages;
}

TEST(storage, what_was_mapped_is_given_back_whole) {
  if (mapped_pages() == 0) GTEST_SKIP() << "the system does not say";
  for (const std::size_t size : {7 * mebibyte / 4, 2 * mebibyte, 15 * mebibyte / 4, 5 * mebibyte + 64}) {
    (void)storage::allocate(size).value();
    const std::uint64_t before = mapped_pages();
    for (int round = 0; round < 100; ++round) (void)storage::allocate(size).value();
    EXPECT_LT(mapped_pages(), before + 100) << size;
  }
}

// --- huge pages

// Whether the system gives huge pages to those who ask.
bool huge_pages_are_given() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string choices;
  std::getline(file, choices);
  return choices.find("[always]") != std::string::npos || choices.find("[madvise]") != std::string::npos;
}

TEST(huge_pages, of_small_memory_there_are_none) {
  const storage small = filled(4096, 1);
  const auto found = bytes_in_huge_pages(small.bytes());
  if (!found) GTEST_SKIP() << "the system does not say";
  EXPECT_EQ(*found, 0u);
  EXPECT_EQ(bytes_in_huge_pages({}), 0u);
}

TEST(huge_pages, are_counted_within_the_bytes_that_are_asked_about) {
  const storage large = filled(32 * mebibyte, 1);
  const auto found = bytes_in_huge_pages(large.bytes());
  if (!found || !huge_pages_are_given()) GTEST_SKIP() << "the system gives none, or does not say";
  EXPECT_LE(*found, large.size());
  EXPECT_EQ(*found % huge_page, 0u);
  if (*found == 0) GTEST_SKIP() << "the system is short of memory";
  EXPECT_LE(*bytes_in_huge_pages(large.bytes().first(4096)), 4096u);
  const storage other = filled(4096, 1);
  EXPECT_EQ(bytes_in_huge_pages(other.bytes()), 0u) << "those of others do not count";
}

TEST(huge_pages, a_table_that_nearly_fills_one_lies_in_it) {
  const storage table = filled(7 * mebibyte / 4, 1);
  const auto found = bytes_in_huge_pages(table.bytes());
  if (!found || !huge_pages_are_given() || *bytes_in_huge_pages(filled(32 * mebibyte, 1).bytes()) == 0) {
    GTEST_SKIP() << "the system gives none, or does not say";
  }
  EXPECT_EQ(*found, table.size());
}

TEST(storage, no_bytes_need_no_memory) {
  const auto s = storage::allocate(0);
  ASSERT_TRUE(s);
  EXPECT_EQ(s->size(), 0u);
  const storage copy = *s;
  EXPECT_EQ(copy.size(), 0u);
  EXPECT_TRUE(storage().bytes().empty());
}

TEST(storage, more_than_the_machine_has_is_refused_with_both_figures) {
  const auto physical =
      static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  if (physical > std::numeric_limits<std::size_t>::max())
    GTEST_SKIP() << "no size says so much: see address_space_test.cpp";
  for (const std::size_t size :
       {clamp_to_size(physical + 4096), clamp_to_size(2 * physical), clamp_to_size(std::uint64_t{1} << 62),
        std::numeric_limits<std::size_t>::max() - 63, std::numeric_limits<std::size_t>::max()}) {
    const auto s = storage::allocate(size);
    ASSERT_FALSE(s) << size;
    EXPECT_EQ(s.error().code, errc::no_memory);
    EXPECT_EQ(s.error().bytes, size);
    EXPECT_EQ(s.error().detail, "need " + readable_bytes(static_cast<double>(size)) + " of memory; this machine has " +
                                    readable_bytes(static_cast<double>(physical)));
  }
}

TEST(storage, a_copy_has_its_own_bytes) {
  for (const std::size_t size : {std::size_t{192}, 5 * mebibyte}) {
    storage original = filled(size, 1);
    storage copy = original;
    EXPECT_NE(copy.data(), original.data());
    fill(copy, 2);
    EXPECT_TRUE(all_are(original.bytes(), 1));
    original = copy;
    EXPECT_NE(copy.data(), original.data());
    EXPECT_TRUE(all_are(original.bytes(), 2));
  }
}

TEST(storage, a_move_takes_the_bytes_and_leaves_nothing) {
  storage original = filled(192, 1);
  const std::byte* const where = original.data();
  storage taken = std::move(original);
  EXPECT_EQ(taken.data(), where);
  // NOLINTBEGIN(bugprone-use-after-move): that is the question
  EXPECT_EQ(original.size(), 0u);
  EXPECT_TRUE(std::all_of(original.data(), original.data() + storage::alignment,
                          [](std::byte each) { return each == std::byte{0xff}; }));
  original = std::move(taken);
  EXPECT_EQ(original.data(), where);
  EXPECT_EQ(taken.size(), 0u);
  // NOLINTEND(bugprone-use-after-move)
}

TEST(storage, assigning_to_itself_changes_nothing) {
  storage s = filled(192, 3);
  storage& same = s;
  s = same;
  EXPECT_TRUE(all_are(s.bytes(), 3));
  EXPECT_EQ(s.size(), 192u);
  s = std::move(same);
  EXPECT_TRUE(all_are(s.bytes(), 3));
  EXPECT_EQ(s.size(), 192u);
}

TEST(storage, copying_may_throw_and_moving_may_not) {
  static_assert(!std::is_nothrow_copy_constructible_v<storage> && !std::is_nothrow_copy_assignable_v<storage>);
  static_assert(std::is_nothrow_move_constructible_v<storage> && std::is_nothrow_move_assignable_v<storage>);
  struct engine {  // as every engine does: the compiler writes its assignment
    storage bytes;
  };
  static_assert(!std::is_nothrow_copy_assignable_v<engine>, "a copy without memory would end the program");
}

TEST(storage, swap_exchanges_bytes_and_owners) {
  storage small = filled(64, 1);
  storage large = filled(5 * mebibyte, 2);
  swap(small, large);
  EXPECT_EQ(small.size(), 5 * mebibyte);
  EXPECT_TRUE(all_are(small.bytes(), 2));
  EXPECT_EQ(large.size(), 64u);
  EXPECT_TRUE(all_are(large.bytes(), 1));
}

TEST(storage, borrowed_bytes_are_the_callers) {
  std::array<std::byte, 128> mine{};
  {
    storage s = storage::borrow(mine);
    EXPECT_EQ(s.data(), mine.data());
    s.data()[5] = std::byte{7};
    const storage copy = s;  // a copy is owned, and outlives what was borrowed
    EXPECT_NE(copy.data(), mine.data());
    EXPECT_EQ(copy.data()[5], std::byte{7});
  }
  EXPECT_EQ(mine[5], std::byte{7});
}

TEST(storage, adopted_bytes_are_released_once_with_what_was_given) {
  struct seen_release {
    int times = 0;
    std::byte* data = nullptr;
    std::size_t size = 0;
  } released;
  std::array<std::byte, 64> bytes{};
  const auto release = [](std::byte* data, std::size_t size, void* context) noexcept {
    auto& r = *static_cast<seen_release*>(context);
    ++r.times;
    r.data = data;
    r.size = size;
  };
  {
    storage s = storage::adopt(bytes, release, &released);
    storage moved = std::move(s);
    storage other;
    swap(moved, other);
    const storage copy = other;
    EXPECT_EQ(released.times, 0);
  }
  EXPECT_EQ(released.times, 1);
  EXPECT_EQ(released.data, bytes.data());
  EXPECT_EQ(released.size, bytes.size());
}

// What a program's own allocator has given out and not taken back.
std::size_t given = 0;
bool has_memory = true;
constexpr allocator counting{[](std::size_t bytes) noexcept -> void* {
                               if (!has_memory) return nullptr;
                               ++given;
                               return std::calloc(bytes, 1);
                             },
                             [](void* memory) noexcept {
                               --given;
                               std::free(memory);
                             }};

TEST(storage, comes_from_the_program_s_allocator_and_goes_back_to_where_it_came_from) {
  auto before = storage::allocate(6 * mebibyte).value();
  use_allocator(&counting);
  {
    for (const std::size_t size : {std::size_t{1}, std::size_t{64}, std::size_t{4097}, 6 * mebibyte}) {
      auto s = storage::allocate(size).value();
      EXPECT_EQ(given, 1u);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(s.data()) % storage::alignment, 0u);
      EXPECT_TRUE(all_are(s.bytes(), 0));
      fill(s, 0xff);
      const storage copy = s;
      EXPECT_EQ(given, 2u);
      EXPECT_TRUE(all_are(copy.bytes(), 0xff));
    }
    EXPECT_EQ(given, 0u);
    before = storage();
    before = storage::allocate(100).value();
    has_memory = false;
    EXPECT_EQ(storage::allocate(100).error().code, errc::no_memory);
  }
  use_allocator(nullptr);
  EXPECT_TRUE(storage::allocate(100).has_value());
  EXPECT_EQ(given, 1u);
  before = storage();
  EXPECT_EQ(given, 0u);
}

}  // namespace
}  // namespace seen::testing
