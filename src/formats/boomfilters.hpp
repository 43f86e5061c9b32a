// Shared by the six types of BoomFilters: buckets, the frame of a gob, sizes, and the table of types.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/encodings/gob.hpp"
#include "formats/foreign.hpp"
#include "hash/fnv1.hpp"

namespace seen::inline v1::boomfilters {

extern const format_row format;

/// The frame around the filter in the file: nothing, or a gob's.
struct framing {
  bool is_gob = false;
  std::vector<std::byte> definitions;
  std::int64_t type_number = 0;
};
using shared_framing = std::shared_ptr<const framing>;

/// A type of filter. `fits` says whether all counts agree from here to the end of the file; `open` believes it did.
struct variant_row {
  std::string_view name;
  std::string_view kind;
  bool (*fits)(foreign::byte_reader);
  result<any_filter> (*open)(foreign::byte_reader&, const shared_framing&);
  result<any_filter> (*make)(const make_options&, const shared_framing&);
};

// boomfilters_blooms.cpp and boomfilters_forgetting.cpp
extern const variant_row classic, counting, partitioned, scalable, stable, inverse;

/// Hands a filter's bytes to the sink, within its frame. `body(sink)` writes them.
template <class Body>
result<void> write_framed(const framing& frame, const sink& out, Body body) {
  if (!frame.is_gob) return body(out);
  std::vector<std::byte> bytes;
  const auto collected = body([&](bytes_view some) -> result<void> {
    bytes.insert(bytes.end(), some.begin(), some.end());
    return {};
  });
  if (!collected) return collected;
  const auto before = foreign::gob::frame_before({frame.definitions, frame.type_number}, bytes.size());
  if (auto put = out(before); !put) return put;
  return out(bytes);
}

/// A filter of one of the types. `body(filter, byte_writer&)` puts its bytes.
template <class F, class Body>
any_filter wrapped(F f, const variant_row& variant, const shared_framing& frame, Body body) {
  return any_filter(std::move(f), format.name, {.variant = std::string(variant.name) + (frame->is_gob ? "-gob" : "")},
                    [frame, body = std::move(body)](const F& f, const sink& out) {
                      return write_framed(*frame, out, [&](const sink& to) {
                        foreign::byte_writer writer(to);
                        body(f, writer);
                        return writer.finish();
                      });
                    });
}

// --- hash and sizes

struct fnv1_halves {
  foreign::digest_pair operator()(bytes_view key) const noexcept { return foreign::halves_of(fnv1_64(key)); }
};
inline foreign::foreign_hash<foreign::digest_pair> pair_hash() {
  return {fnv1_halves(), foreign::named(hash_id::fnv1_64)};
}

/// The peer's OptimalM and OptimalK, in its order of operations. Both are NaN or infinite where the rate makes no sense.
inline double optimal_m(std::uint64_t keys, double fpr) {
  return std::ceil(static_cast<double>(keys) / (std::log(0.5) * std::log(0.5) / std::fabs(std::log(fpr))));
}
inline double optimal_k(double fpr) {
  return std::ceil(std::log2(1 / fpr));
}
/// The shape of both; one that `check` refuses where they are not numbers.
inline foreign::probe_shape optimal_shape(std::uint64_t keys, double fpr) {
  const double m = optimal_m(keys, fpr), k = optimal_k(fpr);
  if (!(m >= 1 && m <= 0x1p40 && k >= 1 && k <= 255)) return {};
  return {.bits = static_cast<std::uint64_t>(m), .probes = static_cast<std::uint32_t>(k)};
}

// --- buckets

struct buckets {
  std::uint64_t width = 0, maximum = 0, count = 0, bytes = 0;

  [[nodiscard]] bool agree() const noexcept {
    return width >= 1 && width <= 8 && maximum == (1U << width) - 1 && count >= 1 && count <= math::max_bits / width &&
           bytes == ceil_div(count * width, 8);
  }
};
inline constexpr std::uint64_t buckets_head = 18;

inline buckets read_buckets(foreign::byte_reader& in) {
  const std::uint64_t width = in.u8(), maximum = in.u8();
  const auto count = in.be<std::uint64_t>(), bytes = in.be<std::uint64_t>();
  return {width, maximum, count, bytes};
}
/// Whether buckets of this shape are here, and nothing after them.
inline bool only_buckets(foreign::byte_reader& in, std::uint64_t count) {
  const buckets b = read_buckets(in);
  return in.check("buckets") && b.agree() && b.count == count && in.remaining() == b.bytes;
}
inline void put_buckets(foreign::byte_writer& to, std::uint64_t width, std::uint64_t count, bytes_view array) {
  const std::uint64_t bytes = ceil_div(count * width, 8);
  to.u8(width).u8((1U << width) - 1).be(count).be(bytes).bits(array, bytes);
}

/// Counters into storage of `room` bytes.
inline result<storage> read_counters(foreign::byte_reader& in, std::uint64_t bytes, std::size_t room) {
  auto counters = storage::allocate(room);
  if (!counters) return counters.error();
  in.read(counters->bytes().first(static_cast<std::size_t>(bytes)));
  if (auto ok = in.check("the counters"); !ok) return ok.error();
  return counters;
}

/// The value of a field, or the usual one.
inline std::uint64_t field_or(const make_options& options, std::string_view name, std::uint64_t usual) {
  return foreign::field_of(options, name).value_or(usual);
}

}  // namespace seen::inline v1::boomfilters
