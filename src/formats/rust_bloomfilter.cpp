// The Rust crate bloomfilter, version 3, as its as_slice has it.
//
//   1 u8 │ bytes u64le │ k u32le │ seed: 32 bytes │ bits, bit i in byte i/8, mask 1 << (i % 8)
//
//   H0, H1 = SipHash-1-3 with the halves of the seed; position i = H0, H1, H0 + 2·H1, … modulo 2^64 - 59 and 8·bytes
//
// What type the keys had is not recorded: `keys` says it. bytes is [u8], which Rust hashes after its length; str has a
// byte 0xff behind it. docs/formats/rust-bloomfilter.md.
#include "formats/rust_bloomfilter.hpp"

#include <seen/hash/murmur3.hpp>

#include "formats/evidence.hpp"
#include "formats/foreign.hpp"

namespace seen::inline v1::rust_bloomfilter {

extern const format_row format;

namespace {

using namespace foreign;
using rust_bloomfilter::seed_bytes;

using bloom_type = filter<rust_bloomfilter::engine, rust_bloomfilter::hash_type>;

constexpr std::array<std::string_view, 2> keys{"bytes", "str"};

any_filter wrapped(bloom_type f, const seed_bytes& seed) {
  return any_filter(std::move(f), format.name, [seed](const bloom_type& now, const sink& out) {
    byte_writer to(out);
    rust_bloomfilter::write_image(to, now.engine(), seed);
    return to.finish();
  });
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  byte_reader in(from);
  auto read = rust_bloomfilter::read_image(in, from.size);
  if (!read) return read.error();
  return wrapped({std::move(read->filter), rust_bloomfilter::hash_with(read->seed, options.key_type == keys[1])},
                 read->seed);
}

// The peer takes 32 random bytes; here they come from a seed, so that the same keys make the same file.
seed_bytes seed_from(std::uint64_t seed) {
  seed_bytes all;
  for (std::size_t i = 0; i < 4; ++i) store_le(all.data() + 8 * i, fmix64(seed + (i + 1) * 0x9e37'79b9'7f4a'7c15));
  return all;
}

result<any_filter> make(const make_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  auto shape = shape_for(format, options, rust_bloomfilter::sizing);
  if (!shape) return shape.error();
  if (shape->bits % 8 != 0) {
    return error{errc::invalid_argument,
                 "rust-bloomfilter: bits is " + std::to_string(shape->bits) + "; it must be a multiple of 8"};
  }
  const seed_bytes seed = seed_from(options.seed);
  auto f = bloom_type::make(*shape, rust_bloomfilter::hash_with(seed, options.key_type == keys[1]));
  if (!f) return f.error();
  return wrapped(std::move(*f), seed);
}

// A version, a length in 64 bits that must be the file's, a k of which three bytes are 0, and 32 bytes of random seeds.
detection detect(const source& from) {
  byte_reader in(from);
  const std::uint64_t version = in.u8(), bytes = in.le<std::uint64_t>(), probes = in.le<std::uint32_t>();
  const bool fits = version == 1 && bytes != 0 && probes != 0 && probes <= max_probes &&
                    from.size > rust_bloomfilter::header_bytes && bytes == from.size - rust_bloomfilter::header_bytes;
  if (!fits) return detection::no;
  return evidence(from).fixed(0, 9).fixed(10, 3).random(13, std::tuple_size_v<seed_bytes>).weigh();
}

}  // namespace

constinit const format_row format{
    .name = "rust-bloomfilter",
    .summary = "the Rust crate bloomfilter",
    .can = {.adds = true, .seeds = true},
    .key_types = keys,
    .detect = detect,
    .open = open,
    .make = make,
};

}  // namespace seen::inline v1::rust_bloomfilter
