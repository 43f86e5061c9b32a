// With SEEN_SHORT_CALLS=1 in the environment, pread, pwrite and write move at most 7 bytes per call and are interrupted
// every third time, as a busy machine may do with any of them. Defined here, they are taken instead of the C library's.
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

bool interrupted() noexcept {
  static const bool short_calls = std::getenv("SEEN_SHORT_CALLS") != nullptr;
  static unsigned count = 0;
  if (!short_calls || ++count % 3 != 0) return false;
  errno = EINTR;
  return true;
}

std::size_t shortened(std::size_t size) noexcept {
  static const bool short_calls = std::getenv("SEEN_SHORT_CALLS") != nullptr;
  return short_calls ? std::min<std::size_t>(size, 7) : size;
}

}  // namespace

extern "C" {

ssize_t pread(int descriptor, void* to, std::size_t size, off_t offset) {
  if (interrupted()) return -1;
  return ::syscall(SYS_pread64, descriptor, to, shortened(size), offset);
}

ssize_t pwrite(int descriptor, const void* from, std::size_t size, off_t offset) {
  if (interrupted()) return -1;
  return ::syscall(SYS_pwrite64, descriptor, from, shortened(size), offset);
}

ssize_t write(int descriptor, const void* from, std::size_t size) {
  if (interrupted()) return -1;
  return ::syscall(SYS_write, descriptor, from, shortened(size));
}

}  // extern "C"
