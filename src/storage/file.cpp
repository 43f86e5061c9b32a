// The system calls behind storage/file.hpp: tried again when they are interrupted or come up short, and told of by
// path, call and reason when they fail.
#include <seen/storage/file.hpp>
#include <seen/storage/pages.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <string_view>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/checksum.hpp"

namespace seen::inline v1 {
namespace {

constexpr std::size_t largest_transfer = std::size_t{1} << 30;  // Linux moves at most 2 GiB a call

// Calls until it is not interrupted.
template <class Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto outcome = call();
    if (outcome != -1 || errno != EINTR) return outcome;
  }
}

void release_file_mapping(std::byte* data, std::size_t size, void*) noexcept {
  ::munmap(data, size);
}

std::string directory_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Where the last part of a path begins.
std::size_t name_begins(const std::string& path) noexcept {
  return path.rfind('/') + 1;  // npos + 1 is 0
}

constexpr std::size_t longest_name = 255;  // NAME_MAX of Linux, and of nearly every file system
constexpr int most_links = 40;             // as many as Linux follows

}  // namespace

std::string hidden_beside(const std::string& path, const std::string& suffix) {
  const std::string directory = path.substr(0, name_begins(path));
  const std::string name = path.substr(name_begins(path));
  if (1 + name.size() + suffix.size() <= longest_name) return directory + "." + name + suffix;
  std::array<char, 18> mark;
  std::snprintf(mark.data(), mark.size(), "~%016llx",
                static_cast<unsigned long long>(detail::checksum::of(std::as_bytes(std::span(name)))));
  std::size_t kept = longest_name - 1 - (mark.size() - 1) - suffix.size();
  const auto is_inside_a_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(name[at]) & 0xc0) == 0x80;
  };
  while (kept != 0 && is_inside_a_character(kept)) --kept;
  return directory + "." + name.substr(0, kept) + mark.data() + suffix;
}

result<std::string> end_of_links(const std::string& path) {
  std::string at = path;
  std::array<char, PATH_MAX> named;
  for (int links = 0; links <= most_links; ++links) {
    const auto length = ::readlink(at.c_str(), named.data(), named.size());
    if (length < 0) {
      if (errno == EINVAL || errno == ENOENT) return at;  // it is not a link, or there is nothing
      return system_error(path, "readlink", errno);
    }
    const std::string_view to(named.data(), static_cast<std::size_t>(length));
    if (to.starts_with('/')) {
      at = to;
    } else {
      at.replace(name_begins(at), std::string::npos, to);
    }
  }
  return system_error(path, "readlink", ELOOP);
}

error file::failure(const char* call) const {
  return system_error(path_, call, errno);
}

result<file> file::open(const std::string& path, mode how) {
  const int flags = (how == mode::read ? O_RDONLY : O_RDWR) | O_CLOEXEC;
  file opened(-1, path);  // first the name, which may find no memory, then what would be lost with it
  opened.descriptor_ = uninterrupted([&] { return ::open(path.c_str(), flags); });
  if (opened.descriptor_ < 0) return opened.failure("open");
  return opened;
}

result<file> file::temporary(const std::string& directory) {
  file made(-1, directory);
  made.descriptor_ = uninterrupted([&] { return ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); });
  if (made.descriptor_ >= 0) return made;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return made.failure("create a temporary file");
  // Not every file system knows files without a name; a file that loses its name at once serves as well.
  std::string name = directory + "/seen-XXXXXX";
  made.descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (made.descriptor_ < 0) return made.failure("create a temporary file");
  ::unlink(name.c_str());
  return made;
}

result<file> file::open_or_create(const std::string& path) {
  file made(-1, path);
  made.descriptor_ =
      uninterrupted([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666); });
  if (made.descriptor_ < 0) return made.failure("open");
  if (auto locked = made.lock(); !locked) return locked.error();
  return made;
}

file::file(file&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

file& file::operator=(file&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  return *this;
}

file::~file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

result<std::uint64_t> file::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return failure("stat");
  // A directory can be opened, but its first read would fail.
  if (!S_ISREG(status.st_mode)) {
    return {errc::io, path_ + ": not a regular file", S_ISDIR(status.st_mode) ? EISDIR : 0};
  }
  return static_cast<std::uint64_t>(status.st_size);
}

