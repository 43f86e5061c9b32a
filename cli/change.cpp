// The lock is on the file itself, and the file is replaced when it is saved: so a lock counts only if the name still leads
// to the file that was locked.
#include "change.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "filter_file.hpp"
#include "readable_file.hpp"
#include "words.hpp"

namespace seen::cli {

result<locked_file> locked_file::lock(const std::string& path, std::uint64_t patience) {
  if (auto fine = check_in_place(path); !fine) return fine.error();
  // A change takes a moment or some seconds. Asking again each 20 ms costs nothing and needs no signal to end it.
  constexpr std::uint64_t asks_per_second = 50;
  for (std::uint64_t asked = 0;;) {
    descriptor held(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (held.number() < 0) return io_error(path, "open");
    if (::flock(held.number(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) return io_error(path, "lock");
      if (asked++ / asks_per_second >= patience) {
        return {errc::busy, path + ": another process is changing it" + (patience == 0 ? " (--wait waits)" : ""),
                EWOULDBLOCK};
      }
      ::usleep(1'000'000 / asks_per_second);
      continue;
    }
    // Another process may have replaced the file between open and lock.
    struct stat mine {};
    struct stat named {};
    if (::fstat(held.number(), &mine) != 0 || ::stat(path.c_str(), &named) != 0) return io_error(path, "stat");
    if (mine.st_ino == named.st_ino && mine.st_dev == named.st_dev) return locked_file(std::move(held), path);
  }
}

result<any_filter> locked_file::open(const open_options& options, const char* what, bool quiet) const {
  auto opened = open_filter(path_, options, opening::checked, quiet);
  if (!opened) return opened;
  if (auto known = opened->check_change(what); !known) return about(path_, known.error());
  return opened;
}

result<void> locked_file::save(const any_filter& filter, bool quiet) const {
  if (auto saved = save_filter(filter, path_, {.overwrite = true}, quiet); !saved)
    return cannot_write(path_, saved.error());
  return {};
}

}  // namespace seen::cli
