#include "client/slots.hpp"

#include <array>
#include <charconv>
#include <limits>

namespace seen::redis::client {
namespace {

constexpr std::array<std::uint16_t, 256> crc16_table = [] {
  std::array<std::uint16_t, 256> table{};
  for (unsigned i = 0; i < 256; ++i) {
    unsigned crc = i << 8;
    for (int bit = 0; bit < 8; ++bit) crc = (crc << 1) ^ ((crc & 0x8000) != 0 ? 0x1021U : 0U);
    table[i] = static_cast<std::uint16_t>(crc);
  }
  return table;
}();

}  // namespace

std::uint16_t crc16(std::string_view bytes) noexcept {
  unsigned crc = 0;
  for (const char c : bytes) crc = (crc << 8 ^ crc16_table[(crc >> 8 ^ static_cast<unsigned char>(c)) & 255]) & 0xffff;
  return static_cast<std::uint16_t>(crc);
}

unsigned slot_of(std::string_view key) noexcept {
  const std::size_t open = key.find('{');
  if (open != key.npos) {
    const std::size_t close = key.find('}', open + 1);
    if (close != key.npos && close != open + 1) key = key.substr(open + 1, close - open - 1);
  }
  return crc16(key) % slot_count;
}

// Every slot has a number among the first few hundred thousand, so this ends.
std::vector<std::uint32_t> tags_of(const std::vector<unsigned>& slots) {
  constexpr auto none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> tag_of_slot(slot_count, none);
  std::vector<bool> wanted(slot_count, false);
  std::size_t missing = 0;
  for (const unsigned slot : slots) {
    if (!wanted[slot]) ++missing;
    wanted[slot] = true;
  }
  for (std::uint32_t number = 0; missing != 0; ++number) {
    char digits[12];
    char* const end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    const unsigned slot = crc16({digits, static_cast<std::size_t>(end - digits)}) % slot_count;
    if (!wanted[slot] || tag_of_slot[slot] != none) continue;
    tag_of_slot[slot] = number;
    --missing;
  }
  std::vector<std::uint32_t> tags;
  tags.reserve(slots.size());
  for (const unsigned slot : slots) tags.push_back(tag_of_slot[slot]);
  return tags;
}

}  // namespace seen::redis::client
