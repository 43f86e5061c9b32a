// RocksDB's Standard128Ribbon, as its filters are read: a solved system of equations over bits, 128 coefficients per row.
//
//   segments of 128 bits ──► blocks of 128 rows; a block has `columns` segments, one a column, and the first `narrow`
//                            blocks have one less
//
//   H = (XXPH3 ^ seed')·6193d459236a3a0d                 start = mulhi(H, 128·blocks - 127): block start / 128, s = start % 128
//   A = H·c28f82822b650bed                               row of coefficients: high word A, low word A ^ c367844a6e52731d | 1
//   for every column i: the parity of the block's segment & row << s and, for s > 0, of the next block's & row >> (128 - s)
//   must be bit i of the bytes of A in reverse order
//
// The key may be present where all columns agree: 2^-columns of the others do too.   [Dillinger, Walzer 2021]
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/base/taken.hpp>
#include <seen/concepts.hpp>
#include <seen/kernels/prefetch.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/storage.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "formats/hashing/foreign_hash.hpp"

namespace seen::inline v1::rocksdb {

/// All that a filter of this kind says of itself.
struct ribbon_shape {
  std::uint64_t segments = 0;
  std::uint64_t blocks = 0;
  std::uint64_t seed = 0;

  static constexpr std::uint64_t most_columns = 32;
  [[nodiscard]] std::uint64_t columns() const noexcept { return std::min(ceil_div(segments, blocks), most_columns); }
  /// The blocks that have a column less. (More segments than 32 columns have are not used.)
  [[nodiscard]] std::uint64_t narrow() const noexcept {
    return columns() * blocks > segments ? columns() * blocks - segments : 0;
  }

  static result<ribbon_shape> plan(const target&) { return {errc::unsupported, "these are read, not planned"}; }
  static constexpr std::array<std::string_view, 3> field_names{"segments", "blocks", "seed"};
  [[nodiscard]] std::array<std::uint64_t, 3> fields() const noexcept { return {segments, blocks, seed}; }
  static result<ribbon_shape> from_fields(std::span<const std::uint64_t, 3> f) {
    return ribbon_shape{f[0], f[1], f[2]};
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return clamp_to_size(16 * segments); }
  [[nodiscard]] std::uint32_t lines() const noexcept { return 2; }
  [[nodiscard]] double expected_fpr(std::uint64_t) const noexcept {
    if (blocks == 0) return 1;
    const double rate = std::ldexp(1.0, -static_cast<int>(columns()));
    return rate * (1 + static_cast<double>(narrow()) / static_cast<double>(blocks));
  }

  friend bool operator==(const ribbon_shape&, const ribbon_shape&) = default;
};

class ribbon_engine {
 public:
  using digest_type = foreign::digest_pair;  // the first word: XXPH3
  using shape_type = ribbon_shape;
  using access_type = plain_access;
  static constexpr kind_info kind{.id = 0, .name = "ribbon"};
  static constexpr std::uint16_t index_rule = 0;

  ribbon_engine() = default;
  /// There are at least two blocks, and 16 bytes of `body` a segment.
  ribbon_engine(const ribbon_shape& shape, storage body)
      : body_(std::move(body)), layout_(layout{shape, shape.columns(), shape.narrow(), mixed(shape.seed)}) {}

  [[nodiscard]] bool may_contain(digest_type d) const noexcept { return agrees(find(d.a)); }
  std::size_t may_contain_many(std::span<const digest_type> digests, bool* out) const noexcept {
    constexpr std::size_t tile = 64;
    std::array<row, tile> rows;
    std::size_t found = 0;
    for (std::size_t base = 0; base < digests.size(); base += tile) {
      const std::size_t count = std::min(tile, digests.size() - base);
      for (std::size_t i = 0; i < count; ++i) {
        rows[i] = find(digests[base + i].a);
        kernels::prefetch(body_.data() + 16 * rows[i].segment);
      }
      for (std::size_t i = 0; i < count; ++i) found += out[base + i] = agrees(rows[i]);
    }
    return found;
  }

