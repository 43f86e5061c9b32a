// FastFilter's xor_singleheader: files are written, and filters made of keys, of the Go library's or of another layout.
#include <algorithm>
#include <optional>
#include <string>

#include "formats/foreign.hpp"
#include "formats/xor_singleheader.hpp"

namespace seen::inline v1::xor_singleheader {

using namespace foreign;

// Since September 2026 there are at least 34 segments: some fewer and longer ones (of 11,500 keys) were hardly ever solved.
two_shapes shapes_of_keys(std::uint64_t keys) {
  constexpr std::uint64_t fewest_segments = 34;
  return {segments_for(keys), segments_for(keys, fewest_segments)};
}

// --- writing

namespace {

std::uint32_t low(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}

// A bit for every slot, then the fingerprints that are not 0.
template <class F>
void write_packed(byte_writer& to, const F& f) {
  std::vector<std::byte> used(static_cast<std::size_t>(ceil_div(f.shape().slots(), 8)));
  f.engine().for_each_used_slot(
      [&](std::uint64_t i, bytes_view) { used[static_cast<std::size_t>(i / 8)] |= std::byte{1} << (i % 8); });
  to.bytes(used);
  f.engine().for_each_used_slot([&](std::uint64_t, bytes_view slot) { to.bytes(slot); });
}

result<void> write_xor(const xor_fingerprints& f, layout as, const sink& out) {
  byte_writer to(out);
  to.le(f.shape().seed).le(f.shape().block_length);
  if (as == layout::pack) {
    write_packed(to, f);
  } else {
    to.bytes(f.engine().bytes());
  }
  return to.finish();
}

result<void> write_fuse(const fuse_fingerprints& f, layout as, std::uint32_t keys, bytes_view spare, const sink& out) {
  const fuse_shape shape = f.shape();
  byte_writer to(out);
  to.le(shape.seed);
  if (as != layout::serialize_v1) to.le(keys);
  if (as == layout::pack) {
    write_packed(to, f);
    return to.finish();
  }
  to.le(low(shape.segment_length)).le(low(shape.segments)).le(low(shape.segments * shape.segment_length));
  return to.le(low(shape.slots())).bytes(f.engine().bytes()).bytes(spare).finish();
}

}  // namespace

any_filter wrapped(xor_fingerprints f, layout as, key_form keys) {
  return any_filter(std::move(f), format.name,
                    {.variant = std::string(variants[static_cast<std::size_t>(as)]), .accepts = keys},
                    [as](const xor_fingerprints& each, const sink& out) { return write_xor(each, as, out); });
}
any_filter wrapped(fuse_fingerprints f, layout as, key_form keys, std::uint32_t count, std::vector<std::byte> spare) {
  const auto write = [as, count, spare = std::move(spare)](const fuse_fingerprints& each, const sink& out) {
    return write_fuse(each, as, count, spare, out);
  };
  return any_filter(std::move(f), format.name,
                    {.variant = std::string(variants[static_cast<std::size_t>(as)]), .accepts = keys}, write);
}

// --- from keys

namespace {

constexpr std::array<std::uint32_t, 2> widths{1, 2};
constexpr std::array offers{
    fingerprint_offer{fuse_shape::kind.name, widths, variants},
    fingerprint_offer{xor_shape::kind.name, widths, std::span(variants).first(2)},
};

// A pack says how many keys there are, and every release computes its own segments of that: where they differ, keys would be
// lost without a word.
result<void> check_pack(const std::string& verb, std::uint64_t keys) {
  const auto [before, now] = shapes_of_keys(keys);
  if (same_segments(before, now)) return {};
  return {errc::unsupported, verb + ": a pack does not say how long its segments are, and of " + std::to_string(keys) +
                                 " keys some releases of the library make segments of " +
                                 std::to_string(before.segment_length) + " slots, some of " +
                                 std::to_string(now.segment_length) + ": use serialize"};
}

result<fuse_shape> segments_of_try(std::uint64_t keys, const fingerprint_choice& chosen, unsigned number) {
  constexpr std::uint64_t first_state = 0x726b'2b9d'438b'9d4d;  // the library's
  if (chosen.variant == variants[static_cast<std::size_t>(layout::pack)]) {
    if (auto told = check_pack("build", keys); !told) return told.error();
  }
  fuse_shape shape = shapes_of_keys(keys).now;
  shape.width = chosen.width;
  shape.seed = seed_of_try(first_state, number);
  return shape;
}

xor_shape blocks_of_try(std::uint64_t keys, const fingerprint_choice& chosen, unsigned number) {
  const auto slots = static_cast<std::uint64_t>(32 + 1.23 * static_cast<double>(keys));
  return xor_shape_of(slots, chosen.width, number);
}

}  // namespace

result<build_plan> build(const make_options& options) {
  auto chosen = choose_fingerprints(format, offers, options);
  if (!chosen) return chosen.error();
  const auto place = std::find(variants.begin(), variants.end(), chosen->variant);
  const auto as = static_cast<layout>(place - variants.begin());
  const auto with_choice = [c = *chosen](auto shape_of) {
    return [=](std::uint64_t keys, unsigned number) { return shape_of(keys, c, number); };
  };
  if (chosen->offer == &offers[0]) {
    return plan_fingerprints<fuse_shape>(*chosen, with_choice(segments_of_try),
                                         [as](fuse_fingerprints f, key_form form) {
                                           const std::uint32_t count = *f.engine().recorded_keys();
                                           return wrapped(std::move(f), as, form, count);
                                         });
  }
  return plan_fingerprints<xor_shape>(*chosen, with_choice(blocks_of_try), [as](xor_fingerprints f, key_form form) {
    return wrapped(std::move(f), as, form);
  });
}

// --- from the Go library's, or from another layout

namespace {

// The most keys that releases of one rule give these segments, where there is such a number: other writers record none.
// (Neither segments nor their length shrink where keys grow.)
std::optional<std::uint32_t> keys_of_shape(const fuse_shape& shape, fuse_shape two_shapes::*rule) {
  const auto fits = [&](std::uint64_t keys) {
    const fuse_shape other = shapes_of_keys(keys).*rule;
    if (other.segment_length != shape.segment_length) return other.segment_length < shape.segment_length;
    return other.segments <= shape.segments;
  };
  std::uint64_t least = 0, beyond = std::uint64_t{1} << 32;
  while (beyond - least > 1) {
    const std::uint64_t middle = least + (beyond - least) / 2;
    (fits(middle) ? least : beyond) = middle;
  }
  if (!same_segments(shapes_of_keys(least).*rule, shape)) return {};
  return low(least);
}

// The number of keys is what the file said; pack needs it to give the same segments again.
conversion convert_fuse(fuse_fingerprints f, layout as, key_form form) {
  const fuse_shape shape = f.shape();
  const auto recorded = f.engine().recorded_keys();
  auto keys = recorded ? recorded : keys_of_shape(shape, &two_shapes::before);
  if (!keys) keys = keys_of_shape(shape, &two_shapes::now);
  const auto [before, now] = shapes_of_keys(keys.value_or(0));
  // A reader of a pack expects no more slots in use than keys. (Go's halved segments have more.)
  const bool agrees = keys && (same_segments(before, shape) || same_segments(now, shape)) &&
                      (as != layout::pack || f.engine().census() <= *keys);
  if (as != layout::serialize_v1 && (!keys || (as == layout::pack && !agrees))) {
    return error{errc::unsupported,
                 "convert: " + std::to_string(shape.segments) + " segments of " + std::to_string(shape.segment_length) +
                     " slots are not what the library gives " + (keys ? std::to_string(*keys) : "any number of") +
                     " keys, and " + std::string(variants[static_cast<std::size_t>(as)]) + " records that number"};
  }
  if (as == layout::pack) {
    if (auto told = check_pack("convert", *keys); !told) return told.error();
  }
  return wrapped(std::move(f), as, form, keys.value_or(0));
}

}  // namespace

conversion convert(any_filter from, std::string_view variant) {
  const auto place = std::find(variants.begin(), variants.end(), variant.empty() ? variants[0] : variant);
  const auto as = static_cast<layout>(place - variants.begin());
  const key_form form = from.origin().accepts.form;
  if (auto* const f = from.get_if<fuse_fingerprints>()) return convert_fuse(std::move(*f), as, form);
  auto* const f = from.get_if<xor_fingerprints>();
  if (f == nullptr) return std::nullopt;
  if (as == layout::serialize_v1) {
    return error{errc::unsupported, "convert: serialize-v1 is of binary fuse filters, and this is a xor filter"};
  }
  return wrapped(std::move(*f), as, form);
}

}  // namespace seen::inline v1::xor_singleheader
