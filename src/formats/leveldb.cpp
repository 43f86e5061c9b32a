// LevelDB's Bloom filter (leveldb.BuiltinBloomFilter2): one filter, or a whole table (.ldb, .sst) with many.
//
//   filter        bits, LSB first │ k u8                        m = 8·(bytes - 1)
//   filter block  filters, back to back │ u32le offset of each │ u32le offset of that array │ u8 11
//   table         … │ filter block │ metaindex │ index │ footer, magic 57 fb 80 8b 24 75 47 db
//
//   h = the LevelDB hash of the key (hash/leveldb.hpp), d = h rotr 17;  position i = (h + i·d mod 2^32) mod m
//
// A table has one filter for every 2 KiB of data, over the user keys that begin there. Which data a key would be in only
// the index tells, so a table says yes if any of its filters does; `part` chooses one by number. Blocks have checksums,
// and they are checked. docs/formats/leveldb.md.
#include "hash/leveldb.hpp"

#include <bit>
#include <cmath>

#include "formats/encodings/sstable.hpp"
#include "formats/engines/sealed.hpp"
#include "formats/foreign.hpp"

namespace seen::inline v1::leveldb {

extern const format_row format;

namespace {

using namespace foreign;

using growing = sum_bloom<low_half>;  // made here, and still taking keys
using link = growing::engine_type;
using finished = filter<sealed_engine<link>, foreign_hash<digest_pair>>;

constexpr std::string_view policy = "filter.leveldb.BuiltinBloomFilter2";
constexpr std::uint32_t most_probes = 30;  // more is reserved for other encodings
constexpr double probes_per_bit = 0.69;    // the peer's ln 2
constexpr std::uint64_t most_bits_per_key = 64;

struct positions {
  digest_pair operator()(bytes_view key) const noexcept {
    const std::uint32_t h = leveldb_32(key, leveldb_bloom_seed);
    return {h, std::rotr(h, 17)};
  }
};

foreign_hash<digest_pair> hash() {
  return {positions(), named(hash_id::leveldb_32, leveldb_bloom_seed)};
}

result<void> write_bits(const link& f, const sink& out) {
  return byte_writer(out).bits(f.bytes(), f.bits() / 8).u8(f.probes()).finish();
}

// Filters on their way to becoming one.
struct gathered {
  std::vector<link> links;
  bool says_yes = false;

  /// As the peer reads it: fewer than two bytes hold nothing; a k that is reserved, or none, says yes to all.
  result<void> take(const source& from, std::uint64_t offset, std::uint64_t size) {
    if (size < 2) return {};
    const std::uint32_t probes = byte_reader(from, offset + size - 1).u8();
    if (probes == 0 || probes > most_probes) {
      says_yes = true;
      return {};
    }
    byte_reader in(from, offset);
    auto shape = probe_shape::make(8 * (size - 1), probes);
    if (!shape) return in.about(shape.error());
    auto bits = read_bits(in, size - 1, shape->bits);
    if (!bits) return bits.error();
    auto made = link::over(*shape, std::move(*bits));
    if (!made) return in.about(made.error());
    links.push_back(std::move(*made));
    return {};
  }

