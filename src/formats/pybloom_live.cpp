// pybloom_live (Python): one slice of bits per position, and digests cut into numbers.
//
//   plain      rate f64 │ slices u64 │ bits of a slice u64 │ capacity u64 │ count u64 │ bits
//   scalable   scale i32 │ ratio f64 │ capacity u64 │ rate f64 │ filters i32 │ their lengths u64 │ plain filters
//
//   salt_i = H(i as u32),  H(salt_i ‖ key) cut into numbers of 2, 4 or 8 bytes;  number j mod s is the bit of slice j
//
// H is a member of the SHA family, or xxh128, by the number of bits that a key needs. Releases before 4 took MD5 where
// later ones take xxh128, and no file says so: `hash` does. docs/formats/pybloom-live.md.
#include <cmath>

#include "formats/engines/pybloom.hpp"
#include "formats/evidence.hpp"
#include "formats/foreign.hpp"
#include "formats/hashing/salted_digests.hpp"

namespace seen::inline v1::pybloom_live {

extern const format_row format;

namespace {

using namespace foreign;

constexpr std::array<std::string_view, 2> variants{"plain", "scalable"};
constexpr std::array<std::string_view, 2> hashes{"xxh128", "md5"};  // where 128 bits are enough
constexpr std::uint64_t header_bytes = 40, scalable_header_bytes = 32;

// --- hashing

using list_hash = foreign_hash<list_type>;

template <class Number>
list_hash hash_of_numbers(std::uint32_t slices, bool old) {
  const std::uint64_t bits = 8 * sizeof(Number) * slices;
  const auto made = [&]<class Digest>(std::type_identity<Digest>) {
    return list_hash(salted_list<Digest, Number, list_type>(slices), named(hash_id::salted_digest));
  };
  if (bits > 384) return made(std::type_identity<sha512>());
  if (bits > 256) return made(std::type_identity<sha384>());
  if (bits > 160) return made(std::type_identity<sha256>());
  if (bits > 128) return made(std::type_identity<sha1>());
  return old ? made(std::type_identity<md5>()) : made(std::type_identity<xxh128>());
}
list_hash hash_for(std::uint32_t slices, std::uint64_t slice_bits, bool old) {
  if (slice_bits >= std::uint64_t{1} << 31) return hash_of_numbers<std::uint64_t>(slices, old);
  if (slice_bits >= std::uint64_t{1} << 15) return hash_of_numbers<std::uint32_t>(slices, old);
  return hash_of_numbers<std::uint16_t>(slices, old);
}

// --- shapes

struct slices {
  std::uint64_t count = 0, bits = 0;  // bits of each

  friend bool operator==(const slices&, const slices&) = default;
};

bool is_rate(double rate) {
  return rate > 0 && rate < 1;
}

// k = ceil(log2(1/p)), s = ceil(n·|ln p| / (k·ln² 2)); 0 where they are out of range.
slices sizing(std::uint64_t capacity, double rate) {
  const double ln2 = std::log(2.0), count = std::ceil(std::log(1.0 / rate) / ln2);
  const double bits = std::ceil(static_cast<double>(capacity) * std::abs(std::log(rate)) / (count * (ln2 * ln2)));
  if (!(count >= 1) || !(bits >= 1) || !(count * bits <= static_cast<double>(math::max_bits))) return {};
  return {static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(bits)};
}

result<probe_shape> shape_of(const slices& s) {
  if (s.count < 1 || s.count > most_slices || s.bits < 1 || s.bits > math::max_bits / s.count) {
    return {errc::too_large, std::to_string(s.count) + " slices of " + std::to_string(s.bits) +
                                 " bits: there are from 1 to 64, and 2^40 bits in all"};
  }
  return probe_shape::make(s.count * s.bits, s.count);
}

result<link_engine> empty_link(std::uint64_t capacity, double rate, bool old) {
  const slices s = is_rate(rate) && capacity > 0 ? sizing(capacity, rate) : slices();
  auto shape = shape_of(s);
  if (!shape) return shape.error();
  auto bits = bits_engine::make(*shape);
  if (!bits) return bits.error();
  return link_engine{{std::move(*bits), 0}, hash_for(shape->probes, s.bits, old), rate, capacity};
}

/// The next filter has `scale` times the capacity and `ratio` times the rate of the newest.
struct scaling {
  static constexpr bool skips_present = true;
  std::int32_t scale = 4;
  double ratio = 0.9;
  std::uint64_t capacity = 0;
  double rate = 0;
  bool old = false;
  bool is_ours = false;  // made here: its first filter may be as large as was asked for

