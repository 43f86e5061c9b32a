#include "formats/encodings/base64.hpp"

#include <array>

namespace seen::inline v1::foreign {
namespace {

constexpr std::string_view alphabets[2] = {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
                                           "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"};

// The value of a letter in either alphabet; 64 of what is not a letter.
constexpr std::array<std::uint8_t, 256> values = [] {
  std::array<std::uint8_t, 256> value{};
  value.fill(64);
  for (const std::string_view letters : alphabets) {
    for (std::size_t i = 0; i < 64; ++i) value[static_cast<unsigned char>(letters[i])] = static_cast<std::uint8_t>(i);
  }
  return value;
}();

}  // namespace

std::string to_base64(bytes_view bytes, base64_alphabet alphabet) {
  const std::string_view letters = alphabets[static_cast<std::size_t>(alphabet)];
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j) three = three << 8 | (j < count ? static_cast<std::uint32_t>(bytes[i + j]) : 0);
    for (std::size_t j = 0; j < 4; ++j) text += j <= count ? letters[three >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return {};
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const std::size_t letters = i + 4 == text.size() ? 4 - padding : 4;
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const std::uint8_t value = j < letters ? values[static_cast<unsigned char>(text[i + j])] : std::uint8_t{0};
      if (value > 63) return {};
      three = three << 6 | value;
    }
    for (std::size_t j = 0; j + 1 < letters; ++j) bytes.push_back(static_cast<std::byte>(three >> (16 - 8 * j)));
    if (letters < 4 && (three & (letters == 3 ? 0xffU : 0xffffU)) != 0) return {};  // bits that no encoder writes
  }
  return bytes;
}

std::string to_hex(bytes_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte b : bytes) {
    text += digits[static_cast<std::size_t>(b) >> 4];
    text += digits[static_cast<std::size_t>(b) & 15];
  }
  return text;
}

std::optional<std::vector<std::byte>> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return {};
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0) return {};
    bytes.push_back(static_cast<std::byte>(high << 4 | low));
  }
  return bytes;
}

}  // namespace seen::inline v1::foreign
