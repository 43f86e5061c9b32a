// Hexadecimal digits to bytes, sixteen digits at a time.
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>

namespace seen::cli {

/// Writes the bytes of an even number of digits and returns how many digits it read: all, or those before the first
/// character that is none.
std::size_t decode_hex(bytes_view digits, std::byte* to) noexcept;

}  // namespace seen::cli
