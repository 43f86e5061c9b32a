// Puts what the library knows of a filter into terms of the command line.
#include "remarks.hpp"

#include <seen/registry.hpp>

#include <cmath>

#include "words.hpp"

namespace seen::cli {

void remark_guess(bool quiet, const std::string& path, const any_filter& filter) {
  if (filter.origin().recognised != recognition::guessed) return;
  const std::string name(filter.format());
  const format_row& row = **find_format(name);
  const char* const assumed = row.hashes.size() > 1      ? " with the usual hash"
                              : row.key_types.size() > 1 ? " of the usual keys"
                                                         : "";
  warn(quiet, path + ": taken for a " + name + " file" + assumed + ", which its content does not prove; " +
                  "--format " + name + " says so");
}

std::string doubt(const filter_info& info) {
  if (info.origin.recognised != recognition::guessed) return {};
  return " (or it is not what it was taken for: name its --format, --hash and --key-type)";
}

std::string how_full(const filter_info& info, double before) {
  std::string text;
  // Where the kind counts what it holds.
  if (info.keys_exact) text += " after " + keys_in_words(static_cast<std::uint64_t>(std::llround(info.keys - before)));
  if (info.target.capacity != 0) text += ", planned for " + keys_in_words(info.target.capacity);
  return text;
}

std::string advice_on_equal_keys(const filter_info& info) {
  const bool takes_each = info.format == native::format_name;
  return takes_each ? "Equal keys take a place each: make them unique (sort -u), or " : "To hold more, ";
}

}  // namespace seen::cli
