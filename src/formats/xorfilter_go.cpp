// The filters of FastFilter's xorfilter (Go): binary fuse filters of 8, 16 or 32 bits as Save writes them, and the 8-bit
// xor filter as encoding/json does.
//
//   save   seed u64le │ segment length SL, SL - 1, segments SC, SC·SL, fingerprints (SC + 2)·SL: u32le each │ fingerprints
//   json   {"Seed":…,"BlockLength":…,"Fingerprints":"base64"}
//
// The width is not recorded: the length of the file tells it. The C library's header is as long and means something else
// (formats/xor_singleheader.cpp). Keys are 64-bit integers; where they were hashes of something else, `hash` names the
// function. docs/formats/xorfilter-go.md.
#include <cmath>

#include "formats/encodings/base64.hpp"
#include "formats/encodings/json.hpp"
#include "formats/engines/fingerprint.hpp"
#include "formats/engines/fingerprint_build.hpp"
#include "formats/evidence.hpp"
#include "formats/foreign.hpp"

namespace seen::inline v1::xorfilter_go {

extern const format_row format;

namespace {

using namespace foreign;

constexpr std::array<std::string_view, 2> variants{"save", "json"};
constexpr std::uint64_t header_bytes = 28;

result<void> write_save(const fuse_fingerprints& f, const sink& out) {
  const fuse_shape shape = f.shape();
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  return byte_writer(out)
      .le(shape.seed)
      .le(low(shape.segment_length))
      .le(low(shape.segment_length - 1))
      .le(low(shape.segments))
      .le(low(shape.segments * shape.segment_length))
      .le(low(shape.slots()))
      .bytes(f.engine().bytes())
      .finish();
}

std::string text_of(const xor_fingerprints& f) {
  const xor_shape shape = f.shape();
  return "{\"Seed\":" + std::to_string(shape.seed) + ",\"BlockLength\":" + std::to_string(shape.block_length) +
         ",\"Fingerprints\":\"" + to_base64(f.engine().bytes()) + "\"}";
}

template <class F, class Write>
any_filter wrapped(F f, std::string_view variant, key_form keys, Write write) {
  return any_filter(std::move(f), format.name, {.variant = std::string(variant), .accepts = keys}, std::move(write));
}

// The numbers of a Save header.
struct save_header {
  fuse_shape shape;
  std::uint64_t mask = 0, first_slots = 0, all_slots = 0;

