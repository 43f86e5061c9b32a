// The filters of FastFilter's xor_singleheader (C): xor and binary fuse filters of 8, 16 or 32 bits, as its functions
// write them on a little-endian machine. All integers little-endian, w bytes a fingerprint.
//
//   xor*_serialize                 seed u64 │ block length B u64 │ 3·B fingerprints
//   xor*_pack                      seed u64 │ B u64 │ bitmap of 3·B bits: which are not 0 │ those
//   binary_fuse*_serialize         seed u64 │ keys u32 │ segment length SL, segments SC, SC·SL, fingerprints (SC + 2)·SL:
//                                  u32 each │ fingerprints
//   the same, 1.0.3 to 1.2.0       without the number of keys
//   binary_fuse*_pack              seed u64 │ keys u32 │ bitmap │ fingerprints that are not 0; the rest is computed
//
// Neither the layout nor the width is recorded: the length of the file tells both. Keys are 64-bit integers; where they
// were hashes of something else, `hash` names the function. docs/formats/xor-singleheader.md.
//
// Here files are recognised and read; xor_singleheader_making.cpp writes them, and makes filters of keys and of other files.
#include "formats/xor_singleheader.hpp"

#include <bit>
#include <cmath>
#include <optional>

#include "formats/evidence.hpp"
#include "formats/foreign.hpp"

