// Bytes of a file or of standard input, decompressed where they are compressed.
//
//   descriptor ──read──► [ plain | gzip | zstd | xz | bzip2, told by the first bytes ] ──► caller's buffer
//
// A compressed file that ends too early, or goes on with something else, is an error: half a list of keys would make a
// filter that says no to the other half. In a list of keys a file that is packed in another way is an error too, and so is a
// filter (signature.hpp): their lines would be keys that nobody asks for. So is anything of the sort inside compressed data:
// one layer is taken off.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/storage/source.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "decoder.hpp"
#include "parquet_list.hpp"
#include "signature.hpp"

namespace seen::cli {

/// The name that stands for standard input, or for standard output where something is written.
inline constexpr const char* dash = "-";

/// A file that is read, as messages name it.
[[nodiscard]] std::string display_name(const std::string& path);
/// The error of a call on it, by errno.
[[nodiscard]] error io_error(const std::string& path, const char* call);

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

/// What is made of a file's bytes.
enum class reading {
  keys,    ///< a list of keys: unpacked, and refused if it is none
  packed,  ///< whatever it is: unpacked
  plain,   ///< as they are
};

/// How a regular file is compressed, as far as that can be read.
[[nodiscard]] packing packing_of(const std::string& path);

/// Something to read from.
class input {
 public:
  /// `path` may be "-". A pipe there can be opened once, be it for keys or for a filter.
  static result<input> open(const std::string& path, reading how);
  /// Bytes of a plain regular file that begin and end there, as they are.
  static result<input> open_part(const std::string& path, std::uint64_t begin, std::uint64_t end);

  /// The values of a column of a Parquet file, each behind its length.
  static result<input> open_column(const std::string& path, const std::string& column);

  /// Bytes that are there already, taken as they are; `name` is what messages call them.
  static input of(std::vector<std::byte> bytes, std::string name);

  /// Fills the front of `into` and returns how much; 0 is the end. Returns what is there rather than wait for more.
  result<std::size_t> read(std::span<std::byte> into);

  /// Bytes read from the file so far, compressed as they are.
  [[nodiscard]] std::uint64_t consumed() const noexcept { return consumed_; }
  /// How many bytes there are in all, of a regular file that is not compressed.
  [[nodiscard]] std::optional<std::uint64_t> plain_size() const noexcept;
  /// Bytes of a regular file from anywhere; less than `into` takes where it ends.
  result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) const;
  /// How it is compressed.
  [[nodiscard]] packing packed() const noexcept { return packed_; }

 private:
  input(descriptor from, std::string path) noexcept : from_(std::move(from)), path_(std::move(path)) {}

  static result<input> open_descriptor(const std::string& path);
  result<std::size_t> read_raw(std::span<std::byte> into);
  result<std::size_t> read_decoded(std::span<std::byte> into);
  template <class Read>
  result<bytes_view> read_beginning(std::vector<std::byte>& into, Read read) const;
  result<void> recognise(reading how);
  [[nodiscard]] source whole() const;
  [[nodiscard]] std::string format_of_filter() const;
  [[nodiscard]] error no_list(const std::string& what, const std::string& help) const;
  [[nodiscard]] error damaged(const std::string& what) const;

  descriptor from_;
  std::string path_;
  // Of a regular file, which is read by place: nothing that others have opened, standard input too, is moved.
  bool is_regular_ = false;
  std::uint64_t begin_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t end_ = ~std::uint64_t{0};  // of what is read
  std::uint64_t consumed_ = 0;
  bool ended_ = false;
  std::vector<std::byte> raw_;        // read, but not decoded
  bytes_view waiting_;                // the rest of raw_
  std::unique_ptr<decoder> decoder_;  // none: plain
  std::optional<parquet_list> column_;
  packing packed_ = packing::none;
  std::vector<std::byte> beginning_;  // decoded, but not given out
  bytes_view ready_;                  // the rest of beginning_
};

}  // namespace seen::cli
