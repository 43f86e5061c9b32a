// Which fields of a record are keys, and how a record is cut into fields.
//
//   --field 2        the second                     --field -1       the last
//   --field 2-4      those of 2 to 4 there are      --field 3-       from the third on
//   --field 1,3-5    several: a key each            --field mail     by name, where a file begins with names
//
//   delimiter        one string between fields, of one byte or more
//   blanks           runs of spaces and tabs; those at the ends separate nothing (as in awk)
//   CSV              RFC 4180: a field may stand in quotes, and holds what it likes there, quotes doubled
//
// A record must have every field that is named by itself, and the first of every range.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "records/scratch.hpp"

namespace seen::cli {

/// What stands between fields.
struct field_separator {
  enum class way { delimiter, blanks, csv };

  way how = way::delimiter;
  std::string delimiter = "\t";  ///< of CSV it has one byte
};

/// Some of the fields of a record. A choice by name is for one file after another: resolve() comes first.
class field_choice {
 public:
  field_choice() = default;
  /// Names are taken for such only if files begin with them.
  static result<field_choice> parse(const std::string& text, field_separator separator, bool with_names);

  /// True where no field is chosen: the key is the whole record.
  [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
  /// Whether a record may have several keys.
  [[nodiscard]] bool several() const noexcept { return several_; }

  /// Finds names among the fields of a file's first record, without blanks around them if they are trimmed. The error says
  /// which there are.
  result<void> resolve(bytes_view names, bool trim);

  /// Whether the choice is one field behind delimiters of one byte, and that field; false where there is none.
  [[nodiscard]] bool is_plain() const noexcept { return plain_ != 0; }
  [[nodiscard]] bool find_plain(bytes_view record, bytes_view& field) const noexcept;
  /// Appends the chosen fields. False: the record is not as it should be, and `problem` says why.
  bool cut(bytes_view record, std::vector<bytes_view>& keys, scratch& room, std::string& problem);

 private:
  struct range {
    std::int64_t first = 0;  // from 1; -1 is the last
    std::int64_t last = 0;
    bool single = true;
  };

  static result<range> parse_range(std::string_view text);
  void choose(std::vector<range> ranges);
  bool split(bytes_view record, std::string& problem);
  bool split_csv(bytes_view record, std::string& problem);
  bool pick(const range& chosen, std::vector<bytes_view>& keys, scratch& room, std::string& problem) const;

  std::string text_;
  field_separator separator_;
  bool with_names_ = false;
  bool several_ = false;
  std::vector<range> ranges_;
  std::size_t needed_ = 0;  // fields beyond are of no interest
  std::size_t plain_ = 0;   // the one field chosen, behind a delimiter of one byte; 0: not so simple
  std::vector<bytes_view> fields_;
};

/// "1 field", "2 fields".
[[nodiscard]] std::string fields_in_words(std::size_t n);

}  // namespace seen::cli
