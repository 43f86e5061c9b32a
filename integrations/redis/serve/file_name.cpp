#include "serve/file_name.hpp"

#include <array>

namespace seen::redis {
namespace {

constexpr std::string_view digits = "0123456789ABCDEF";
constexpr std::size_t longest = 230;

constexpr std::string_view usual_ending = ".seen";
struct ending {
  family of;
  std::string_view text;
};
constexpr std::array<ending, 3> endings{
    {{family::bloom, ".bf.seen"}, {family::cuckoo, ".cf.seen"}, {family::lookup, ".sf.seen"}}};

bool is_itself(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

}  // namespace

std::optional<std::string> file_name_of(std::string_view name, std::optional<family> of) {
  std::string file;
  for (const char c : name) {
    if (is_itself(c)) {
      file += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    file += {'%', digits[byte / 16], digits[byte % 16]};
    if (file.size() > longest) return {};
  }
  if (file.empty() || file.size() > longest) return {};
  for (const ending& each : endings) {
    if (of == each.of) return file.append(each.text);
  }
  return file.append(usual_ending);
}

std::optional<filed_name> name_of_file(std::string_view file) {
  filed_name found;
  std::string_view stem = file.substr(0, file.find('.'));
  const std::string_view end = file.substr(stem.size());
  for (const ending& each : endings) {
    if (end == each.text) found.of = each.of;
  }
  for (std::size_t i = 0; i < stem.size(); ++i) {
    if (stem[i] != '%') {
      found.name += stem[i];
      continue;
    }
    if (i + 2 >= stem.size()) return {};
    const auto high = digits.find(stem[i + 1]), low = digits.find(stem[i + 2]);
    if (high == digits.npos || low == digits.npos) return {};
    found.name += static_cast<char>(16 * high + low);
    i += 2;
  }
  // One file for a name: others that would read as it are not ours.
  if (file_name_of(found.name, found.of) != file) return {};
  return found;
}

}  // namespace seen::redis
