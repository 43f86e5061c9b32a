// RocksDB's full filters: both Blooms, the Ribbon, and whole tables (.sst).
//
//   filter        payload │ 5 bytes, the first of which says what the payload is
//     ff            FastLocalBloom: lines of 64 bytes │ ff, 00, k (3 high bits: log2 of the line - 6), 00 00
//     fe            Standard128Ribbon: segments of 16 bytes │ fe, seed u8, blocks u24le
//     01 … 7f       legacy Bloom: lines │ k, lines u32le
//     00, other     says yes to every key; so does anything unknown in these five bytes
//   table         … │ filter block │ … │ metaindex │ index │ footer, magic f7 cf f4 85 b7 41 e2 88
//
//   FastLocalBloom   H = XXPH3 of the key (hash/xxh3_preview.hpp); line = lo32(H)·lines >> 32; x = hi32(H);
//                    k times: bit x >> 23 of the line, x = x·9e3779b9 mod 2^32
//   legacy           h = RocksDB's copy of the LevelDB hash; line = h mod lines; k times: bit h mod 512, h += h₀ rotr 17
//   Ribbon           src/formats/engines/rocksdb_ribbon.hpp
//
// A table holds one filter over all its user keys, found through the metaindex. Blocks have checksums, and they are
// checked. docs/formats/rocksdb.md.
#include <bit>
#include <cmath>

#include "formats/encodings/sstable.hpp"
#include "formats/engines/rocksdb_lines.hpp"
#include "formats/engines/rocksdb_ribbon.hpp"
#include "formats/engines/sealed.hpp"
#include "formats/evidence.hpp"
#include "formats/foreign.hpp"
#include "hash/leveldb.hpp"
#include "hash/xxh3_preview.hpp"

