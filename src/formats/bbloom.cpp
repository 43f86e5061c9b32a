// Files of the Go package AndreasBriese/bbloom.
//
//   {"FilterSet":"<base64>","SetLocs":<k>}     bit i in byte i/8, mask 1 << (i % 8); m = 8·bytes, a power of two from 512
//
//   x = SipHash-2-4 of the key with k0 = 0xdeadbeaf, k1 = 0xfaebdaed;  e = log2 m
//   position i = (x >> (64 - e)) + i·(x mod 2^e) mod m, i from 0
//
// The package's own counter of keys is not in the file. docs/formats/bbloom.md.
#include <seen/hash/siphash.hpp>

#include <bit>
#include <cmath>

#include "formats/encodings/base64.hpp"
#include "formats/encodings/json.hpp"
#include "formats/foreign.hpp"

namespace seen::inline v1::bbloom {

extern const format_row format;

namespace {

using namespace foreign;

using bloom_type = sum_bloom<>;

constexpr std::array<std::string_view, 1> hashes{"siphash-2-4"};
constexpr std::uint64_t least_bits = 512;
constexpr std::string_view beginning = R"({"FilterSet":")";

class fixed_siphash {
 public:
  explicit fixed_siphash(std::uint64_t bits) : exponent_(std::countr_zero(bits)) {
    secret halves{};
    store_le(halves.bytes.data(), std::uint64_t{0xdead'beaf});
    store_le(halves.bytes.data() + 8, std::uint64_t{0xfaeb'daed});
    hash_ = siphash_2_4(halves);
  }
  digest_pair operator()(bytes_view key) const noexcept {
    const std::uint64_t x = hash_(key).value;
    return {x >> (64 - exponent_), x & ((std::uint64_t{1} << exponent_) - 1)};
  }

 private:
  siphash_2_4 hash_{secret{}};
  int exponent_;
};

foreign_hash<digest_pair> hash_for(std::uint64_t bits) {
  return {fixed_siphash(bits), named(hash_id::siphash_2_4)};
}

result<void> write(const bloom_type& f, const sink& out) {
  const bytes_view bits = f.engine().bytes().first(static_cast<std::size_t>(f.bits() / 8));
  return byte_writer(out)
      .text(beginning)
      .text(to_base64(bits))
      .text(R"(","SetLocs":)" + std::to_string(f.probes()) + "}")
      .finish();
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  byte_reader in(from);
  const std::vector<std::byte> raw = in.bytes(from.size);
  if (auto ok = in.check("the text"); !ok) return ok.error();
  auto document = json::parse({reinterpret_cast<const char*>(raw.data()), raw.size()});
  if (!document) return in.about(document.error());
  const json::value *const set = document->find("FilterSet"), *const locations = document->find("SetLocs");
  const auto text = set == nullptr ? std::nullopt : set->as_text();
  const auto probes = locations == nullptr ? std::nullopt : locations->as_u64();
  const auto bits = text ? from_base64(*text) : std::nullopt;
  if (!bits || !probes || document->items.size() != 2) {
    return error{errc::corrupt, from.name + ": the members must be FilterSet, in base64, and SetLocs, a whole number"};
  }
  if (!std::has_single_bit(bits->size()) || bits->size() < least_bits / 8) {
    return error{errc::corrupt, from.name + ": FilterSet has " + std::to_string(bits->size()) +
                                    " bytes; it must be a power of two, of at least 64"};
  }
  auto shape = probe_shape::make(8 * std::uint64_t{bits->size()}, *probes);
  if (!shape) return in.about(shape.error());
  const source decoded = source::of(*bits);
  byte_reader of_bits(decoded);
  auto body = read_bits(of_bits, bits->size(), shape->bits);
  if (!body) return body.error();
  auto f = bloom_over<bloom_type>(*shape, std::move(*body), hash_for(shape->bits));
  if (!f) return in.about(f.error());
  return any_filter(std::move(*f), format.name, write);
}

// m = -n ln p / (ln 2)^2, k = m/n ln 2 rounded up; only then is m raised to a power of two. The peer's ln 2 has 11 digits.
probe_shape sizing(const target& asked) {
  constexpr double ln2 = 0.69314718056;
  const double keys = static_cast<double>(asked.capacity);
  const double bits = -keys * std::log(asked.fpr) / (ln2 * ln2);
  return {.bits = std::max(static_cast<std::uint64_t>(bits), least_bits),
          .probes = static_cast<std::uint32_t>(std::ceil(ln2 * bits / keys))};
}

result<any_filter> make(const make_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  auto shape = shape_for(format, options, sizing);
  if (!shape) return shape.error();
  shape->bits = std::bit_ceil(std::max(shape->bits, least_bits));  // of what was asked for, too
  auto f = bloom_type::make(*shape, hash_for(shape->bits));
  if (!f) return f.error();
  return any_filter(std::move(*f), format.name, write);
}

// Both names, each where it must be.
detection detect(const source& from) {
  std::array<std::byte, 32> ends{};
  if (from.size < beginning.size() + ends.size()) return detection::no;
  const auto text = [&](std::uint64_t offset, std::size_t size) -> std::string_view {
    if (!from.read(offset, std::span(ends).first(size))) return {};
    return {reinterpret_cast<const char*>(ends.data()), size};
  };
  if (text(0, beginning.size()) != beginning) return detection::no;
  const std::string_view end = text(from.size - ends.size(), ends.size());
  return end.find(R"(","SetLocs":)") != std::string_view::npos ? detection::certain : detection::no;
}

}  // namespace

constinit const format_row format{
    .name = "bbloom",
    .summary = "the Go package AndreasBriese/bbloom: JSON",
    .can = {.adds = true},
    .hashes = hashes,
    .detect = detect,
    .open = open,
    .make = make,
};

}  // namespace seen::inline v1::bbloom
