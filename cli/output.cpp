// One write for many lines. A write may be cut short, which is not an error.
#include "output.hpp"

#include <cerrno>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace seen::cli {

result<void> output::flush() {
  std::string_view rest = waiting_;
  while (!rest.empty()) {
    const auto put = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (put < 0) {
      if (errno == EINTR) continue;
      return system_error("standard output", "write", errno);
    }
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
  waiting_.clear();
  return {};
}

result<void> print(std::string_view text) {
  output out;
  out.append(text);
  return out.flush();
}

std::size_t columns_of(int descriptor) noexcept {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool stdout_is_terminal() noexcept {
  return ::isatty(STDOUT_FILENO) == 1;
}

bool stdout_is_watched() noexcept {
  struct stat status {};
  if (::fstat(STDOUT_FILENO, &status) != 0) return false;
  return stdout_is_terminal() || S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
}

}  // namespace seen::cli