result<void> file::read_at(std::uint64_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const std::size_t want = std::min(into.size(), largest_transfer);
    const auto got = uninterrupted([&] { return ::pread(descriptor_, into.data(), want, static_cast<off_t>(offset)); });
    if (got < 0) return failure("read");
    if (got == 0) return {errc::corrupt, path_ + ": ends at offset " + std::to_string(offset) + ", too early"};
    into = into.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return {};
}

result<void> file::write_at(std::uint64_t offset, bytes_view from) {
  while (!from.empty()) {
    const std::size_t want = std::min(from.size(), largest_transfer);
    const auto put =
        uninterrupted([&] { return ::pwrite(descriptor_, from.data(), want, static_cast<off_t>(offset)); });
    if (put < 0) return failure("write");
    from = from.subspan(static_cast<std::size_t>(put));
    offset += static_cast<std::uint64_t>(put);
  }
  return {};
}

result<void> file::reserve(std::uint64_t size) {
  if (uninterrupted([&] { return ::ftruncate(descriptor_, static_cast<off_t>(size)); }) != 0)
    return failure("truncate");
  if (size == 0) return {};
  // Returns its error instead of setting errno, and may be interrupted like any other call.
  int reason = EINTR;
  while (reason == EINTR) reason = ::posix_fallocate(descriptor_, 0, static_cast<off_t>(size));
  if (reason != 0) return system_error(path_, "allocate", reason);
  return {};
}

result<void> file::sync() {
  if (uninterrupted([&] { return ::fsync(descriptor_); }) != 0) return failure("fsync");
  return {};
}

bool file::is_in_place() const noexcept {
  struct stat mine {};
  struct stat named {};
  return ::fstat(descriptor_, &mine) == 0 && ::stat(path_.c_str(), &named) == 0 && named.st_ino == mine.st_ino &&
         named.st_dev == mine.st_dev;
}

void file::remove() noexcept {
  if (is_in_place()) ::unlink(path_.c_str());
}

result<void> file::lock() {
  if (uninterrupted([&] { return ::flock(descriptor_, LOCK_EX | LOCK_NB); }) == 0) return {};
  if (errno == EWOULDBLOCK) return {errc::busy, path_ + ": it is open for writing already", EWOULDBLOCK};
  return failure("flock");
}

result<storage> file::map(std::uint64_t size, bool writable, bool huge_pages) const {
  if (size == 0) return storage();
  if (size > std::numeric_limits<std::ptrdiff_t>::max()) {
    return {errc::no_memory, path_ + ": " + std::to_string(size) + " bytes cannot be mapped: a program of " +
                                 std::to_string(8 * sizeof(void*)) + " bits has no room for them"};
  }
  const int protection = PROT_READ | (writable ? PROT_WRITE : 0);
  void* const data = ::mmap(nullptr, static_cast<std::size_t>(size), protection, MAP_SHARED, descriptor_, 0);
  if (data == MAP_FAILED) return failure("mmap");
  // Only a hint, which takes no longer for a larger file. Systems that keep files in huge pages then read what is
  // touched in units of 2 MiB and map it so. Not where the map is written to: a bit set would be 2 MiB to sync.
  // Some map whole what they keep in huge pages unless they are told not to.
  if (size >= huge_page) {
    const int advice = !writable && huge_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;
    (void)::madvise(data, static_cast<std::size_t>(size), advice);
  }
  return storage::adopt({static_cast<std::byte*>(data), static_cast<std::size_t>(size)}, release_file_mapping, nullptr);
}

result<void> sync_mapping(std::span<std::byte> mapped, const std::string& path) {
  if (mapped.empty()) return {};
  if (uninterrupted([&] { return ::msync(mapped.data(), mapped.size(), MS_SYNC); }) != 0) {
    return system_error(path, "msync", errno);
  }
  return {};
}

// Removes a temporary that a crash left behind. It is never written to again: it may be another name of the target
// itself (a crash between link and unlink), or open in the hands of whoever put it there.
result<void> replacement::remove_stale(const std::string& temporary) {
  file stale(-1, temporary);
  stale.descriptor_ =
      uninterrupted([&] { return ::open(temporary.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); });
  if (stale.descriptor_ < 0) {
    if (errno == ENOENT) return {};
    return stale.failure("open");
  }
  if (auto locked = stale.lock(); !locked) return locked;
  // While this lock is held nobody else removes or renames it; if it has gone already, there is nothing to do.
  if (stale.is_in_place() && ::unlink(temporary.c_str()) != 0) return stale.failure("unlink");
  return {};
}

