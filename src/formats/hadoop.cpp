// Hadoop's filters (org.apache.hadoop.util.bloom), as their Writable.write has them. All integers are big-endian.
//
//   header    -1 i32 │ k i32 │ hash u8: 0 Jenkins, 1 Murmur │ m i32        now
//             k i32 │ m i32                                               before; Jenkins
//   bloom     header │ ceil(m/8) bytes, bit i in byte i/8, mask 1 << (i % 8)
//   counting  header │ ceil(m/16) u64, counter j in bits 4·(j % 16) … + 3 of word j/16
//   dynamic   header │ keys per row i32 │ keys of the last row i32 │ rows i32 │ that many whole bloom filters
//
//   v = 0;  k times:  v = hash(key, seed v) in 32 bits, signed;  position = |v rem m|
//
// Which of the three it is shows in its length. Empty keys are refused. docs/formats/hadoop.md.
#include <cmath>

#include "formats/engines/chain.hpp"
#include "formats/engines/nonempty.hpp"
#include "formats/engines/packed_counters.hpp"
#include "formats/evidence.hpp"
#include "formats/foreign.hpp"
#include "hash/lookup3.hpp"
#include "hash/murmur2_32.hpp"

namespace seen::inline v1::hadoop {

extern const format_row format;

namespace {

using namespace foreign;

using list = of_nonempty<digest_list<std::uint32_t, 32>>;
using rule = list_rule<list>;
using row_engine = engines::bloom_engine<rule, plain_access>;

template <class Engine>
using filter_of = filter<nonempty_engine<Engine>, foreign_hash<list>>;

// A row takes so many keys; then comes the next one.
struct rows_of {
  static constexpr bool skips_present = false;
  probe_shape shape;
  std::uint32_t row_keys = 0;
  std::uint32_t last_keys = 0;

  result<void> make_room(std::vector<row_engine>& rows) {
    if (last_keys >= row_keys) {
      auto next = row_engine::make(shape);
      if (!next) return next.error();
      rows.push_back(std::move(*next));
      last_keys = 0;
    }
    ++last_keys;
    return {};
  }
};

using bloom = filter_of<row_engine>;
using counting = filter_of<packed_counter_engine<rule>>;
using dynamic = filter_of<chain_engine<row_engine, rows_of>>;

constexpr std::array<std::string_view, 6> variants{"bloom",         "counting",         "dynamic",
                                                   "bloom-jenkins", "counting-jenkins", "dynamic-jenkins"};
enum class structure : std::uint8_t { bloom, counting, dynamic };

constexpr std::int32_t version = -1;
constexpr std::uint32_t counter_bits = 4;

// --- the header

struct header {
  bool is_old = false;  // the form before there was a version
  bool is_murmur = true;
  std::uint32_t probes = 0, size = 0;

