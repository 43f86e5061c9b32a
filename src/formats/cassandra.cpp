// Apache Cassandra's filter component of an sstable (Filter.db). Integers are big-endian.
//
//   k i32 │ words i32 │ new: 8·words bytes, bit i in byte i/8, mask 1 << (i % 8)      from sstable version na (4.0)
//                     │ old: words u64, bit i in word i/64                            before
//
//   (h1, h2) = murmur3_x64_128_cassandra(partition key), signed; m = 64·words
//   position i = |(h2 + i·h1) rem m|, i = 0 .. k-1      sstable version ka and older: h1 + i·h2
//
// The file says neither its layout nor its order of the two words; its sstable's version does. Whoever opens it says it:
// `variant` is "new" (unless said) or "old", `hash` is "murmur3-x64-128-cassandra" or "murmur3-x64-128-cassandra-ka".
// docs/formats/cassandra.md.
#include <charconv>
#include <cmath>

#include "formats/foreign.hpp"
#include "hash/murmur3_cassandra.hpp"

namespace seen::inline v1::cassandra {

extern const format_row format;

namespace {

using namespace foreign;

using bloom_type = sum_bloom<magnitude>;

constexpr std::array<std::string_view, 2> variants{"new", "old"};
constexpr std::array<std::string_view, 2> hashes{"murmur3-x64-128-cassandra", "murmur3-x64-128-cassandra-ka"};

constexpr std::uint64_t header_bytes = 8;

struct hash_now {
  digest_pair operator()(bytes_view key) const noexcept {
    const auto [h1, h2] = murmur3_x64_128_cassandra_words(key);
    return {h2, h1};
  }
};
struct hash_ka {  // up to sstable version ka
  digest_pair operator()(bytes_view key) const noexcept {
    const auto [h1, h2] = murmur3_x64_128_cassandra_words(key);
    return {h1, h2};
  }
};

foreign_hash<digest_pair> hash_called(std::string_view name) {
  const hash_identity identity = named(hash_id::murmur3_x64_128_cassandra);
  if (name == hashes[1]) return foreign_hash<digest_pair>(hash_ka(), identity);
  return foreign_hash<digest_pair>(hash_now(), identity);
}

any_filter wrapped(bloom_type f, std::string_view variant) {
  const word_order order = variant == variants[1] ? word_order::big : word_order::little;
  return any_filter(std::move(f), format.name, {.variant = std::string(variant)},
                    [order](const bloom_type& now, const sink& out) {
                      const std::uint64_t words = now.bits() / 64;
                      return byte_writer(out)
                          .be(now.probes())
                          .be(static_cast<std::uint32_t>(words))
                          .bits(now.engine().bytes(), 8 * words, order)
                          .finish();
                    });
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  auto layout = choose("variant", format.name, variants, options.variant);
  if (!layout) return layout.error();
  byte_reader in(from);
  const std::uint64_t probes = in.be<std::uint32_t>(), words = in.be<std::uint32_t>();
  if (auto ok = in.check("the header"); !ok) return ok.error();
  if (8 * words != in.remaining() || words > 0x7fff'ffff) {
    return in.corrupt(std::to_string(words) + " words are announced; " + std::to_string(in.remaining()) +
                      " bytes follow");
  }
  auto shape = probe_shape::make(64 * words, probes);
  if (!shape) return in.about(shape.error());
  auto bits = read_bits(in, 8 * words, shape->bits, *layout == variants[1] ? word_order::big : word_order::little);
  if (!bits) return bits.error();
  auto f = bloom_over<bloom_type>(*shape, std::move(*bits), hash_called(options.hash));
  if (!f) return in.about(f.error());
  return wrapped(std::move(*f), *layout);
}

// --- sizing

// The rate of k positions in b bits per key as Cassandra's table has it: three significant digits of (1 - e^(-k/b))^k, but
// for one entry, which has two.
double table_rate(int bits_per_key, int probes) {
  if (bits_per_key == 5 && probes == 3) return 0.092;
  const double exact = std::pow(1 - std::exp(-static_cast<double>(probes) / bits_per_key), probes);
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), exact, std::chars_format::general, 3);
  double rounded = exact;
  std::from_chars(digits.data(), end.ptr, rounded);
  return rounded;
}

struct table_entry {
  int bits_per_key, probes;
};

// The fewest bits per key that reach the rate, then the fewest probes. A rate that one probe in two bits per key reaches gets
// the two numbers the wrong way round: one bit and two probes.
result<table_entry> look_up(double fpr) {
  if (fpr >= table_rate(2, 1)) return table_entry{1, 2};
  for (int bits = 2; bits <= 20; ++bits) {
    for (int probes = 1; probes <= bits; ++probes) {
      if (table_rate(bits, probes) <= fpr) return table_entry{bits, probes};
    }
  }
  return {errc::invalid_argument, "cassandra: no filter of it has a rate below 6.71e-05"};
}

result<probe_shape> plan(const make_options& options) {
  table_entry entry{};
  if (options.shape.empty()) {
    auto found = look_up(options.target.fpr);
    if (!found) return found.error();
    entry = *found;
  }
  return shape_for(format, options, [&](const target& asked) {
    const std::uint64_t bits = asked.capacity * static_cast<std::uint64_t>(entry.bits_per_key) + 20;
    return probe_shape{.bits = round_up(bits, 64), .probes = static_cast<std::uint32_t>(entry.probes)};
  });
}

result<any_filter> make(const make_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  auto shape = plan(options);
  if (!shape) return shape.error();
  if (shape->bits % 64 != 0 || shape->bits / 64 > 0x7fff'ffff) {
    return error{errc::invalid_argument, "cassandra: bits is " + std::to_string(shape->bits) +
                                             "; it must be a multiple of 64, of at most 2^31 - 1 words"};
  }
  auto f = bloom_type::make(*shape, hash_called({}));
  if (!f) return f.error();
  return wrapped(std::move(*f), options.variant.empty() ? variants[0] : std::string_view(options.variant));
}

// The bits mean the same in both layouts.
conversion convert(any_filter from, std::string_view variant) {
  auto layout = choose("variant", format.name, variants, variant);
  if (!layout) return layout.error();
  bloom_type* const f = from.format() == format.name ? from.get_if<bloom_type>() : nullptr;
  if (f == nullptr) return std::nullopt;
  return wrapped(std::move(*f), *layout);
}

// A k and the one length that the header allows. Which of the layouts it is nobody can tell, so it has to be named anyway.
detection detect(const source& from) {
  byte_reader in(from);
  const std::uint64_t probes = in.be<std::uint32_t>(), words = in.be<std::uint32_t>();
  const bool fits = probe_shape::make(64 * words, probes).has_value() && from.size == header_bytes + 8 * words;
  return fits ? detection::fitting : detection::no;
}

}  // namespace

constinit const format_row format{
    .name = "cassandra",
    .summary = "Apache Cassandra's Filter.db, both layouts",
    .can = {.adds = true, .layouts = true},
    .variants = variants,
    .hashes = hashes,
    .detect = detect,
    .open = open,
    .make = make,
    .convert = convert,
};

}  // namespace seen::inline v1::cassandra
