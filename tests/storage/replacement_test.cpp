// replacement: the file is the old one until it is the new one, and nothing is left beside it.
#include <seen/storage/file.hpp>

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "support/child.hpp"
#include "support/error_code.hpp"
#include "support/temp_dir.hpp"

namespace seen::testing {
namespace {

using names = std::vector<std::string>;
using byte_list = std::vector<std::byte>;

result<void> replace(const std::string& path, std::string_view text, bool overwrite = true) {
  auto r = replacement::begin(path, overwrite);
  if (!r) return r.error();
  if (auto put = r->write(bytes_of(text)); !put) return put;
  return r->commit();
}

unsigned mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

TEST(replacement, the_target_keeps_its_old_bytes_until_commit) {
  const temp_dir dir;
  write_bytes(dir / "f", bytes_of("old"));
  auto r = replacement::begin(dir / "f", true);
  ASSERT_TRUE(r);
  EXPECT_EQ(dir.names(), (names{".f.seen-tmp", "f"}));
  ASSERT_TRUE(r->write(bytes_of("ne")));
  ASSERT_TRUE(r->write(bytes_of("w")));
  EXPECT_EQ(read_bytes(dir / "f"), bytes_of("old"));
  ASSERT_TRUE(r->commit());
  EXPECT_EQ(read_bytes(dir / "f"), bytes_of("new"));
  EXPECT_EQ(dir.names(), names{"f"});
}

TEST(replacement, a_reader_that_has_the_old_file_open_keeps_it) {
  const temp_dir dir;
  write_bytes(dir / "f", bytes_of("old"));
  const auto reader = file::open(dir / "f").value();
  ASSERT_TRUE(replace(dir / "f", "new and longer"));
  EXPECT_EQ(reader.size().value(), 3u);
}

TEST(replacement, without_commit_nothing_happened) {
  const temp_dir dir;
  write_bytes(dir / "f", bytes_of("old"));
  {
    auto r = replacement::begin(dir / "f", true).value();
    ASSERT_TRUE(r.write(bytes_of("new")));
    auto moved = std::move(r);
    EXPECT_EQ(dir.names(), (names{".f.seen-tmp", "f"}));
  }
  EXPECT_EQ(read_bytes(dir / "f"), bytes_of("old"));
  EXPECT_EQ(dir.names(), names{"f"});
}

TEST(replacement, a_stale_temporary_is_taken_over) {
  const temp_dir dir;
  write_bytes(dir / ".f.seen-tmp", bytes_of("what a crash left, longer than the new file"));
  ASSERT_TRUE(replace(dir / "f", "new"));
  EXPECT_EQ(read_bytes(dir / "f"), bytes_of("new"));
  EXPECT_EQ(dir.names(), names{"f"});
}

TEST(replacement, a_temporary_in_use_is_busy_and_stays) {
  const temp_dir dir;
  auto first = replacement::begin(dir / "f", true);
  ASSERT_TRUE(first);
  ASSERT_TRUE(first->write(bytes_of("first")));
  const auto second = replacement::begin(dir / "f", true);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, errc::busy);
  EXPECT_EQ(second.error().detail, (dir / ".f.seen-tmp") + ": it is open for writing already");
  ASSERT_TRUE(first->commit());
  EXPECT_EQ(read_bytes(dir / "f"), bytes_of("first"));
}

TEST(replacement, another_process_that_writes_is_busy_and_when_it_dies_it_is_not) {
  const temp_dir dir;
  child_process writer([&](const auto& report) {
    auto r = replacement::begin(dir / "f", true);
    report(r.has_value());
    ::pause();
  });
  std::uint64_t begun = 0;
  ASSERT_TRUE(writer.read(begun));
  EXPECT_EQ(begun, 1u);
  EXPECT_EQ(code_of(replace(dir / "f", "new")), errc::busy);
  writer.kill();
  EXPECT_EQ(dir.names(), names{".f.seen-tmp"});
  EXPECT_TRUE(replace(dir / "f", "new"));
  EXPECT_EQ(dir.names(), names{"f"});
}

TEST(replacement, a_temporary_that_is_another_name_of_a_file_does_not_cost_that_file) {
  // A crash between link and unlink of a save that must not overwrite leaves this: both names, one file.
  const temp_dir dir;
  write_bytes(dir / "f", bytes_of("precious"));
  ASSERT_EQ(::link((dir / "f").c_str(), (dir / ".f.seen-tmp").c_str()), 0);
  {
    auto r = replacement::begin(dir / "f", true);
    ASSERT_TRUE(r) << r.error().detail;
    ASSERT_TRUE(r->write(bytes_of("ne")));
    EXPECT_EQ(read_bytes(dir / "f"), bytes_of("precious"));
  }
  EXPECT_EQ(read_bytes(dir / "f"), bytes_of("precious"));
  EXPECT_EQ(dir.names(), names{"f"});
}

TEST(replacement, a_temporary_that_is_a_symbolic_link_is_not_followed) {
  const temp_dir dir;
  write_bytes(dir / "precious", bytes_of("precious"));
  ASSERT_EQ(::symlink((dir / "precious").c_str(), (dir / ".f.seen-tmp").c_str()), 0);
  EXPECT_EQ(code_of(replace(dir / "f", "new")), errc::io);
  EXPECT_EQ(read_bytes(dir / "precious"), bytes_of("precious"));
}

TEST(replacement, a_symbolic_link_is_followed_and_stays_a_link) {
  const temp_dir dir;
  ASSERT_TRUE(std::filesystem::create_directory(dir / "there"));
  write_bytes(dir / "there/f", bytes_of("old"));
  ASSERT_EQ(::symlink("there/f", (dir / "link").c_str()), 0);
  ASSERT_TRUE(replace(dir / "link", "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "link"));
  EXPECT_EQ(read_bytes(dir / "there/f"), bytes_of("new"));
  EXPECT_EQ(dir.names(), (names{"link", "there"}));
}

TEST(replacement, permissions_of_the_old_file_are_kept) {
  const temp_dir dir;
  for (const unsigned mode : {0600u, 0640u, 0644u, 0666u, 0755u}) {
    write_bytes(dir / "f", bytes_of("old"));
    ASSERT_EQ(::chmod((dir / "f").c_str(), mode), 0);
    ASSERT_TRUE(replace(dir / "f", "new"));
    EXPECT_EQ(mode_of(dir / "f"), mode);
  }
}

TEST(replacement, the_temporary_is_never_more_open_than_the_file_it_replaces) {
  const temp_dir dir;
  write_bytes(dir / "f", bytes_of("secret"));
  ASSERT_EQ(::chmod((dir / "f").c_str(), 0600), 0);
  write_bytes(dir / ".f.seen-tmp", bytes_of("stale"));
  ASSERT_EQ(::chmod((dir / ".f.seen-tmp").c_str(), 0666), 0);
  const auto r = replacement::begin(dir / "f", true);
  ASSERT_TRUE(r);
  EXPECT_EQ(mode_of(dir / ".f.seen-tmp"), 0600u);
}

TEST(replacement, a_new_file_has_the_permissions_the_umask_leaves) {
  const temp_dir dir;
  const mode_t before = ::umask(027);
  EXPECT_TRUE(replace(dir / "f", "new"));
  ::umask(before);
  EXPECT_EQ(mode_of(dir / "f"), 0640u);
}

TEST(replacement, without_overwrite_an_existing_file_stays) {
  const temp_dir dir;
  write_bytes(dir / "f", bytes_of("old"));
  const auto refused = replace(dir / "f", "new", false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::exists);
  EXPECT_EQ(refused.error().detail, (dir / "f") + ": exists already");
  EXPECT_EQ(code_of(replacement::begin(dir / "f", false)), errc::exists);  // before anything is written
  EXPECT_EQ(read_bytes(dir / "f"), bytes_of("old"));
  EXPECT_EQ(dir.names(), names{"f"});
}

TEST(replacement, without_overwrite_a_file_that_appears_meanwhile_stays) {
  const temp_dir dir;
  {
    auto r = replacement::begin(dir / "f", false).value();
    ASSERT_TRUE(r.write(bytes_of("new")));
    write_bytes(dir / "f", bytes_of("somebody else's"));
    const auto refused = r.commit();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, errc::exists);
  }
  EXPECT_EQ(read_bytes(dir / "f"), bytes_of("somebody else's"));
  EXPECT_EQ(dir.names(), names{"f"});
}

TEST(replacement, without_overwrite_a_new_file_is_made_and_has_one_name) {
  const temp_dir dir;
  ASSERT_TRUE(replace(dir / "f", "new", false));
  EXPECT_EQ(read_bytes(dir / "f"), bytes_of("new"));
  EXPECT_EQ(dir.names(), names{"f"});
  EXPECT_EQ(std::filesystem::hard_link_count(dir / "f"), 1u);
}

TEST(replacement, a_directory_or_a_missing_directory_is_an_error_that_leaves_nothing) {
  const temp_dir dir;
  ASSERT_TRUE(std::filesystem::create_directory(dir / "d"));
  const auto onto_directory = replace(dir / "d", "new");
  ASSERT_FALSE(onto_directory);
  EXPECT_EQ(onto_directory.error().detail, (dir / "d") + ": is a directory");
  for (const char* path : {"absent/f", "absent/", "d/f/", "d/absent/f"}) {
    const auto refused = replace(dir / path, "new");
    ASSERT_FALSE(refused) << path;
    EXPECT_EQ(refused.error().code, errc::io) << path;
  }
  EXPECT_EQ(code_of(replace("", "new")), errc::io);
  EXPECT_EQ(dir.names(), names{"d"});
  EXPECT_TRUE(std::filesystem::is_empty(dir / "d"));
}

TEST(replacement, a_path_without_a_slash_is_in_the_working_directory) {
  const temp_dir dir;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(dir.path());
  const auto replaced = replace("f", "new");
  std::filesystem::current_path(before);
  EXPECT_TRUE(replaced) << replaced.error().detail;
  EXPECT_EQ(dir.names(), names{"f"});
}

TEST(replacement, a_full_device_is_an_error) {
  const auto put = replace("/dev/full", "new");
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, errc::io);
  EXPECT_EQ(put.error().detail, "/dev/full: write: No space left on device");
  EXPECT_TRUE(replace("/dev/null", "new"));
}

TEST(replacement, a_pipe_is_written_in_place) {
  const temp_dir dir;
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  const int reader = ::open((dir / "pipe").c_str(), O_RDWR);  // so that opening it does not wait
  ASSERT_TRUE(replace(dir / "pipe", "through the pipe"));
  char text[64];
  EXPECT_EQ(::read(reader, text, sizeof text), 16);
  EXPECT_EQ(std::string(text, 16), "through the pipe");
  ::close(reader);
  EXPECT_EQ(dir.names(), names{"pipe"});
}

TEST(replacement, a_write_that_fails_half_way_leaves_the_old_file_and_no_temporary) {
  // A limit on the size of files gives a short write first and then EFBIG, as a full disk does with ENOSPC.
  const temp_dir dir;
  write_bytes(dir / "f", bytes_of("old"));
  struct rlimit before {};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = before;
  small.rlim_cur = 1000;
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto put = replace(dir / "f", std::string(5000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().detail, (dir / ".f.seen-tmp") + ": write: File too large");
  EXPECT_EQ(read_bytes(dir / "f"), bytes_of("old"));
  EXPECT_EQ(dir.names(), names{"f"});
}

TEST(replacement, many_processes_that_save_at_once_are_done_or_told_busy_and_readers_see_whole_files) {
  const temp_dir dir;
  const std::string path = dir / "f";
  constexpr std::size_t size = 20'000;
  ASSERT_TRUE(replace(path, std::string(size, 'a')));
  constexpr std::uint64_t unexpected = ~std::uint64_t{0};
  const auto save_often = [&](char letter) {
    return [&path, letter](const child_process::reporter& report) {
      std::uint64_t saved = 0;
      for (int i = 0; i < 150; ++i) {
        const auto replaced = replace(path, std::string(size, letter));
        saved += replaced.has_value();
        if (!replaced && replaced.error().code != errc::busy) return report(unexpected);
      }
      report(saved);
    };
  };
  child_process b(save_often('b')), c(save_often('c')), d(save_often('d'));
  for (int i = 0; i < 500; ++i) {
    const auto bytes = read_bytes(path);
    ASSERT_EQ(bytes.size(), size);
    ASSERT_EQ(bytes, byte_list(size, bytes[0]));
  }
  std::uint64_t all = 0;
  for (child_process* each : {&b, &c, &d}) {
    std::uint64_t saved = unexpected;
    ASSERT_TRUE(each->read(saved));
    EXPECT_NE(saved, unexpected) << "an error that was not busy";
    all += saved;
  }
  EXPECT_GT(all, 0u);
  EXPECT_EQ(dir.names(), names{"f"});
}

}  // namespace
}  // namespace seen::testing