  explicit save_header(byte_reader& in) {
    shape.seed = in.le<std::uint64_t>();
    shape.segment_length = in.le<std::uint32_t>();
    mask = in.le<std::uint32_t>();
    shape.segments = in.le<std::uint32_t>();
    first_slots = in.le<std::uint32_t>();
    all_slots = in.le<std::uint32_t>();
    shape.width = width_of(in.remaining(), all_slots);
  }
  [[nodiscard]] result<void> check() const {
    if (mask + 1 != shape.segment_length) {
      return {errc::corrupt,
              "segments of " + std::to_string(shape.segment_length) + " slots have no mask " + std::to_string(mask)};
    }
    return shape.check(first_slots, all_slots);
  }
};

result<any_filter> open_save(const source& from, std::string_view hash) {
  byte_reader in(from);
  const save_header header(in);
  if (auto ok = in.check("the header"); !ok) return ok.error();
  if (auto ok = header.check(); !ok) return in.about(ok.error());
  if (header.shape.width == 0) {
    return in.corrupt(std::to_string(in.remaining()) + " bytes are no " + std::to_string(header.all_slots) +
                      " fingerprints of 1, 2 or 4");
  }
  auto f = read_fingerprints(in, header.shape, hash);
  if (!f) return f.error();
  return wrapped(std::move(*f), variants[0], form_of_integers(hash), write_save);
}

result<any_filter> open_json(const source& from, std::string_view hash) {
  byte_reader in(from);
  const std::vector<std::byte> bytes = in.bytes(from.size);
  if (auto ok = in.check("the text"); !ok) return ok.error();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  auto document = json::parse(text);
  if (!document) return in.about(document.error());
  const auto* const seed = document->find("Seed");
  const auto* const block = document->find("BlockLength");
  const auto* const slots = document->find("Fingerprints");
  if (seed == nullptr || block == nullptr || slots == nullptr || !seed->as_u64() || !block->as_u64() ||
      !slots->as_text()) {
    return error{errc::corrupt, from.name + ": has no Seed, BlockLength and Fingerprints, two numbers and a text"};
  }
  const auto fingerprints = from_base64(*slots->as_text());
  if (!fingerprints) return error{errc::corrupt, from.name + ": Fingerprints is not base64"};
  xor_shape shape;
  shape.seed = *seed->as_u64();
  shape.block_length = *block->as_u64();
  if (auto ok = shape.check(); !ok) return in.about(ok.error());
  if (shape.slots() != fingerprints->size()) {
    return error{errc::corrupt, from.name + ": three blocks of " + std::to_string(shape.block_length) +
                                    " fingerprints are announced; " + std::to_string(fingerprints->size()) +
                                    " are there"};
  }
  const source decoded = source::of(*fingerprints);
  byte_reader body(decoded);
  auto f = read_fingerprints(body, shape, hash);
  if (!f) return in.about(f.error());
  // Go writes it on one line; text that was written otherwise is kept as it is.
  const std::string ours = text_of(*f);
  const bool is_usual = text.substr(0, ours.size()) == ours;
  return wrapped(std::move(*f), variants[1], form_of_integers(hash),
                 [is_usual, kept = std::string(is_usual ? text.substr(ours.size()) : text)](
                     const xor_fingerprints& each, const sink& out) {
                   return byte_writer(out).text(is_usual ? text_of(each) : std::string()).text(kept).finish();
                 });
}

bool begins_as_text(const source& from) {
  byte_reader in(from);
  const std::vector<std::byte> bytes = in.bytes(std::min<std::uint64_t>(from.size, 64));
  for (const std::byte b : bytes) {
    const auto letter = static_cast<char>(b);
    if (letter == '{') return true;
    if (letter != ' ' && letter != '\n' && letter != '\r' && letter != '\t') return false;
  }
  return false;
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  // A saved filter that begins so has a seed that does; its header decides.
  byte_reader in(from);
  const bool is_saved = save_header(in).check().has_value();
  return !is_saved && begins_as_text(from) ? open_json(from, options.hash) : open_save(from, options.hash);
}

// Save's header says the length of segments, one of 32 powers of two, and the number of slots twice. Of text the names in their order will do.
detection detect(const source& from) {
  byte_reader in(from);
  const save_header header(in);
  if (from.size > header_bytes && header.check() && header.shape.width != 0) {
    return evidence(from).fixed(8, 8).odds(-5).fixed(20, 8).weigh();
  }
  byte_reader again(from);
  std::string text;
  for (const std::byte b : again.bytes(std::min<std::uint64_t>(from.size, 96))) {
    const auto letter = static_cast<char>(b);
    const bool is_space = letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t';
    if (!is_space && (letter < '0' || letter > '9')) text += letter;
  }
  return text.starts_with("{\"Seed\":,\"BlockLength\":,\"Fingerprints\":") ? detection::certain : detection::no;
}

// --- from keys

constexpr std::array<std::uint32_t, 3> fuse_widths{1, 2, 4};
constexpr std::array<std::uint32_t, 1> xor_widths{1};
constexpr std::array offers{
    fingerprint_offer{fuse_shape::kind.name, fuse_widths, std::span(variants).first(1)},
    fingerprint_offer{xor_shape::kind.name, xor_widths, std::span(variants).last(1)},
};

// Some numbers of keys (11,500 the worst of them) get segments so long that few seeds will do. One try in four has segments
// of half the length in as many slots.
fuse_shape segments_of_try(std::uint64_t keys, std::uint32_t width, unsigned number) {
  fuse_shape shape = segments_for(keys);
  if (number % 4 == 1 && keys > 4 && keys < 1'000'000) {
    shape.segment_length /= 2;
    shape.segments = 2 * shape.segments + 2;
  }
  shape.width = width;
  shape.seed = seed_of_try(1, number);
  return shape;
}

xor_shape blocks_of_try(std::uint64_t keys, std::uint32_t width, unsigned number) {
  const auto slots = 32 + static_cast<std::uint64_t>(std::ceil(1.23 * static_cast<double>(keys)));
  return xor_shape_of(slots, width, number);
}

any_filter wrapped(fuse_fingerprints f, key_form keys) {
  return wrapped(std::move(f), variants[0], keys, write_save);
}
any_filter wrapped(xor_fingerprints f, key_form keys) {
  return wrapped(std::move(f), variants[1], keys, [](const xor_fingerprints& each, const sink& out) {
    return byte_writer(out).text(text_of(each)).finish();
  });
}

result<build_plan> build(const make_options& options) {
  auto chosen = choose_fingerprints(format, offers, options);
  if (!chosen) return chosen.error();
  const auto wrap = [](auto f, key_form keys) { return wrapped(std::move(f), keys); };
  const auto with_width = [w = chosen->width](auto shape_of) {
    return [=](std::uint64_t keys, unsigned number) { return shape_of(keys, w, number); };
  };
  if (chosen->offer == &offers[0]) return plan_fingerprints<fuse_shape>(*chosen, with_width(segments_of_try), wrap);
  return plan_fingerprints<xor_shape>(*chosen, with_width(blocks_of_try), wrap);
}

// The C library's filters have the same slots.
conversion convert(any_filter from, std::string_view variant) {
  const key_form keys = from.origin().accepts.form;
  auto* const fuse = from.get_if<fuse_fingerprints>();
  auto* const blocks = from.get_if<xor_fingerprints>();
  if (fuse == nullptr && blocks == nullptr) return std::nullopt;
  if (!variant.empty() && variant != variants[fuse != nullptr ? 0 : 1]) {
    return error{errc::unsupported, "convert: save is of binary fuse filters, json of xor filters"};
  }
  if (fuse != nullptr) return wrapped(std::move(*fuse), keys);
  if (blocks->shape().width != 1) {
    return error{errc::unsupported, "convert: the Go library has no xor filter of 16 bits"};
  }
  return wrapped(std::move(*blocks), keys);
}

}  // namespace

constinit const format_row format{
    .name = "xorfilter-go",
    .summary = "FastFilter's Go package xorfilter: binary fuse filters, and Xor8 as JSON",
    .variants = variants,
    .hashes = integer_hashes,
    .key_types = integer_keys,
    .detect = detect,
    .open = open,
    .build = build,
    .convert = convert,
};

}  // namespace seen::inline v1::xorfilter_go
