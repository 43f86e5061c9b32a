// Keys from files: the bytes of each line (lines.hpp), without a copy per key.
//
// A key is the bytes of a line without its newline; nothing else is cut off, so in a file with Windows line ends the
// carriage return belongs to the key. A last line without a newline is a key, an empty line is the empty key. `--null`
// ends keys with a zero byte, `--field` takes one column, `--hex` decodes hexadecimal digits. Where a foreign filter's
// keys are numbers, a line is a number in words: "42" becomes the 8 bytes of 42. A line that is not a key of
// the filter is an error that names the line; in hexadecimal, so is one of the wrong length.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/key_form.hpp>
#include <seen/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lines.hpp"

namespace seen::cli {

/// The characters that separate keys from one another and from the rest of their line.
struct key_format {
  char terminator = '\n';
  std::uint64_t field = 0;  ///< which column is the key, from 1; 0: the whole line
  char delimiter = '\t';
  bool hex = false;            ///< keys are written in hexadecimal
  accepted_keys accepts = {};  ///< which bytes the filter takes for keys; in hexadecimal their bytes are written
  bool decompress = true;
  bool quiet = false;  ///< no remarks on what was read
};

/// Keys, and the lines they were found in; the same views where a key is a whole line. Valid until the next batch.
struct key_batch {
  std::span<const bytes_view> keys;  ///< of one line side by side, in the order of the lines
  std::span<const bytes_view> lines;
  std::span<const std::uint32_t> owner = {};  ///< per key, the index of its line; empty: one key per line

  /// The index of the line that key `key` came from.
  [[nodiscard]] std::size_t line_of(std::size_t key) const noexcept { return owner.empty() ? key : owner[key]; }
};

/// Room for an answer per key of a batch, which may have any number of them.
class answer_buffer {
 public:
  /// The first `keys` of it.
  std::span<bool> of(std::size_t keys) {
    if (keys > size_) {
      room_ = std::make_unique<bool[]>(keys);
      size_ = keys;
    }
    return {room_.get(), keys};
  }
  [[nodiscard]] const bool* data() const noexcept { return room_.get(); }

 private:
  std::unique_ptr<bool[]> room_;
  std::size_t size_ = 0;
};

/// The keys of some files, one after another.
class key_reader {
 public:
  /// Fails where a file does not exist, before anything is read.
  static result<key_reader> open(std::vector<std::string> paths, const key_format& format);

  /// The next keys; no keys at all is the end.
  result<key_batch> next();

  /// True if all of it can be read again.
  [[nodiscard]] bool can_rewind() const noexcept { return lines_.can_rewind(); }
  result<void> rewind() { return lines_.rewind(); }

  /// Where line `index` of the last batch came from: its file, as named on the command line; its number in the file,
  /// from 1; and both in words, "users.txt: line 7". The lines of a batch are of one file.
  [[nodiscard]] const std::string& path() const { return lines_.path(); }
  [[nodiscard]] std::uint64_t number(std::size_t index) const { return lines_.number(index); }
  [[nodiscard]] std::string where(std::size_t index) const { return lines_.where(index); }

  /// Bytes on disk: read so far, and in all; 0 where that is unknown.
  [[nodiscard]] std::uint64_t bytes_read() const noexcept { return lines_.bytes_read(); }
  [[nodiscard]] std::uint64_t bytes_total() const noexcept { return lines_.bytes_total(); }

 private:
  key_reader(line_reader lines, const key_format& format) : lines_(std::move(lines)), format_(format) {}

  result<bytes_view> column(bytes_view line, std::size_t index) const;
  result<bytes_view> decoded(bytes_view text, std::byte*& to, std::size_t index) const;
  result<bytes_view> number(bytes_view text, std::byte*& to, std::size_t index) const;
  [[nodiscard]] error no_key(bytes_view text, std::size_t index) const;

  line_reader lines_;
  key_format format_;
  std::vector<bytes_view> keys_;
  std::vector<std::byte> decoded_;
};

}  // namespace seen::cli
