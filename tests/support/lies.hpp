// Lies of one field: files of other libraries that are sound but for one number, one name or one byte, and what must be
// said of them. formats/lies/<format>.tsv has a row for every check that a reader makes; formats/lies_test.cpp opens them,
// and the conformance kit makes rows of hostile.tsv of those that begin with a file of its own, for the other languages.
//
//   lie    what the row says wrongly, for people
//   base   kit:CASE, golden:PATH, hex:DIGITS or text:TEXT; empty: that of the row above, with what it was opened with
//   with   options of opening: part=, variant=, keys=, hash=, max-bytes=
//   edits  what is changed, in this order, separated by "; "
//            AT:HEX             bytes overwritten. AT counts from the end where it is negative
//            AT:TYPE=VALUE      a number: u8, u16le … u64be, f32le, f64le, f64be; a VALUE may be 2^31, 2^31-1 or 2^31+1
//            insert AT:HEX      bytes put in before AT              drop AT:COUNT    bytes taken out
//            cut COUNT          the first ones kept (-1: all but one)  append HEX
//            replace OLD=>NEW   the first of these words
//            crc64              the checksum that ends a payload of Redis' DUMP is put right
//            block AT:SIZE      the checksum of that block of a table is put right; footer: that of a footer of version 6
//            footer-length      the length at the end of a Parquet file follows what was put in or taken out
//          HEX may be 00*64: that many times
//   error  the code that opening must give; none where it must open: the last value that is still right
//   words  what the message must have in it; of a row without an error: denies KEY, finds KEY
#pragma once

#include <seen/any_filter.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.hpp"
#include "support/native_image.hpp"

namespace seen::testing {

/// A row of a table; its base is never empty.
struct lie {
  std::string table;  ///< the format
  std::size_t line = 0;
  std::string what, base, with, edits, error, words;

  [[nodiscard]] open_options options() const;
  /// The case of the kit whose file it begins with, or nothing.
  [[nodiscard]] std::string kit_case() const { return base.starts_with("kit:") ? base.substr(4) : std::string(); }
};

inline std::vector<std::string> pieces_of(const std::string& text, std::string_view by) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(by, at), text.size());
    pieces.push_back(text.substr(at, end - at));
    at = end + by.size();
  }
  return pieces;
}

[[noreturn]] inline void no_lie(const std::string& why) {
  throw std::runtime_error("lies: " + why);
}

inline open_options lie::options() const {
  open_options made{.format = table};
  for (const std::string& each : pieces_of(with, " ")) {
    if (each.empty()) continue;
    const std::size_t mark = each.find('=');
    const std::string name = each.substr(0, mark), value = each.substr(mark + 1);
    if (name == "part") {
      made.part = value;
    } else if (name == "variant") {
      made.variant = value;
    } else if (name == "keys") {
      made.key_type = value;
    } else if (name == "hash") {
      made.hash = value;
    } else if (name == "max-bytes") {
      made.max_bytes = std::stoull(value);
    } else {
      no_lie("no option " + each);
    }
  }
  return made;
}

/// The rows of a table: lines of six cells, the first of them names; # begins a remark.
inline std::vector<lie> lies_in(const std::filesystem::path& path) {
  std::vector<lie> rows;
  std::ifstream in(path);
  if (!in) no_lie("no table " + path.string());
  std::string text, base, with;
  for (std::size_t line = 1; std::getline(in, text); ++line) {
    if (text.empty() || text[0] == '#' || text.starts_with("lie\t")) continue;
    const auto cells = pieces_of(text, "\t");
    if (cells.size() != 6) no_lie(path.string() + ":" + std::to_string(line) + ": six cells make a row");
    lie row{path.stem().string(), line, cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]};
    if (row.base.empty()) {
      row.base = base;
      if (row.with.empty()) row.with = with;
    } else {
      base = row.base;
      with = row.with;
    }
    rows.push_back(row);
  }
  if (rows.empty() || rows[0].base.empty()) no_lie(path.string() + ": no rows, or no base");
  return rows;
}

/// The tables of all formats.
inline std::vector<std::filesystem::path> tables_of_lies(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> tables(std::filesystem::directory_iterator(folder), {});
  std::sort(tables.begin(), tables.end());
  return tables;
}

// --- edits

/// 12, 0x0c, 2^31, 2^31-1, 2^31+1, -1.
inline std::uint64_t number_of(const std::string& text) {
  const std::size_t power = text.find('^');
  if (power == std::string::npos) {
    return text[0] == '-' ? static_cast<std::uint64_t>(std::stoll(text)) : std::stoull(text, nullptr, 0);
  }
  const std::size_t sign = text.find_first_of("+-");
  const std::uint64_t two = std::uint64_t{1} << std::stoi(text.substr(power + 1));
  if (sign == std::string::npos) return two;
  const std::uint64_t by = std::stoull(text.substr(sign + 1));
  return text[sign] == '+' ? two + by : two - by;
}

