// Keys out of JSON Lines: one document per record, and a path that leads to the keys in it.
//
//   .user.id          a member of a member            .tags[0]     the first item of an array
//   .items[].id       of every item, a key each       .            the document itself
//   ."odd name"       a name with dots, brackets or quotes, written as in JSON
//
//   "caf\u00e9"  ──► its text, escapes resolved       12.50, true  ──► as they are written
//   null, an object, an array, or nothing at the end of the path: the record is bad
//
// The whole document is checked on the way [RFC 8259], whatever the path asks for: half of a line is no document. Of members
// with the same name the last one counts, as in most readers. Bytes beyond ASCII are taken as they are.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "records/scratch.hpp"

namespace seen::cli {

/// A way through a document.
class json_path {
 public:
  /// A step: into a member, an item or all items.
  struct step {
    enum class into { member, item, every_item };

    into what;
    std::string name = {};
    std::size_t index = 0;
    std::string path = {};  ///< from the document to what the step leads to
  };

  static result<json_path> parse(const std::string& text);

  /// Whether a record may have several keys.
  [[nodiscard]] bool several() const noexcept;

  /// Appends what the path leads to. False: there is something else than keys, or no document; `problem` says what.
  bool find(bytes_view document, std::vector<bytes_view>& keys, scratch& room, std::string& problem) const;

 private:
  std::vector<step> steps_;
};

}  // namespace seen::cli
