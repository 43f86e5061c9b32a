// The row of the portable lab format. filters/portable_bloom.hpp has its layout, and its filter.
#include <seen/filters/portable_bloom.hpp>

#include <array>
#include <string>
#include <utility>

#include "formats/evidence.hpp"
#include "formats/foreign.hpp"
#include "math/portable_bloom.hpp"

namespace seen::inline v1 {

result<bloom_shape> portable_rule::plan(const target& asked) {
  const auto shape = math::portable_shape_for(asked);
  if (!shape) return shape.error();
  return bloom_shape{.bits = shape->bits, .probes = shape->probes};
}

}  // namespace seen::inline v1

namespace seen::inline v1::portable {

extern const format_row format;

namespace {

struct shape {
  std::uint64_t probes;
  std::uint64_t bits;
};

shape read_shape(bytes_view beginning) noexcept {
  return {load_le<std::uint32_t>(beginning.data()), load_le<std::uint64_t>(beginning.data() + 4)};
}

}  // namespace

result<void> check_hash(std::uint64_t (*fnv1a)(bytes_view), std::uint64_t (*finish)(std::uint64_t)) {
  struct known_answer {
    std::string_view key;
    std::uint64_t fnv1a, digest;
  };
  constexpr std::array answers{
      known_answer{"", 0xcbf2'9ce4'8422'2325, 0xc381'7c01'6ba4'ff30},
      known_answer{"a", 0xaf63'dc4c'8601'ec8c, 0x5f29'c2aa'dd9b'8527},
      known_answer{"foobar", 0x8594'4171'f739'67e8, 0x5df2'9541'3403'de4f},
  };
  const auto differs = [](std::string_view function, std::string_view key, std::uint64_t is, std::uint64_t expected) {
    return error{errc::wrong_hash, "portable: " + std::string(function) + " of \"" + std::string(key) + "\" is " +
                                       std::to_string(is) + " here, and should be " + std::to_string(expected) +
                                       ": files would not be readable elsewhere"};
  };
  for (const known_answer& each : answers) {
    const std::uint64_t raw = fnv1a(as_key(each.key));
    if (raw != each.fnv1a) return differs("FNV-1a", each.key, raw, each.fnv1a);
    const std::uint64_t digest = finish(raw);
    if (digest != each.digest) return differs("SplitMix64 after FNV-1a", each.key, digest, each.digest);
  }
  return {};
}

const result<void>& self_check() {
  static const result<void> answer = [] {
    // Volatile, so that the functions are called and not evaluated by the compiler.
    std::uint64_t (*volatile fnv1a)(bytes_view) = [](bytes_view key) { return fnv1a_64()(key).value; };
    std::uint64_t (*volatile finish)(std::uint64_t) = splitmix64;
    return check_hash(fnv1a, finish);
  }();
  return answer;
}

bool could_be(bytes_view beginning, std::uint64_t file_bytes) {
  if (beginning.size() < header_bytes) return false;
  const shape s = read_shape(beginning);
  return detail::check_shape(s.bits, s.probes).has_value() && file_bytes == header_bytes + ceil_div(s.bits, 8);
}

result<portable_bloom> decode(const source& from) {
  return or_no_memory([&]() -> result<portable_bloom> {
    const auto corrupt = [&](const std::string& what) { return error{errc::corrupt, from.name + ": " + what}; };
    if (from.size < header_bytes) {
      return corrupt(std::to_string(from.size) + " bytes are too few for a portable filter");
    }
    std::array<std::byte, header_bytes> header{};
    if (auto read = from.read(0, header); !read) return read.error();
    const shape s = read_shape(header);
    if (auto ok = detail::check_shape(s.bits, s.probes); !ok) return corrupt("offset 0: " + ok.error().detail);
    const std::uint64_t body_bytes = ceil_div(s.bits, 8);
    if (from.size != header_bytes + body_bytes) {
      return corrupt("offset 4: " + std::to_string(s.bits) + " bits make a file of " +
                     std::to_string(header_bytes + body_bytes) + " bytes; this one has " + std::to_string(from.size));
    }
    auto bytes = storage::allocate(engines::bit_array_bytes(s.bits));
    if (!bytes) return bytes.error();
    if (auto read = from.read(header_bytes, bytes->bytes().first(static_cast<std::size_t>(body_bytes))); !read) {
      return read.error();
    }
    auto engine = portable_bloom::engine_type::over({.bits = s.bits, .probes = static_cast<std::uint32_t>(s.probes)},
                                                    std::move(*bytes));
    if (!engine) return corrupt(engine.error().detail);
    return portable_bloom(std::move(*engine), fnv1a_64_splitmix());
  });
}

result<portable_bloom> decode(bytes_view bytes) {
  return or_no_memory([&]() -> result<portable_bloom> { return decode(source::of(bytes)); });
}

result<portable_bloom> make(const bloom_shape& shape) {
  if (shape.bits > max_new_bits) {
    return {errc::too_large, "bits is " + std::to_string(shape.bits) +
                                 "; the portable format's first probe reaches only 2^32: use the native format"};
  }
  return portable_bloom::make(shape);
}

result<void> write(const portable_bloom& f, const sink& out) {
  if (f.bits() == 0) return {errc::invalid_argument, "save: the filter was moved from"};
  std::array<std::byte, header_bytes> header{};
  store_le(header.data(), f.probes());
  store_le(header.data() + 4, f.bits());
  if (auto put = out(header); !put) return put;
  return out(f.engine().bytes().first(static_cast<std::size_t>(ceil_div(f.bits(), 8))));
}

std::vector<std::byte> encode(const portable_bloom& f) {
  std::vector<std::byte> bytes;
  (void)write(f, [&](bytes_view piece) -> result<void> {
    bytes.insert(bytes.end(), piece.begin(), piece.end());
    return {};
  });
  return bytes;
}

namespace {

result<any_filter> open_any(const source& from, const open_options& options) {
  if (auto ok = foreign::check_options(format, options); !ok) return ok.error();
  auto made = decode(from);
  if (!made) return made.error();
  return any_filter(std::move(*made), format.name, write);
}

result<portable_bloom> make_shaped(const make_options& options) {
  auto shape = foreign::shape_for(format, options, {});
  if (!shape) return shape.error();
  return make({.bits = shape->bits, .probes = shape->probes});
}

result<any_filter> make_any(const make_options& options) {
  if (auto ok = foreign::check_options(format, options); !ok) return ok.error();
  // Targets here, since foreign::shape_for refuses what native sizing does.
  auto made = options.shape.empty() ? portable_bloom::make(options.target) : make_shaped(options);
  if (!made) return made.error();
  return any_filter(std::move(*made), format.name, write);
}

// k, m and the one length that m allows: small numbers, and no proof. (The lowest byte of m is not fixed by the length.)
detection detect(const source& from) {
  std::array<std::byte, header_bytes> header{};
  if (from.size < header_bytes || !from.read(0, header)) return detection::no;
  if (!could_be(header, from.size)) return detection::no;
  return foreign::evidence(from).fixed(1, 3).fixed(5, 7).weigh(detection::likely);
}

constexpr std::array<std::string_view, 1> hashes{name_of(fnv1a_64_splitmix::id)};

}  // namespace

constinit const format_row format{
    .name = "portable",
    .summary = "k, m and the bits; FNV-1a with SplitMix64 and double hashing",
    .can = {.adds = true},
    .hashes = hashes,
    .detect = detect,
    .open = open_any,
    .make = make_any,
};

}  // namespace seen::inline v1::portable
