// Changing a filter file in place: one process at a time, and all or nothing.
//
//   lock ──► open ──► change ──► save (atomic replacement) ──► unlock
//
// Without the lock two processes that add to one file at the same time would both succeed and the keys of one be lost.
// The lock is the one a writable map takes, so neither interferes with the other.
#pragma once

#include <seen/any_filter.hpp>

#include <cstdint>
#include <string>

#include "input.hpp"

namespace seen::cli {

/// A filter file that nobody else changes while this lives.
class locked_file {
 public:
  /// Refused (errc::busy) while another process changes the file, and still does after so many seconds.
  static result<locked_file> lock(const std::string& path, std::uint64_t patience = 0);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] result<any_filter> open(const open_options& options, const char* what, bool quiet = false) const;
  /// Replaces the file.
  [[nodiscard]] result<void> save(const any_filter& filter, bool quiet = false) const;

 private:
  locked_file(descriptor held, std::string path) noexcept : held_(std::move(held)), path_(std::move(path)) {}

  descriptor held_;
  std::string path_;
};

}  // namespace seen::cli
