// Guava's BloomFilter, as its writeTo has it.
//
//   strategy i8 │ k u8 │ longs i32be │ longs u64be, bit i in long i/64, mask 1 << (i % 64)
//
//   (h1, h2) = MurmurHash3 x64 128 of what the funnel emits; m = 64·longs
//   strategy 1 (MURMUR128_MITZ_64)   position i = ((h1 + i·h2) & 2^63-1) mod m, i = 0 .. k-1
//   strategy 0 (MURMUR128_MITZ_32)   the halves of h1 as 32-bit sums, i = 1 .. k, ~ where negative
//
// The funnel is not recorded: `keys` says it. bytes and utf8 take the key as it is, utf16 is unencodedCharsFunnel, long
// and int take an integer. No magic and no checksum. docs/formats/guava.md.
#include <seen/hash/murmur3.hpp>

#include <cmath>

#include "formats/evidence.hpp"
#include "formats/foreign.hpp"
#include "formats/hashing/key_forms.hpp"

namespace seen::inline v1::guava {

extern const format_row format;

namespace {

using namespace foreign;

using mitz_64 = sum_bloom<without_sign>;
using mitz_32 = sum_bloom<complement_if_negative_32>;

constexpr std::array<std::string_view, 2> variants{"MURMUR128_MITZ_64", "MURMUR128_MITZ_32"};
constexpr std::array<std::string_view, 5> keys{"bytes", "utf8", "utf16", "long", "int"};

constexpr std::uint64_t header_bytes = 6;

// What the strategies make of the two words of a key.
struct words_64 {
  static digest_pair of(std::array<std::uint64_t, 2> words) noexcept { return {words[0], words[1]}; }
};
struct words_32 {  // a + i·b from i = 1, in 32 bits
  static digest_pair of(std::array<std::uint64_t, 2> words) noexcept {
    const digest_pair halves = halves_of(words[0]);
    return {halves.a + halves.b, halves.b};
  }
};

template <class Words>
struct of_bytes {
  digest_pair operator()(bytes_view key) const noexcept { return Words::of(murmur3_x64_128_words(key)); }
};
template <class Words>
struct of_utf16 {
  digest_pair operator()(bytes_view key) const noexcept { return Words::of(murmur3_x64_128_of_utf16(key)); }
};

template <class F>
constexpr std::uint8_t strategy_of = std::same_as<F, mitz_64> ? 1 : 0;

template <class F>
result<void> write(const F& f, const sink& out) {
  const std::uint64_t longs = f.bits() / 64;
  return byte_writer(out)
      .u8(strategy_of<F>)
      .u8(f.probes())
      .be(static_cast<std::uint32_t>(longs))
      .bits(f.engine().bytes(), 8 * longs, word_order::big)
      .finish();
}

template <class F>
any_filter wrapped(F f, key_form form) {
  return any_filter(std::move(f), format.name,
                    {.variant = std::string(strategy_of<F> == 1 ? variants[0] : variants[1]), .accepts = form},
                    write<F>);
}

// Calls use with the strategy's filter type and what it makes of words.
template <class Use>
auto with_strategy(bool is_64, Use use) {
  return is_64 ? use.template operator()<mitz_64>(words_64()) : use.template operator()<mitz_32>(words_32());
}

template <class F, class Words>
typename F::hash_type hash_for(std::string_view keys_are, Words) {
  const hash_identity identity = named(hash_id::murmur3_x64_128);
  if (keys_are == "utf16") return {of_utf16<Words>(), identity};
  if (keys_are == "int") return {of_int<of_bytes<Words>>(), identity};
  return {of_bytes<Words>(), identity};
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  byte_reader in(from);
  const auto strategy = in.le<std::int8_t>();
  const std::uint64_t probes = in.u8(), longs = in.be<std::uint32_t>();
  if (auto ok = in.check("the header"); !ok) return ok.error();
  if (strategy != 0 && strategy != 1) {
    return error{errc::corrupt, from.name + ": offset 0: strategy " + std::to_string(strategy) + " is neither 0 nor 1"};
  }
  if (8 * longs != in.remaining() || longs > 0x7fff'ffff) {
    return in.corrupt(std::to_string(longs) + " longs are announced; " + std::to_string(in.remaining()) +
                      " bytes follow");
  }
  auto shape = probe_shape::make(64 * longs, probes);
  if (!shape) return in.about(shape.error());
  auto bits = read_bits(in, 8 * longs, shape->bits, word_order::big);
  if (!bits) return bits.error();
  const std::string_view keys_are = options.key_type;
  return with_strategy(strategy == 1, [&]<class F>(auto function) -> result<any_filter> {
    auto f = bloom_over<F>(*shape, std::move(*bits), hash_for<F>(keys_are, function));
    if (!f) return in.about(f.error());
    return wrapped(std::move(*f), form_of(keys_are));
  });
}

// m = -n ln p / (ln 2)^2, truncated, in whole longs; k = -ln p / ln 2, rounded, as releases from 33.4.0 have it.
probe_shape sizing(const target& asked) {
  const double ln2 = std::log(2.0);
  const double bits = -static_cast<double>(asked.capacity) * std::log(asked.fpr) / (ln2 * ln2);
  const double probes = std::floor(-std::log(asked.fpr) / ln2 + 0.5);
  return {.bits = std::max<std::uint64_t>(1, ceil_div(static_cast<std::uint64_t>(bits), 64)) * 64,
          .probes = static_cast<std::uint32_t>(std::max(1.0, probes))};
}

result<any_filter> make(const make_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  auto shape = shape_for(format, options, sizing);
  if (!shape) return shape.error();
  if (shape->bits % 64 != 0 || shape->bits / 64 > 0x7fff'ffff) {
    return error{errc::invalid_argument, "guava: bits is " + std::to_string(shape->bits) +
                                             "; it must be a multiple of 64, of at most 2^31 - 1 longs"};
  }
  return with_strategy(options.variant != variants[1], [&]<class F>(auto function) -> result<any_filter> {
    auto f = F::make(*shape, hash_for<F>(options.key_type, function));
    if (!f) return f.error();
    return wrapped(std::move(*f), form_of(options.key_type));
  });
}

// A strategy, a k and the one length that the header allows: small numbers, and no proof. With a k that no sizing gives they
// may be anybody's.
detection detect(const source& from) {
  byte_reader in(from);
  const std::uint8_t strategy = in.u8(), probes = in.u8();
  const std::uint64_t longs = in.be<std::uint32_t>();
  const bool fits = strategy <= 1 && probes != 0 && longs != 0 && from.size == header_bytes + 8 * longs;
  if (!fits) return detection::no;
  const detection best = is_sized(64 * longs, probes) ? detection::likely : detection::fitting;
  return evidence(from).fixed(0, 1).fixed(2, 4).weigh(best);
}

}  // namespace

constinit const format_row format{
    .name = "guava",
    .summary = "Guava's BloomFilter (Java), both strategies",
    .can = {.adds = true},
    .variants = variants,
    .key_types = keys,
    .detect = detect,
    .open = open,
    .make = make,
};

}  // namespace seen::inline v1::guava
