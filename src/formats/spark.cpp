// Apache Spark's BloomFilter (common/sketch), as its writeTo has it. All integers are big-endian.
//
//   V1   1 i32 │ k i32 │ words i32 │ words u64, bit i in word i/64, mask 1 << (i % 64)
//   V2   2 i32 │ k i32 │ seed i32 │ words i32 │ words u64
//
//   h1 = murmur3_x86_32_spark(key, seed), h2 = the same with seed h1, both signed; V1 has seed 0; m = 64·words
//   V1   position i = h1 + i·h2 in 32 bits, i = 1 .. k, ~ where negative, mod m
//   V2   c = h1·(2^31 - 1) in 64 bits; position i = c + i·h2, i = 1 .. k, ~ where negative, mod m
//
// Binary, text (UTF-8) and long keys hash to the same function of their bytes. docs/formats/spark.md.
#include <cmath>

#include "formats/evidence.hpp"
#include "formats/foreign.hpp"
#include "formats/hashing/key_forms.hpp"
#include "hash/murmur3_x86_32.hpp"

namespace seen::inline v1::spark {

extern const format_row format;

namespace {

using namespace foreign;

using bloom_v1 = sum_bloom<complement_if_negative_32>;
using bloom_v2 = sum_bloom<complement_if_negative>;

constexpr std::array<std::string_view, 2> variants{"V1", "V2"};
constexpr std::array<std::string_view, 3> keys{"bytes", "utf8", "long"};

template <class F>
constexpr std::uint32_t version_of = std::same_as<F, bloom_v1> ? 1 : 2;

std::uint64_t wide(std::uint32_t x) {
  return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(x)});
}

struct hash_v1 {
  digest_pair operator()(bytes_view key) const noexcept {
    const std::uint32_t h1 = murmur3_x86_32_spark(key, 0), h2 = murmur3_x86_32_spark(key, h1);
    return {h1 + h2, h2};
  }
};
struct hash_v2 {
  std::uint32_t seed;
  digest_pair operator()(bytes_view key) const noexcept {
    const std::uint32_t h1 = murmur3_x86_32_spark(key, seed), h2 = murmur3_x86_32_spark(key, h1);
    return {wide(h1) * 0x7fff'ffff + wide(h2), wide(h2)};
  }
};

// Calls use with the version's filter type and its hash function.
template <class Use>
auto with_version(std::uint32_t version, std::uint32_t seed, Use use) {
  return version == 1 ? use.template operator()<bloom_v1>(hash_v1()) : use.template operator()<bloom_v2>(hash_v2{seed});
}

template <class F, class Function>
typename F::hash_type hash_for(Function function, std::uint32_t seed) {
  return typename F::hash_type(function, named(hash_id::murmur3_x86_32_spark, seed));
}

template <class F>
result<void> write(const F& f, const sink& out) {
  const std::uint64_t words = f.bits() / 64;
  byte_writer to(out);
  to.be(version_of<F>).be(f.probes());
  if (version_of<F> == 2) to.be(static_cast<std::uint32_t>(f.hash().seed()));
  return to.be(static_cast<std::uint32_t>(words)).bits(f.engine().bytes(), 8 * words, word_order::big).finish();
}

template <class F>
any_filter wrapped(F f, std::string_view keys_are) {
  return any_filter(std::move(f), format.name,
                    {.variant = std::string(variants[version_of<F> - 1]), .accepts = form_of(keys_are)}, write<F>);
}

struct header {
  std::uint32_t version, seed;
  std::uint64_t probes, words;
};

header read_header(byte_reader& in) {
  header h{};
  h.version = in.be<std::uint32_t>();
  h.probes = in.be<std::uint32_t>();
  if (h.version == 2) h.seed = in.be<std::uint32_t>();
  h.words = in.be<std::uint32_t>();
  return h;
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  byte_reader in(from);
  const header h = read_header(in);
  if (auto ok = in.check("the header"); !ok) return ok.error();
  if (h.version != 1 && h.version != 2) {
    return error{errc::corrupt, from.name + ": offset 0: version " + std::to_string(h.version) + " is neither 1 nor 2"};
  }
  if (8 * h.words != in.remaining() || h.words > 0x7fff'ffff) {
    return in.corrupt(std::to_string(h.words) + " words are announced; " + std::to_string(in.remaining()) +
                      " bytes follow");
  }
  auto shape = probe_shape::make(64 * h.words, h.probes);
  if (!shape) return in.about(shape.error());
  auto bits = read_bits(in, 8 * h.words, shape->bits, word_order::big);
  if (!bits) return bits.error();
  return with_version(h.version, h.seed, [&]<class F>(auto function) -> result<any_filter> {
    auto f = bloom_over<F>(*shape, std::move(*bits), hash_for<F>(function, h.seed));
    if (!f) return in.about(f.error());
    return wrapped(std::move(*f), options.key_type);
  });
}

// m = -n ln p / (ln 2)^2, truncated; k = m/n ln 2, rounded; the array has whole words, the model does not know of them.
probe_shape sizing(const target& asked) {
  const double ln2 = std::log(2.0), n = static_cast<double>(asked.capacity);
  const double bits = std::trunc(-n * std::log(asked.fpr) / (ln2 * ln2));
  const double probes = std::floor(bits / n * ln2 + 0.5);
  return {.bits = std::max<std::uint64_t>(1, ceil_div(static_cast<std::uint64_t>(bits), 64)) * 64,
          .probes = static_cast<std::uint32_t>(std::max(1.0, probes))};
}

result<any_filter> make(const make_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  const std::uint32_t version = options.variant == variants[1] ? 2 : 1;
  if (options.seed > (version == 2 ? 0xffff'ffff : 0)) {
    return error{errc::invalid_argument,
                 "spark: the seed is " + std::to_string(options.seed) + "; V1 has none, that of V2 has 32 bits"};
  }
  auto shape = shape_for(format, options, sizing);
  if (!shape) return shape.error();
  if (shape->bits % 64 != 0 || shape->bits / 64 > 0x7fff'ffff) {
    return error{errc::invalid_argument, "spark: bits is " + std::to_string(shape->bits) +
                                             "; it must be a multiple of 64, of at most 2^31 - 1 words"};
  }
  const auto seed = static_cast<std::uint32_t>(options.seed);
  return with_version(version, seed, [&]<class F>(auto function) -> result<any_filter> {
    auto f = F::make(*shape, hash_for<F>(function, seed));
    if (!f) return f.error();
    return wrapped(std::move(*f), options.key_type);
  });
}

// A version, a k and the one length that the header allows: small numbers, and no proof. With a k that no sizing gives they
// may be anybody's.
detection detect(const source& from) {
  byte_reader in(from);
  const header h = read_header(in);
  const bool fits = (h.version == 1 || h.version == 2) && h.words != 0 && h.words <= 0x7fff'ffff && h.probes != 0 &&
                    h.probes <= max_probes && in.check("").has_value() && in.remaining() == 8 * h.words;
  if (!fits) return detection::no;
  return evidence(from)
      .fixed(0, 7)
      .fixed(in.offset() - 4, 4)
      .weigh(is_sized(64 * h.words, h.probes) ? detection::likely : detection::fitting);
}

}  // namespace

constinit const format_row format{
    .name = "spark",
    .summary = "Apache Spark's BloomFilter, V1 and V2",
    .can = {.adds = true, .seeds = true},
    .variants = variants,
    .key_types = keys,
    .detect = detect,
    .open = open,
    .make = make,
};

}  // namespace seen::inline v1::spark
