// Bytes of a file or of standard input, decompressed where they are compressed.
//
//   descriptor ──read──► [ plain | gzip | zstd, told by the first bytes ] ──► caller's buffer
//
// gzip files of several members and zstd files of several frames read as one. A compressed file that ends too early,
// or goes on with something else, is an error: half a list of keys would make a filter that says no to the other half. A
// file that is packed in another way is an error too, and so is a filter: its lines would be keys that nobody asks for.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace seen::cli {

/// The name that stands for standard input, or for standard output where something is written.
inline constexpr const char* dash = "-";

/// A file that is read, as messages name it.
[[nodiscard]] std::string display_name(const std::string& path);
/// The error of a call on it, by errno.
[[nodiscard]] error io_error(const std::string& path, const char* call);

/// Turns compressed bytes into plain ones, piece by piece.
class decoder {
 public:
  decoder() = default;
  decoder(const decoder&) = delete;
  decoder& operator=(const decoder&) = delete;
  virtual ~decoder() = default;

  /// Takes from the front of `from`, writes to `into`, returns how much it wrote; an error says what is wrong.
  virtual result<std::size_t> decode(bytes_view& from, std::span<std::byte> into) = 0;
  /// True between members: the only place where the data may end.
  [[nodiscard]] virtual bool may_end() const noexcept = 0;
  [[nodiscard]] virtual const char* name() const noexcept = 0;
};

/// A file descriptor that closes itself, except standard input.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) noexcept : number_(number) {}
  descriptor(descriptor&& other) noexcept;
  descriptor& operator=(descriptor&& other) noexcept;
  ~descriptor();

  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_ = -1;
};

/// Something to read keys from.
class input {
 public:
  /// `path` may be "-". With `decompress` false the bytes are taken as they are.
  static result<input> open(const std::string& path, bool decompress);

  /// Fills the front of `into` and returns how much; 0 is the end. Returns what is there rather than wait for more.
  result<std::size_t> read(std::span<std::byte> into);

  /// Bytes read from the file so far, compressed as they are.
  [[nodiscard]] std::uint64_t consumed() const noexcept { return consumed_; }

 private:
  input(descriptor from, std::string path) noexcept : from_(std::move(from)), path_(std::move(path)) {}

  result<std::size_t> read_raw(std::span<std::byte> into);
  result<void> recognise();
  [[nodiscard]] error damaged(const std::string& what) const;

  descriptor from_;
  std::string path_;
  std::uint64_t consumed_ = 0;
  std::vector<std::byte> raw_;        // read, but not decoded
  bytes_view waiting_;                // the rest of raw_
  std::unique_ptr<decoder> decoder_;  // none: plain
};

}  // namespace seen::cli
