// Compressed bytes into plain ones, piece by piece, whichever program compressed them.
//
// gzip files of several members, zstd files of several frames, and xz and bzip2 files of several streams read as one. The
// data may end between two of these and nowhere else. Where liblzma or libbz2 was not there when the command was built, their
// files cannot be unpacked.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace seen::cli {

/// Turns compressed bytes into plain ones, piece by piece.
class decoder {
 public:
  decoder() = default;
  decoder(const decoder&) = delete;
  decoder& operator=(const decoder&) = delete;
  virtual ~decoder() = default;

  /// Takes from the front of `from`, writes to `into`, returns how much it wrote; an error says what is wrong. Nothing in
  /// `from` says that the file has ended.
  virtual result<std::size_t> decode(bytes_view& from, std::span<std::byte> into) = 0;
  /// True between members: the only place where the data may end.
  [[nodiscard]] virtual bool may_end() const noexcept = 0;
};

/// How a file is packed.
enum class packing { none, gzip, zstd, xz, bzip2 };

/// The program that packs so.
[[nodiscard]] const char* name_of(packing how) noexcept;
/// False where the library for it was missing.
[[nodiscard]] bool can_unpack(packing how) noexcept;
/// A decoder of what can be unpacked.
result<std::unique_ptr<decoder>> make_decoder(packing how);

}  // namespace seen::cli
