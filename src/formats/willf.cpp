// Files of the Go package willf/bloom, from which bits-and-blooms/bloom descends.
//
// The bytes are those of formats/bits_and_blooms.cpp in every encoding. Version 2.0.0 took its four words elsewhere:
//
//   h[j] = FNV-1a, 64 bits, started at the offset basis + j, j = 0 … 3
//
// which the file does not say: `hash` = "fnv1a-64" does. Version 1 had no files. docs/formats/willf.md.
#include "formats/bits_and_blooms.hpp"

namespace seen::inline v1::willf {

extern const format_row format;

namespace {

constexpr std::array<std::string_view, 2> hashes{"murmur3-x64-128", "fnv1a-64"};

// Nothing in a file tells it from one of the younger library, which answers for it: its bits mean the same there, unless
// release 2.0.0 set them.
detection detect(const source& from) {
  return std::min(bits_and_blooms::detect_file(from), detection::possible);
}

}  // namespace

constinit const format_row format{
    .name = "willf",
    .summary = "the Go package willf/bloom, elder of bits-and-blooms",
    .can = {.adds = true, .layouts = true},
    .variants = bits_and_blooms::variants,
    .hashes = hashes,
    .detect = detect,
    .open = [](const source& from,
               const open_options& options) { return bits_and_blooms::open_as(format, from, options); },
    .make = [](const make_options& options) { return bits_and_blooms::make_as(format, options); },
    .convert = [](any_filter from,
                  std::string_view variant) { return bits_and_blooms::convert_to(format, std::move(from), variant); },
};

}  // namespace seen::inline v1::willf
