// Apache DataSketches' bloom_filter, as its serialize has it. All integers are little-endian.
//
//   longs of the header u8: 3 empty, 4 │ 1 u8 │ family u8: 21 │ flags u8: 4 empty │ k u16 │ unused u16 │ seed u64 │
//   words u32 │ unused u32 │ and, unless it is empty: set bits u64, all ones where unknown │ 8·words bytes
//
//   h0 = XXH64(key, seed), h1 = XXH64(key, h0); m = 64·words
//   position i = ((h0 + i·h1) >> 1) mod m, i = 1 .. k
//
// An empty filter keeps its size and has no bits in its file. Empty keys are refused. docs/formats/datasketches.md.
#include <seen/hash/xxh64.hpp>

#include <bit>
#include <cmath>
#include <limits>

#include "formats/engines/nonempty.hpp"
#include "formats/evidence.hpp"
#include "formats/foreign.hpp"
#include "formats/hashing/key_forms.hpp"

namespace seen::inline v1::datasketches {

extern const format_row format;

namespace {

using namespace foreign;

using pair_type = of_nonempty<digest_pair>;
using engine_type = nonempty_engine<engines::bloom_engine<sum_rule<half_of, pair_type>, plain_access>>;
using bloom_type = filter<engine_type, foreign_hash<pair_type>>;

constexpr std::array<std::string_view, 4> keys{"bytes", "utf8", "long", "double"};

constexpr std::uint8_t version = 1, family = 21, empty_flag = 4;
constexpr std::uint64_t empty_bytes = 24, full_bytes = 32;
constexpr std::uint64_t unknown = ~std::uint64_t{0};
// An empty filter of a few bytes may stand for a large one; so much is believed in any case, and this at most.
constexpr std::uint64_t least_empty_bytes = 1000 * empty_bytes, most_empty_bytes = std::uint64_t{1} << 26;

struct hash_function {
  std::uint64_t seed;
  pair_type operator()(bytes_view key) const noexcept {
    const std::uint64_t h0 = xxh64(seed)(key).value, h1 = xxh64(h0)(key).value;
    return {{h0 + h1, h1}, key.empty()};
  }
};

// There is one zero and one NaN.
struct hash_of_double {
  hash_function function;
  pair_type operator()(bytes_view key) const noexcept {
    if (key.size() != 8) return function(key);
    const auto value = std::bit_cast<double>(load_le<std::uint64_t>(key.data()));
    std::array<std::byte, 8> one;
    store_le(one.data(), value == 0          ? 0
                         : std::isnan(value) ? 0x7ff8'0000'0000'0000
                                             : std::bit_cast<std::uint64_t>(value));
    return function(one);
  }
};

foreign_hash<pair_type> hash_for(std::string_view keys_are, std::uint64_t seed) {
  const hash_identity identity = named(hash_id::xxh64, seed);
  if (keys_are == "double") return foreign_hash<pair_type>(hash_of_double{{seed}}, identity);
  return foreign_hash<pair_type>(hash_function{seed}, identity);
}

// The rest of the file, beside k, seed and words. `stated` is its number of set bits, `counted` is ours when it was opened.
struct header {
  std::uint8_t longs = 4, version = datasketches::version, family = datasketches::family, flags = 0;
  std::uint16_t probes = 0, unused_16 = 0;
  std::uint64_t seed = 0;
  std::uint32_t words = 0, unused_32 = 0;
  std::uint64_t stated = unknown, counted = 0;

