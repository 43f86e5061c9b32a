// DCSO/bloom (Go) and flor (Python): one file for both. All integers are little-endian.
//
//   1 u64 │ n u64 │ p f64 │ k u64 │ m u64 │ keys u64 │ ceil(m/64) u64, bit i in word i/64 │ the user's own data
//
//   h = fnv1_64(key) mod P, P = 2^64 - 59;  k times:  h = (h·g mod 2^64) mod P, g = 18446744073709550147;
//   position = h mod m
//
// The file may be gzipped as a whole; it is not unpacked here. docs/formats/dcso.md.
#include <cmath>

#include "formats/engines/tally.hpp"
#include "formats/evidence.hpp"
#include "formats/foreign.hpp"
#include "hash/fnv1.hpp"

namespace seen::inline v1::dcso {

extern const format_row format;

namespace {

using namespace foreign;

constexpr std::uint64_t prime = 18'446'744'073'709'551'557u;  // 2^64 - 59
constexpr std::uint64_t factor = 18'446'744'073'709'550'147u;

constexpr std::uint64_t below_prime(std::uint64_t x) noexcept {
  return x >= prime ? x - prime : x;
}

// The state is what the peer's generator holds: each position is drawn from the next value of it.
class generator_rule : public shaped_rule<generator_rule> {
 public:
  using digest_type = digest;
  using state = std::uint64_t;

  [[nodiscard]] state start(digest d) const noexcept { return below_prime(d.value); }
  template <std::size_t N>
  [[nodiscard]] std::array<std::uint64_t, N> take(state& from) const noexcept {
    std::array<std::uint64_t, N> at;
    for (std::size_t i = 0; i < N; ++i) {
      from = below_prime(from * factor);
      at[i] = mod_(from);
    }
    return at;
  }
};

using plain_engine = engines::bloom_engine<generator_rule, plain_access>;
using engine_type = tally_engine<plain_engine, counts_and_joins>;
using bloom_type = filter<engine_type, foreign_hash<digest>>;

struct header {
  std::uint64_t flags = 1, capacity = 0;
  double fpr = 0;
  std::uint64_t probes = 0, bits = 0, count = 0;
};

header read_header(byte_reader& in) {
  header h;
  h.flags = in.le<std::uint64_t>();
  h.capacity = in.le<std::uint64_t>();
  h.fpr = in.le<double>();
  h.probes = in.le<std::uint64_t>();
  h.bits = in.le<std::uint64_t>();
  h.count = in.le<std::uint64_t>();
  return h;
}

foreign_hash<digest> hash() {
  return foreign_hash<digest>([](bytes_view key) noexcept { return digest(fnv1_64(key)); }, named(hash_id::fnv1_64));
}

any_filter wrapped(plain_engine engine, const header& h, const std::vector<std::byte>& data) {
  const target asked{.capacity = h.capacity, .fpr = h.fpr > 0 && h.fpr < 1 ? h.fpr : 0};
  bloom_type f(engine_type(std::move(engine), h.count), hash(), asked);
  file_origin origin{.metadata = std::string(reinterpret_cast<const char*>(data.data()), data.size())};
  return any_filter(std::move(f), format.name, std::move(origin), [h](const bloom_type& now, const sink& out) {
    return byte_writer(out)
        .le(h.flags)
        .le(h.capacity)
        .le(h.fpr)
        .le(h.probes)
        .le(h.bits)
        .le(now.size())
        .bits(now.engine().bytes(), 8 * ceil_div(h.bits, 64))
        .finish();
  });
}

bool is_gzip(const source& from) {
  byte_reader in(from);
  return in.be<std::uint16_t>() == 0x1f8b;
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  if (is_gzip(from)) return error{errc::unsupported, from.name + ": is gzipped: unpack it first (gzip -d)"};
  byte_reader in(from);
  const header h = read_header(in);
  if (auto ok = in.check("the header"); !ok) return ok.error();
  if ((h.flags & 0xff) != 1) {
    return error{errc::corrupt, from.name + ": offset 0: version " + std::to_string(h.flags & 0xff) + " is not 1"};
  }
  auto shape = probe_shape::make(h.bits, h.probes);
  if (!shape) return in.about(shape.error());
  auto bits = read_bits(in, 8 * ceil_div(h.bits, 64), h.bits);
  if (!bits) return bits.error();
  auto engine = plain_engine::over(*shape, std::move(*bits));
  if (!engine) return in.about(engine.error());
  const std::vector<std::byte> data = in.bytes(in.remaining());
  if (auto ok = in.check("the user's data"); !ok) return ok.error();
  return wrapped(std::move(*engine), h, data);
}

// m = n |ln p| / (ln 2)^2, rounded down; k = m/n ln 2, rounded up.
probe_shape sizing(const target& asked) {
  const double ln2 = std::log(2.0), n = static_cast<double>(asked.capacity);
  const double bits = std::abs(std::ceil(n * std::log(asked.fpr) / (ln2 * ln2)));
  return {.bits = static_cast<std::uint64_t>(bits), .probes = static_cast<std::uint32_t>(std::ceil(ln2 * bits / n))};
}

result<any_filter> make(const make_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  auto shape = shape_for(format, options, sizing);
  if (!shape) return shape.error();
  auto engine = plain_engine::make(*shape);
  if (!engine) return engine.error();
  const bool planned = options.shape.empty();
  header h{.capacity = planned ? options.target.capacity : 0, .fpr = planned ? options.target.fpr : 0};
  h.bits = shape->bits;
  h.probes = shape->probes;
  return wrapped(std::move(*engine), h, {});
}

// m and k follow from n and p. (What follows the bits is the user's; where nothing does, the length is m's a second time.)
detection detect(const source& from) {
  byte_reader in(from);
  const header h = read_header(in);
  const auto shape = probe_shape::make(h.bits, h.probes);
  const std::uint64_t body = shape ? 8 * ceil_div(h.bits, 64) : 0;
  if (h.flags != 1 || !shape || body > in.remaining()) return detection::no;
  if (!(h.fpr > 0 && h.fpr < 1) || h.capacity == 0 || h.capacity > math::max_bits) return detection::possible;
  const probe_shape usual = sizing({.capacity = h.capacity, .fpr = h.fpr});
  const bool follows = usual.probes == h.probes && usual.bits + 1 - h.bits <= 2;  // logarithms differ in the last digit
  if (!follows) return detection::fitting;
  evidence proof(from);
  proof.fixed(0, 8).rate(16, h.fpr).fixed(24, 16);
  if (body == in.remaining()) proof.fixed(8, 8);
  return proof.weigh();
}

}  // namespace

constinit const format_row format{
    .name = "dcso",
    .summary = "DCSO/bloom (Go) and flor (Python)",
    .can = {.adds = true, .metadata = true},
    .detect = detect,
    .open = open,
    .make = make,
};

}  // namespace seen::inline v1::dcso
