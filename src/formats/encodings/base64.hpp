// Bytes as text: base64 in both alphabets, and hexadecimal.
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seen::inline v1::foreign {

/// The two alphabets of base64: 62 and 63 are + and /, or - and _.
enum class base64_alphabet : std::uint8_t { standard, url };

/// With padding.
[[nodiscard]] std::string to_base64(bytes_view bytes, base64_alphabet alphabet = base64_alphabet::standard);
/// Takes either alphabet, with its padding; nothing where a byte is wrong.
[[nodiscard]] std::optional<std::vector<std::byte>> from_base64(std::string_view text);

[[nodiscard]] std::string to_hex(bytes_view bytes);
/// Nothing where a digit is wrong or one is missing.
[[nodiscard]] std::optional<std::vector<std::byte>> from_hex(std::string_view text);

}  // namespace seen::inline v1::foreign