namespace seen::inline v1::xor_singleheader {
namespace {

using namespace foreign;

constexpr std::uint64_t spare_bytes = 4;

// --- packed fingerprints: a bit for every slot, then those that are not 0

// How many bits of a bitmap of `slots` are set; nothing where there is none, or it has bits beyond its last.
std::optional<std::uint64_t> count_used(byte_reader in, std::uint64_t slots) {
  const std::uint64_t bytes = ceil_div(slots, 8);
  if (bytes > in.remaining()) return {};
  std::uint64_t used = 0;
  std::uint8_t last = 0;
  std::array<std::byte, 4096> some;
  for (std::uint64_t left = bytes; left != 0;) {
    const auto piece = std::span(some).first(static_cast<std::size_t>(std::min<std::uint64_t>(left, some.size())));
    in.read(piece);
    if (!in.check("the bitmap")) return {};
    for (const std::byte b : piece) used += static_cast<std::uint64_t>(std::popcount(std::to_integer<unsigned>(b)));
    last = std::to_integer<std::uint8_t>(piece.back());
    left -= piece.size();
  }
  if (slots % 8 != 0 && last >> (slots % 8) != 0) return {};
  return used;
}

// The width of packed fingerprints, or 0 where they do not fill the file.
std::uint32_t packed_width(const byte_reader& in, std::uint64_t slots) {
  const auto used = count_used(in, slots);
  if (!used) return 0;
  const std::uint64_t rest = in.remaining() - ceil_div(slots, 8);
  return *used == 0 ? (rest == 0 ? 1 : 0) : width_of(rest, *used);
}

// Unfolds them, which multiplies what is there by 32 at most. Where a slot that should not be 0 is, it was no pack.
template <class Shape>
result<std::vector<std::byte>> unpack(byte_reader& in, const Shape& shape) {
  const std::vector<std::byte> used = in.bytes(ceil_div(shape.slots(), 8)), rest = in.bytes(in.remaining());
  if (auto ok = in.check("packed fingerprints"); !ok) return ok.error();
  std::vector<std::byte> all(shape.bytes());
  std::size_t next = 0;
  for (std::uint64_t i = 0; i < shape.slots(); ++i) {
    if ((used[static_cast<std::size_t>(i / 8)] >> (i % 8) & std::byte{1}) == std::byte{0}) continue;
    const bytes_view slot = bytes_view(rest).subspan(next, shape.width);
    if (std::all_of(slot.begin(), slot.end(), [](std::byte b) { return b == std::byte{0}; })) {
      return in.corrupt("slot " + std::to_string(i) + " is marked, and 0");
    }
    std::copy(slot.begin(), slot.end(), all.begin() + static_cast<std::ptrdiff_t>(i * shape.width));
    next += shape.width;
  }
  return all;
}

// --- reading

// The content of a file, told by its first numbers and its length.
struct recognised {
  layout as = layout::serialize;
  std::optional<xor_shape> blocks = {};
  std::optional<fuse_shape> segments = {};
  std::optional<std::uint32_t> keys = {};
  std::uint64_t body = 0;  // offset of the fingerprints, or of their bitmap
  bool says_it_twice = false;
  // The library asks for 4 bytes more than it writes of 16-bit fuse filters, and callers save what they were asked for.
  std::vector<std::byte> spare = {};
  std::optional<fuse_shape> newer = {};  // what the segments of a pack are if a later release wrote it
};

std::optional<recognised> as_serialized_fuse(const source& from, layout as) {
  byte_reader in(from);
  recognised found{.as = as, .says_it_twice = true};
  fuse_shape shape;
  shape.seed = in.le<std::uint64_t>();
  if (as == layout::serialize) found.keys = in.le<std::uint32_t>();
  shape.segment_length = in.le<std::uint32_t>();
  shape.segments = in.le<std::uint32_t>();
  const std::uint64_t first_slots = in.le<std::uint32_t>(), all_slots = in.le<std::uint32_t>();
  shape.width = width_of(in.remaining(), all_slots);
  if (shape.width == 0 && in.remaining() == 2 * all_slots + spare_bytes) {
    shape.width = 2;
    found.spare = byte_reader(from, from.size - spare_bytes).bytes(spare_bytes);
  }
  if (!in.check("the header") || !shape.check(first_slots, all_slots) || shape.width == 0) return {};
  found.segments = shape;
  found.body = in.offset();
  return found;
}

// A pack is tried first: it has to have as many fingerprints as bits, and that is not an accident.
std::optional<recognised> as_xor(const source& from, layout as) {
  byte_reader in(from);
  xor_shape shape;
  shape.seed = in.le<std::uint64_t>();
  shape.block_length = in.le<std::uint64_t>();
  if (!in.check("the header") || !shape.check()) return {};
  shape.width = as == layout::pack ? packed_width(in, shape.slots()) : width_of(in.remaining(), shape.slots());
  if (shape.width != 1 && shape.width != 2) return {};
  return recognised{.as = as, .blocks = shape, .body = in.offset()};
}

std::optional<recognised> as_packed_fuse(const source& from) {
  byte_reader in(from);
  const auto seed = in.le<std::uint64_t>();
  const auto keys = in.le<std::uint32_t>();
  if (!in.check("the header")) return {};
  const auto fits = [&](fuse_shape& shape) {
    shape.seed = seed;
    shape.width = packed_width(in, shape.slots());
    return shape.width != 0 && count_used(in, shape.slots()).value_or(0) <= keys;  // a key has one slot to itself
  };
  auto [before, now] = shapes_of_keys(keys);
  const bool was = fits(before), is = fits(now);
  if (!was && !is) return {};
  recognised found{.as = layout::pack, .segments = was ? before : now, .keys = keys, .body = in.offset()};
  if (was && is && !same_segments(before, now)) found.newer = now;
  return found;
}

std::optional<recognised> recognise(const source& from, bool packed = true) {
  if (auto found = as_serialized_fuse(from, layout::serialize)) return found;
  if (auto found = as_serialized_fuse(from, layout::serialize_v1)) return found;
  if (auto found = packed ? as_xor(from, layout::pack) : std::nullopt) return found;
  if (auto found = as_xor(from, layout::serialize)) return found;
  return packed ? as_packed_fuse(from) : std::nullopt;
}

template <class Shape>
auto read_body(const source& from, const recognised& what, const Shape& shape, std::string_view hash)
    -> decltype(read_fingerprints(std::declval<byte_reader&>(), shape, hash, what.keys)) {
  byte_reader in(from, what.body);
  if (what.as != layout::pack) return read_fingerprints(in, shape, hash, what.keys);
  auto all = unpack(in, shape);
  if (!all) return all.error();
  const source unfolded = source::of(*all);
  byte_reader body(unfolded);
  return read_fingerprints(body, shape, hash, what.keys);
}

// Of two releases' segments those whose length is named: with those of the other the file's keys would not be found.
result<fuse_shape> choose_segments(const source& from, const recognised& what, const std::string& named) {
  const fuse_shape& one = *what.segments;
  const auto length = [](const fuse_shape& shape) { return std::to_string(shape.segment_length); };
  if (named.empty() ? !what.newer : named == length(one)) return one;
  if (what.newer && named == length(*what.newer)) return *what.newer;
  if (!what.newer)
    return {errc::invalid_argument, from.name + ": its segments are of " + length(one) + ", not " + named};
  return {errc::invalid_argument, from.name + ": a pack does not say how long its segments are, and of " +
                                      std::to_string(what.keys.value_or(0)) +
                                      " keys older releases of the library make segments of " + length(one) +
                                      ", newer ones of " + length(*what.newer) + ": name one as the variant"};
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  const auto what = recognise(from);
  if (!what) {
    return error{errc::corrupt, from.name + ": no layout of the library has such a header and " +
                                    std::to_string(from.size) + " bytes"};
  }
  const key_form keys = form_of_integers(options.hash);
  if (what->segments) {
    const auto shape = choose_segments(from, *what, options.variant);
    if (!shape) return shape.error();
    auto f = read_body(from, *what, *shape, options.hash);
    if (!f) return f.error();
    return wrapped(std::move(*f), what->as, keys, what->keys.value_or(0), what->spare);
  }
  if (!options.variant.empty()) {
    return error{errc::invalid_argument,
                 from.name + ": a xor filter has no segments, and no variant " + options.variant};
  }
  auto f = read_body(from, *what, *what->blocks, options.hash);
  if (f) return wrapped(std::move(*f), what->as, keys);
  const auto other = as_xor(from, layout::serialize);
  if (what->as != layout::pack || !other) return f.error();
  f = read_body(from, *other, *other->blocks, options.hash);
  if (!f) return f.error();
  return wrapped(std::move(*f), other->as, keys);
}

// The keys that a xor filter of so many slots was made for, as far as the library's rounding tells.
double keys_of_slots(std::uint64_t slots) {
  return (static_cast<double>(slots) - 32) / 1.23;
}

// Whether so many slots are enough for the keys: each has one to itself, which is 0 once in 256.
bool is_enough_for(std::uint64_t used, double keys) {
  return static_cast<double>(used) >= 0.985 * keys - 4;
}
// Whether that many are in use. There are more where the library left rubbish in those of no key.
bool is_used_by(std::uint64_t used, double keys) {
  return is_enough_for(used, keys) && static_cast<double>(used) <= keys + 4;
}

// Whether a seed may be the library's, whose generator hardly ever gives a number with three bytes of 0: a small one is the
// number of something.
bool is_drawn(std::uint64_t seed) {
  int zeros = 0;
  for (int i = 0; i < 64; i += 8) zeros += (seed >> i & 255) == 0;
  return zeros < 3;
}

std::uint64_t count_slots(const source& from, const recognised& what) {
  byte_reader in(from, what.body);
  if (what.as == layout::pack) return count_used(in, what.blocks->slots()).value_or(0);
  const std::size_t width = what.blocks->width;
  const auto all = in.bytes(in.remaining());
  std::uint64_t used = 0;
  for (std::size_t i = 0; i + width <= all.size(); i += width) {
    used += all[i] != std::byte{0} || all[i + width - 1] != std::byte{0};
  }
  return used;
}

// A serialized binary fuse filter says the numbers of its slots twice, and newer releases the number of keys from which they
// follow. A xor filter has one number, which agrees with the length and with how many slots are in use: with fewer than it has
// keys it is another's, with more a guess. The slots of a large file are not counted: it is a guess, and no pack unless it is
// named. What a packed binary fuse filter says agrees with much.
detection detect(const source& from) {
  constexpr std::uint64_t most_counted = std::uint64_t{1} << 20;
  const auto what = recognise(from, from.size <= std::uint64_t{1} << 24);
  if (!what) return detection::no;
  evidence proof(from);
  if (what->says_it_twice) {
    const std::uint64_t at = what->keys ? 12 : 8;
    const auto [before, now] = shapes_of_keys(what->keys.value_or(0));
    const bool follows = what->keys && (same_segments(before, *what->segments) || same_segments(now, *what->segments));
    if (follows) return proof.fixed(at, 16).weigh();
    return proof.fixed(at, 4).odds(-5).fixed(at + 8, 8).weigh();  // the first is one of 32 powers of two
  }
  if (!what->blocks) {
    const byte_reader in(from, what->body);
    const std::uint64_t used = count_used(in, what->segments->slots()).value_or(0);
    return is_used_by(used, what->keys.value_or(0)) ? detection::fitting : detection::possible;
  }
  const std::uint64_t slots = what->blocks->slots();
  const double keys = keys_of_slots(slots);
  if (keys < 0) return detection::possible;  // the library makes none so small
  if (!is_drawn(what->blocks->seed)) return detection::fitting;
  proof.fixed(8, 8);
  if (from.size > most_counted) return proof.weigh(detection::likely);
  const std::uint64_t used = count_slots(from, *what);
  if (!is_enough_for(used, keys)) return detection::fitting;
  // What begins with the bitmap of a pack is one that has lost or gained a few bytes.
  const bool has_bitmap = is_enough_for(count_used(byte_reader(from, what->body), slots).value_or(0), keys);
  if (what->as != layout::pack && has_bitmap) return detection::fitting;
  if (!is_used_by(used, keys)) return proof.weigh(detection::likely);
  return proof.odds(std::log2(static_cast<double>(slots) / (0.015 * keys + 8))).weigh();
}

}  // namespace

constinit const format_row format{
    .name = "xor-singleheader",
    .summary = "FastFilter's C library xor_singleheader: xor and binary fuse filters",
    .can = {.layouts = true},
    .variants = variants,
    .hashes = integer_hashes,
    .key_types = integer_keys,
    .detect = detect,
    .open = open,
    .build = build,
    .convert = convert,
};

}  // namespace seen::inline v1::xor_singleheader
