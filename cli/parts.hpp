// Lists of keys in parts that several threads read at the same time.
//
//   file    alice \n bob \n caro \n dave \n eve \n …
//           ├──────part 0──────┤├──part 1───┤├─ …        cut where a line ends, a few MiB each
//
// A file that cannot be cut is one part: a packed one, or a small one. Several packed files are unpacked side by side.
//
// How many lines lie before a part is only asked for where a line has to be named, and is counted then, once for all parts.
#pragma once

#include <seen/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seen::cli {

/// Some lines of a file, side by side.
struct file_part {
  std::size_t file = 0;     ///< its index
  std::uint64_t begin = 0;  ///< where its first line begins
  std::uint64_t end = 0;    ///< where its last line ends
  bool is_whole = false;    ///< all of a file, however it has to be read
};

/// The parts of some regular files, in order.
class part_list {
 public:
  static constexpr std::uint64_t usual_bytes = std::uint64_t{4} << 20;

  /// Cuts the files into parts of some `bytes`. A file that cannot be opened is a part, whose reader says why.
  static std::vector<file_part> divide(const std::vector<std::string>& paths, char terminator, bool decompress,
                                       std::uint64_t bytes);

  part_list(std::vector<std::string> paths, char terminator, std::vector<file_part> parts)
      : paths_(std::move(paths)), terminator_(terminator), parts_(std::move(parts)), counted_(parts_.size()) {}

  [[nodiscard]] std::size_t size() const noexcept { return parts_.size(); }
  [[nodiscard]] const file_part& operator[](std::size_t index) const { return parts_[index]; }
  /// How many lines of its file lie before a part. Any thread may ask. (Of a file that cannot be read any more, 0.)
  [[nodiscard]] std::uint64_t lines_before(std::size_t part) const;

 private:
  [[nodiscard]] std::uint64_t count_lines(const file_part& part) const;

  std::vector<std::string> paths_;
  char terminator_;
  std::vector<file_part> parts_;
  mutable std::mutex counting_;
  mutable std::vector<std::optional<std::uint64_t>> counted_;  // lines of a part
};

}  // namespace seen::cli
