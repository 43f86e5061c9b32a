// Tables and keys of the kit: TSV without quoting, hexadecimal, and the three sets of keys.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "kit.hpp"

namespace seen::kit {

void fail(const std::string& why) {
  std::fprintf(stderr, "kit: %s\n", why.c_str());
  std::exit(1);
}

std::vector<std::string> split(std::string_view text, char by) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(text.find(by, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    if (end == text.size()) return parts;
    begin = end + 1;
  }
}

std::string in_hex(bytes_view bytes) {
  std::string text;
  for (const std::byte b : bytes) {
    text += "0123456789abcdef"[static_cast<unsigned>(b) >> 4];
    text += "0123456789abcdef"[static_cast<unsigned>(b) & 15];
  }
  return text;
}

byte_vector from_hex(std::string_view digits) {
  byte_vector bytes;
  if (digits.size() % 2 != 0) fail("an odd number of hexadecimal digits: " + std::string(digits));
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoul(std::string(digits.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

std::string in_hex(std::uint64_t x) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(x));
  return text;
}

std::string real_text(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

byte_vector read_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail("cannot open " + path.string());
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  byte_vector bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

void write_bytes(const std::filesystem::path& path, bytes_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) fail("cannot write " + path.string());
}

std::vector<std::map<std::string, std::string>> read_table(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line)) fail("cannot read " + path.string());
  const row names = split(line, '\t');
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(in, line)) {
    const row cells = split(line, '\t');
    if (cells.size() != names.size()) fail(path.string() + ": " + line + ": not as many cells as columns");
    auto& last = rows.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) last[names[i]] = cells[i];
  }
  return rows;
}

byte_vector table_bytes(const row& names, const std::vector<row>& rows) {
  byte_vector text;
  const auto line = [&](const row& cells) {
    if (cells.size() != names.size()) fail(cells[0] + ": not as many cells as columns");
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto bytes = std::as_bytes(std::span(cells[i]));
      text.insert(text.end(), bytes.begin(), bytes.end());
      text.push_back(static_cast<std::byte>(i + 1 == cells.size() ? '\n' : '\t'));
    }
  };
  line(names);
  for (const row& each : rows) line(each);
  return text;
}

key_set key_set::parse(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() != 3) fail("no set of keys: " + std::string(text));
  return {parts[0], std::stoull(parts[1]), std::stoull(parts[2])};
}

std::string key_set::text() const {
  return name + ":" + std::to_string(from) + ":" + std::to_string(count);
}

key_list::key_list(const key_set& set) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
  std::vector<std::size_t> ends;
  for (std::uint64_t i = set.from; i < set.from + set.count; ++i) {
    if (set.name == "text") {
      const std::string key = "key-" + std::to_string(i);
      const auto bytes = std::as_bytes(std::span(key));
      bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    } else if (set.name == "integers") {
      bytes_.resize(bytes_.size() + 8);
      store_le(bytes_.data() + bytes_.size() - 8, i * golden);
    } else if (set.name == "bytes") {
      for (std::uint64_t j = 0; j < i % 301; ++j) {
        bytes_.push_back(static_cast<std::byte>((i * 1024 + j + 1) * golden >> 56));
      }
    } else {
      fail("no keys are called " + set.name);
    }
    ends.push_back(bytes_.size());
  }
  for (std::size_t begin = 0; const std::size_t end : ends) {
    views.push_back(bytes_view(bytes_).subspan(begin, end - begin));
    begin = end;
  }
}

const key_list& keys_of(const key_set& set) {
  static std::map<std::string, key_list> made;
  return made.try_emplace(set.text(), set).first->second;
}

}  // namespace seen::kit
