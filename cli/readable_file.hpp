// A filter's file as the library can open it, by a name: what comes through a pipe, or is packed, is copied into a file in
// memory that has one.
#pragma once

#include <seen/base/result.hpp>
#include <seen/options.hpp>

#include <cstdint>
#include <string>

#include "input.hpp"

namespace seen::cli {

/// The file to open for a filter: itself, or its content in memory.
class readable_file {
 public:
  /// Fails where there is nothing in it, and where a copy would be too large. A file that is missing is for the library to
  /// tell of.
  static result<readable_file> of(const std::string& path, const open_options& options);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// An error that names the file as the user knows it.
  [[nodiscard]] error told(const error& e) const;

 private:
  explicit readable_file(const std::string& path) : path_(path), name_(path) {}

  result<void> copy(std::uint64_t most);

  std::string path_;
  std::string name_;
  descriptor copy_;
};

/// An error where a filter is packed, or no regular file, and so cannot be replaced by a changed one.
[[nodiscard]] result<void> check_in_place(const std::string& path);

}  // namespace seen::cli
