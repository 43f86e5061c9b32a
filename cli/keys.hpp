// Keys from files: what records/ finds in the records that lines.hpp reads, without a copy per key where that can be.
//
// A key is the bytes of a line without its newline; nothing else is cut off unless key_format.hpp says so, so in a file with
// Windows line ends the carriage return belongs to the key. A last line without a newline is a key, an empty line is the
// empty key. Where a foreign filter's keys are numbers, a line is a number in words: "42" becomes the 8 bytes of 42.
//
//   batch     [key][key][key] bad …        everything before a bad record is handed out, then comes its error, however the
//             ▲────────────▲ ▲ error       bytes arrived; or it is skipped, or counts as the empty key, and is counted
//
// What is likely to be a mistake is told in a remark: a byte-order mark, or carriage returns at the end of all keys. UTF-16 is
// refused.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lines.hpp"
#include "records/key_cutter.hpp"
#include "records/suspicion.hpp"

namespace seen::cli {

/// Keys, and the lines they were found in; the same views where a key is a whole line. Valid until the next batch.
struct key_batch {
  std::span<const bytes_view> keys;  ///< of one line side by side, in the order of the lines
  std::span<const bytes_view> lines;
  std::span<const std::uint32_t> owner = {};  ///< per key, the index of its line; empty: one key per line
  std::span<const bytes_view> texts = {};     ///< per key, how it was written, where it was decoded or hashed

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

/// Records that were skipped, or counted as empty keys.
struct bad_tally {
  std::uint64_t count = 0;
  std::string path, first;  ///< the first one's file, and what is wrong with it
  bool in_one_file = true;
};

/// The keys of some files, one after another.
class key_reader {
 public:
  /// Fails where a file does not exist, before anything is read.
  static result<key_reader> open(std::vector<std::string> paths, const key_format& format);

  /// Lines that are there already, each with its terminator. `name` is what messages call them.
  static key_reader of(std::vector<std::byte> lines, std::string name, const key_format& format);

  /// The next keys; no keys at all is the end.
  result<key_batch> next();

  /// True if all of it can be read again.
  [[nodiscard]] bool can_rewind() const noexcept { return lines_.can_rewind(); }
  result<void> rewind();

  /// True if nothing has to be unpacked again for that.
  [[nodiscard]] bool is_plain() const { return lines_.is_plain(); }

  /// How the files can be read by several readers at once, and a reader of a part; fewer than two parts: they cannot. What
  /// a reader of a part came upon is told, once, by the reader that takes it over.
  [[nodiscard]] std::shared_ptr<const part_list> parts() const;
  [[nodiscard]] unsigned threads() const noexcept { return cutter_.format().threads; }
  [[nodiscard]] key_reader of(std::shared_ptr<const part_list> parts, std::size_t index) const;
  [[nodiscard]] const bad_tally& bad() const noexcept { return bad_; }
  void take_over(const bad_tally& part);
  void tell_of_bad();

  /// Where line `index` of the last batch came from: its file, as named on the command line; its number in the file,
  /// from 1; and both in words, "users.txt: line 7". The lines of a batch are of one file.
  [[nodiscard]] const std::string& path() const { return lines_.path(); }
  [[nodiscard]] std::uint64_t number(std::size_t index) const { return lines_.number(place(index)); }
  [[nodiscard]] std::string where(std::size_t index) const { return lines_.where(place(index)); }

  /// Bytes on disk: read so far, and in all; 0 where that is unknown.
  [[nodiscard]] std::uint64_t bytes_read() const noexcept { return lines_.bytes_read(); }
  [[nodiscard]] std::uint64_t bytes_total() const noexcept { return lines_.bytes_total(); }

 private:
  key_reader(line_reader lines, const key_format& format)
      : lines_(std::move(lines)), cutter_(format), suspicion_(cutter_.format()) {}

  result<void> begin_file(bytes_view first);
  result<std::span<const bytes_view>> next_lines();
  key_batch cut(std::span<const bytes_view> lines, bool begins);
  bool take_bad(std::size_t index);
  // Among all lines that were read at once.
  [[nodiscard]] std::size_t place(std::size_t index) const {
    return begin_ + (places_.empty() ? index : places_[index]);
  }

  line_reader lines_;
  std::span<const bytes_view> read_;  // all lines that were read at once
  std::size_t begin_ = 0, end_ = 0;   // of those whose keys were handed out last
  key_cutter cutter_;
  suspicion suspicion_;
  std::vector<bytes_view> keys_, texts_;
  std::vector<std::uint32_t> owner_;
  std::vector<bytes_view> kept_;       // lines with keys, if some have none
  std::vector<std::uint32_t> places_;  // of these; empty: all have
  std::optional<error> stopped_;       // comes after the keys before it
  bad_tally bad_;
  bool is_part_ = false;
  bool told_of_bad_ = false;
};

}  // namespace seen::cli
