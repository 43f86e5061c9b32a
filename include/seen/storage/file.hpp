// Files: reading at an offset, mapping, and replacing a file so that nobody ever sees half of it.
//
//   file          an open file; reads survive interruptions and short counts
//   file::map     its bytes as storage, read-only or shared and writable
//   replacement   .<name>.seen-tmp beside the target ──write──► fsync ──► rename over the target ──► fsync directory
//
// A replacement that is not committed disappears. One that a crash left behind is locked by nobody, so the next save
// removes it; one that another process is writing is refused (errc::busy). Symbolic links stay: the file at the end of
// the chain is replaced, or made where there is none. All errors name the path, the call and the reason.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/storage/storage.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace seen::inline v1 {

/// A file descriptor that closes itself.
class file {
 public:
  enum class mode { read, write_shared };

  static result<file> open(const std::string& path, mode how = mode::read);
  /// A file without a name in `directory`: it goes with the descriptor, however the process ends.
  static result<file> temporary(const std::string& directory);
  /// Opens a file for writing and takes its lock, making it where there is none; errc::busy while another has it.
  static result<file> open_or_create(const std::string& path);

  file(file&& other) noexcept;
  file& operator=(file&& other) noexcept;
  file(const file&) = delete;
  file& operator=(const file&) = delete;
  ~file();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Length in bytes; errc::io for anything but a regular file.
  [[nodiscard]] result<std::uint64_t> size() const;
  /// Fills `into` from `offset`; a file that ends before that is errc::corrupt.
  result<void> read_at(std::uint64_t offset, std::span<std::byte> into) const;
  result<void> write_at(std::uint64_t offset, bytes_view from);
  /// Makes it so long, with room on the device for all of it: what is written to a map of it then has a place.
  result<void> reserve(std::uint64_t size);
  /// Waits until what was written is on the device.
  result<void> sync();
  /// Refuses (errc::busy) if another process holds the lock; it goes with the descriptor.
  result<void> lock();

  /// Takes its name away, if it still leads to this file.
  void remove() noexcept;
  /// True as long as its path leads to this file, and not to one that has replaced it.
  [[nodiscard]] bool is_in_place() const noexcept;

  /// The file's bytes, as long as the storage lives. `writable` shares what is written with the file. Huge pages are asked
  /// for where nothing is written.
  result<storage> map(std::uint64_t size, bool writable, bool huge_pages = true) const;

  [[nodiscard]] error failure(const char* call) const;

 private:
  friend class replacement;
  file(int descriptor, std::string path) noexcept : descriptor_(descriptor), path_(std::move(path)) {}

  int descriptor_ = -1;
  std::string path_;
};

/// The name of what is kept for a while beside a file: ./set.seen -> ./.set.seen.seen-tmp. Where that would be longer
/// than the 255 bytes of a file name, the name is cut, between two characters of UTF-8, and a tilde and 16 hexadecimal
/// digits follow, the XXH3-64 of the whole name: .set-of-…~0123456789abcdef.seen-tmp
[[nodiscard]] std::string hidden_beside(const std::string& path, const std::string& suffix);

/// Writes mapped pages back to the device and waits.
result<void> sync_mapping(std::span<std::byte> mapped, const std::string& path);

/// A file in the making that takes its target's place in one step.
class replacement {
 public:
  /// Begins to replace `path`. With `overwrite` false an existing file is errc::exists, now and at commit.
  static result<replacement> begin(const std::string& path, bool overwrite);

  replacement(replacement&& other) noexcept;
  replacement& operator=(replacement&&) = delete;
  ~replacement();

  /// Appends.
  result<void> write(bytes_view bytes);
  /// Makes it durable under the target's name. After an error the target is as it was, unless it was the very last step
  /// that failed (the directory's fsync): then it is the new file, whole, but may not survive a power cut.
  result<void> commit();

 private:
  replacement(file temporary, std::string target, bool overwrite, bool direct) noexcept;
  static result<void> remove_stale(const std::string& temporary);
  [[nodiscard]] error of_target(error e) const;

  file temporary_;
  std::string target_;
  std::uint64_t written_ = 0;
  bool overwrite_;
  bool direct_;           // the target is a pipe or device: written in place, nothing to rename
  bool pending_ = false;  // the temporary is there and has to be removed
};

/// The end of the chain of symbolic links that begins at `path`, whether or not there is a file; a loop is errc::io.
[[nodiscard]] result<std::string> end_of_links(const std::string& path);

}  // namespace seen::inline v1
