// Files of the Go package tylertreat/BoomFilters: six types, each as its WriteTo has it or in the frame of a gob.
//
//   buckets      width u8 │ 2^width - 1 u8 │ count u64 │ bytes u64 │ counters of `width` bits, lowest bit first
//
//   classic      count │ m │ k │ buckets(m, 1)
//   counting     m │ k │ count │ n │ n scratch words │ buckets(m, b)
//   partitioned  m │ k │ s │ count │ k │ k times buckets(s, 1)               position i in slice i, mod s = ceil(m/k)
//   scalable     r f64 │ fp f64 │ p f64 │ hint │ n │ n partitioned filters   the newest is added to
//   stable       m │ p │ k │ max u8 │ n i64 │ n scratch words │ buckets(m, d)
//   inverse      capacity │ bytes i64 │ a gob of so many [][]byte            slot FNV-1 32 of the key mod capacity
//
// All integers are big-endian, u64 where nothing else is said. x = FNV-1 64 of the key (not FNV-1a), position i = (low half
// + i·high half) mod m. The type is not recorded; the counts that must agree tell it. docs/formats/boomfilters.md.
#include "formats/boomfilters.hpp"

#include <array>
#include <optional>

#include "formats/evidence.hpp"

namespace seen::inline v1::boomfilters {
namespace {

using namespace foreign;

constexpr std::array<const variant_row*, 6> types{&classic, &counting, &partitioned, &scalable, &stable, &inverse};

// Every type, then every type in a gob.
constexpr std::array<std::string_view, 12> variants{"classic",         "counting",     "partitioned", "scalable",
                                                    "stable",          "inverse",      "classic-gob", "counting-gob",
                                                    "partitioned-gob", "scalable-gob", "stable-gob",  "inverse-gob"};

struct choice {
  const variant_row* type;
  bool is_gob;
};

choice choose_type(std::string_view variant) {
  const auto at = std::find(variants.begin(), variants.end(), variant);
  const auto index = at == variants.end() ? std::size_t{0} : static_cast<std::size_t>(at - variants.begin());
  return {types[index % types.size()], index >= types.size()};
}

shared_framing usual_framing(bool is_gob) {
  const gob::numbered_type usual = gob::self_encoding();
  return std::make_shared<const framing>(
      framing{is_gob, {usual.definitions.begin(), usual.definitions.end()}, usual.number});
}

// The frame around the filter, where the filter begins, and its type.
struct found {
  shared_framing frame;
  std::uint64_t offset = 0;
  const variant_row* type = nullptr;
};

found find_filter(const source& from) {
  found f{usual_framing(false)};
  std::array<std::byte, gob::frame_bytes> raw;
  const auto part = std::span(raw).first(static_cast<std::size_t>(std::min<std::uint64_t>(from.size, raw.size())));
  if (!from.read(0, part)) return f;
  if (const auto frame = gob::parse_frame(part, from.size)) {
    const bytes_view definitions = frame->as.definitions;
    f.frame =
        std::make_shared<const framing>(framing{true, {definitions.begin(), definitions.end()}, frame->as.number});
    f.offset = frame->offset;
  }
  for (const variant_row* const each : types) {
    if (each->fits(byte_reader(from, f.offset))) {
      f.type = each;
      break;
    }
  }
  return f;
}

result<any_filter> open_with(const source& from, std::optional<bool> as_gob) {
  found f = find_filter(from);
  if (f.type == nullptr) {
    return error{errc::corrupt, from.name +
                                    ": the counts of no type of BoomFilters agree with each other and with its " +
                                    std::to_string(from.size) + " bytes"};
  }
  if (as_gob && *as_gob != f.frame->is_gob) f.frame = usual_framing(*as_gob);
  byte_reader in(from, f.offset);
  auto opened = f.type->open(in, f.frame);
  if (!opened) return opened.error();
  return opened;
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  return open_with(from, {});
}

result<any_filter> make(const make_options& options) {
  if (auto known = choose("variant", format.name, variants, options.variant); !known) return known.error();
  const choice chosen = choose_type(options.variant);
  if (auto ok = check_options(format, options, chosen.type->kind); !ok) return ok.error();
  return chosen.type->make(options, usual_framing(chosen.is_gob));
}

// The same type with and without a gob around it.
conversion convert(any_filter from, std::string_view variant) {
  if (from.format() != format.name) return std::nullopt;
  const choice wanted = choose_type(variant.empty() ? std::string_view(from.origin().variant) : variant);
  if (wanted.type != choose_type(from.origin().variant).type) {
    return error{errc::unsupported, "boomfilters: a filter of type " + from.origin().variant +
                                        " cannot become one of " + std::string(variant)};
  }
  const auto bytes = from.to_bytes();
  if (!bytes) return bytes.error();
  return open_with(source::of(*bytes), wanted.is_gob);
}

// What the counts of a filter say again of each other. Each type has them elsewhere; all but the inverse filter have the head
// of buckets: a width, its maximum, their number and their bytes.
detection weigh(const source& from, const found& f) {
  const std::uint64_t at = f.offset;
  const auto number = [&](std::uint64_t offset) { return byte_reader(from, at + offset).be<std::uint64_t>(); };
  evidence proof(from);
  proof.fixed(0, at);
  const auto head = [&](std::uint64_t offset) { proof.fixed(at + offset, buckets_head); };
  const auto slices = [&](std::uint64_t offset) {  // m, k, s, a count, k again; then every slice has a head
    proof.fixed(at + offset, 7).fixed(at + offset + 8, 7).fixed(at + offset + 16, 8).fixed(at + offset + 32, 8);
    head(offset + 40);
    if (number(offset + 8) > 1) head(offset + 40 + buckets_head + ceil_div(number(offset + 16), 8));
  };
  if (f.type == &classic) {  // a count, m, k
    proof.fixed(at + 8, 7).fixed(at + 16, 7);
    head(24);
  } else if (f.type == &counting) {  // m, k, a count, k again and as many numbers
    proof.fixed(at, 7).fixed(at + 8, 7).fixed(at + 24, 8);
    head(32 + 8 * number(8));
  } else if (f.type == &stable) {  // m, a number, k, a maximum, k again and as many numbers
    proof.fixed(at, 7).fixed(at + 16, 7).fixed(at + 24, 9);
    head(33 + 8 * number(16));
  } else if (f.type == &partitioned) {
    slices(0);
  } else if (f.type == &scalable) {  // three ratios, a hint, a number
    slices(40);
  } else {  // a number, a length, and a gob of as many slots
    constexpr std::uint64_t most_parsed = std::uint64_t{1} << 20;
    if (from.size > most_parsed) return detection::fitting;
    const auto content = byte_reader(from, at + 16).bytes(from.size - at - 16);
    const auto stream = gob::parse(content);
    const bool is_list = stream && stream->root.kind == gob::type::list && stream->root.items.size() == number(0);
    return is_list ? detection::certain : detection::fitting;
  }
  return proof.weigh();
}

detection detect(const source& from) {
  const found f = find_filter(from);
  return f.type != nullptr ? weigh(from, f) : detection::no;
}

constexpr std::array<std::string_view, 1> hashes{"fnv1-64"};

}  // namespace

constinit const format_row format{
    .name = "boomfilters",
    .summary = "the Go package BoomFilters: classic, counting, partitioned, scalable, stable, inverse",
    .can = {.adds = true},
    .variants = variants,
    .hashes = hashes,
    .detect = detect,
    .open = open,
    .make = make,
    .convert = convert,
};

}  // namespace seen::inline v1::boomfilters