  [[nodiscard]] ribbon_shape shape() const noexcept { return layout_->shape; }
  [[nodiscard]] bytes_view bytes() const noexcept { return body_.bytes(); }
  [[nodiscard]] std::uint64_t census() const noexcept { return 0; }
  [[nodiscard]] double fill() const noexcept { return 1; }
  /// Nothing tells: the peer makes a twentieth more rows than keys.
  [[nodiscard]] double estimated_count() const noexcept {
    return 128 * static_cast<double>(layout_->shape.blocks) / 1.05;
  }
  [[nodiscard]] double estimated_fpr() const noexcept { return layout_->shape.expected_fpr(0); }
  [[nodiscard]] bool saturated() const noexcept { return false; }

 private:
  // The equations of a key.
  struct row {
    std::uint64_t segment = 0;  // the first of its block
    std::uint64_t word = 0;     // A
    std::uint32_t columns = 0;
    std::uint32_t shift = 0;
  };
  // 128 bits.
  struct wide {
    std::uint64_t low, high;
  };

  // What a lookup needs of the shape; without columns where there is nothing to look at.
  struct layout {
    ribbon_shape shape;
    std::uint64_t columns = 0;
    std::uint64_t narrow = 0;
    std::uint64_t seed = 0;
  };
  static std::uint64_t mixed(std::uint64_t seed) noexcept {
    seed *= 0xc782'19a2'3eea'dd03;
    return (seed ^ (seed & 0xf0f0'f0f0'f0f0'f0f0) >> 4) & 0xffff'ffff;
  }

  [[nodiscard]] row find(std::uint64_t hashed) const noexcept {
    const layout& l = *layout_;
    const std::uint64_t h = (hashed ^ l.seed) * 0x6193'd459'236a'3a0d;
    const std::uint64_t start = mulhi(h, 128 * l.shape.blocks - 127), block = start / 128;
    return {.segment = block * l.columns - std::min(block, l.narrow),
            .word = h * 0xc28f'8282'2b65'0bed,
            .columns = static_cast<std::uint32_t>(l.columns - (block < l.narrow)),
            .shift = static_cast<std::uint32_t>(start % 128)};
  }

  static wide shifted_up(wide x, std::uint32_t by) noexcept {
    if (by >= 64) return {0, x.low << (by - 64)};
    return by == 0 ? x : wide{x.low << by, x.high << by | x.low >> (64 - by)};
  }
  static wide shifted_down(wide x, std::uint32_t by) noexcept {
    if (by >= 64) return {by == 128 ? 0 : x.high >> (by - 64), 0};
    return {x.low >> by | x.high << (64 - by), x.high >> by};  // never by 0
  }
  [[nodiscard]] wide segment(std::uint64_t i) const noexcept {
    const std::byte* const at = body_.data() + 16 * i;
    return {load_le<std::uint64_t>(at), load_le<std::uint64_t>(at + 8)};
  }

  [[nodiscard]] bool agrees(const row& r) const noexcept {
    const wide whole{(r.word ^ 0xc367'844a'6e52'731d) | 1, r.word};
    const wide here = shifted_up(whole, r.shift), there = shifted_down(whole, 128 - r.shift);
    // A row that begins with its block has nothing in the next one, and there may be none.
    const std::uint64_t next = r.segment + (r.shift == 0 ? 0 : r.columns);
    const std::uint64_t expected = byteswap(r.word);
    for (std::uint32_t i = 0; i < r.columns; ++i) {
      const wide a = segment(r.segment + i), b = segment(next + i);
      const std::uint64_t both =
          (a.low & here.low) ^ (a.high & here.high) ^ (b.low & there.low) ^ (b.high & there.high);
      if ((static_cast<std::uint64_t>(std::popcount(both)) & 1) != (expected >> i & 1)) return false;
    }
    return true;
  }

  storage body_;
  detail::taken<layout> layout_;
};

}  // namespace seen::inline v1::rocksdb