namespace seen::inline v1::rocksdb {

extern const format_row format;

namespace {

using namespace foreign;

using hash_type = foreign_hash<digest_pair>;
using link = engines::bloom_engine<line_rule, plain_access>;
using growing = filter<link, hash_type>;  // made here, and still taking keys
using finished = filter<sealed_engine<link>, hash_type>;
using ribbon_filter = filter<ribbon_engine, hash_type>;

constexpr std::array<std::string_view, 2> variants{"FastLocalBloom", "LegacyBloom"};
constexpr std::uint64_t trailer_bytes = 5;
constexpr std::uint64_t most_line_bytes = 0xffff'ffc0;  // of a FastLocalBloom
constexpr std::uint64_t most_legacy_bits = 0xffff'0000;
constexpr std::uint32_t most_probes = 30;  // of what is made

struct fast_words {
  digest_pair operator()(bytes_view key) const noexcept { return halves_of(xxh3_preview(key)); }
};
struct legacy_words {
  digest_pair operator()(bytes_view key) const noexcept {
    const std::uint32_t h = rocksdb_32(key, leveldb_bloom_seed);
    return {h, h | std::uint64_t{std::rotr(h, 17)} << 32};
  }
};
struct ribbon_words {
  digest_pair operator()(bytes_view key) const noexcept { return {xxh3_preview(key), 0}; }
};

hash_type hash_for(bool is_legacy) {
  if (is_legacy) return {legacy_words(), named(hash_id::rocksdb_32, leveldb_bloom_seed)};
  return {fast_words(), named(hash_id::xxh3_preview)};
}

std::string_view variant_of(bool is_legacy) {
  return variants[is_legacy ? 1 : 0];
}

result<void> write_lines(const link& f, const sink& out) {
  const line_shape shape = f.shape();
  byte_writer to(out);
  to.bits(f.bytes(), shape.bits() / 8);
  if (shape.is_legacy) return to.u8(shape.probes).le(static_cast<std::uint32_t>(shape.line_count)).finish();
  return to.u8(0xff).u8(0).u8(shape.probes).le(std::uint16_t{0}).finish();
}

// A filter block, or the whole of a file that is one: payload and trailer.
struct block {
  const source& from;
  std::uint64_t payload = 0;
  std::array<std::uint8_t, trailer_bytes> trailer{};
  bool is_whole_table = false;
  bool is_verified = false;  ///< by the checksum of a table
};

result<block> block_of(const source& from, bool is_whole_table, bool is_verified = false) {
  block made{.from = from, .is_whole_table = is_whole_table, .is_verified = is_verified};
  if (from.size <= trailer_bytes) return made;
  made.payload = from.size - trailer_bytes;
  byte_reader in(from, made.payload);
  for (std::uint8_t& each : made.trailer) each = in.u8();
  if (auto ok = in.check("the trailer"); !ok) return ok.error();
  return made;
}

// A filter with its writer; a table is not written as a whole.
template <class F, class Write>
any_filter wrapped(const block& b, F f, std::string_view variant, Write write) {
  file_origin origin{.variant = std::string(variant), .verified = b.is_verified};
  if (!b.is_whole_table) return any_filter(std::move(f), format.name, std::move(origin), std::move(write));
  return any_filter(std::move(f), format.name, std::move(origin),
                    [](const F&, const sink&) { return table::not_written(); });
}

// What is not an array of bits to us is kept as it is, and answers as the peer does: nothing is in a filter of no bytes,
// anything may be in one that cannot be read.
result<any_filter> opaque(const block& b, bool says_yes) {
  byte_reader in(b.from);
  std::vector<std::byte> bytes = in.bytes(b.from.size);
  if (auto ok = in.check("the filter"); !ok) return ok.error();
  return wrapped(
      b, finished(sealed_engine<link>({}, says_yes), hash_for(false)), "unknown",
      [bytes = std::move(bytes)](const finished&, const sink& out) { return byte_writer(out).bytes(bytes).finish(); });
}

result<any_filter> lines(const block& b, const line_shape& shape) {
  byte_reader in(b.from);
  if (auto ok = shape.check(); !ok) return in.about(ok.error());
  auto bits = read_bits(in, b.payload, shape.bits());
  if (!bits) return bits.error();
  auto made = link::over(shape, std::move(*bits));
  if (!made) return in.about(made.error());
  std::vector<link> links;
  links.push_back(std::move(*made));
  return wrapped(b, finished(sealed_engine<link>(std::move(links)), hash_for(shape.is_legacy)),
                 variant_of(shape.is_legacy),
                 [](const finished& f, const sink& out) { return write_lines(f.engine().links()[0], out); });
}

error no_whole(const block& b, const char* of, std::uint64_t bytes) {
  return {errc::corrupt, b.from.name + ": a payload of " + std::to_string(b.payload) +
                             " bytes is not a whole number of " + of + " of " + std::to_string(bytes)};
}

// ff: the second byte is 0, the third has the size of a line above k, the others are 0. Else it is of the future.
result<any_filter> fast_local(const block& b) {
  const std::uint32_t probes = b.trailer[2] & 31;
  const bool known = b.trailer[1] == 0 && b.trailer[2] >> 5 == 0 && b.trailer[3] == 0 && b.trailer[4] == 0;
  if (!known || probes < 1 || probes > most_probes) return opaque(b, true);
  if (b.payload % 64 != 0 || b.payload > most_line_bytes) return no_whole(b, "lines", 64);
  return lines(b, {.line_count = b.payload / 64, .probes = probes});
}

// The size of a line is that of the machine which wrote it; where the numbers give none, the peer says yes.
result<any_filter> legacy(const block& b) {
  std::uint64_t count = 0;
  for (std::size_t i = 4; i >= 1; --i) count = count << 8 | b.trailer[i];
  const std::uint64_t line = count == 0 ? 0 : b.payload / count;
  if (count == 0 || b.payload % count != 0 || !std::has_single_bit(line) || line >= std::uint64_t{1} << 28) {
    return opaque(b, true);
  }
  return lines(b, {.line_count = count,
                   .probes = b.trailer[0],
                   .line_bits = static_cast<std::uint32_t>(8 * line),
                   .is_legacy = true});
}

result<any_filter> ribbon(const block& b) {
  const ribbon_shape shape{
      .segments = b.payload / 16,
      .blocks = b.trailer[2] | std::uint64_t{b.trailer[3]} << 8 | std::uint64_t{b.trailer[4]} << 16,
      .seed = b.trailer[1]};
  if (shape.blocks < 2) return opaque(b, true);
  if (b.payload % 16 != 0) return no_whole(b, "segments", 16);
  byte_reader in(b.from);
  auto body = read_bits(in, b.payload, 8 * b.payload);
  if (!body) return body.error();
  ribbon_filter made(ribbon_engine(shape, std::move(*body)), {ribbon_words(), named(hash_id::xxh3_preview)});
  return wrapped(b, std::move(made), "Standard128Ribbon",
                 [trailer = b.trailer](const ribbon_filter& f, const sink& out) {
                   byte_writer to(out);
                   to.bits(f.engine().bytes(), f.shape().bytes());
                   for (const std::uint8_t byte : trailer) to.u8(byte);
                   return to.finish();
                 });
}

result<any_filter> open_filter(const source& from, bool is_whole_table, bool is_verified = false) {
  auto b = block_of(from, is_whole_table, is_verified);
  if (!b) return b.error();
  if (b->payload == 0) return opaque(*b, false);
  switch (const std::uint8_t marker = b->trailer[0]; marker) {
    case 0xff:
      return fast_local(*b);
    case 0xfe:
      return ribbon(*b);
    default:
      return marker >= 1 && marker <= 127 ? legacy(*b) : opaque(*b, true);
  }
}

// A table whose filter has prefixes of keys in it would be asked for whole keys, and deny them.
result<void> check_whole_keys(table& opened, const std::string& name) {
  const auto where = opened.find("rocksdb.properties");
  if (!where) return where.error();
  if (!*where) return {};
  const auto properties = opened.read(**where, "the properties");
  if (!properties) return properties.error();
  if (table::value_of(*properties, "rocksdb.block.based.table.whole.key.filtering") != "0") return {};
  return {errc::unsupported, name + ": the table's filter holds prefixes of keys, not keys"};
}

result<any_filter> open_table(const source& from, bool is_whole) {
  auto opened = table::open(from);
  if (!opened) return opened.error();
  const auto where = opened->find("fullfilter.rocksdb.BuiltinBloomFilter");
  if (!where) return where.error();
  if (!*where) {
    return error{errc::unsupported, from.name +
                                        ": the table has no fullfilter.rocksdb.BuiltinBloomFilter, the only one "
                                        "read here; its metaindex has " +
                                        opened->names()};
  }
  if (auto ok = check_whole_keys(*opened, from.name); !ok) return ok.error();
  auto bytes = opened->read(**where, "the filter block");
  if (!bytes) return bytes.error();
  source inner = source::of(*bytes);
  inner.name = from.name + ": filter block";
  return open_filter(inner, is_whole, opened->verified());
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  if (!options.part.empty()) {
    if (auto number = filter_number(options.part, 1, from.name); !number) return number.error();
  }
  // Five bytes and fewer are the library's filter of no keys; none at all is a file that was cut.
  if (from.size == 0) return error{errc::corrupt, from.name + ": is empty"};
  const std::uint64_t magic = table_magic(from);
  if (magic == rocksdb_magic || magic == leveldb_magic) return open_table(from, options.part.empty());
  return open_filter(from, false);
}

// --- making one

// By thousandths of a bit per key, as the peer's table has it.
std::uint32_t fast_probes(std::uint64_t millibits) {
  constexpr std::array<std::uint64_t, 12> most{2080,  3580,  5100,  6640,  8300,  10070,
                                               11720, 14001, 16050, 18300, 22001, 25501};
  for (std::uint32_t i = 0; i < most.size(); ++i) {
    if (millibits <= most[i]) return i + 1;
  }
  return millibits > 50000 ? 24 : static_cast<std::uint32_t>((millibits - 1) / 2000 - 1);
}

std::uint32_t legacy_probes(std::uint64_t bits_per_key) {
  return std::clamp<std::uint32_t>(static_cast<std::uint32_t>(static_cast<double>(bits_per_key) * 0.69), 1,
                                   most_probes);
}

line_shape shape_of(std::uint64_t keys, std::uint64_t millibits, bool is_legacy) {
  if (is_legacy) {
    const std::uint64_t bits_per_key = (millibits + 500) / 1000;
    const std::uint64_t bits = std::min(keys * bits_per_key, most_legacy_bits);
    return {.line_count = ceil_div(bits, 512) | 1, .probes = legacy_probes(bits_per_key), .is_legacy = true};
  }
  const std::uint64_t bytes = std::min(round_up(ceil_div(keys * millibits, 8000), 64), most_line_bytes);
  return {.line_count = bytes / 64, .probes = fast_probes(millibits)};
}

// The peer is told the bits per key, never a rate: the fewest whole ones that keep it, by the peer's model.
std::uint64_t millibits_for(double fpr, bool is_legacy) {
  constexpr std::uint64_t keys = 1 << 20;
  std::uint64_t bits = 1;
  while (bits < 100 && shape_of(keys, 1000 * bits, is_legacy).expected_fpr(keys) > fpr) ++bits;
  return 1000 * bits;
}

// From a capacity and a rate, or a capacity and "bits-per-key", which may have a fraction.
result<line_shape> shape_of(const make_options& options, bool is_legacy) {
  if (auto sane = bloom_shape::plan(options.target); !sane) return sane.error();
  if (options.shape.empty()) {
    return shape_of(options.target.capacity, millibits_for(options.target.fpr, is_legacy), is_legacy);
  }
  const named_field& wish = options.shape[0];
  const double bits = wish.type == field_type::real ? wish.as_real() : static_cast<double>(wish.value);
  if (options.shape.size() != 1 || wish.name != "bits-per-key" || !(bits >= 1) || bits > 100) {
    return {errc::invalid_argument, "rocksdb: the one field is bits-per-key, from 1 to 100"};
  }
  return shape_of(options.target.capacity, static_cast<std::uint64_t>(bits * 1000 + 0.500001), is_legacy);
}

result<any_filter> make(const make_options& options) {
  if (auto ok = check_options(format, options, line_rule::kind.name); !ok) return ok.error();
  const bool is_legacy = options.variant == variants[1];
  auto shape = shape_of(options, is_legacy);
  if (!shape) return shape.error();
  auto f = growing::make(*shape, hash_for(is_legacy));
  if (!f) return f.error();
  return any_filter(std::move(*f), format.name, {.variant = std::string(variant_of(is_legacy))},
                    [](const growing& each, const sink& out) { return write_lines(each.engine(), out); });
}

// A table's magic is proof. A filter by itself ends with five bytes: two constants and k after whole lines (FastLocalBloom),
// the number of lines (legacy), or a sensible number of blocks of columns (Ribbon). Keys that it holds make it full, and
// there the zeros among the five are not an accident; in a file of zeros they say nothing.
detection detect(const source& from) {
  if (table_magic(from) == rocksdb_magic) return detection::certain;
  auto b = block_of(from, false);
  if (!b || b->payload == 0) return detection::no;
  const auto& [marker, second, third, fourth, fifth] = b->trailer;
  const std::uint64_t rest = third | std::uint64_t{fourth} << 8 | std::uint64_t{fifth} << 16;
  evidence proof(from);
  proof.fixed(b->payload, 1);
  if (marker == 0xff) {
    if (second != 0 || third < 1 || third > most_probes || fourth != 0 || fifth != 0 || b->payload % 64 != 0) {
      return detection::no;
    }
    return proof.fixed(b->payload + 1, 1).fixed(b->payload + 3, 2).odds(3 + 6).weigh();
  }
  if (marker == 0xfe) {
    const std::uint64_t columns = b->payload / 16;
    const bool fits =
        rest >= 2 && b->payload % 16 == 0 && columns >= rest && ceil_div(columns, rest) <= ribbon_shape::most_columns;
    if (!fits) return detection::no;
    return proof.odds(4 + 24 - std::log2(static_cast<double>(columns))).weigh(detection::likely);
  }
  const bool fits = marker >= 1 && marker <= most_probes && 64 * (rest << 8 | second) == b->payload;
  return fits ? evidence(from).fixed(b->payload + 1, 4).odds(3).weigh(detection::likely) : detection::no;
}

}  // namespace

constinit const format_row format{
    .name = "rocksdb",
    .summary = "RocksDB's full filters, Bloom and Ribbon: one, or a whole table",
    .can = {.verifies = true, .parts = true},
    .variants = variants,
    .detect = detect,
    .open = open,
    .make = make,
};

}  // namespace seen::inline v1::rocksdb
