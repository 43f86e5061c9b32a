// Lines of files, and other records (records/splitter.hpp), one after another, as views into the block that was read.
//
//   block   alice \n bob \n caro            lines  [alice][bob]     "caro" moves to the front of the next block
//           ▲─view─▲ ▲view▲ ▲─rest─
//
// A line is the bytes before its terminator; a last line needs none. The terminator is a newline or a zero byte. Lines
// never go on from one file into the next.
//
// Blocks of 512 KiB are split by vectors into batches of views, and both stay in the second-level cache: 15 GB/s, of which
// reading is a third. Mapped pages would take as long, chunk by chunk, since the system has to map and unmap them; and a
// file that is truncated meanwhile would end the command by a signal. AVX2 gains 4 % over SSE2, which every x86-64 has. The
// buffer grows for a line longer than a block.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "input.hpp"
#include "parts.hpp"
#include "records/splitter.hpp"

namespace seen::cli {

/// The lines of some files, or what else records are called there.
class line_reader {
 public:
  /// The most lines in a batch: 256 KiB of views.
  static constexpr std::size_t largest_batch = std::size_t{16} << 10;

  /// Fails where a file does not exist, before anything is read.
  static result<line_reader> open(std::vector<std::string> paths, const record_form& form, bool decompress);

  /// Lines that are there already, each with its terminator. `name` is what messages call them.
  static line_reader of(std::vector<std::byte> lines, std::string name, const record_form& form);

  /// The next lines, valid until the call after; no lines at all is the end.
  result<std::span<const bytes_view>> next();

  /// True if all of it can be read again.
  [[nodiscard]] bool can_rewind() const noexcept { return can_rewind_; }
  result<void> rewind();
  /// True if that would cost no more than reading: nothing has to be unpacked again.
  [[nodiscard]] bool is_plain() const { return can_rewind_ && !is_packed_; }

  /// How these files can be read by several readers at once; fewer than two parts: they cannot.
  [[nodiscard]] std::shared_ptr<const part_list> parts(std::uint64_t bytes = part_list::usual_bytes) const;
  /// A reader of one of these parts.
  [[nodiscard]] line_reader of(std::shared_ptr<const part_list> parts, std::size_t index) const;

  /// A number that tells whether a line is the first or second of its file: in a part that begins further on, nobody has
  /// counted the lines before it.
  [[nodiscard]] std::uint64_t at_least(std::size_t index) const {
    constexpr std::uint64_t further_on = 2;
    return lines_before_ + index + 1 + (parts_ == nullptr || (*parts_)[part_].begin == 0 ? 0 : further_on);
  }
  /// Where line `index` of the last batch is: its file, as named; its number there, from 1; both: "users.txt: line 7".
  [[nodiscard]] const std::string& path() const { return paths_[next_path_ - 1]; }
  [[nodiscard]] std::uint64_t number(std::size_t index) const {
    return lines_before_ + index + 1 + (parts_ == nullptr ? 0 : parts_->lines_before(part_));
  }
  [[nodiscard]] std::string where(std::size_t index) const;

  /// Bytes on disk: read so far, and in all; 0 where that is unknown.
  [[nodiscard]] std::uint64_t bytes_read() const noexcept;
  [[nodiscard]] std::uint64_t bytes_total() const noexcept { return can_rewind_ ? bytes_total_ : 0; }

 private:
  line_reader(std::vector<std::string> paths, const record_form& form, bool decompress);

  result<bool> open_next();
  result<bool> read_more();
  std::span<const bytes_view> batch(std::size_t count);

  std::vector<std::string> paths_;
  record_splitter splitter_;
  bool decompress_;
  bool can_rewind_ = true;
  bool is_packed_ = false;  // one of them
  std::uint64_t bytes_total_ = 0;
  std::shared_ptr<const part_list> parts_;  // of which this reads one
  std::size_t part_ = 0;

  std::size_t next_path_ = 0;
  std::optional<input> input_;
  std::uint64_t bytes_before_ = 0;  // in the files before this one
  std::uint64_t lines_before_ = 0;  // in this file, before the batch
  std::size_t batch_size_ = 0;

  std::vector<std::byte> block_;
  unsplit rest_ = {};  // of the block
  std::vector<bytes_view> lines_;
};

}  // namespace seen::cli