  [[nodiscard]] bool is_empty() const noexcept { return (flags & empty_flag) != 0; }
};

header read_header(byte_reader& in) {
  header h;
  h.longs = in.u8();
  h.version = in.u8();
  h.family = in.u8();
  h.flags = in.u8();
  h.probes = in.le<std::uint16_t>();
  h.unused_16 = in.le<std::uint16_t>();
  h.seed = in.le<std::uint64_t>();
  h.words = in.le<std::uint32_t>();
  h.unused_32 = in.le<std::uint32_t>();
  return h;
}

// The peer does not count while it adds: what was changed has an unknown number of set bits, nothing set is empty.
result<void> write(const bloom_type& f, header h, const sink& out) {
  const std::uint64_t counted = f.engine().census();
  if (counted != h.counted) {
    h.stated = unknown;
    h.flags = static_cast<std::uint8_t>(counted == 0 ? h.flags | empty_flag : h.flags & ~empty_flag);
    h.longs = counted == 0 ? 3 : 4;
  }
  byte_writer to(out);
  to.u8(h.longs).u8(h.version).u8(h.family).u8(h.flags).le(h.probes).le(h.unused_16);
  to.le(h.seed).le(h.words).le(h.unused_32);
  if (!h.is_empty()) to.le(h.stated).bits(f.engine().bytes(), 8 * std::uint64_t{h.words});
  return to.finish();
}

any_filter wrapped(bloom_type f, header h, std::string_view keys_are) {
  h.counted = f.engine().census();
  return any_filter(std::move(f), format.name, {.accepts = form_of(keys_are)},
                    [h](const bloom_type& now, const sink& out) { return write(now, h, out); });
}

result<void> check(const byte_reader& in, const header& h, const open_options& options) {
  if (h.version != version || h.family != family) {
    return in.corrupt("version " + std::to_string(h.version) + " of family " + std::to_string(h.family) +
                      " is not version 1 of family 21");
  }
  if (h.longs != (h.is_empty() ? 3 : 4)) {
    return in.corrupt("the header says " + std::to_string(h.longs) + " longs and " +
                      (h.is_empty() ? "an empty filter" : "a full one"));
  }
  const std::uint64_t bytes = 8 * std::uint64_t{h.words};
  if (!h.is_empty()) {
    if (in.remaining() == bytes + 8) return {};
    return in.corrupt(std::to_string(h.words) + " words and their count are announced; " +
                      std::to_string(in.remaining()) + " bytes follow");
  }
  if (auto end = in.check_end(); !end) return end;
  const std::uint64_t most = std::clamp(options.max_bytes, least_empty_bytes, most_empty_bytes);
  if (bytes <= most) return {};
  return in.corrupt("an empty filter of " + std::to_string(bytes) + " bytes is announced; at most " +
                    std::to_string(most) + " are believed");
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  byte_reader in(from);
  header h = read_header(in);
  if (auto ok = in.check("the header"); !ok) return ok.error();
  if (auto ok = check(in, h, options); !ok) return ok.error();
  auto shape = probe_shape::make(64 * std::uint64_t{h.words}, h.probes);
  if (!shape) return in.about(shape.error());
  if (!h.is_empty()) h.stated = in.le<std::uint64_t>();
  auto bits = read_bits(in, in.remaining(), shape->bits);
  if (!bits) return bits.error();
  auto f = bloom_over<bloom_type>(*shape, std::move(*bits), hash_for(options.key_type, h.seed));
  if (!f) return in.about(f.error());
  return wrapped(std::move(*f), h, options.key_type);
}

// Both rounded up, the bits to whole words.
probe_shape sizing(const target& asked) {
  const double ln2 = std::log(2.0), n = static_cast<double>(asked.capacity);
  const double bits = std::ceil(-n * std::log(asked.fpr) / (ln2 * ln2));
  return {.bits = round_up(static_cast<std::uint64_t>(bits), 64),
          .probes = static_cast<std::uint32_t>(std::ceil(-std::log(asked.fpr) / ln2))};
}

result<any_filter> make(const make_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  auto shape = shape_for(format, options, sizing);
  if (!shape) return shape.error();
  if (shape->bits % 64 != 0 || shape->bits >= std::uint64_t{1} << 32) {
    return error{errc::invalid_argument,
                 "datasketches: bits is " + std::to_string(shape->bits) +
                     "; it must be a multiple of 64 below 2^32, from where on the peer misreads"};
  }
  header h{.longs = 3, .flags = empty_flag};
  h.probes = static_cast<std::uint16_t>(shape->probes);
  h.seed = options.seed;
  h.words = static_cast<std::uint32_t>(shape->bits / 64);
  auto f = bloom_type::make(*shape, hash_for(options.key_type, options.seed));
  if (!f) return f.error();
  return wrapped(std::move(*f), h, options.key_type);
}

// A preamble of version, family and flags, and the one length that the header allows. The number of set bits is stated, or
// eight times 255; in a small file it is compared.
detection detect(const source& from) {
  constexpr std::uint64_t most_counted = std::uint64_t{1} << 20;
  byte_reader in(from);
  const header h = read_header(in);
  const std::uint64_t size = h.is_empty() ? empty_bytes : full_bytes + 8 * std::uint64_t{h.words};
  const bool fits = h.longs == (h.is_empty() ? 3 : 4) && h.version == version && h.family == family &&
                    (h.flags & ~empty_flag) == 0 && h.probes != 0 && h.probes <= max_probes && h.unused_16 == 0 &&
                    h.words != 0 && h.unused_32 == 0 && from.size == size;
  if (!fits) return detection::no;
  evidence proof(from);
  proof.fixed(0, 4).fixed(5, 3).fixed(16, 8);
  if (h.is_empty()) return proof.weigh();
  const auto stated = in.le<std::uint64_t>();
  std::uint64_t counted = stated;
  if (stated != unknown && from.size <= most_counted) {
    counted = 0;
    for (const std::byte b : in.bytes(in.remaining())) {
      counted += static_cast<std::uint64_t>(std::popcount(std::to_integer<unsigned>(b)));
    }
    if (counted == stated) proof.fixed(24, 8);
  }
  if (stated == unknown) proof.fixed(24, 8);
  return proof.weigh();
}

}  // namespace

constinit const format_row format{
    .name = "datasketches",
    .summary = "Apache DataSketches' bloom_filter",
    .can = {.adds = true, .seeds = true},
    .key_types = keys,
    .detect = detect,
    .open = open,
    .make = make,
};

}  // namespace seen::inline v1::datasketches
