// file: reads and writes at an offset, locks, mappings; and what it says when the system refuses.
#include <seen/storage/file.hpp>
#include <seen/storage/pages.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "support/error_code.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

TEST(file, a_missing_file_is_named_with_the_reason) {
  const temp_dir dir;
  const auto opened = file::open(dir / "absent");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, errc::io);
  EXPECT_EQ(opened.error().detail, (dir / "absent") + ": open: No such file or directory");
  EXPECT_EQ(opened.error().system, ENOENT);
}

TEST(file, a_file_that_is_not_ours_to_read_is_told_by_errno) {
  const temp_dir dir;
  write_bytes(dir / "f", bytes_of("0123456789"));
  ASSERT_EQ(::chmod((dir / "f").c_str(), 0), 0);
  const uid_t user = ::geteuid();
  if (user == 0) {
    ASSERT_EQ(::seteuid(65534), 0);  // root may read every file
  }
  const auto opened = file::open(dir / "f");
  ASSERT_EQ(::seteuid(user), 0);
  ASSERT_EQ(code_of(opened), errc::io);
  EXPECT_EQ(opened.error().system, EACCES);
}

TEST(file, reads_at_any_offset_and_says_where_a_file_ends) {
  const temp_dir dir;
  write_bytes(dir / "f", bytes_of("0123456789"));
  const auto f = file::open(dir / "f");
  ASSERT_TRUE(f);
  EXPECT_EQ(f->size().value(), 10u);
  std::array<std::byte, 4> four{};
  ASSERT_TRUE(f->read_at(6, four));
  EXPECT_EQ(static_cast<char>(four[3]), '9');
  const auto beyond = f->read_at(7, four);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, errc::corrupt);
  EXPECT_EQ(beyond.error().detail, (dir / "f") + ": ends at offset 10, too early");
  EXPECT_TRUE(f->read_at(10, {}));
  EXPECT_FALSE(f->read_at(std::uint64_t{1} << 62, four));
  EXPECT_EQ(code_of(f->read_at(~std::uint64_t{0}, four)), errc::io);  // a negative offset for the system
}

TEST(file, what_is_written_shared_is_in_the_file) {
  const temp_dir dir;
  write_bytes(dir / "f", bytes_of("0123456789"));
  auto f = file::open(dir / "f", file::mode::write_shared);
  ASSERT_TRUE(f);
  ASSERT_TRUE(f->write_at(3, bytes_of("abc")));
  ASSERT_TRUE(f->sync());
  EXPECT_EQ(read_bytes(dir / "f"), bytes_of("012abc6789"));
}

TEST(file, a_file_opened_for_reading_refuses_a_write) {
  const temp_dir dir;
  write_bytes(dir / "f", bytes_of("0123456789"));
  auto f = file::open(dir / "f");
  ASSERT_TRUE(f);
  const auto refused = f->write_at(0, bytes_of("x"));
  ASSERT_EQ(code_of(refused), errc::io);
  EXPECT_EQ(refused.error().system, EBADF);
  EXPECT_EQ(read_bytes(dir / "f"), bytes_of("0123456789"));
}

TEST(file, only_regular_files_have_a_size) {
  const temp_dir dir;
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  const int writer = ::open((dir / "pipe").c_str(), O_RDWR);  // so that opening it does not wait
  for (const std::string& path : {dir.path(), dir / "pipe", std::string("/dev/null")}) {
    const auto f = file::open(path);
    ASSERT_TRUE(f) << f.error().detail;
    const auto size = f->size();
    ASSERT_FALSE(size) << path;
    EXPECT_EQ(size.error().code, errc::io);
    EXPECT_EQ(size.error().detail, path + ": not a regular file");
    EXPECT_EQ(size.error().system, path == dir.path() ? EISDIR : 0);
  }
  ::close(writer);
}

