// The filter of the Rust crate bloomfilter, as a file of its own and within those of valkey-bloom.
//
//   1 u8 │ bytes u64le │ k u32le │ seed: 4 words u64le │ bits, bit i in byte i/8, mask 1 << (i % 8)
//
//   H0, H1 = SipHash-1-3 of what Rust's Hash feeds, with words 0, 1 and with words 2, 3 of the seed
//   position 0 = H0, 1 = H1, i = ((H0 + i·H1) mod 2^64) mod (2^64 - 59), all mod 8·bytes
#pragma once

#include <seen/base/bits.hpp>
#include <seen/hash/siphash.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "formats/foreign.hpp"

namespace seen::inline v1::rust_bloomfilter {

using seed_bytes = std::array<std::byte, 32>;
inline constexpr std::uint64_t header_bytes = 1 + 8 + 4 + 32;

class rule : public foreign::shaped_rule<rule> {
 public:
  using digest_type = foreign::digest_pair;
  struct state {
    foreign::digest_pair d;
    std::uint64_t i;
  };

  [[nodiscard]] state start(foreign::digest_pair d) const noexcept { return {d, 0}; }
  template <std::size_t N>
  [[nodiscard]] std::array<std::uint64_t, N> take(state& from) const noexcept {
    std::array<std::uint64_t, N> at;
    for (std::size_t j = 0; j < N; ++j) at[j] = mod_(word(from.d, from.i++));
    return at;
  }

 private:
  static std::uint64_t word(foreign::digest_pair d, std::uint64_t i) noexcept {
    constexpr std::uint64_t prime = std::uint64_t{0} - 59;
    if (i < 2) return i == 0 ? d.a : d.b;
    const std::uint64_t sum = d.a + i * d.b;
    return sum >= prime ? sum - prime : sum;
  }
};

using engine = engines::bloom_engine<rule, plain_access>;
using hash_type = foreign::foreign_hash<foreign::digest_pair>;

/// How Rust feeds a key to its hasher: [u8] with its length before it, str with a byte 0xff behind it.
struct of_slice {
  static digest hashed(siphash_1_3::state begun, bytes_view key) noexcept {
    begun.absorb(std::uint64_t{key.size()});
    const bytes_view left = begun.absorb(key);
    return begun.finish(load_tail(left.data(), left.size()), std::uint64_t{key.size()} + 8);
  }
};
struct of_str {
  static digest hashed(siphash_1_3::state begun, bytes_view key) noexcept {
    const bytes_view left = begun.absorb(key);
    std::uint64_t tail = load_tail(left.data(), left.size()) | std::uint64_t{0xff} << (8 * left.size());
    if (left.size() == 7) begun.absorb(std::exchange(tail, 0));
    return begun.finish(tail, std::uint64_t{key.size()} + 1);
  }
};

template <class Frame>
struct hash_of {
  siphash_1_3 first, second;

  explicit hash_of(const seed_bytes& seed) : first(half(seed, 0)), second(half(seed, 16)) {}

  foreign::digest_pair operator()(bytes_view key) const noexcept {
    return {Frame::hashed(first.start(), key).value, Frame::hashed(second.start(), key).value};
  }

 private:
  static secret half(const seed_bytes& seed, std::size_t from) {
    secret made;
    std::copy_n(seed.begin() + static_cast<std::ptrdiff_t>(from), made.bytes.size(), made.bytes.begin());
    return made;
  }
};

/// The hash function of a seed, for keys that are [u8] or str.
[[nodiscard]] inline hash_type hash_with(const seed_bytes& seed, bool str = false) {
  const hash_identity identity = foreign::named(hash_id::siphash_1_3, load_le<std::uint64_t>(seed.data()));
  return str ? hash_type(hash_of<of_str>(seed), identity) : hash_type(hash_of<of_slice>(seed), identity);
}

/// bytes = ceil(n·ln p / (-8·ln² 2)); k = round(bits / n · ln 2), at least 1.
[[nodiscard]] inline foreign::probe_shape sizing(const target& asked) {
  const double ln2 = std::log(2.0), keys = static_cast<double>(asked.capacity);
  const double bytes = std::max(1.0, std::ceil(keys * std::log(asked.fpr) / (-8 * ln2 * ln2)));
  const double bits = 8 * std::min(bytes, 0x1p50);
  return {.bits = static_cast<std::uint64_t>(bits),
          .probes = static_cast<std::uint32_t>(std::clamp(std::round(bits / keys * ln2), 1.0, 65535.0))};
}

/// A filter that was read, with the seed of its hash.
struct image {
  engine filter;
  seed_bytes seed;
};

/// Reads an image of `size` bytes.
[[nodiscard]] inline result<image> read_image(foreign::byte_reader& in, std::uint64_t size) {
  const std::uint64_t version = in.u8(), bytes = in.le<std::uint64_t>(), probes = in.le<std::uint32_t>();
  seed_bytes seed{};
  in.read(seed);
  if (auto ok = in.check("the header"); !ok) return ok.error();
  if (version != 1) return in.corrupt("version " + std::to_string(version) + " of the image; 1 is known here");
  if (size < header_bytes || bytes != size - header_bytes || bytes > math::max_bits / 8) {
    return in.corrupt(std::to_string(bytes) + " bytes of bits are announced in an image of " + std::to_string(size));
  }
  auto shape = foreign::probe_shape::make(8 * bytes, probes);
  if (!shape) return in.about(shape.error());
  auto bits = foreign::read_bits(in, bytes, shape->bits);
  if (!bits) return bits.error();
  auto over = engine::over(*shape, std::move(*bits));
  if (!over) return in.about(over.error());
  return image{std::move(*over), seed};
}

inline void write_image(foreign::byte_writer& to, const engine& filter, const seed_bytes& seed) {
  const std::uint64_t bytes = filter.bits() / 8;
  to.u8(1).le(bytes).le(filter.probes()).bytes(seed).bits(filter.bytes(), bytes);
}

}  // namespace seen::inline v1::rust_bloomfilter
