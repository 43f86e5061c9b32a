// The Go package phrozen/bloom, as its MarshalBinary has it.
//
//   m u64le │ k u64le │ ceil(m/64) words u64le, bit i in word i/64, mask 1 << (i % 64)
//
//   x = FNV-1a 64(key); position i = (low half of x + i · high half) mod m, i = 0 .. k-1
//
// The hash can be replaced in the peer and is not recorded: `hash` says it. No magic and no checksum.
// docs/formats/phrozen.md.
#include <seen/hash/any_hash.hpp>
#include <seen/hash/fnv1a.hpp>

#include "formats/foreign.hpp"

namespace seen::inline v1::phrozen {

extern const format_row format;

namespace {

using namespace foreign;

using bloom_type = sum_bloom<>;

// The peer's own first; any other with 64 bits and no secret may have been put in its place.
constexpr std::array<std::string_view, 5> hashes{"fnv1a-64", "xxh3-64", "xxh64", "murmur3-x64-128",
                                                 "fnv1a-64-splitmix"};

result<foreign_hash<digest_pair>> hash_called(std::string_view name) {
  auto id = hash_id_from(name.empty() ? hashes[0] : name);
  if (!id) return id.error();
  auto hash = any_hash::make(*id, 0, {});
  if (!hash) return hash.error();
  return foreign_hash<digest_pair>([h = *hash](bytes_view key) noexcept { return halves_of(h(key).value); },
                                   named(*id));
}

std::uint64_t file_bytes(std::uint64_t bits) {
  return 16 + 8 * ceil_div(bits, 64);
}

result<void> write(const bloom_type& f, const sink& out) {
  const std::uint64_t bits = f.shape().bits;
  return byte_writer(out)
      .le(bits)
      .le(std::uint64_t{f.probes()})
      .bits(f.engine().bytes(), 8 * ceil_div(bits, 64))
      .finish();
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  byte_reader in(from);
  const auto bits = in.le<std::uint64_t>(), probes = in.le<std::uint64_t>();
  if (auto ok = in.check("the header"); !ok) return ok.error();
  auto shape = probe_shape::make(bits, probes);
  if (!shape) return in.about(shape.error());
  if (from.size != file_bytes(bits)) {
    return in.corrupt(std::to_string(bits) + " bits make a file of " + std::to_string(file_bytes(bits)) +
                      " bytes; this one has " + std::to_string(from.size));
  }
  auto body = read_bits(in, in.remaining(), bits);
  if (!body) return body.error();
  auto hash = hash_called(options.hash);
  if (!hash) return hash.error();
  auto f = bloom_over<bloom_type>(*shape, std::move(*body), std::move(*hash));
  if (!f) return in.about(f.error());
  return any_filter(std::move(*f), format.name, write);
}

result<any_filter> make(const make_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  auto shape = shape_for(format, options, rounded_up_phrozen);
  if (!shape) return shape.error();
  auto hash = hash_called(options.hash ? name_of(*options.hash) : std::string_view());
  if (!hash) return hash.error();
  auto f = bloom_type::make(*shape, std::move(*hash));
  if (!f) return f.error();
  return any_filter(std::move(*f), format.name, write);
}

// m, k and words: what anybody would write, and others do. Nothing tells whose hash set the bits.
detection detect(const source& from) {
  byte_reader in(from);
  const auto bits = in.le<std::uint64_t>(), probes = in.le<std::uint64_t>();
  const bool fits = probe_shape::make(bits, probes).has_value() && from.size == file_bytes(bits);
  return fits ? detection::fitting : detection::no;
}

}  // namespace

constinit const format_row format{
    .name = "phrozen",
    .summary = "the Go package phrozen/bloom",
    .can = {.adds = true},
    .hashes = hashes,
    .detect = detect,
    .open = open,
    .make = make,
};

}  // namespace seen::inline v1::phrozen
