// Which file a path leads to, and whether it is still the one that was opened.
#pragma once

#include <cstdint>
#include <string>
#include <sys/stat.h>

namespace seen::redis {

struct file_identity {
  std::uint64_t device = 0, number = 0, size = 0;
  std::int64_t seconds = 0, nanoseconds = 0;

  /// All zero if there is no file.
  static file_identity of(const std::string& path) noexcept {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) return {};
    return {.device = found.st_dev,
            .number = found.st_ino,
            .size = static_cast<std::uint64_t>(found.st_size),
            .seconds = found.st_mtim.tv_sec,
            .nanoseconds = found.st_mtim.tv_nsec};
  }
  [[nodiscard]] bool is_missing() const noexcept { return number == 0 && device == 0; }
  /// The same file, whatever is in it by now.
  [[nodiscard]] bool is_same_file(const file_identity& other) const noexcept {
    return device == other.device && number == other.number;
  }
  /// The same file, and nobody has written to it.
  friend bool operator==(const file_identity&, const file_identity&) = default;
};

}  // namespace seen::redis
