// One write for many lines. A write may be cut short, which is not an error.
#include "output.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace seen::cli {

void output::grow(std::size_t bytes) {
  const std::size_t capacity = std::max<std::size_t>({4096, 2 * capacity_, size_ + bytes});
  std::unique_ptr<char[]> larger(new char[capacity]);  // not zeroed
  if (size_ != 0) std::memcpy(larger.get(), waiting_.get(), size_);
  waiting_ = std::move(larger);
  capacity_ = capacity;
}

result<void> output::flush() {
  std::string_view rest(waiting_.get(), size_);
  while (!rest.empty()) {
    const auto put = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (put < 0) {
      if (errno == EINTR) continue;
      return system_error("standard output", "write", errno);
    }
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
  size_ = 0;
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