/// 15 40 1c*2 is 15401c1c.
inline byte_vector bytes_of_hex(const std::string& text) {
  byte_vector bytes;
  for (const std::string& word : pieces_of(text, " ")) {
    const std::size_t star = word.find('*');
    const std::string digits = word.substr(0, star);
    byte_vector some;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
      some.push_back(static_cast<std::byte>(std::stoul(digits.substr(i, 2), nullptr, 16)));
    }
    const auto times = static_cast<std::size_t>(star == std::string::npos ? 1 : number_of(word.substr(star + 1)));
    bytes.reserve(bytes.size() + times * some.size());
    for (std::size_t i = 0; i < times; ++i) bytes.insert(bytes.end(), some.begin(), some.end());
  }
  return bytes;
}

/// The bytes of u32le=7.
inline byte_vector bytes_of_number(const std::string& type, const std::string& value) {
  const bool big = type.ends_with("be");
  const std::string plain = type.substr(1, type.find_first_of("lb") - 1);
  const std::size_t width = std::stoul(plain) / 8;
  std::uint64_t bits = 0;
  if (type[0] == 'u') {
    bits = number_of(value);
  } else {
    const double x = std::stod(value);
    bits = width == 8 ? std::bit_cast<std::uint64_t>(x) : std::bit_cast<std::uint32_t>(static_cast<float>(x));
  }
  byte_vector bytes;
  for (std::size_t i = 0; i < width; ++i)
    bytes.push_back(static_cast<std::byte>(bits >> (8 * (big ? width - 1 - i : i))));
  return bytes;
}

