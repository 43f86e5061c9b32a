// How the bytes of a file become keys, as the options of the command say it. The steps, in this order:
//
//   records    cut at newlines, zero bytes, newlines outside quotes, every so many bytes, or values of a column (splitter.hpp)
//   header     the first record of a file, which only names fields
//   ends       a carriage return before the newline goes                                --crlf
//   left out   comments, and what is empty                                              --comment, --skip-blank
//   keys       fields (fields.hpp), values of JSON (json_path.hpp), or the whole record
//   cleaned    blanks at both ends go, capitals become small                            --trim, --lower
//   decoded    hexadecimal digits, or a number in decimal where keys are numbers
//   hashed     to the digest of what there is by now                                    --digest
#pragma once

#include <seen/base/key_form.hpp>

#include <optional>
#include <string>

#include "records/digests.hpp"
#include "records/fields.hpp"
#include "records/json_path.hpp"
#include "records/splitter.hpp"
#include "records/written_number.hpp"

namespace seen::cli {

/// What happens to a record that has no key, or one that the filter cannot take.
enum class bad_records {
  error,  ///< reading ends there, when everything before has been used
  skip,   ///< it is left out
  empty,  ///< it counts as the empty key
};

/// All that is to know about a list of keys before it is read.
struct key_format : record_form {
  bool header = false;  ///< the first record of a file is no key
  field_choice fields;  ///< empty: the whole record is the key
  std::optional<json_path> path;
  bool crlf = false;
  bool trim = false;
  bool lower = false;
  bool skip_blank = false;
  std::string comment;  ///< what a record begins with that is no key; empty: there are none
  bool hex = false;     ///< keys are written in hexadecimal
  const digest_function* digest = nullptr;
  accepted_keys accepts = {};   ///< which bytes the filter takes for keys; in hexadecimal their bytes are written
  written_number written = {};  ///< how numbers may be written beside
  bad_records on_bad = bad_records::error;
  bool decompress = true;
  bool quiet = false;    ///< no remarks on what was read
  unsigned threads = 0;  ///< that read; 0: as many as there are processors

  /// Whether a record may have several keys.
  [[nodiscard]] bool several() const noexcept { return path ? path->several() : fields.several(); }
  /// Whether keys are written as decimal numbers.
  [[nodiscard]] bool numbers() const noexcept { return !hex && width == 0 && accepts.form != key_form::bytes; }
  /// Whether a key is its record, byte for byte, and every record has one.
  [[nodiscard]] bool whole_records() const noexcept { return is_plain() && fields.empty() && !hex && !header; }
  /// Whether a record has one key, found without cleaning, which at most stands there in hexadecimal.
  [[nodiscard]] bool is_plain() const noexcept {
    return width == 0 && !csv && !path && (fields.empty() || fields.is_plain()) && !crlf && !trim && !lower &&
           !skip_blank && comment.empty() && digest == nullptr && accepts.form == key_form::bytes;
  }
  /// Whether a byte-order mark at the beginning of a file is none of its keys' business.
  [[nodiscard]] bool drops_mark() const noexcept {
    return width == 0 && (crlf || trim || csv || header || path.has_value());
  }
};

}  // namespace seen::cli
