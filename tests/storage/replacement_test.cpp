// replacement: the file is the old one until it is the new one, and nothing is left beside it.
#include <seen/storage/file.hpp>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <string_view>
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

TEST(replacement, the_file_that_a_dangling_link_names_is_made_and_the_links_stay) {
  for (const bool overwrite : {true, false}) {
    const temp_dir dir;
    ASSERT_TRUE(std::filesystem::create_directories(dir / "there/below"));
    ASSERT_EQ(::symlink("there/next", (dir / "link").c_str()), 0);  // relative to where the link is
    ASSERT_EQ(::symlink("../there/below/last", (dir / "there/next").c_str()), 0);
    ASSERT_EQ(::symlink((dir / "there/f").c_str(), (dir / "there/below/last").c_str()), 0);
    {
      auto r = replacement::begin(dir / "link", overwrite);
      ASSERT_TRUE(r) << r.error().detail;
      EXPECT_TRUE(std::filesystem::exists(dir / "there/.f.seen-tmp"));
      ASSERT_TRUE(r->write(bytes_of("new")));
      ASSERT_TRUE(r->commit());
    }
    EXPECT_EQ(read_bytes(dir / "there/f"), bytes_of("new"));
    for (const char* link : {"link", "there/next", "there/below/last"}) {
      EXPECT_TRUE(std::filesystem::is_symlink(dir / link)) << link;
    }
    EXPECT_FALSE(std::filesystem::exists(dir / "there/.f.seen-tmp"));
    ASSERT_TRUE(replace(dir / "link", "newer"));
    EXPECT_EQ(read_bytes(dir / "there/f"), bytes_of("newer"));
    EXPECT_EQ(code_of(replace(dir / "link", "newest", false)), errc::exists);
  }
}

TEST(replacement, an_error_names_the_file_that_was_asked_for) {
  const temp_dir dir;
  const auto nowhere = replacement::begin(dir / "no/f", true);
  ASSERT_FALSE(nowhere);
  EXPECT_TRUE(nowhere.error().detail.starts_with((dir / "no/f") + ": create: ")) << nowhere.error().detail;
}

TEST(replacement, a_link_in_the_working_directory_leads_from_there) {
  const temp_dir dir;
  const auto before = std::filesystem::current_path();
  ASSERT_TRUE(std::filesystem::create_directory(dir / "there"));
  ASSERT_EQ(::symlink("there/f", (dir / "link").c_str()), 0);
  std::filesystem::current_path(dir.path());
  const auto replaced = replace("link", "new");
  std::filesystem::current_path(before);
  EXPECT_TRUE(replaced) << replaced.error().detail;
  EXPECT_EQ(read_bytes(dir / "there/f"), bytes_of("new"));
  EXPECT_EQ(dir.names(), (names{"link", "there"}));
}

TEST(replacement, links_that_lead_round_or_to_no_directory_are_errors_that_leave_nothing) {
  const temp_dir dir;
  ASSERT_EQ(::symlink("itself", (dir / "itself").c_str()), 0);
  ASSERT_EQ(::symlink("two", (dir / "one").c_str()), 0);
  ASSERT_EQ(::symlink("one", (dir / "two").c_str()), 0);
  ASSERT_EQ(::symlink("absent/f", (dir / "far").c_str()), 0);
  ASSERT_EQ(::symlink("absent/", (dir / "folder").c_str()), 0);
  const auto all = dir.names();
  for (const char* link : {"itself", "one", "two"}) {
    const auto refused = replace(dir / link, "new");
    ASSERT_EQ(code_of(refused), errc::io) << link;
    EXPECT_EQ(refused.error().detail, (dir / link) + ": stat: Too many levels of symbolic links");
    EXPECT_EQ(code_of(end_of_links(dir / link)), errc::io);
  }
  EXPECT_EQ(code_of(replace(dir / "far", "new")), errc::io);
  EXPECT_EQ(code_of(replace(dir / "folder", "new")), errc::io);
  EXPECT_EQ(dir.names(), all);
}

