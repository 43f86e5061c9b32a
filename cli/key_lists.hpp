// The lists that a query goes through, one after another: keys of the command line first, then files.
//
//   -e alice -e bob   friends.txt   -            [alice bob] ──► [friends.txt] ──► [standard input]
//
// A list has a name and an end, which is what -c, -l and -m speak of. That every file exists is known before the first key is
// read. A query that reads its lists twice (--confirm) keeps what can be read only once: standard input, where it is a pipe,
// goes to a file without a name in $TMPDIR, as it came, compressed or not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keys.hpp"

namespace seen::cli {

/// How keys are read that stand on lines of their own, whatever stands around them elsewhere.
[[nodiscard]] key_format whole_lines(key_format format);

/// Lists of keys, each read by a reader of its own.
class key_lists {
 public:
  /// `keys` are those of the command line. Standard input where there are none and no files.
  static result<key_lists> open(std::vector<std::string> files, const std::vector<std::string>& keys,
                                const key_format& format);

  [[nodiscard]] std::size_t size() const noexcept { return files_.size() + (given_.empty() ? 0 : 1); }
  /// "friends.txt", "standard input", "command line".
  [[nodiscard]] std::string name(std::size_t list) const;
  [[nodiscard]] result<key_reader> read(std::size_t list) const;

  /// Makes everything readable a second time, and says so of what is not: a pipe with a name.
  [[nodiscard]] result<void> keep();
  /// The second time begins.
  [[nodiscard]] result<void> rewind() const;

 private:
  key_lists(std::vector<std::string> files, const key_format& format) : files_(std::move(files)), format_(format) {}

  [[nodiscard]] key_format given_format() const;

  std::vector<std::byte> given_;  // keys of the command line as lines
  std::vector<std::string> files_;
  key_format format_;
  std::optional<std::int64_t> stdin_begins_;
};

}  // namespace seen::cli
