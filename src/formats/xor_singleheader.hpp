// FastFilter's xor_singleheader: what reading (xor_singleheader.cpp, with the layouts) and making share.
#pragma once

#include <seen/any_builder.hpp>
#include <seen/any_filter.hpp>
#include <seen/registry.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/engines/fingerprint.hpp"
#include "formats/engines/fingerprint_build.hpp"

namespace seen::inline v1::xor_singleheader {

extern const format_row format;

// serialize-v1 is that of binary fuse filters from 1.0.3 to 1.2.0.
inline constexpr std::array<std::string_view, 3> variants{"serialize", "pack", "serialize-v1"};
enum class layout : std::uint8_t { serialize, pack, serialize_v1 };

/// The segments that releases give so many keys, which a pack leaves out: until September 2026 they were as in Go.
struct two_shapes {
  foreign::fuse_shape before, now;
};
[[nodiscard]] two_shapes shapes_of_keys(std::uint64_t keys);

/// A filter with the function that writes it in a layout.
[[nodiscard]] any_filter wrapped(foreign::xor_fingerprints f, layout as, key_form keys);
[[nodiscard]] any_filter wrapped(foreign::fuse_fingerprints f, layout as, key_form keys, std::uint32_t count,
                                 std::vector<std::byte> spare = {});

/// The row's `build` and `convert`.
[[nodiscard]] result<build_plan> build(const make_options& options);
[[nodiscard]] conversion convert(any_filter from, std::string_view variant);

}  // namespace seen::inline v1::xor_singleheader