  result<void> make_room(std::vector<link_engine>& links) const {
    std::uint64_t next_capacity = capacity;
    double next_rate = rate * ratio;
    if (!links.empty()) {
      const link_engine& newest = links.back();
      if (newest.filter.size() < newest.capacity) return {};
      if (newest.capacity > ~std::uint64_t{0} / static_cast<std::uint64_t>(scale)) {
        return {errc::too_large, "pybloom-live: the filter grows no further"};
      }
      next_capacity = newest.capacity * static_cast<std::uint64_t>(scale);
      next_rate = newest.rate * ratio;
    }
    const auto shape = shape_of(is_rate(next_rate) && next_capacity > 0 ? sizing(next_capacity, next_rate) : slices());
    if (!(is_ours && links.empty()) && shape && shape->bytes() > most_of_next_link(links)) {
      return {errc::too_large, "pybloom-live: the next filter would be too large"};
    }
    auto next = empty_link(next_capacity, next_rate, old);
    if (!next) return next.error();
    links.push_back(std::move(*next));
    return {};
  }
};

using plain_type = filter<plain_engine, list_hash>;
using scalable_type = filter<chain_engine<link_engine, scaling>, foreign_hash<key_reference>>;

foreign_hash<key_reference> no_hash() {
  return {[](bytes_view key) noexcept { return key_reference(key); }, named(hash_id::salted_digest)};
}

// --- a plain filter, alone or in a chain

void put_filter(const plain_engine& f, double rate, std::uint64_t capacity, byte_writer& out) {
  const probe_shape shape = f.shape();
  out.le(rate)
      .le(std::uint64_t{shape.probes})
      .le(shape.bits / shape.probes)
      .le(capacity)
      .le(f.size())
      .bits(f.bytes(), ceil_div(shape.bits, 8));
}

result<link_engine> read_filter(byte_reader& in, std::uint64_t bytes, bool old) {
  const auto rate = in.le<double>();
  const auto count = in.le<std::uint64_t>(), bits = in.le<std::uint64_t>(), capacity = in.le<std::uint64_t>(),
             added = in.le<std::uint64_t>();
  if (auto ok = in.check("a filter's header"); !ok) return ok.error();
  if (!is_rate(rate)) return in.corrupt("the rate " + readable(rate) + " is not between 0 and 1");
  auto shape = shape_of({count, bits});
  if (!shape) return in.about(shape.error());
  if (bytes < header_bytes || bytes - header_bytes != ceil_div(shape->bits, 8)) {
    return in.corrupt(std::to_string(shape->bits) + " bits make a filter of " +
                      std::to_string(header_bytes + ceil_div(shape->bits, 8)) + " bytes; this one has " +
                      std::to_string(bytes));
  }
  auto body = read_bits(in, bytes - header_bytes, shape->bits);
  if (!body) return body.error();
  auto engine = bits_engine::over(*shape, std::move(*body));
  if (!engine) return in.about(engine.error());
  return link_engine{{std::move(*engine), added}, hash_for(shape->probes, bits, old), rate, capacity};
}

result<void> write_plain(const plain_type& f, const sink& out) {
  byte_writer writer(out);
  put_filter(f.engine(), f.target().fpr, f.target().capacity, writer);
  return writer.finish();
}

any_filter wrapped(link_engine link) {
  const target asked{link.capacity, link.rate};
  return any_filter(plain_type(std::move(link.filter), std::move(link.hash), asked), format.name,
                    {.variant = std::string(variants[0])}, write_plain);
}

// --- a chain of them

result<void> write_scalable(const scalable_type& f, const sink& out) {
  const scaling& growth = f.engine().growth();
  const auto links = f.engine().links();
  byte_writer writer(out);
  writer.le(growth.scale).le(growth.ratio).le(growth.capacity).le(growth.rate);
  writer.le(static_cast<std::int32_t>(links.size()));
  for (const link_engine& link : links) writer.le(header_bytes + ceil_div(link.bits(), 8));
  for (const link_engine& link : links) put_filter(link.filter, link.rate, link.capacity, writer);
  return writer.finish();
}

any_filter wrapped(std::vector<link_engine> links, const scaling& growth) {
  return any_filter(scalable_type({std::move(links), growth}, no_hash(), {growth.capacity, growth.rate}), format.name,
                    {.variant = std::string(variants[1])}, write_scalable);
}

struct scalable_header {
  scaling growth = {};
  std::int32_t filters = 0;
  std::vector<std::uint64_t> lengths = {};
};

// The header of a chain; nothing where its lengths do not make the file.
std::optional<scalable_header> read_scalable_header(const source& from, byte_reader& in) {
  scalable_header h;
  h.growth.scale = in.le<std::int32_t>();
  h.growth.ratio = in.le<double>();
  h.growth.capacity = in.le<std::uint64_t>();
  h.growth.rate = in.le<double>();
  h.filters = in.le<std::int32_t>();
  const bool sane = h.growth.scale >= 1 && h.growth.ratio > 0 && h.growth.ratio <= 1 && h.growth.capacity > 0 &&
                    is_rate(h.growth.rate) && h.filters >= 0;
  if (!in.check("").has_value() || !sane) return {};
  if (static_cast<std::uint64_t>(h.filters) > in.remaining() / 8) return {};
  std::uint64_t left = from.size - scalable_header_bytes - 8 * static_cast<std::uint64_t>(h.filters);
  for (std::int32_t i = 0; i < h.filters; ++i) {
    const auto length = in.le<std::uint64_t>();
    if (length < header_bytes || length > left) return {};
    left -= length;
    h.lengths.push_back(length);
  }
  if (left != 0) return {};
  return h;
}

// --- the format

// What the first number after the rate or the scale means tells the two apart: they fit one file's length only.
bool fits_plain(const source& from, slices& s) {
  byte_reader in(from, 8);
  s = {in.le<std::uint64_t>(), in.le<std::uint64_t>()};
  const auto shape = shape_of(s);
  return from.size > header_bytes && shape && from.size == header_bytes + ceil_div(shape->bits, 8);
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  const bool old = options.hash == hashes[1];
  slices s;
  byte_reader in(from);
  auto chain = fits_plain(from, s) ? std::nullopt : read_scalable_header(from, in);
  if (!chain) {
    byte_reader plain(from);
    auto link = read_filter(plain, from.size, old);
    if (!link) return link.error();
    return wrapped(std::move(*link));
  }
  chain->growth.old = old;
  std::vector<link_engine> links;
  for (const std::uint64_t length : chain->lengths) {
    auto link = read_filter(in, length, old);
    if (!link) return link.error();
    links.push_back(std::move(*link));
  }
  return wrapped(std::move(links), chain->growth);
}

result<any_filter> make(const make_options& options) {
  const bool scalable = options.variant == variants[1];
  const std::string_view kind = scalable ? scalable_type::kind.name : plain_type::kind.name;
  if (auto ok = check_options(format, options, kind); !ok) return ok.error();
  if (auto sane = math::check(options.target); !sane) return sane.error();
  scaling growth{.capacity = options.target.capacity, .rate = options.target.fpr, .is_ours = true};
  for (const named_field& each : options.shape) {
    if (!scalable || each.name != "scale" || each.value < 1 || each.value > 1000) {
      return error{errc::invalid_argument, "pybloom-live: " + each.name + " does not belong to the shape of a " +
                                               std::string(scalable ? variants[1] : variants[0]) +
                                               " filter, or is out of range (scale: 1 to 1000)"};
    }
    growth.scale = static_cast<std::int32_t>(each.value);
  }
  // Of a chain it is made to see whether there can be one.
  auto first = empty_link(growth.capacity, scalable ? growth.rate * growth.ratio : growth.rate, false);
  if (!first) return first.error();
  return scalable ? wrapped(std::vector<link_engine>(), growth) : wrapped(std::move(*first));
}

// A plain header says its shape twice, in k and s and in n and p, and the file's length says it a third time. A chain begins
// with a ratio of 0.9 in eight bytes, and the lengths of its filters make the file.
detection detect(const source& from) {
  slices s;
  if (fits_plain(from, s)) {
    byte_reader in(from);
    const auto rate = in.le<double>();
    in.skip(16);
    const auto capacity = in.le<std::uint64_t>();
    if (!is_rate(rate)) return detection::no;
    if (capacity == 0 || !(sizing(capacity, rate) == s)) return detection::fitting;
    return evidence(from).rate(0, rate).fixed(8, 24).weigh();
  }
  byte_reader in(from);
  const auto chain = read_scalable_header(from, in);
  if (!chain) return detection::no;
  return chain->growth.ratio == 0.9 ? evidence(from).fixed(4, 8).weigh() : detection::fitting;
}

}  // namespace

constinit const format_row format{
    .name = "pybloom-live",
    .summary = "the Python package pybloom_live: plain and scalable filters",
    .can = {.adds = true},
    .variants = variants,
    .hashes = hashes,
    .detect = detect,
    .open = open,
    .make = make,
};

}  // namespace seen::inline v1::pybloom_live
