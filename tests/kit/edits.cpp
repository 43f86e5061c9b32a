// Edits of files: as a row has them, and found from two files.
#include <algorithm>

#include "victim.hpp"

namespace seen::kit {

byte_vector edited(byte_vector base, std::string_view edits) {
  for (const std::string& each : split(edits, ',')) {
    const auto parts = split(each, ':');
    if (parts.size() != 2) fail("no edit: " + each);
    if (parts[0] == "cut") {
      if (std::stoull(parts[1]) > base.size()) fail("cut beyond the end: " + each);
      base.resize(static_cast<std::size_t>(std::stoull(parts[1])));
    } else if (parts[0] == "append") {
      const byte_vector more = from_hex(parts[1]);
      base.insert(base.end(), more.begin(), more.end());
    } else {
      const byte_vector with = from_hex(parts[1]);
      const std::uint64_t offset = std::stoull(parts[0]);
      if (offset > base.size() || with.size() > base.size() - offset) fail("an edit beyond the end: " + each);
      std::copy(with.begin(), with.end(), base.begin() + static_cast<std::ptrdiff_t>(offset));
    }
  }
  return base;
}

// Runs that differ, joined where the gap is shorter than another offset would be.
std::string difference(const byte_vector& from, const byte_vector& to) {
  std::string edits;
  const auto add = [&](const std::string& each) { edits += (edits.empty() ? "" : ",") + each; };
  if (to.size() < from.size()) add("cut:" + std::to_string(to.size()));
  const std::size_t common = std::min(from.size(), to.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (from[i] == to[i]) continue;
    std::size_t end = i + 1;
    for (std::size_t j = end; j < common && j < end + 4; ++j) {
      if (from[j] != to[j]) end = j + 1;
    }
    add(std::to_string(i) + ":" + in_hex(bytes_view(to).subspan(i, end - i)));
    i = end;
  }
  if (to.size() > from.size()) add("append:" + in_hex(bytes_view(to).subspan(from.size())));
  return edits;
}

}  // namespace seen::kit
