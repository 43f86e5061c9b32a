// Keys out of one record after another, by the steps of key_format.hpp.
//
//   record ──► left out, or  [text][text]…  ──► [key][key]…         or it is bad, and problem() says why
//
// A key is a view into its record where it stands there as it is, and otherwise into scratch that lives until clear().
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "records/key_format.hpp"
#include "records/scratch.hpp"

namespace seen::cli {

/// What a record turned out to be.
enum class record_kind { keys, left_out, bad };

/// Cuts keys out of records.
class key_cutter {
 public:
  explicit key_cutter(key_format format) : format_(std::move(format)) {}

  [[nodiscard]] const key_format& format() const noexcept { return format_; }

  /// Takes the names of fields from the first record of a file.
  result<void> read_names(bytes_view record);
  /// Appends the keys of a record to `keys`, and what they were written as to `texts`, unless that is the same for all.
  record_kind cut(bytes_view record, std::vector<bytes_view>& keys, std::vector<bytes_view>& texts);
  /// The same for as many records as are plain (key_format::is_plain) and good; returns how many. Most lists are of such
  /// alone.
  std::size_t cut_plain(std::span<const bytes_view> records, std::vector<bytes_view>& keys,
                        std::vector<bytes_view>& texts);
  /// What is wrong with the record that was cut last.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  /// Whether keys are not what was written.
  [[nodiscard]] bool decodes() const noexcept {
    return format_.hex || format_.digest != nullptr || format_.accepts.form != key_form::bytes;
  }
  /// Whether what was written is the whole record, each time.
  [[nodiscard]] bool texts_are_records() const noexcept { return format_.is_plain() && format_.fields.empty(); }
  /// Forgets the keys of a batch.
  void clear() noexcept { room_.clear(); }

 private:
  bytes_view without_ends(bytes_view record) const noexcept;
  std::size_t decode_plain(std::span<const bytes_view> texts, bytes_view* keys);
  bool find_texts(bytes_view record, std::vector<bytes_view>& texts);
  bool decode(bytes_view text, bytes_view& key);
  bool decode_digits(bytes_view text, bytes_view& key);
  bool decode_number(bytes_view text, bytes_view& key);
  [[nodiscard]] bool fits(bytes_view key) const noexcept;
  bool no_key(bytes_view text);

  key_format format_;
  scratch room_;
  std::string problem_;
};

}  // namespace seen::cli
