// pyprobables (Python), and barrust/bloom, its twin in C: everything that says what a file is stands at its end.
//
//   bloom      bits │ n u64 │ added u64 │ rate f32                  in hexadecimal too, the numbers big-endian then
//   counting   counters u32 │ n u64 │ added u64 │ rate f32
//   expanding  (added u64 │ bits) a filter │ filters u64 │ n u64 │ added u64 │ rate f32
//   cuckoo     fingerprints u32, bucket after bucket, 0: empty │ bucket size u32 │ swaps u32
//
//   m = ceil(-n·ln p / 0.4804530139182),  k = round(0.6931471805599453·m/n), p as a 32-bit float, which are not stored
//   position j = FNV-1a(key) from the usual offset basis + 31·j, mod m
//
// Text hashed as `str` goes into FNV by code points, not by bytes: `keys` says it. docs/formats/pyprobables.md.
#include "formats/engines/pyprobables.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "formats/encodings/base64.hpp"
#include "formats/encodings/json.hpp"
#include "formats/evidence.hpp"
#include "formats/foreign.hpp"

namespace seen::inline v1::pyprobables {

extern const format_row format;

namespace {

using namespace foreign;

constexpr std::array<std::string_view, 6> variants{"bloom",        "bloom-hex", "counting",
                                                   "counting-hex", "expanding", "cuckoo"};
constexpr std::array<std::string_view, 2> keys{"bytes", "str"};

// --- hashing

foreign_hash<list_type> hash_for(std::string_view keys_are, std::uint32_t probes) {
  const hash_identity identity = named(hash_id::fnv1a_64);
  if (keys_are == keys[1]) return {hash_text{{probes}}, identity};
  return {hash_bytes{{probes}}, identity};
}

foreign_hash<digest_pair> cuckoo_hash(std::string_view keys_are) {
  const hash_identity identity = named(hash_id::fnv1a_64);
  const auto low_half_of = [](const auto& hash) {
    return [hash](bytes_view key) noexcept { return digest_pair{0, hash(key).word[0] & 0xffff'ffff}; };
  };
  if (keys_are == keys[1]) return {low_half_of(hash_text{{1}}), identity};
  return {low_half_of(hash_bytes{{1}}), identity};
}

// --- shapes, which no file states

std::optional<probe_shape> shape_of(std::uint64_t n, float rate) {
  if (n == 0 || !(rate > 0) || !(rate < 1)) return {};
  const auto keys_wanted = static_cast<double>(n);
  const double bits = std::ceil(-keys_wanted * std::log(static_cast<double>(rate)) / 0.4804530139182);
  const double probes = std::nearbyint(0.6931471805599453 * bits / keys_wanted);
  if (!(bits <= static_cast<double>(math::max_bits)) || !(probes >= 1)) return {};
  const probe_shape shape{.bits = static_cast<std::uint64_t>(bits), .probes = static_cast<std::uint32_t>(probes)};
  if (!shape.check()) return {};
  return shape;
}

struct footer {
  std::uint64_t n = 0;
  std::uint64_t added = 0;
  float rate = 0;
  std::uint64_t filters = 0;  // of an expanding one
  std::optional<probe_shape> shape = {};

  [[nodiscard]] std::uint64_t bit_bytes() const { return ceil_div(shape->bits, 8); }
};
constexpr std::uint64_t footer_bytes = 20, expanding_footer_bytes = 28, cuckoo_footer_bytes = 8;

// The numbers at the end; nothing where they make no filter.
template <bool Big>
footer read_footer(const source& from, bool expanding = false) {
  const std::uint64_t bytes = expanding ? expanding_footer_bytes : footer_bytes;
  footer f;
  if (from.size < bytes) return f;
  byte_reader in(from, from.size - bytes);
  const auto u64 = [&] { return Big ? in.be<std::uint64_t>() : in.le<std::uint64_t>(); };
  if (expanding) f.filters = u64();
  f.n = u64();
  f.added = u64();
  f.rate = Big ? in.be<float>() : in.le<float>();
  f.shape = shape_of(f.n, f.rate);
  return f;
}

enum class content : std::uint8_t { none, bloom, counting, expanding, cuckoo };

struct found {
  content what = content::none;
  footer end = {};
};

found find_bloom(std::uint64_t body, const footer& end) {
  if (!end.shape) return {};
  if (body == end.bit_bytes()) return {content::bloom, end};
  if (body == 4 * end.shape->bits) return {content::counting, end};
  return {};
}
found find_in_binary(const source& from) {
  if (const found f = find_bloom(from.size - footer_bytes, read_footer<false>(from)); f.what != content::none) return f;
  const footer end = read_footer<false>(from, true);
  if (!end.shape || end.filters == 0) return {};
  const std::uint64_t each = 8 + end.bit_bytes(), body = from.size - expanding_footer_bytes;
  return body % each == 0 && body / each == end.filters ? found{content::expanding, end} : found{};
}

// A full filter says so within a second: a swap looks through a bucket.
constexpr std::uint64_t most_slots = 1024, most_swaps = 1'000'000, most_steps = std::uint64_t{1} << 25;
bool is_bucket(std::uint64_t slots, std::uint64_t swaps) {
  return slots >= 1 && slots <= most_slots && swaps >= 1 && swaps <= most_swaps && slots * swaps <= most_steps;
}

struct cuckoo_footer {
  std::uint64_t slots = 0, swaps = 0, buckets = 0;
};
std::optional<cuckoo_footer> find_cuckoo(const source& from) {
  if (from.size <= cuckoo_footer_bytes) return {};
  byte_reader in(from, from.size - cuckoo_footer_bytes);
  const std::uint64_t slots = in.le<std::uint32_t>(), swaps = in.le<std::uint32_t>();
  const std::uint64_t body = from.size - cuckoo_footer_bytes;
  if (!is_bucket(slots, swaps) || body % (4 * slots) != 0) return {};
  return cuckoo_footer{slots, swaps, body / (4 * slots)};
}

// --- reading

// The content of a file in hexadecimal, told by its end alone.
found find_in_text(const source& from) {
  constexpr std::uint64_t end = 2 * footer_bytes;
  if (from.size <= end || from.size % 2 != 0) return {};
  std::array<std::byte, end> last{};
  byte_reader(from, from.size - end).read(last);
  const auto bytes = from_hex({reinterpret_cast<const char*>(last.data()), last.size()});
  if (!bytes) return {};
  return find_bloom((from.size - end) / 2, read_footer<true>(source::of(*bytes)));
}

template <class F>
any_filter wrapped(F f, content what, bool hex);

result<bloom_engine> read_link(byte_reader& in, const footer& end, std::uint64_t count) {
  auto bits = read_bits(in, end.bit_bytes(), end.shape->bits);
  if (!bits) return bits.error();
  auto engine = bits_engine::over(*end.shape, std::move(*bits));
  if (!engine) return in.about(engine.error());
  return bloom_engine(std::move(*engine), count);
}

result<any_filter> open_cuckoo(const source& from, const cuckoo_footer& end, const open_options& options) {
  byte_reader in(from);
  const std::uint64_t bytes = 4 * end.slots * end.buckets;
  auto table = read_bits(in, bytes, 8 * bytes);
  if (!table) return table.error();
  std::vector<bucket_table> tables;
  tables.push_back({std::move(*table), end.buckets, 0});
  auto engine = cuckoo_engine::over(std::move(tables), end.slots, {}, {.most_kicks = end.swaps});
  if (!engine) return in.about(engine.error());
  return wrapped(cuckoo_type(std::move(*engine), cuckoo_hash(options.key_type)), content::cuckoo, false);
}

result<any_filter> open_found(const source& from, const found& f, bool hex, const open_options& options) {
  byte_reader in(from);
  const footer& end = f.end;
  const target asked{end.n, end.rate};
  const auto hash = hash_for(options.key_type, end.shape->probes);
  if (f.what == content::bloom) {
    auto engine = read_link(in, end, end.added);
    if (!engine) return engine.error();
    return wrapped(bloom_type(std::move(*engine), hash, asked), f.what, hex);
  }
  if (f.what == content::counting) {
    const counter_shape shape{end.shape->bits, end.shape->probes, 32};
    auto counters = read_bits(in, 4 * shape.counters, 32 * shape.counters + 64);
    if (!counters) return counters.error();
    auto engine = packed_counter_engine<list_rule<list_type>>::over(shape, std::move(*counters));
    if (!engine) return in.about(engine.error());
    return wrapped(counting_type({std::move(*engine), end.added}, hash, asked), f.what, hex);
  }
  std::vector<bloom_engine> links;
  for (std::uint64_t i = 0; i < end.filters; ++i) {
    const auto count = in.le<std::uint64_t>();
    auto link = read_link(in, end, count);
    if (!link) return link.error();
    links.push_back(std::move(*link));
  }
  expanding_engine engine({std::move(links), equal_links{*end.shape, end.n}}, end.added);
  return wrapped(expanding_type(std::move(engine), hash, asked), f.what, false);
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  if (const found f = find_in_text(from); f.what != content::none) {
    byte_reader in(from);
    const std::vector<std::byte> text = in.bytes(from.size);
    if (auto ok = in.check("the text"); !ok) return ok.error();
    const auto bytes = from_hex({reinterpret_cast<const char*>(text.data()), text.size()});
    if (!bytes) return error{errc::corrupt, from.name + ": its end is hexadecimal, and not all of it"};
    source inner = source::of(*bytes);
    inner.name = from.name;
    return open_found(inner, f, true, options);
  }
  const found f = find_in_binary(from);
  if (f.what != content::none) return open_found(from, f, false, options);
  if (const auto end = find_cuckoo(from)) return open_cuckoo(from, *end, options);
  const footer end = read_footer<false>(from);
  return error{errc::corrupt, from.name + ": " + std::to_string(from.size) +
                                  " bytes are not a filter of pyprobables: the numbers at the end would say " +
                                  std::to_string(end.n) + " keys at a rate of " + readable(end.rate)};
}

// --- writing

template <class F>
void put_body(const F& f, byte_writer& out) {
  if constexpr (std::same_as<F, bloom_type>) {
    out.bits(f.engine().bytes(), ceil_div(f.shape().bits, 8));
  } else if constexpr (std::same_as<F, counting_type>) {
    out.bits(f.engine().bytes(), 4 * f.shape().counters);
  } else if constexpr (std::same_as<F, expanding_type>) {
    for (const bloom_engine& link : f.engine().links()) {
      out.le(link.size()).bits(link.bytes(), ceil_div(link.shape().bits, 8));
    }
    out.le(std::uint64_t{f.engine().links().size()});
  } else {
    const auto& table = f.engine().tables().front();
    out.bits(f.engine().bytes_of(table), 4 * table.buckets * f.engine().slots());
    out.le(static_cast<std::uint32_t>(f.engine().slots()));
    out.le(static_cast<std::uint32_t>(f.engine().growth().most_kicks));
  }
}

template <class F>
result<void> write(const F& f, const sink& out) {
  byte_writer writer(out);
  put_body(f, writer);
  if constexpr (!std::same_as<F, cuckoo_type>) {
    writer.le(f.target().capacity).le(f.engine().size()).le(static_cast<float>(f.target().fpr));
  }
  return writer.finish();
}

template <class F>
result<void> write_hex(const F& f, const sink& out) {
  const sink as_text = [&](bytes_view bytes) {
    const std::string text = to_hex(bytes);
    return out(std::as_bytes(std::span(text)));
  };
  byte_writer writer(as_text);
  put_body(f, writer);
  return writer.be(f.target().capacity).be(f.engine().size()).be(static_cast<float>(f.target().fpr)).finish();
}

template <class F>
any_filter wrapped(F f, content what, bool hex) {
  const std::size_t first[] = {0, 0, 2, 4, 5};
  const std::string variant(variants[first[static_cast<std::size_t>(what)] + (hex ? 1 : 0)]);
  return any_filter(std::move(f), format.name, {.variant = variant}, hex ? write_hex<F> : write<F>);
}

// --- new ones

std::string_view kind_of(std::string_view variant) {
  if (variant.starts_with(variants[2])) return counting_engine::kind.name;
  if (variant == variants[4]) return expanding_engine::kind.name;
  return variant == variants[5] ? cuckoo_engine::kind.name : bloom_engine::kind.name;
}

// The peer's capacity is a number of buckets; buckets of 4 and 500 swaps are what it takes unless told.
result<any_filter> make_cuckoo(const make_options& options) {
  std::uint64_t slots = 4, swaps = 500, buckets = options.target.capacity;
  for (const named_field& each : options.shape) {
    std::uint64_t* const field = each.name == "bucket-size" ? &slots
                                 : each.name == "swaps"     ? &swaps
                                 : each.name == "buckets"   ? &buckets
                                                            : nullptr;
    if (field == nullptr) return error{errc::invalid_argument, "pyprobables: there is no field " + each.name};
    *field = each.value;
  }
  if (!is_bucket(slots, swaps) || buckets < 1) {
    return error{
        errc::invalid_argument,
        "pyprobables: a cuckoo filter has buckets of 1 to 1024 slots and 1 to 10^6 swaps, 2^25 of both at most"};
  }
  auto engine = cuckoo_engine::make(buckets, slots, {}, {.most_kicks = swaps});
  if (!engine) return engine.error();
  return wrapped(cuckoo_type(std::move(*engine), cuckoo_hash(options.key_type)), content::cuckoo, false);
}

result<any_filter> make(const make_options& options) {
  const std::string_view variant = options.variant.empty() ? variants[0] : std::string_view(options.variant);
  if (auto ok = check_options(format, options, kind_of(variant)); !ok) return ok.error();
  if (variant == variants[5]) return make_cuckoo(options);
  if (!options.shape.empty()) {
    return error{errc::invalid_argument, "pyprobables: the format computes its shape from a capacity and a rate"};
  }
  if (auto sane = math::check(options.target); !sane) return sane.error();
  const auto rate = static_cast<float>(options.target.fpr);
  const auto shape = shape_of(options.target.capacity, rate);
  if (!shape) {
    return error{errc::invalid_argument, "pyprobables: there is no filter of " +
                                             std::to_string(options.target.capacity) + " keys at a rate of " +
                                             readable(options.target.fpr)};
  }
  const target asked{options.target.capacity, rate};
  auto hash = hash_for(options.key_type, shape->probes);
  const bool hex = variant.ends_with("-hex");
  if (variant.starts_with(variants[2])) {
    auto counters = packed_counter_engine<list_rule<list_type>>::make({shape->bits, shape->probes, 32});
    if (!counters) return counters.error();
    return wrapped(counting_type({std::move(*counters), 0}, hash, asked), content::counting, hex);
  }
  auto bits = bits_engine::make(*shape);
  if (!bits) return bits.error();
  bloom_engine first(std::move(*bits), 0);
  if (variant != variants[4]) return wrapped(bloom_type(std::move(first), hash, asked), content::bloom, hex);
  std::vector<bloom_engine> links;
  links.push_back(std::move(first));
  expanding_engine engine({std::move(links), equal_links{*shape, asked.capacity}}, 0);
  return wrapped(expanding_type(std::move(engine), hash, asked), content::expanding, false);
}

// Between bytes and hexadecimal.
conversion convert(any_filter from, std::string_view variant) {
  if (from.format() != format.name) return std::nullopt;
  if (variant.empty() || variant == from.origin().variant) return from;
  const bool hex = variant.ends_with("-hex");
  if (bloom_type* const f = from.get_if<bloom_type>(); f != nullptr && variant.starts_with(variants[0])) {
    return wrapped(std::move(*f), content::bloom, hex);
  }
  if (counting_type* const f = from.get_if<counting_type>(); f != nullptr && variant.starts_with(variants[2])) {
    return wrapped(std::move(*f), content::counting, hex);
  }
  return std::nullopt;
}

// --- what a file is

// A fingerprint lies in one of the two buckets that it names itself: elsewhere one in buckets / 2 does.
detection detect_cuckoo(const source& from, const cuckoo_footer& end) {
  byte_reader in(from);
  const std::uint64_t slots = std::min<std::uint64_t>(1024, end.slots * end.buckets);
  double proof = 0;
  for (std::uint64_t i = 0; i < slots; ++i) {
    const std::uint64_t fingerprint = in.le<std::uint32_t>(), bucket = i / end.slots;
    if (fingerprint == 0) continue;
    const auto at = decimal_rule().places({0, fingerprint}, end.buckets);
    if (bucket != at[0] && bucket != at[1]) return detection::no;
    proof += std::log2(static_cast<double>(end.buckets) / 2);
  }
  return proof >= 40 ? detection::certain : proof >= evidence::likely_bits ? detection::likely : detection::possible;
}

// Whether so many adds may have set what is set: k bits each at most, and none without an add. (A union counts its keys by
// their bits, rounded down.)
bool are_of_adds(bytes_view bits, std::uint64_t added, std::uint64_t probes) {
  std::uint64_t set = 0;
  for (const std::byte b : bits) set += static_cast<std::uint64_t>(std::popcount(std::to_integer<unsigned>(b)));
  return added == 0 ? set == 0 : set != 0 && set / probes <= added;
}

// The numbers at the end make one shape, which the length of the body fixes; and the number of adds agrees with the bits.
detection weigh(const source& from, const found& f, bool big, bool is_whole) {
  constexpr std::uint64_t most_counted = std::uint64_t{1} << 20;
  const footer& end = f.end;
  const std::uint64_t at = from.size - footer_bytes;
  if (f.what == content::bloom && is_whole && from.size <= most_counted &&
      !are_of_adds(byte_reader(from).bytes(at), end.added, end.shape->probes)) {
    return detection::fitting;
  }
  // Of the adds the high bytes speak that are 0 as they would be in most filters; any others could be others.
  const std::uint64_t low = std::max<std::uint64_t>(1, ceil_div(std::bit_width(end.added), 8));
  evidence proof(from);
  proof.fixed(at, 8).fixed(at + 8 + (big ? 0 : low), 8 - low).rate(at + 16, end.rate);
  if (f.what == content::expanding) proof.fixed(at - 8, 8);
  return proof.weigh();
}

detection detect(const source& from) {
  constexpr std::uint64_t most_text = std::uint64_t{1} << 17;
  if (const found f = find_in_text(from); f.what != content::none) {
    const std::uint64_t length = std::min(from.size, most_text);
    const auto text = byte_reader(from, from.size - length).bytes(length);
    const auto bytes = from_hex({reinterpret_cast<const char*>(text.data()), text.size()});
    if (!bytes) return detection::no;
    return weigh(source::of(*bytes), f, true, length == from.size);
  }
  if (const found f = find_in_binary(from); f.what != content::none) return weigh(from, f, false, true);
  const auto cuckoo = find_cuckoo(from);
  return cuckoo ? detect_cuckoo(from, *cuckoo) : detection::no;
}

}  // namespace

constinit const format_row format{
    .name = "pyprobables",
    .summary = "the Python package pyprobables: Bloom, counting, expanding and cuckoo filters",
    .can = {.adds = true},
    .variants = variants,
    .key_types = keys,
    .detect = detect,
    .open = open,
    .make = make,
    .convert = convert,
};

}  // namespace seen::inline v1::pyprobables