  template <class Write>
  [[nodiscard]] any_filter finish(file_origin origin, Write write) && {
    return any_filter(finished(sealed_engine<link>(std::move(links), says_yes), hash()), format.name, std::move(origin),
                      std::move(write));
  }
};

// One filter by itself. What holds no bits for us is kept as it is, to be written again.
result<any_filter> single(const source& from, std::uint64_t offset, std::uint64_t size, file_origin origin = {}) {
  gathered all;
  if (auto ok = all.take(from, offset, size); !ok) return ok.error();
  std::vector<std::byte> odd;
  if (all.links.empty()) {
    byte_reader in(from, offset);
    odd = in.bytes(size);
    if (auto ok = in.check("the filter"); !ok) return ok.error();
  }
  return std::move(all).finish(std::move(origin), [odd = std::move(odd)](const finished& f, const sink& out) {
    return f.engine().links().empty() ? byte_writer(out).bytes(odd).finish() : write_bits(f.engine().links()[0], out);
  });
}

// Where the filters of a block begin, and where the last one ends.
result<std::vector<std::uint64_t>> starts_of(bytes_view block, const std::string& name) {
  const auto wrong = [&](const std::string& what) { return error{errc::corrupt, name + ": the filter block " + what}; };
  if (block.size() < 5) return wrong("has " + std::to_string(block.size()) + " bytes; the least is 5");
  const std::uint64_t end = block.size() - 5, first = load_le<std::uint32_t>(block.data() + end);
  if (first > end || (end - first) % 4 != 0) {
    return wrong("has its " + std::to_string(end) + " bytes divided at " + std::to_string(first));
  }
  std::vector<std::uint64_t> starts;
  for (std::uint64_t at = first; at <= end; at += 4) {  // the last of them is `first` itself
    starts.push_back(load_le<std::uint32_t>(block.data() + at));
    if (starts.back() > first || (starts.size() > 1 && starts.back() < starts[starts.size() - 2])) {
      return wrong("has filter " + std::to_string(starts.size() - 1) + " begin at " + std::to_string(starts.back()) +
                   ", before the one before it or beyond the last byte " + std::to_string(first));
    }
  }
  return starts;
}

result<any_filter> open_table(const source& from, const open_options& options) {
  auto opened = table::open(from);
  if (!opened) return opened.error();
  const auto where = opened->find(policy);
  if (!where) return where.error();
  if (!*where) {
    return error{errc::unsupported,
                 from.name + ": the table has no " + std::string(policy) + "; its metaindex has " + opened->names()};
  }
  auto block = opened->read(**where, "the filter block");
  if (!block) return block.error();
  auto starts = starts_of(*block, from.name);
  if (!starts) return starts.error();
  source filters = source::of(*block);
  filters.name = from.name + ": filter block";
  file_origin origin{.variant = "table", .verified = opened->verified()};
  if (!options.part.empty()) {
    auto number = filter_number(options.part, starts->size() - 1, from.name);
    if (!number) return number.error();
    const auto i = static_cast<std::size_t>(*number);
    return single(filters, (*starts)[i], (*starts)[i + 1] - (*starts)[i], std::move(origin));
  }
  gathered all;
  for (std::size_t i = 0; i + 1 < starts->size(); ++i) {
    if (auto ok = all.take(filters, (*starts)[i], (*starts)[i + 1] - (*starts)[i]); !ok) return ok.error();
  }
  return std::move(all).finish(std::move(origin), [](const finished&, const sink&) { return table::not_written(); });
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  if (table_magic(from) == leveldb_magic) return open_table(from, options);
  if (from.size < 2) {
    return error{errc::corrupt, from.name + ": has " + std::to_string(from.size) + " bytes; a filter has at least 2"};
  }
  if (!options.part.empty()) {
    if (auto number = filter_number(options.part, 1, from.name); !number) return number.error();
  }
  return single(from, 0, from.size);
}

// k = 0.69 times the bits per key, truncated.
std::uint32_t probes_for(std::uint64_t bits_per_key) {
  const auto probes = static_cast<std::uint32_t>(static_cast<double>(bits_per_key) * probes_per_bit);
  return std::clamp<std::uint32_t>(probes, 1, most_probes);
}

// The peer is told the bits per key, never a rate: the fewest that keep it.
std::uint64_t bits_per_key_for(double fpr) {
  std::uint64_t bits = 1;
  while (bits < most_bits_per_key && math::bloom_fpr_approximate(bits << 20, probes_for(bits), 1 << 20) > fpr) ++bits;
  return bits;
}

probe_shape shape_of(std::uint64_t keys, std::uint64_t bits_per_key) {
  return {.bits = round_up(std::max<std::uint64_t>(64, keys * bits_per_key), 8), .probes = probes_for(bits_per_key)};
}

result<probe_shape> shape_of(const make_options& options) {
  const auto bits_per_key = field_of(options, "bits-per-key");
  if (!bits_per_key) {
    return shape_for(format, options,
                     [](const target& asked) { return shape_of(asked.capacity, bits_per_key_for(asked.fpr)); });
  }
  if (options.shape.size() != 1 || options.target.capacity == 0 || *bits_per_key < 1 ||
      *bits_per_key > most_bits_per_key) {
    return {errc::invalid_argument, "leveldb: bits-per-key is from 1 to " + std::to_string(most_bits_per_key) +
                                        ", and goes with a capacity alone"};
  }
  if (auto sane = bloom_shape::plan(options.target); !sane) return sane.error();
  return shape_of(options.target.capacity, *bits_per_key);
}

result<any_filter> make(const make_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  auto shape = shape_of(options);
  if (!shape) return shape.error();
  if (shape->bits % 8 != 0 || shape->probes > most_probes) {
    return error{errc::invalid_argument, "leveldb: bits is " + std::to_string(shape->bits) + " and probes " +
                                             std::to_string(shape->probes) +
                                             "; whole bytes and at most 30 are written"};
  }
  auto f = growing::make(*shape, hash());
  if (!f) return f.error();
  return any_filter(std::move(*f), format.name,
                    [](const growing& made, const sink& out) { return write_bits(made.engine(), out); });
}

// A table's magic is certain. A filter by itself has nothing but a k that only it could have.
// A list of words ends with a line feed, which would be ten probes; bits at random are hardly ever letters alone.
bool is_text(const source& from) {
  const auto bytes = byte_reader(from).bytes(std::min<std::uint64_t>(from.size, 1024));
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) {
    return (b >= std::byte{0x20} && b < std::byte{0x7f}) || b == std::byte{'\n'} || b == std::byte{'\r'} ||
           b == std::byte{'\t'};
  });
}

detection detect(const source& from) {
  if (table_magic(from) == leveldb_magic) return detection::certain;
  if (from.size < 9) return detection::no;  // 64 bits are the least
  const std::uint8_t probes = byte_reader(from, from.size - 1).u8();
  return probes >= 1 && probes <= most_probes && !is_text(from) ? detection::possible : detection::no;
}

}  // namespace

constinit const format_row format{
    .name = "leveldb",
    .summary = "LevelDB's Bloom filters: one, or a whole table",
    .can = {.verifies = true, .parts = true},
    .detect = detect,
    .open = open,
    .make = make,
};

}  // namespace seen::inline v1::leveldb
