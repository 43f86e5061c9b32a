// Hexadecimal digits to bytes, a batch of records at a time (hex.cpp).
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>
#include <span>

namespace seen::cli {

/// Decodes as many of these records, from the first on, as are an even number of digits and nothing else; returns how many.
/// The bytes go to `to` without a gap, and `keys` are views of them; there is room for half of all characters, and for as many
/// keys as there are records.
std::size_t decode_hex(std::span<const bytes_view> records, std::byte* to, bytes_view* keys) noexcept;

/// Where the first character stands that is no digit; the size if all are.
[[nodiscard]] std::size_t find_no_digit(bytes_view text) noexcept;

}  // namespace seen::cli