TEST(replacement, a_link_of_proc_to_a_pipe_is_written_to_and_one_to_a_deleted_file_is_an_error) {
  const temp_dir dir;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_TRUE(replace("/proc/self/fd/" + std::to_string(ends[1]), "through"));
  char text[64];
  EXPECT_EQ(::read(ends[0], text, sizeof text), 7);
  ::close(ends[0]);
  ::close(ends[1]);
  const int gone = ::open((dir / "gone").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::unlink((dir / "gone").c_str()), 0);
  EXPECT_EQ(code_of(replace("/proc/self/fd/" + std::to_string(gone), "new")), errc::io);
  ::close(gone);
  EXPECT_EQ(dir.names(), names{});
}

TEST(replacement, names_of_any_length_that_a_file_can_have_are_saved_to) {
  const temp_dir dir;
  for (const std::size_t length : {1u, 244u, 245u, 246u, 247u, 254u, 255u}) {
    const std::string path = dir / std::string(length, 'n');
    EXPECT_TRUE(replace(path, "new", false)) << length;
    EXPECT_TRUE(replace(path, "newer")) << length;
    EXPECT_EQ(read_bytes(path), bytes_of("newer"));
    // A file that a crash left is recognised, and one that another process is writing is not touched.
    const std::string temporary = hidden_beside(path, ".seen-tmp");
    EXPECT_EQ(temporary.substr(0, dir.path().size() + 2), dir / ".");
    EXPECT_LE(temporary.size() - dir.path().size() - 1, 255u);
    write_bytes(temporary, bytes_of("stale"));
    {
      auto first = replacement::begin(path, true);
      ASSERT_TRUE(first) << first.error().detail;
      EXPECT_EQ(read_bytes(temporary), bytes_of(""));
      EXPECT_EQ(code_of(replace(path, "second")), errc::busy);
    }
    ASSERT_EQ(::unlink(path.c_str()), 0);
    EXPECT_EQ(dir.names(), names{}) << length;
  }
  const auto refused = replacement::begin(dir / std::string(256, 'n'), true);
  ASSERT_EQ(code_of(refused), errc::io);
  EXPECT_NE(refused.error().detail.find("stat: File name too long"), std::string::npos) << refused.error().detail;
  EXPECT_EQ(dir.names(), names{});
}

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string all;
  for (const std::string_view each : parts) all += each;
  return all;
}

TEST(hidden_name, is_the_name_itself_where_that_fits_and_else_its_beginning_and_its_checksum) {
  EXPECT_EQ(hidden_beside("set.seen", ".seen-tmp"), ".set.seen.seen-tmp");
  EXPECT_EQ(hidden_beside("/a/b/set.seen", ".seen-build"), "/a/b/.set.seen.seen-build");
  const std::string ns(255, 'n');
  EXPECT_EQ(hidden_beside(ns.substr(0, 245), ".seen-tmp"), joined({".", ns.substr(0, 245), ".seen-tmp"}));
  EXPECT_EQ(hidden_beside(joined({"d/", ns.substr(0, 246)}), ".seen-tmp"),
            joined({"d/.", ns.substr(0, 228), "~02f876b892c95f83.seen-tmp"}));
  // Names that begin alike are told apart.
  EXPECT_NE(hidden_beside(joined({ns.substr(0, 254), "1"}), ".seen-tmp"),
            hidden_beside(joined({ns.substr(0, 254), "2"}), ".seen-tmp"));
  // 85 characters of three bytes: 228 of them are 76, and a character is not cut.
  std::string euros;
  for (int i = 0; i < 85; ++i) euros += "\u20ac";
  EXPECT_EQ(hidden_beside(euros, ".seen-tmp"), joined({".", euros.substr(0, 228), "~0fefbbb0d6338389.seen-tmp"}));
  EXPECT_EQ(hidden_beside(joined({"x", euros.substr(0, 252)}), ".seen-tmp").substr(0, 228),
            joined({".x", euros.substr(0, 225), "~"}));
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
  EXPECT_EQ(refused.error().system, EEXIST);
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
    EXPECT_EQ(refused.error().system, EEXIST);
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
  EXPECT_EQ(onto_directory.error().system, EISDIR);
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
  EXPECT_EQ(put.error().system, ENOSPC);
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
  EXPECT_EQ(put.error().detail, (dir / "f") + ": write: File too large");
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
