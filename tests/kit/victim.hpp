// A good file of the kit that is changed in many ways; a change that the library refuses becomes a row of hostile.tsv.
#pragma once

#include <functional>
#include <set>

#include "kit.hpp"
#include "support/native_image.hpp"

namespace seen::kit {

using testing::number_field;

/// The edits of a row are no longer than this.
inline constexpr std::size_t longest_edits = 900;

/// The edits that make `to` of `from`.
[[nodiscard]] std::string difference(const byte_vector& from, const byte_vector& to);

/// Rows about one file.
class victim {
 public:
  /// `there` is what the rows already have, of all files.
  victim(const test_case& c, const byte_vector& good, std::vector<row>& rows, std::set<row>& there)
      : case_(c), good_(good), rows_(rows), there_(there) {}

  [[nodiscard]] const byte_vector& good() const { return good_; }

  /// Keeps the change if the library refuses it.
  bool may(const byte_vector& bad, const std::string& why, std::size_t longest = longest_edits) {
    if (bad == good_ || any_filter::from_bytes(bad, case_.how_to_open())) return false;
    const std::string edits = difference(good_, bad);
    if (edits.size() > longest || !there_.insert({case_.file(), edits}).second) return false;
    if (edited(good_, edits) != bad) fail(case_.name + ": edits that make something else: " + edits);
    rows_.push_back({case_.file(), edits, why});
    return true;
  }
  void must(const byte_vector& bad, const std::string& why) {
    if (any_filter::from_bytes(bad, case_.how_to_open())) fail(case_.name + ": " + why + " is not refused");
    (void)may(bad, why);
  }

  void cut(std::size_t length) {
    if (length >= good_.size()) return;
    must(byte_vector(good_.begin(), good_.begin() + static_cast<std::ptrdiff_t>(length)), "cut");
  }
  void grow(std::size_t more) {
    byte_vector bad = good_;
    bad.resize(bad.size() + more);
    must(bad, "grown");
  }
  void flip(std::size_t byte, const char* where) {
    byte_vector bad = good_;
    bad[byte] ^= static_cast<std::byte>(1 << (byte * 5 + 3) % 8);
    must(bad, std::string("flip in ") + where);
  }

 private:
  const test_case& case_;
  const byte_vector& good_;
  std::vector<row>& rows_;
  std::set<row>& there_;
};

/// Finds the victim of a name, for the functions below.
using victim_finder = std::function<victim(const std::string& name)>;
/// What is wrong with files of other libraries, which have no checksums.
void harm_foreign_files(const victim_finder& victim_called);
/// The lies of one field (support/lies.hpp) that begin with a file of the kit.
void tell_lies(const victim_finder& victim_called, const std::filesystem::path& tables);

}  // namespace seen::kit