  [[nodiscard]] std::uint64_t bytes() const noexcept { return is_old ? 8 : 13; }
  [[nodiscard]] std::uint64_t bloom_bytes() const noexcept { return ceil_div(size, 8); }
  [[nodiscard]] std::uint64_t counting_bytes() const noexcept { return 8 * ceil_div(size, 16); }
  friend bool operator==(const header&, const header&) = default;
};

result<header> read_header(byte_reader& in) {
  header h;
  const auto first = in.be<std::int32_t>();
  h.is_old = first > 0;
  if (!h.is_old && first != version) return in.corrupt("version " + std::to_string(first) + " is not -1");
  h.probes = h.is_old ? static_cast<std::uint32_t>(first) : in.be<std::uint32_t>();
  const std::uint8_t type = h.is_old ? 0 : in.u8();
  h.is_murmur = type == 1;
  h.size = in.be<std::uint32_t>();
  if (auto ok = in.check("the header"); !ok) return ok.error();
  if (type > 1) return in.corrupt("hash " + std::to_string(type) + " is neither 0 (Jenkins) nor 1 (Murmur)");
  if (h.size > 0x7fff'ffff) return in.corrupt("a size of " + std::to_string(h.size) + " is negative");
  auto shape = probe_shape::make(h.size, h.probes);
  if (!shape) return in.about(shape.error());
  if (h.probes > rule::max_probes) {
    return in.corrupt("it has " + std::to_string(h.probes) + " probes; at most " + std::to_string(rule::max_probes) +
                      " are read");
  }
  return h;
}

void write_header(byte_writer& to, const header& h) {
  if (h.is_old) {
    to.be(h.probes).be(h.size);
  } else {
    to.be(version).be(h.probes).u8(h.is_murmur ? 1 : 0).be(h.size);
  }
}

// --- the hash

// Every hash is the seed of the next.
template <std::uint32_t (*Function)(bytes_view, std::uint32_t) noexcept>
struct iterated {
  std::uint32_t probes;
  list operator()(bytes_view key) const noexcept {
    list d{};
    d.is_none = key.empty();
    std::uint32_t v = 0;
    for (std::uint32_t i = 0; i < probes; ++i) {
      v = Function(key, v);
      d.word[i] = v >> 31 != 0 ? 0 - v : v;  // |v rem m| = |v| mod m
    }
    return d;
  }
};

foreign_hash<list> hash_of(const header& h) {
  if (h.is_murmur) return {iterated<murmur2_32_hadoop>{h.probes}, named(hash_id::murmur2_32_hadoop)};
  return {iterated<lookup3>{h.probes}, named(hash_id::lookup3)};
}

// --- writing

result<void> write(const bloom& f, const header& h, const sink& out) {
  byte_writer to(out);
  write_header(to, h);
  return to.bits(f.engine().bytes(), h.bloom_bytes()).finish();
}
result<void> write(const counting& f, const header& h, const sink& out) {
  byte_writer to(out);
  write_header(to, h);
  return to.bits(f.engine().bytes(), h.counting_bytes(), word_order::big).finish();
}
result<void> write(const dynamic& f, const header& h, const sink& out) {
  const rows_of& growth = f.engine().growth();
  const auto rows = f.engine().links();
  byte_writer to(out);
  write_header(to, h);
  to.be(growth.row_keys).be(growth.last_keys).be(static_cast<std::uint32_t>(rows.size()));
  for (const row_engine& row : rows) {
    write_header(to, h);
    to.bits(row.bytes(), h.bloom_bytes());
  }
  return to.finish();
}

template <class Engine>
any_filter wrapped(Engine engine, const header& h, structure kind) {
  using F = filter_of<Engine>;
  return any_filter(F(nonempty_engine<Engine>(std::move(engine)), hash_of(h)), format.name,
                    {.variant = std::string(variants[static_cast<std::size_t>(kind) + (h.is_murmur ? 0 : 3)])},
                    [h](const F& f, const sink& out) { return write(f, h, out); });
}

// --- reading

probe_shape shape_of(const header& h) {
  return {.bits = h.size, .probes = h.probes};
}

result<row_engine> read_row(byte_reader& in, const header& h) {
  auto bits = read_bits(in, h.bloom_bytes(), h.size);
  if (!bits) return bits.error();
  auto engine = row_engine::over(shape_of(h), std::move(*bits));
  if (!engine) return in.about(engine.error());
  return engine;
}

result<packed_counter_engine<rule>> read_counters(byte_reader& in, const header& h) {
  const counter_shape shape{.counters = h.size, .probes = h.probes, .counter_bits = counter_bits};
  auto words = read_bits(in, h.counting_bytes(), 8 * std::uint64_t{shape.bytes()}, word_order::big);
  if (!words) return words.error();
  auto engine = packed_counter_engine<rule>::over(shape, std::move(*words));
  if (!engine) return in.about(engine.error());
  return engine;
}

// How many rows follow the header of a dynamic filter, and whether the file is as long as they are.
struct row_counts {
  std::uint32_t row_keys = 0, last_keys = 0, rows = 0;
  bool fits = false;
};

row_counts read_counts(byte_reader& in, const header& h) {
  row_counts c;
  c.row_keys = in.be<std::uint32_t>();
  c.last_keys = in.be<std::uint32_t>();
  c.rows = in.be<std::uint32_t>();
  c.fits = in.check("").has_value() && c.rows != 0 && c.row_keys != 0 && c.row_keys <= 0x7fff'ffff &&
           c.last_keys <= 0x7fff'ffff && c.rows <= in.remaining() / (h.bytes() + h.bloom_bytes()) &&
           in.remaining() == c.rows * (h.bytes() + h.bloom_bytes());
  return c;
}

result<chain_engine<row_engine, rows_of>> read_rows(byte_reader& in, const header& h) {
  const row_counts counts = read_counts(in, h);
  if (!counts.fits) return in.corrupt("the rows of a dynamic filter do not fit its length");
  std::vector<row_engine> rows;
  for (std::uint32_t i = 0; i < counts.rows; ++i) {
    auto own = read_header(in);
    if (!own) return own.error();
    if (!(*own == h)) return in.corrupt("row " + std::to_string(i) + " differs in shape or hash from the filter");
    auto row = read_row(in, h);
    if (!row) return row.error();
    rows.push_back(std::move(*row));
  }
  return chain_engine<row_engine, rows_of>(std::move(rows), {shape_of(h), counts.row_keys, counts.last_keys});
}

// Which of the structures the file's length allows. A few sizes would do for a counting and a dynamic filter; the latter
// has whole headers where the other has counters.
std::optional<structure> structure_of(byte_reader in, const header& h) {
  if (in.remaining() == h.bloom_bytes()) return structure::bloom;
  byte_reader ahead = in;
  if (read_counts(ahead, h).fits) {
    const auto row = read_header(ahead);
    if (row && *row == h) return structure::dynamic;
  }
  if (in.remaining() == h.counting_bytes()) return structure::counting;
  return {};
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  byte_reader in(from);
  const auto h = read_header(in);
  if (!h) return h.error();
  const auto kind = structure_of(in, *h);
  if (!kind) {
    return in.corrupt(std::to_string(in.remaining()) + " bytes follow; a bloom filter of this size has " +
                      std::to_string(h->bloom_bytes()) + ", a counting one " + std::to_string(h->counting_bytes()));
  }
  const auto wrap = [&](auto engine) -> result<any_filter> {
    if (!engine) return engine.error();
    return wrapped(std::move(*engine), *h, *kind);
  };
  if (*kind == structure::bloom) return wrap(read_row(in, *h));
  if (*kind == structure::counting) return wrap(read_counters(in, *h));
  return wrap(read_rows(in, *h));
}

// --- making

// As BloomMapFile has it: five hashes, and the rate is a float.
probe_shape sizing(const target& asked) {
  const double k = 5, rate = static_cast<float>(asked.fpr);
  const double bits = std::ceil(-k * static_cast<double>(asked.capacity) / std::log(1 - std::pow(rate, 1 / k)));
  const bool is_sane = bits >= 1 && bits < 0x1p62;  // not where the float is 0 or 1
  return {.bits = static_cast<std::uint64_t>(is_sane ? bits : 0x1p62), .probes = 5};
}

// The keys of a row: named, or the capacity.
result<std::uint32_t> take_row_keys(make_options& options) {
  std::uint64_t keys = options.target.capacity;
  if (const auto given = field_of(options, "row-keys")) {
    keys = *given;
    std::erase_if(options.shape, [](const named_field& each) { return each.name == "row-keys"; });
  }
  if (keys < 1 || keys > 0x7fff'ffff) {
    return {errc::invalid_argument, "hadoop: row-keys is " + std::to_string(keys) + "; it must be from 1 to 2^31 - 1"};
  }
  return static_cast<std::uint32_t>(keys);
}

constexpr std::string_view kind_name(structure kind) {
  if (kind == structure::counting) return counting::kind.name;
  return kind == structure::dynamic ? dynamic::kind.name : bloom::kind.name;
}

result<any_filter> make(const make_options& asked) {
  make_options options = asked;
  const auto found = std::find(variants.begin(), variants.end(), options.variant);
  const std::size_t index = found == variants.end() ? 0 : static_cast<std::size_t>(found - variants.begin());
  const auto kind = static_cast<structure>(index % 3);
  if (auto ok = check_options(format, options, kind_name(kind)); !ok) return ok.error();
  result<std::uint32_t> row_keys = std::uint32_t{0};
  if (kind == structure::dynamic) row_keys = take_row_keys(options);
  if (!row_keys) return row_keys.error();
  auto shape = shape_for(format, options, sizing);
  if (!shape) return shape.error();
  if (shape->bits > 0x7fff'ffff || shape->probes > rule::max_probes) {
    return error{errc::too_large, "hadoop: " + std::to_string(shape->bits) + " bits and " +
                                      std::to_string(shape->probes) + " probes; at most 2^31 - 1 and 32 are possible"};
  }
  const header h{.is_murmur = index < 3, .probes = shape->probes, .size = static_cast<std::uint32_t>(shape->bits)};
  const auto wrap = [&](auto engine) -> result<any_filter> {
    if (!engine) return engine.error();
    return wrapped(std::move(*engine), h, kind);
  };
  if (kind == structure::counting) return wrap(packed_counter_engine<rule>::make({h.size, h.probes, counter_bits}));
  auto row = row_engine::make(*shape);
  if (kind == structure::bloom || !row) return wrap(std::move(row));
  std::vector<row_engine> rows;
  rows.push_back(std::move(*row));
  return wrapped(chain_engine<row_engine, rows_of>(std::move(rows), {*shape, *row_keys, 0}), h, kind);
}

// A version of -1, a hash, a small k and a length that fits. The old header is a k and a length, as anybody's may be.
detection detect(const source& from) {
  byte_reader in(from);
  const auto h = read_header(in);
  if (!h || !structure_of(in, *h)) return detection::no;
  return h->is_old ? detection::fitting : evidence(from).fixed(0, 7).fixed(8, 4).weigh();
}

}  // namespace

constinit const format_row format{
    .name = "hadoop",
    .summary = "Hadoop's bloom, counting and dynamic filters (Writable)",
    .can = {.adds = true},
    .variants = variants,
    .detect = detect,
    .open = open,
    .make = make,
};

}  // namespace seen::inline v1::hadoop
