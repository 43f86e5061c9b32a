// Where the bytes of a file come from and where they go, so that a reader or writer of a format need not ask: a file or
// memory.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/storage/file.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace seen::inline v1 {

/// Where bytes come from.
struct source {
  std::string name;  ///< for messages
  std::uint64_t size = 0;
  std::function<result<void>(std::uint64_t offset, std::span<std::byte> into)> read;

  /// Reads from `opened`, which must outlive it.
  static result<source> of(const file& opened);
  /// Reads from memory, which must outlive it.
  static source of(bytes_view bytes);
};

/// Where bytes go, piece after piece.
using sink = std::function<result<void>(bytes_view)>;

/// A function that puts all bytes of a file into a sink.
using writer = std::function<result<void>(const sink&)>;

/// Replaces the file at `path` atomically with what is written; when it returns without an error the bytes are on the device.
[[nodiscard]] result<void> write_file(const std::string& path, bool overwrite, const writer& write);
/// The bytes that are written, in memory.
[[nodiscard]] result<std::vector<std::byte>> collect(const writer& write);

}  // namespace seen::inline v1