/// CRC-32C a bit at a time, masked as LevelDB masks it.
inline std::uint32_t masked_crc(bytes_view bytes) {
  std::uint32_t x = ~std::uint32_t{0};
  for (const std::byte b : bytes) {
    x ^= std::to_integer<std::uint32_t>(b);
    for (int bit = 0; bit < 8; ++bit) x = x >> 1 ^ ((x & 1) != 0 ? 0x82f6'3b78 : 0);
  }
  return std::rotr(~x, 15) + 0xa282'ead8;
}

/// What a table's trailer has for bytes at an offset: LevelDB's, or the kind that RocksDB's footer names (1 and 4 of them).
inline std::uint32_t table_checksum(const byte_vector& table, bytes_view bytes, std::uint64_t offset) {
  const std::size_t footer = table.size() - 53;
  const bool is_old = load_le<std::uint64_t>(table.data() + table.size() - 8) == 0xdb47'7524'8b80'fb57;
  const bool is_xxh3 = !is_old && table[footer] == std::byte{4};
  const std::uint32_t sum = is_xxh3 ? static_cast<std::uint32_t>(detail::checksum::of(bytes.first(bytes.size() - 1))) ^
                                          std::to_integer<std::uint32_t>(bytes.back()) * 0x6b90'83d9
                                    : masked_crc(bytes);
  if (is_old || load_le<std::uint32_t>(table.data() + footer + 41) < 6) return sum;
  const auto context = load_le<std::uint32_t>(table.data() + footer + 9);
  return context == 0 ? sum : sum + (context ^ static_cast<std::uint32_t>((offset & 0xffff'ffff) + (offset >> 32)));
}

/// Puts right the checksum that ends a payload of Redis' DUMP.
inline void repair_dump(byte_vector& bytes) {
  if (bytes.size() < 8) return;
  std::array<std::uint64_t, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::uint64_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = c >> 1 ^ ((c & 1) != 0 ? 0x95ac'9329'ac4b'c9b5 : 0);
    table[i] = c;
  }
  std::uint64_t crc = 0;
  for (const std::byte b : bytes_view(bytes).first(bytes.size() - 8)) {
    crc = table[(crc ^ std::to_integer<std::uint64_t>(b)) & 255] ^ crc >> 8;
  }
  store_le(bytes.data() + bytes.size() - 8, crc);
}

class lie_editor {
 public:
  explicit lie_editor(byte_vector base) : bytes_(std::move(base)), first_size_(bytes_.size()) {}

  void apply(const std::string& edit) {
    const std::size_t space = edit.find(' ');
    const std::string verb = edit.substr(0, space), rest = space == std::string::npos ? "" : edit.substr(space + 1);
    const std::size_t colon = rest.find(':');
    const std::string first = rest.substr(0, colon), second = colon == std::string::npos ? "" : rest.substr(colon + 1);
    if (verb == "insert") {
      const byte_vector more = bytes_of_hex(second);
      bytes_.insert(at(first), more.begin(), more.end());
    } else if (verb == "drop") {
      const auto begin = at(first);
      bytes_.erase(begin, begin + static_cast<std::ptrdiff_t>(number_of(second)));
    } else if (verb == "cut") {
      bytes_.erase(at(rest), bytes_.end());
    } else if (verb == "append") {
      const byte_vector more = bytes_of_hex(rest);
      bytes_.insert(bytes_.end(), more.begin(), more.end());
    } else if (verb == "replace") {
      replace(rest);
    } else if (verb == "crc64") {
      repair_dump(bytes_);
    } else if (verb == "block") {
      repair_block(static_cast<std::size_t>(number_of(first)), static_cast<std::size_t>(number_of(second)));
    } else if (verb == "footer") {
      repair_footer();
    } else if (verb == "footer-length") {
      const auto place = bytes_.data() + bytes_.size() - 8;
      store_le(place, static_cast<std::uint32_t>(load_le<std::uint32_t>(place) + bytes_.size() - first_size_));
    } else {
      overwrite(edit);
    }
  }
  [[nodiscard]] byte_vector finish() && { return std::move(bytes_); }

 private:
  byte_vector::iterator at(const std::string& text) {
    const std::int64_t offset = std::stoll(text);
    const std::int64_t size = static_cast<std::int64_t>(bytes_.size());
    const std::int64_t from_begin = offset < 0 ? size + offset : offset;
    if (from_begin < 0 || from_begin > size) no_lie("no offset " + text);
    return bytes_.begin() + static_cast<std::ptrdiff_t>(from_begin);
  }
  void overwrite(const std::string& edit) {
    const std::size_t colon = edit.find(':'), equal = edit.find('=');
    if (colon == std::string::npos) no_lie("no edit " + edit);
    const byte_vector with = equal == std::string::npos
                                 ? bytes_of_hex(edit.substr(colon + 1))
                                 : bytes_of_number(edit.substr(colon + 1, equal - colon - 1), edit.substr(equal + 1));
    const auto place = at(edit.substr(0, colon));
    if (static_cast<std::ptrdiff_t>(with.size()) > bytes_.end() - place) no_lie("beyond the end: " + edit);
    std::copy(with.begin(), with.end(), place);
  }
  void replace(const std::string& rest) {
    const std::size_t arrow = rest.find("=>");
    std::string text(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
    const std::string old = rest.substr(0, arrow);
    const std::size_t place = text.find(old);
    if (arrow == std::string::npos || place == std::string::npos) no_lie("nothing to replace: " + rest);
    text.replace(place, old.size(), rest.substr(arrow + 2));
    const auto raw = std::as_bytes(std::span(text));
    bytes_.assign(raw.begin(), raw.end());
  }
  // The last of the block's bytes is its compression.
  void repair_block(std::size_t offset, std::size_t size) {
    const bytes_view block = bytes_view(bytes_).subspan(offset, size + 1);
    store_le(bytes_.data() + offset + size + 1, table_checksum(bytes_, block, offset));
  }
  void repair_footer() {
    const std::size_t footer = bytes_.size() - 53;
    store_le(bytes_.data() + footer + 5, std::uint32_t{0});
    store_le(bytes_.data() + footer + 5, table_checksum(bytes_, bytes_view(bytes_).subspan(footer), footer));
  }

  byte_vector bytes_;
  std::size_t first_size_;
};

/// A file read whole.
inline byte_vector bytes_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) no_lie("no file " + path.string());
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto raw = std::as_bytes(std::span(text));
  return {raw.begin(), raw.end()};
}

/// The bytes that a row begins with; `tests` is the folder of all tests.
inline byte_vector base_of(const lie& row, const std::filesystem::path& tests) {
  const std::size_t colon = row.base.find(':');
  const std::string kind = row.base.substr(0, colon), rest = row.base.substr(colon + 1);
  if (kind == "kit") return bytes_of_file(tests / "kit/files" / (rest + ".bin"));
  if (kind == "golden") return bytes_of_file(tests / "golden" / rest);
  if (kind == "hex") return bytes_of_hex(rest);
  if (kind != "text") no_lie("no base " + row.base);
  const auto raw = std::as_bytes(std::span(rest));
  return {raw.begin(), raw.end()};
}

inline byte_vector told(byte_vector base, const lie& row) {
  lie_editor editor(std::move(base));
  for (const std::string& each : pieces_of(row.edits, "; ")) {
    if (!each.empty()) editor.apply(each);
  }
  return std::move(editor).finish();
}

}  // namespace seen::testing