result<replacement> replacement::begin(const std::string& path, bool overwrite) {
  struct stat status {};
  const bool there = ::stat(path.c_str(), &status) == 0;
  if (!there && errno != ENOENT) return system_error(path, "stat", errno);
  if (there && S_ISDIR(status.st_mode)) return {errc::io, path + ": is a directory", EISDIR};
  if (there && !S_ISREG(status.st_mode)) {
    replacement made(file(-1, path), path, true, true);
    made.temporary_.descriptor_ = uninterrupted([&] { return ::open(path.c_str(), O_WRONLY | O_CLOEXEC); });
    if (made.temporary_.descriptor_ < 0) return system_error(path, "open", errno);
    return made;
  }
  if (there && !overwrite) return {errc::exists, path + ": exists already", EEXIST};
  auto end = end_of_links(path);
  if (!end) return end.error();
  const std::string& target = *end;
  // For a deleted file, the links of /proc to open files give a name that never existed.
  if (there && ::stat(target.c_str(), &status) != 0) return system_error(target, "stat", errno);
  const std::string temporary = hidden_beside(target, ".seen-tmp");
  const mode_t permissions = there ? status.st_mode & 07777 : mode_t{0666};
  for (;;) {
    replacement made(file(-1, temporary), target, overwrite, false);
    file& opened = made.temporary_;
    opened.descriptor_ = uninterrupted([&] {
      return ::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions & 0777);
    });
    if (opened.descriptor_ < 0 && errno == EEXIST) {
      if (auto removed = remove_stale(temporary); !removed) return removed.error();
      continue;
    }
    if (opened.descriptor_ < 0) return system_error(path, "create", errno);
    // Between create and lock another save may have taken it for stale; then it is that one's to remove.
    if (auto locked = opened.lock(); !locked) {
      made.pending_ = locked.error().code != errc::busy;
      return locked.error();
    }
    made.pending_ = opened.is_in_place();
    if (!made.pending_) continue;
    if (there && ::fchmod(opened.descriptor_, permissions) != 0) return opened.failure("chmod");
    return made;
  }
}

replacement::replacement(file temporary, std::string target, bool overwrite, bool direct) noexcept
    : temporary_(std::move(temporary)), target_(std::move(target)), overwrite_(overwrite), direct_(direct) {}

replacement::replacement(replacement&& other) noexcept
    : temporary_(std::move(other.temporary_)),
      target_(std::move(other.target_)),
      written_(other.written_),
      overwrite_(other.overwrite_),
      direct_(other.direct_),
      pending_(std::exchange(other.pending_, false)) {}

replacement::~replacement() {
  if (pending_) ::unlink(temporary_.path().c_str());
}

// Whoever saves knows the name of the target; that of the temporary would be a riddle.
error replacement::of_target(error e) const {
  if (e.detail.starts_with(temporary_.path())) e.detail.replace(0, temporary_.path().size(), target_);
  return e;
}

result<void> replacement::write(bytes_view bytes) {
  if (!direct_) {
    if (auto put = temporary_.write_at(written_, bytes); !put) return of_target(put.error());
    written_ += bytes.size();
    return {};
  }
  while (!bytes.empty()) {
    const auto put = uninterrupted([&] { return ::write(temporary_.descriptor_, bytes.data(), bytes.size()); });
    if (put < 0) return temporary_.failure("write");
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return {};
}

result<void> replacement::commit() {
  if (direct_) return {};
  if (auto synced = temporary_.sync(); !synced) return of_target(synced.error());
  auto directory = file::open(directory_of(target_));  // before the step that cannot be taken back
  if (!directory) return directory.error();
  const char* const from = temporary_.path().c_str();
  if (overwrite_) {
    if (::rename(from, target_.c_str()) != 0) return system_error(target_, "rename", errno);
  } else {
    // link fails where a file has appeared meanwhile; rename would replace it.
    if (::link(from, target_.c_str()) != 0) {
      if (errno == EEXIST) return {errc::exists, target_ + ": exists already", EEXIST};
      return system_error(target_, "link", errno);
    }
    ::unlink(from);
  }
  pending_ = false;
  return directory->sync();
}

}  // namespace seen::inline v1
