// Slots: a cluster spreads its keys over 16384 of them, and its nodes have ranges.
//
//   slot of a key = CRC16/XMODEM(key) mod 16384; of what is between the first { and the next }, if there is something
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace seen::redis::client {

inline constexpr unsigned slot_count = 16384;

/// CRC16/XMODEM: polynomial 0x1021, begun with 0.
[[nodiscard]] std::uint16_t crc16(std::string_view bytes) noexcept;

[[nodiscard]] unsigned slot_of(std::string_view key) noexcept;

/// Per slot, the smallest number whose decimal digits lie in it: as a tag, {number}, it puts a key into that slot.
[[nodiscard]] std::vector<std::uint32_t> tags_of(const std::vector<unsigned>& slots);

}  // namespace seen::redis::client