TEST(file, a_lock_is_refused_to_everybody_else_and_goes_with_its_file) {
  const temp_dir dir;
  write_bytes(dir / "f", bytes_of("x"));
  auto other = file::open(dir / "f").value();
  {
    auto holder = file::open(dir / "f").value();
    ASSERT_TRUE(holder.lock());
    EXPECT_TRUE(holder.lock());  // again by the same holder
    const auto refused = other.lock();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, errc::busy);
    EXPECT_EQ(refused.error().detail, (dir / "f") + ": it is open for writing already");
    EXPECT_EQ(refused.error().system, EWOULDBLOCK);
  }
  EXPECT_TRUE(other.lock());
}

TEST(file, a_mapping_shows_the_file_and_outlives_its_descriptor) {
  const temp_dir dir;
  write_bytes(dir / "f", bytes_of("0123456789"));
  storage mapped;
  {
    auto f = file::open(dir / "f", file::mode::write_shared).value();
    mapped = f.map(10, true).value();
  }
  EXPECT_EQ(static_cast<char>(mapped.data()[9]), '9');
  mapped.data()[0] = std::byte{'X'};
  ASSERT_TRUE(sync_mapping(mapped.bytes(), dir / "f"));
  EXPECT_EQ(read_bytes(dir / "f"), bytes_of("X123456789"));
}

// With the hint for huge pages, which is given from 2 MiB on.
TEST(file, a_mapping_of_any_size_shows_all_of_the_file) {
  const temp_dir dir;
  for (const std::size_t size : {huge_page - 1, huge_page, huge_page + 1, 3 * huge_page + 4097}) {
    std::string text(size, 'a');
    for (std::size_t i = 0; i < size; i += 4093) text[i] = static_cast<char>('b' + i % 20);
    write_bytes(dir / "f", std::as_bytes(std::span(text)));
    const auto mapped = file::open(dir / "f").value().map(size, false).value();
    EXPECT_TRUE(std::equal(text.begin(), text.end(), reinterpret_cast<const char*>(mapped.data()))) << size;
  }
}

TEST(file, a_read_only_mapping_cannot_be_written) {
  const temp_dir dir;
  write_bytes(dir / "f", bytes_of("0123456789"));
  auto mapped = file::open(dir / "f").value().map(10, false).value();
  EXPECT_EXIT(
      {
        ::signal(SIGSEGV, SIG_DFL);  // not the sanitizer's report
        *static_cast<volatile std::byte*>(mapped.data()) = std::byte{1};
      },
      ::testing::KilledBySignal(SIGSEGV), "");
}

TEST(file, an_empty_mapping_is_empty_storage) {
  const temp_dir dir;
  write_bytes(dir / "f", {});
  const auto mapped = file::open(dir / "f").value().map(0, false);
  ASSERT_TRUE(mapped);
  EXPECT_EQ(mapped->size(), 0u);
  EXPECT_TRUE(sync_mapping({}, "f"));
}

TEST(file, moving_hands_the_descriptor_on) {
  const temp_dir dir;
  write_bytes(dir / "a", bytes_of("a"));
  write_bytes(dir / "b", bytes_of("b"));
  auto a = file::open(dir / "a").value();
  auto b = file::open(dir / "b").value();
  a = std::move(b);
  std::array<std::byte, 1> one{};
  ASSERT_TRUE(a.read_at(0, one));
  EXPECT_EQ(static_cast<char>(one[0]), 'b');
  EXPECT_EQ(a.path(), dir / "b");
  auto& same = a;
  a = std::move(same);
  EXPECT_TRUE(a.read_at(0, one));
}

TEST(file, no_descriptor_is_left_open) {
  const temp_dir dir;
  write_bytes(dir / "f", bytes_of("x"));
  const auto before = open_descriptors();
  for (int i = 0; i < 10; ++i) {
    auto f = file::open(dir / "f").value();
    auto g = std::move(f);
    (void)g.map(1, false).value();
    (void)file::open(dir / "absent");
    auto r = replacement::begin(dir / "g", true).value();
    (void)r.write(bytes_of("y"));
    EXPECT_TRUE(i % 2 == 0 || r.commit());
  }
  EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace seen::testing
