#include "formats/hashing/key_forms.hpp"

#include <seen/hash/murmur3.hpp>

#include <cstring>

namespace seen::inline v1::foreign {
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

std::array<std::uint64_t, 2> murmur3_x64_128_of_utf16(bytes_view text) noexcept {
  detail::murmur3_state state{0, 0};
  std::array<std::byte, 512> units;  // some of the text at a time: a key may be of any length
  std::size_t filled = 0, total = 0;
  const auto put = [&](std::uint32_t unit) {
    store_le(units.data() + filled, static_cast<std::uint16_t>(unit));
    filled += 2;
    total += 2;
  };
  while (!text.empty()) {
    if (filled + 4 > units.size()) {
      const bytes_view left = state.absorb(bytes_view(units).first(filled));
      std::memmove(units.data(), left.data(), left.size());
      filled = left.size();
    }
    const auto [c, length] = first_character(text);
    if (c < 0x10000) {
      put(c);
    } else {
      put(0xd800 + ((c - 0x10000) >> 10));
      put(0xdc00 + ((c - 0x10000) & 0x3ff));
    }
    text = text.subspan(length);
  }
  const auto [k1, k2] = detail::tail_words(state.absorb(bytes_view(units).first(filled)), detail::plain_tail);
  return state.finish(k1, k2, total);
}

}  // namespace seen::inline v1::foreign
