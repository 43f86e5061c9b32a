// Apache Parquet's split-block Bloom filters: by themselves, or in a .parquet file.
//
//   bare    header │ blocks of 32 bytes                     the header: Thrift compact, 16 bytes or so
//   file    PAR1 │ pages, filters, … │ footer │ its length u32le │ PAR1
//                     ▲                  └─ schema, row groups ─► column chunks ─► bloom_filter_offset
//                     └──────────────────────────────────────────────────────────────────┘
//
// The blocks are those of our own split_block with XXH64 of seed 0, so a bare filter becomes a native one and the other
// way round without its keys. What is hashed is a value's plain encoding: in a file the column's physical type says how
// an integer or a real number becomes bytes; of a bare filter `keys` says it.
//
// open_options.part names the column of a file, and a row group where one is wanted: "tags.list.element", "price#2".
// docs/formats/parquet.md.
#include <seen/filters/split_block.hpp>
#include <seen/hash/any_hash.hpp>

#include <bit>
#include <cmath>

#include "formats/encodings/thrift.hpp"
#include "formats/engines/chain.hpp"
#include "formats/foreign.hpp"
#include "formats/parquet_keys.hpp"

namespace seen::inline v1::parquet {

extern const format_row format;

namespace {

using namespace foreign;

// One filter whose keys are hashed as they come is our own kind. Where values are narrowed first, or a column has
// several row groups, it is a chain of them behind a hash that narrows.
using engine_type = split_block::engine_type;
using own_filter = filter<engine_type, any_hash>;

struct row_groups {
  static constexpr bool skips_present = false;
  static constexpr kind_info kind{.id = 0, .name = engine_type::kind.name};
  static result<void> make_room(std::vector<engine_type>&) { return {}; }
};
using column_filter = filter<chain_engine<engine_type, row_groups>, foreign_hash<digest>>;

constexpr std::array<std::string_view, 1> hashes{name_of(hash_id::xxh64)};

constexpr std::uint64_t block_bytes = 32;
constexpr std::uint64_t most_blocks = 0x7fff'ffff / block_bytes;  // the header has 31 bits for the bytes

// --- the header of a filter

struct filter_header {
  std::uint64_t blocks = 0;
  std::vector<std::byte> raw;  // as it stands in the file
};

// A union of which the first member, an empty structure, is the only one known.
bool is_first_member(thrift_reader& in) {
  std::int64_t member = 0;
  in.fields([&](std::int64_t id, thrift_reader::type) {
    member = id;
    return false;
  });
  return member == 1;
}

result<filter_header> read_filter_header(const source& from, std::uint64_t offset) {
  constexpr std::uint64_t longest = 256;
  byte_reader in(from, offset);
  std::vector<std::byte> beginning = in.bytes(std::min(in.remaining(), longest));
  if (auto ok = in.check("a filter's header"); !ok) return ok.error();
  thrift_reader fields(beginning);
  std::int64_t bytes = 0;
  std::array<bool, 5> known{};
  unsigned found = 0;
  fields.fields([&](std::int64_t id, thrift_reader::type kind) {
    const bool is_union = id >= 2 && id <= 4 && kind == thrift_reader::type::structure;
    if (!is_union && !(id == 1 && kind == thrift_reader::type::i32)) return false;
    found |= 1u << id;
    if (id == 1) {
      bytes = fields.integer();
    } else {
      known[static_cast<std::size_t>(id)] = is_first_member(fields);
    }
    return true;
  });
  const byte_reader at(from, offset);
  if (fields.failed() || found != 0b11110) return at.corrupt("no header of a Bloom filter");
  if (!known[2] || !known[3] || !known[4]) {
    return at.unsupported(
        "the filter is not of split blocks, hashed with XXH64 and uncompressed: Parquet had nothing else when this was "
        "written");
  }
  if (bytes <= 0 || static_cast<std::uint64_t>(bytes) % block_bytes != 0 || bytes > 0x7fff'ffff) {
    return at.corrupt(std::to_string(bytes) + " bytes of blocks are not a multiple of 32");
  }
  const std::uint64_t present = from.size - offset - fields.offset();
  if (static_cast<std::uint64_t>(bytes) > present) {
    return at.corrupt(std::to_string(bytes) + " bytes of blocks are announced; " + std::to_string(present) + " follow");
  }
  beginning.resize(fields.offset());
  return filter_header{static_cast<std::uint64_t>(bytes) / block_bytes, std::move(beginning)};
}

std::vector<std::byte> header_of(std::uint64_t blocks) {
  std::vector<std::byte> raw{std::byte{0x15}};    // field 1, i32
  std::uint64_t rest = 2 * blocks * block_bytes;  // zigzag
  for (; rest >= 128; rest >>= 7) raw.push_back(static_cast<std::byte>((rest & 127) | 128));
  raw.push_back(static_cast<std::byte>(rest));
  for (int member = 0; member < 3; ++member) {  // the next field, a union: its field 1, an empty structure
    for (const int b : {0x1c, 0x1c, 0, 0}) raw.push_back(static_cast<std::byte>(b));
  }
  raw.push_back(std::byte{0});
  return raw;
}

result<engine_type> read_blocks(const source& from, std::uint64_t offset, const filter_header& header) {
  byte_reader in(from, offset + header.raw.size());
  auto bits = read_bits(in, header.blocks * block_bytes, header.blocks * block_bytes * 8);
  if (!bits) return bits.error();
  auto engine = engine_type::over({.blocks = header.blocks}, std::move(*bits));
  if (!engine) return in.about(engine.error());
  return engine;
}

// --- filters as they are saved

result<void> write_engine(const engine_type& e, const std::vector<std::byte>& raw, std::uint64_t raw_blocks,
                          const sink& out) {
  if (e.blocks() == 0 || e.blocks() > most_blocks) {
    return {errc::unsupported, "parquet: a filter has from 1 to " + std::to_string(most_blocks) + " blocks, not " +
                                   std::to_string(e.blocks())};
  }
  // A filter that was folded since has another header than the one it came with.
  return byte_writer(out)
      .bytes(e.blocks() == raw_blocks ? raw : header_of(e.blocks()))
      .bits(e.bytes(), e.blocks() * block_bytes)
      .finish();
}

const engine_type& only_engine(const own_filter& f) {
  return f.engine();
}
const engine_type& only_engine(const column_filter& f) {
  return f.engine().links().front();
}

template <class F>
any_filter bare(F f, const key_rule& rule, std::vector<std::byte> raw = {}) {
  const std::uint64_t blocks = raw.empty() ? 0 : only_engine(f).blocks();
  return any_filter(std::move(f), format.name, {.variant = "bare", .accepts = rule.accepts},
                    [raw = std::move(raw), blocks](const F& now, const sink& out) {
                      return write_engine(only_engine(now), raw, blocks, out);
                    });
}

// The footer says what the column holds: nothing is left to prove.
template <class F>
any_filter inside(F f, const key_rule& rule) {
  return any_filter(std::move(f), format.name,
                    {.recognised = recognition::proven, .variant = "file", .accepts = rule.accepts},
                    [](const F&, const sink&) -> result<void> {
                      return {errc::unsupported,
                              "parquet: a filter inside a .parquet file is not written back: convert it to a bare one"};
                    });
}

// Calls use with the filter of these engines.
template <class Use>
any_filter with_filter(std::vector<engine_type> engines, const key_rule& rule, const target& asked, Use use) {
  if (engines.size() == 1 && rule.how == key_rule::narrowing::none) {
    return use(own_filter(std::move(engines.front()), any_hash(xxh64()), asked));
  }
  return use(column_filter({std::move(engines), row_groups()}, hash_for(rule), asked));
}

result<any_filter> open_bare(const source& from, const open_options& options) {
  if (!options.part.empty()) {
    return error{errc::invalid_argument, from.name + ": is one filter, which has no part " + options.part};
  }
  auto header = read_filter_header(from, 0);
  if (!header) return header.error();
  if (from.size != header->raw.size() + header->blocks * block_bytes) {
    return error{errc::corrupt, from.name + ": header and blocks take " +
                                    std::to_string(header->raw.size() + header->blocks * block_bytes) +
                                    " bytes; the file has " + std::to_string(from.size)};
  }
  auto engine = read_blocks(from, 0, *header);
  if (!engine) return engine.error();
  const key_rule rule = rule_of(options.key_type);
  std::vector<engine_type> engines;
  engines.push_back(std::move(*engine));
  return with_filter(std::move(engines), rule, {},
                     [&](auto f) { return bare(std::move(f), rule, std::move(header->raw)); });
}

result<any_filter> open_file(const source& from, const open_options& options) {
  auto all = footer::read(from);
  if (!all) return all.error();
  auto chosen = all->select(options.part, from.name);
  if (!chosen) return chosen.error();
  const schema_node& column = all->column(chosen->front().column);
  const bool raw_bytes = options.key_type == keys[0];
  if (!options.key_type.empty() && !raw_bytes && options.key_type != keys_of(column.type)) {
    return error{errc::invalid_argument, from.name + ": the values of " + all->path_of(chosen->front().column) +
                                             " are " + std::string(name_of(column.type)) + ", not " + options.key_type};
  }
  const key_rule rule = raw_bytes ? key_rule() : rule_of(column);
  std::vector<engine_type> engines;
  std::uint64_t bytes = 0;
  for (const filter_place& place : *chosen) {
    if (place.offset >= from.size) {
      return error{errc::corrupt, from.name + ": a filter at offset " + std::to_string(place.offset) +
                                      " of a file of " + std::to_string(from.size) + " bytes"};
    }
    auto header = read_filter_header(from, place.offset);
    if (!header) return header.error();
    const std::uint64_t length = header->raw.size() + header->blocks * block_bytes;
    bytes += length;
    // Filters do not overlap, so that all of them fit the file.
    if (bytes > from.size || (place.length != 0 && place.length != length)) {
      return byte_reader(from, place.offset)
          .corrupt("the filter takes " + std::to_string(length) + " bytes; the footer says " +
                   std::to_string(place.length));
    }
    auto engine = read_blocks(from, place.offset, *header);
    if (!engine) return engine.error();
    engines.push_back(std::move(*engine));
  }
  return with_filter(std::move(engines), rule, {}, [&](auto f) { return inside(std::move(f), rule); });
}

bool begins_as_file(const source& from) {
  byte_reader in(from);
  return in.le<std::uint32_t>() == load_le<std::uint32_t>(std::as_bytes(std::span(file_magic)).data());
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  return begins_as_file(from) ? open_file(from, options) : open_bare(from, options);
}

// --- new ones

// m = -8n / ln(1 - p^(1/8)) bits, as a power of two of bytes, from one block up.
result<std::uint64_t> blocks_for(const make_options& options) {
  for (const named_field& each : options.shape) {
    if (each.name != "blocks") return {errc::invalid_argument, "parquet: there is no field " + each.name};
  }
  if (const auto blocks = field_of(options, "blocks")) {
    if (*blocks >= 1 && *blocks <= most_blocks) return *blocks;
    return {errc::invalid_argument,
            "parquet: blocks is " + std::to_string(*blocks) + "; it must be from 1 to " + std::to_string(most_blocks)};
  }
  if (auto sane = math::check(options.target); !sane) return sane.error();
  const double bits =
      -8 * static_cast<double>(options.target.capacity) / std::log(1 - std::pow(options.target.fpr, 1.0 / 8));
  constexpr double most = 8.0 * (std::uint64_t{128} << 20);
  if (!(bits <= most)) {
    return {errc::too_large,
            "parquet: " + readable(bits / 8) +
                " bytes are needed; Parquet's filters are planned up to 128 MiB (give the blocks for more)"};
  }
  return std::max(std::bit_ceil(ceil_div(static_cast<std::uint64_t>(bits), 8)), block_bytes) / block_bytes;
}

result<any_filter> make(const make_options& options) {
  if (auto ok = check_options(format, options, engine_type::kind.name); !ok) return ok.error();
  if (options.seed != 0) return error{errc::unsupported, "parquet: the format's hash has the seed 0"};
  auto blocks = blocks_for(options);
  if (!blocks) return blocks.error();
  auto engine = engine_type::make({.blocks = *blocks});
  if (!engine) return engine.error();
  const key_rule rule = rule_of(options.key_type);
  std::vector<engine_type> engines;
  engines.push_back(std::move(*engine));
  return with_filter(std::move(engines), rule, options.target, [&](auto f) { return bare(std::move(f), rule); });
}

// A bare filter of a native split_block, of a filter in a file, or of another bare one.
conversion convert(any_filter from, std::string_view) {
  const key_rule rule{.accepts = from.origin().accepts};
  if (own_filter* const own = from.get_if<own_filter>()) {
    const hash_identity hash = own->identity();
    if (hash.id != hash_id::xxh64 || hash.seed != 0) {
      return error{errc::unsupported, "parquet: the filter's keys are hashed with " + describe(hash) +
                                          ", and Parquet's with xxh64 seed 0"};
    }
    return bare(std::move(*own), rule);
  }
  column_filter* const column = from.get_if<column_filter>();
  if (column == nullptr) return std::nullopt;
  if (column->engine().links().size() != 1) {
    return error{errc::unsupported, "parquet: " + std::to_string(column->engine().links().size()) +
                                        " row groups have a filter each: name one (column#number)"};
  }
  return bare(std::move(*column), rule);
}

// --- what a file is

// A header is 13 bytes that never change and a length that agrees with the file's.
detection detect(const source& from) {
  if (begins_as_file(from)) {
    byte_reader tail(from, from.size < 12 ? 0 : from.size - 8);
    const std::uint64_t length = tail.le<std::uint32_t>();
    std::array<std::byte, 4> magic{};
    tail.read(magic);
    const bool ends = std::ranges::equal(magic, std::as_bytes(std::span(file_magic)));
    return from.size >= 12 && ends && length <= from.size - 12 ? detection::certain : detection::no;
  }
  if (from.size == 0) return detection::no;
  const auto header = read_filter_header(from, 0);
  const bool fits = header && from.size == header->raw.size() + header->blocks * block_bytes;
  return fits ? detection::certain : detection::no;
}

// Where its keys are hashed as they come.
result<any_filter> to_native(any_filter from) {
  own_filter* const own = from.get_if<own_filter>();
  if (own != nullptr && from.origin().accepts == key_form::bytes) return any_filter(std::move(*own));
  return error{
      errc::unsupported,
      "convert: a native filter knows keys of bytes only; this one's are numbers, or it is of several row groups"};
}

}  // namespace

constinit const format_row format{
    .name = "parquet",
    .summary = "Apache Parquet's split-block filters: bare, or the columns of a .parquet file",
    .can = {.adds = true, .parts = true},
    .hashes = hashes,
    .key_types = keys,
    .detect = detect,
    .open = open,
    .make = make,
    .convert = convert,
    .to_native = to_native,
};

}  // namespace seen::inline v1::parquet
