#include "formats/key_forms.hpp"

namespace seen {
inline namespace v1 {
namespace foreign {
namespace {

constexpr std::uint32_t replacement_character = 0xfffd;

}  // namespace

character first_character(bytes_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(text[i]); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length == 0 || lead >= 0xf5 || text.size() < length) return {replacement_character, 1};
  std::uint32_t c = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {replacement_character, 1};
    c = c << 6 | (byte(i) & 0x3f);
  }
  constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return {replacement_character, 1};
  return {c, length};
}

std::size_t utf16_of(bytes_view text, std::byte* to) noexcept {
  std::byte* const begin = to;
  const auto put = [&](std::uint32_t unit) {
    store_le(to, static_cast<std::uint16_t>(unit));
    to += 2;
  };
  while (!text.empty()) {
    const auto [c, length] = first_character(text);
    if (c < 0x10000) {
      put(c);
    } else {
      put(0xd800 + ((c - 0x10000) >> 10));
      put(0xdc00 + ((c - 0x10000) & 0x3ff));
    }
    text = text.subspan(length);
  }
  return static_cast<std::size_t>(to - begin);
}

}  // namespace foreign
}  // namespace v1
}  // namespace seen
