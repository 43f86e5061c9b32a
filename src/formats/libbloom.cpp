// libbloom 2's filter, as its bloom_save has it: an image of a C struct of a 64-bit machine. Little-endian.
//
//   "libbloom2" │ 64 u16 │ the struct:
//     0 entries u32   8 bits u64   16 bytes u64   24 k u8   32 rate f64   40 ready, major, minor u8   48 bits per key f64
//     56 a pointer, dead
//   bytes bytes, bit i in byte i/8, mask 1 << (i % 8)
//
//   a = murmur2_32(key, 0x9747b28c), b = murmur2_32(key, a); position i = (a + i·b) mod bits, i = 0 .. k-1
//
// docs/formats/libbloom.md.
#include <cmath>

#include "formats/foreign.hpp"
#include "hash/murmur2_32.hpp"

namespace seen::inline v1::libbloom {

extern const format_row format;

namespace {

using namespace foreign;

using bloom_type = sum_bloom<>;

constexpr std::string_view magic = "libbloom2";
constexpr std::size_t struct_bytes = 64;
constexpr std::uint64_t header_bytes = magic.size() + 2 + struct_bytes;

// The struct as it lies in the file: its padding and its pointer are written back as they came.
using image = std::array<std::byte, struct_bytes>;
namespace at {
constexpr std::size_t entries = 0, bits = 8, bytes = 16, probes = 24, rate = 32, ready = 40, major = 41,
                      bits_per_key = 48;
}  // namespace at

foreign_hash<digest_pair> hash() {
  const auto function = [](bytes_view key) noexcept -> digest_pair {
    const std::uint32_t a = murmur2_32(key, 0x9747'b28c);
    return {a, murmur2_32(key, a)};
  };
  return foreign_hash<digest_pair>(function, named(hash_id::murmur2_32, 0x9747'b28c));
}

any_filter wrapped(bloom_type f, const image& fields) {
  return any_filter(std::move(f), format.name, [fields](const bloom_type& now, const sink& out) {
    return byte_writer(out)
        .text(magic)
        .le(static_cast<std::uint16_t>(struct_bytes))
        .bytes(fields)
        .bits(now.engine().bytes(), ceil_div(now.bits(), 8))
        .finish();
  });
}

target asked_of(const image& fields) {
  const auto rate = std::bit_cast<double>(load_le<std::uint64_t>(fields.data() + at::rate));
  return {.capacity = load_le<std::uint32_t>(fields.data() + at::entries), .fpr = rate > 0 && rate < 1 ? rate : 0};
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  byte_reader in(from);
  const std::vector<std::byte> begin = in.bytes(magic.size());
  const auto size = in.le<std::uint16_t>();
  image fields{};
  in.read(fields);
  if (auto ok = in.check("the header"); !ok) return ok.error();
  if (!std::ranges::equal(begin, std::as_bytes(std::span(magic)))) {
    return error{errc::corrupt, from.name + ": offset 0: does not begin with " + std::string(magic)};
  }
  if (size != struct_bytes) {
    return error{errc::unsupported, from.name + ": its struct has " + std::to_string(size) + " bytes; only the " +
                                        std::to_string(struct_bytes) + " of 64-bit machines are read"};
  }
  const auto bits = load_le<std::uint64_t>(fields.data() + at::bits);
  const auto bytes = load_le<std::uint64_t>(fields.data() + at::bytes);
  auto shape = probe_shape::make(bits, std::to_integer<std::uint64_t>(fields[at::probes]));
  if (!shape) return in.about(shape.error());
  if (bytes != ceil_div(bits, 8) || bytes != in.remaining()) {
    return in.corrupt(std::to_string(bits) + " bits in " + std::to_string(bytes) + " bytes are announced; " +
                      std::to_string(in.remaining()) + " follow");
  }
  auto body = read_bits(in, bytes, bits);
  if (!body) return body.error();
  auto engine = bloom_type::engine_type::over(*shape, std::move(*body));
  if (!engine) return in.about(engine.error());
  return wrapped(bloom_type(std::move(*engine), hash(), asked_of(fields)), fields);
}

// Its logarithms of 2 have 15 digits.
double bits_per_key(double fpr) {
  return -std::log(fpr) / 0.480453013918201;
}

probe_shape sizing(const target& asked) {
  const double per_key = bits_per_key(asked.fpr);
  return {.bits = static_cast<std::uint64_t>(static_cast<double>(asked.capacity) * per_key),
          .probes = static_cast<std::uint32_t>(std::ceil(0.693147180559945 * per_key))};
}

// The struct as bloom_init2 leaves it, but for the pointer, which is nobody's business.
image fields_of(const probe_shape& shape, const target& asked) {
  image fields{};
  store_le(fields.data() + at::entries, static_cast<std::uint32_t>(asked.capacity));
  store_le(fields.data() + at::bits, shape.bits);
  store_le(fields.data() + at::bytes, ceil_div(shape.bits, 8));
  fields[at::probes] = static_cast<std::byte>(shape.probes);
  store_le(fields.data() + at::rate, std::bit_cast<std::uint64_t>(asked.fpr));
  fields[at::ready] = std::byte{1};
  fields[at::major] = std::byte{2};
  store_le(fields.data() + at::bits_per_key, std::bit_cast<std::uint64_t>(bits_per_key(asked.fpr)));
  return fields;
}

result<any_filter> make(const make_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  if (!options.shape.empty()) {
    return error{errc::unsupported, "libbloom: its filters are made for a number of keys and a rate only"};
  }
  if (options.target.capacity < 1000 || options.target.capacity > 0xffff'ffff) {
    return error{errc::invalid_argument, "libbloom: the capacity is " + std::to_string(options.target.capacity) +
                                             "; it must be from 1000 to 2^32 - 1"};
  }
  auto shape = shape_for(format, options, sizing);
  if (!shape) return shape.error();
  auto engine = bloom_type::engine_type::make(*shape);
  if (!engine) return engine.error();
  return wrapped(bloom_type(std::move(*engine), hash(), options.target), fields_of(*shape, options.target));
}

// A magic of nine letters.
detection detect(const source& from) {
  byte_reader in(from);
  const std::vector<std::byte> begin = in.bytes(magic.size());
  const bool begins = std::ranges::equal(begin, std::as_bytes(std::span(magic)));
  return begins && from.size > header_bytes ? detection::certain : detection::no;
}

}  // namespace

constinit const format_row format{
    .name = "libbloom",
    .summary = "libbloom 2 (C), as 64-bit machines save it",
    .can = {.adds = true},
    .detect = detect,
    .open = open,
    .make = make,
};

}  // namespace seen::inline v1::libbloom
