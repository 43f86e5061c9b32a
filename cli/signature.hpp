// What a file is, by its first bytes: packed, something that is no list of keys, or neither.
//
// A signature is refused rather than read as lines: those would be keys that nobody asks for. Most signatures are bytes that no
// text begins with. Where a text may begin so, more has to agree: control characters behind it, a place further on, a stream
// that can be inflated.
#pragma once

#include <seen/base/bits.hpp>

#include "decoder.hpp"

namespace seen::cli {

/// What a file of some sort is called, and how to get at what is in it.
struct signature {
  packing packed = packing::none;
  const char* what;  ///< "xz data", "a zip archive"
  const char* help;  ///< "xz -dc decompresses it", or nothing
};

/// True if more bytes could make one of the signatures of what is there.
[[nodiscard]] bool may_become_signature(bytes_view beginning) noexcept;

/// Bytes that are enough for every signature.
inline constexpr std::size_t signature_room = 4096;

/// The signature that these first bytes of a file are; null for none.
[[nodiscard]] const signature* find_signature(bytes_view beginning);

}  // namespace seen::cli
