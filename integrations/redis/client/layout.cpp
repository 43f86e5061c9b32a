#include "client/layout.hpp"

#include <seen/hash/xxh3.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "table/words.hpp"

namespace seen::redis::client {
namespace {

// A number and nothing else.
bool read_number(std::string_view text, std::uint64_t& to, int base = 10) {
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), to, base);
  return wrong == std::errc() && end == text.data() + text.size();
}

double room_for(double items) {
  return std::ceil(items + 4 * std::sqrt(items));
}

}  // namespace

result<spread_record> spread_record::read(const std::string& name, const std::vector<reply>& fields) {
  const auto field = [&](std::string_view wanted) -> const std::string* {
    for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
      if (fields[i].is_text() && fields[i].text == wanted && fields[i + 1].is_text()) return &fields[i + 1].text;
    }
    return nullptr;
  };
  const std::string* const format = field("format");
  if (format == nullptr) return {errc::wrong_kind, name + ": is a hash, and not the record of a filter"};
  if (*format != record_format) {
    return {errc::newer_version, name + ": its record is of format \"" +
                                     reply{.is = reply::kind::error, .text = *format}.in_words() +
                                     "\", and this reads \"" + std::string(record_format) + '"'};
  }
  spread_record made;
  const auto wrong = [&](const char* which) {
    return error{errc::corrupt, name + ": the field " + which + " of its record is missing, or makes no sense"};
  };
  const std::string *const parts = field("parts"), *const capacity = field("capacity"), *const rate = field("error"),
                           *const seed = field("seed"), *const command = field("command"),
                           *const options = field("options");
  if (fields.size() == 2) {
    return {errc::corrupt, name + ": is half made: `seen redis reserve` with the same numbers finishes it"};
  }
  if (parts == nullptr || !read_number(*parts, made.parts) || made.parts == 0 || made.parts > slot_count) {
    return wrong("parts");
  }
  if (capacity == nullptr || !read_number(*capacity, made.capacity) || made.capacity == 0) return wrong("capacity");
  const auto real = rate == nullptr ? std::nullopt : real_number(*rate);
  if (!real || *real <= 0 || *real >= 1) return wrong("error");
  if (seed == nullptr || seed->size() != 16 || seed->find_first_not_of("0123456789abcdef") != seed->npos ||
      !read_number(*seed, made.seed, 16)) {
    return wrong("seed");
  }
  if (command == nullptr || options == nullptr) return wrong(command == nullptr ? "command" : "options");
  if (*command != "BF") {
    return {errc::newer_version, name + ": its parts are of other commands than BF, which this does not know"};
  }
  made.rate = *rate;
  made.options = *options;
  return made;
}

std::vector<std::string> spread_record::fields() const {
  std::array<char, 16> digits;
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), seed, 16).ptr;
  const std::string hex(digits.data(), end);
  return {"format",   std::string(record_format),
          "parts",    std::to_string(parts),
          "capacity", std::to_string(capacity),
          "error",    rate,
          "seed",     std::string(16 - hex.size(), '0') + hex,
          "command",  "BF",
          "options",  options};
}

bool spread_record::is_keyed() const {
  for (std::string_view rest = options; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (same_word(rest.substr(0, end), "KEYED")) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

result<std::uint64_t> spread_record::part_capacity() const {
  const double items = static_cast<double>(capacity) / static_cast<double>(parts), room = room_for(items);
  if (room <= static_cast<double>(most_part_capacity))
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(room));
  const std::uint64_t enough = capacity / (std::uint64_t{1} << 29) + 1;
  return {errc::too_large,
          std::to_string(capacity) + " items in " + std::to_string(parts) + " parts are more than the " +
              std::to_string(most_part_capacity) + " of a part: take " +
              (enough > slot_count ? "fewer items: there are " + std::to_string(slot_count) + " parts at most"
                                   : std::to_string(enough) + " parts or more")};
}

std::uint64_t usual_parts(std::uint64_t capacity, std::size_t primaries) noexcept {
  constexpr std::uint64_t most_items = std::uint64_t{64} << 20;
  const std::uint64_t by_size = capacity / most_items + (capacity % most_items != 0 ? 1 : 0);
  return std::clamp<std::uint64_t>(std::max<std::uint64_t>(3 * primaries, by_size), 1, slot_count);
}

result<void> check_spread_name(std::string_view name) {
  if (name.empty()) return {errc::invalid_argument, "a filter has a name that is not empty"};
  if (name.find_first_of("{}") == name.npos) return {};
  return {errc::invalid_argument,
          std::string(name) + ": the name of a filter in parts holds no { and no }, which say where its parts lie"};
}

std::vector<part_place> part_places(const std::string& name, std::uint64_t parts) {
  std::vector<unsigned> slots;
  for (std::uint64_t i = 0; i < parts; ++i) {
    slots.push_back(static_cast<unsigned>((2 * i + 1) * slot_count / (2 * parts)));
  }
  const std::vector<std::uint32_t> tags = tags_of(slots);
  std::vector<part_place> made;
  for (std::size_t i = 0; i < slots.size(); ++i)
    made.push_back({name + "/{" + std::to_string(tags[i]) + '}', slots[i]});
  return made;
}

std::size_t part_of(bytes_view key, std::uint64_t seed, std::uint64_t parts) noexcept {
  return static_cast<std::size_t>(mulhi(xxh3_64(seed)(key).value, parts));
}

}  // namespace seen::redis::client
