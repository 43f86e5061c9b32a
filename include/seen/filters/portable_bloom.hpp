// The portable lab format: the smallest file that any language can write in twenty lines.
//
//   k u32le │ m u64le │ ceil(m/8) bytes, bit i at byte i/8, mask 1 << (i % 8)
//
//   x = SplitMix64(FNV-1a 64(key)); h1 = low half of x, h2 = high half; position i = (h1 + i·h2) mod m, i = 0 .. k-1
//
// The remainder is exact (the u128 reduction some texts name instead makes every position 0). It has no magic, no hash
// id and no checksum, so it is opened by name only and stays unverified. With 32-bit halves and double hashing the rate
// is 1.1 to 1.9 times the classic filter's for small n, and the first probe cannot reach beyond 2^32 bits: larger
// filters are read but not made. Native files have none of these limits.
//
// Sizes are those of the format's document for every target (src/math/portable_bloom.hpp), also where a native filter would take
// more bits. And as the document asks, the hash answers its known keys before the first filter of a process is made or
// opened (portable::self_check): bits set by another hash would be keys lost for every other program.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/filters/bloom.hpp>
#include <seen/hash/fnv1a.hpp>
#include <seen/storage/source.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace seen::inline v1 {

namespace portable {

/// Known answers of the format's hash, FNV-1a finished by SplitMix64: an error (errc::wrong_hash) if the functions given are not
/// these. FNV-1a gives the whole 64 bits of the document's own vectors.
[[nodiscard]] result<void> check_hash(std::uint64_t (*fnv1a)(bytes_view), std::uint64_t (*finish)(std::uint64_t));

/// check_hash of the functions that this program was compiled with: once per process, when the first portable filter is
/// made or opened, which fails if this does.
[[nodiscard]] const result<void>& self_check();

}  // namespace portable

/// Position i = (h1 + i·h2) mod m, h1 and h2 the halves of the digest.
class portable_rule {
 public:
  using digest_type = digest;
  using shape_type = bloom_shape;
  struct state {
    std::uint64_t sum;
    std::uint64_t step;
  };

  static constexpr kind_info kind = chain_rule::kind;
  static constexpr std::uint16_t id = 0;  // has no native file
  static constexpr std::uint32_t max_probes = math::max_probes;

  /// The document's sizing, for filters that are made of a target.
  static result<bloom_shape> plan(const target& asked);
  static result<portable_rule> make(const bloom_shape& p) {
    if (const auto& hash = portable::self_check(); !hash) return hash.error();
    if (auto ok = detail::check_shape(p.bits, p.probes); !ok) return ok.error();
    return portable_rule(p);
  }
  portable_rule() noexcept = default;

  [[nodiscard]] bloom_shape shape() const noexcept { return {.bits = bits(), .probes = probes_}; }
  [[nodiscard]] std::uint64_t bits() const noexcept { return mod_.divisor(); }
  [[nodiscard]] std::uint32_t probes() const noexcept { return probes_; }

  [[nodiscard]] state start(digest d) const noexcept { return {d.value & 0xffff'ffff, d.value >> 32}; }
  template <std::size_t N>
  [[nodiscard]] std::array<std::uint64_t, N> take(state& from) const noexcept {
    std::array<std::uint64_t, N> at;
    for (std::size_t i = 0; i < N; ++i) at[i] = mod_(from.sum + i * from.step);
    from.sum += N * from.step;
    return at;
  }

  // A remainder folds by cells that lie m/c apart, not side by side; nobody has asked for it.
  [[nodiscard]] std::uint64_t fold_unit() const noexcept { return 0; }
  [[nodiscard]] portable_rule folded(std::uint64_t) const noexcept { return *this; }

 private:
  explicit portable_rule(const bloom_shape& p) noexcept : mod_(p.bits), probes_(p.probes) {}

  detail::fastmod mod_;
  std::uint32_t probes_ = 0;
};

/// A Bloom filter of the portable lab format.
using portable_bloom = filter<engines::bloom_engine<portable_rule, plain_access>, fnv1a_64_splitmix>;

namespace portable {

inline constexpr std::size_t header_bytes = 12;
/// The first probe is a 32-bit number: filters beyond this are read, but not made.
inline constexpr std::uint64_t max_new_bits = math::max_portable_bits;

/// True if bytes of this length, beginning so, are a whole portable file. This is not proof: chance files pass, too.
[[nodiscard]] bool could_be(bytes_view beginning, std::uint64_t file_bytes);

/// Reads a filter; refuses any length but the right one, and k or m outside their ranges.
result<portable_bloom> decode(const source& from);
result<portable_bloom> decode(bytes_view bytes);

/// An empty filter, refused beyond 2^32 bits.
result<portable_bloom> make(const bloom_shape& shape);

/// Writes the file.
result<void> write(const portable_bloom& f, const sink& out);
[[nodiscard]] std::vector<std::byte> encode(const portable_bloom& f);

}  // namespace portable

}  // namespace seen::inline v1
