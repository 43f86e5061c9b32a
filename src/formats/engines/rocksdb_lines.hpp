// Where RocksDB's two Bloom filters put the bits of a key: all in one line of the array, usually of 64 bytes.
//
//   line = mulhi(word·spread, lines)               FastLocalBloom: spread = 2^32, which takes the top of word·lines
//                                                  legacy: spread = ceil(2^64 / lines), which gives word mod lines [Lemire,
//                                                  Kaser, Kurz 2019], exact for words of 32 bits
//   bit  = (x >> shift) mod the bits of a line;  x = x·factor + step        in 32 bits
//
//                    word      x         step         factor     shift
//   FastLocalBloom   lo32(H)   hi32(H)   0            9e3779b9   23
//   legacy           h         h         h rotr 17    1          0
//
// So one rule serves both: only its numbers differ. A digest is {word, x + step·2^32}.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/engines/bloom_engine.hpp>
#include <seen/math/bloom.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "formats/engines/bloom_rules.hpp"
#include "formats/hashing/foreign_hash.hpp"

namespace seen::inline v1::rocksdb {

/// The shape of either filter.
struct line_shape {
  std::uint64_t line_count = 0;
  std::uint32_t probes = 0;
  std::uint32_t line_bits = 512;  ///< a power of two; FastLocalBloom has 512
  bool is_legacy = false;

  [[nodiscard]] std::uint64_t bits() const noexcept { return line_count * line_bits; }
  [[nodiscard]] result<void> check() const {
    const bool in_range = line_count >= 1 && line_count <= 0xffff'ffff && probes >= 1 && probes <= 127 &&
                          line_bits >= 8 && std::has_single_bit(line_bits) && bits() <= math::max_bits &&
                          (is_legacy || line_bits == 512);
    if (in_range) return {};
    return {errc::invalid_argument, std::to_string(line_count) + " lines of " + std::to_string(line_bits) +
                                        " bits with " + std::to_string(probes) + " probes are not a filter"};
  }

  static result<line_shape> plan(const target&) { return {errc::unsupported, "the format plans these"}; }
  static constexpr std::array<std::string_view, 4> field_names{"bits", "probes", "line-bits", "legacy"};
  [[nodiscard]] std::array<std::uint64_t, 4> fields() const noexcept {
    return {bits(), probes, line_bits, is_legacy ? 1u : 0u};
  }
  static result<line_shape> from_fields(std::span<const std::uint64_t, 4> f) {
    line_shape shape{f[2] == 0 ? 0 : f[0] / f[2], clamp_to_u32(f[1]), clamp_to_u32(f[2]), f[3] != 0};
    if (auto ok = shape.check(); !ok) return ok.error();
    return shape;
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return engines::bit_array_bytes(bits()); }
  [[nodiscard]] std::uint32_t lines() const noexcept { return 1; }
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const { return model(static_cast<double>(keys)); }

  friend bool operator==(const line_shape&, const line_shape&) = default;

  /// The peer's model: a line with a standard deviation more and one with less, and the mean of both.
  [[nodiscard]] double model(double keys) const {
    const double in_line = keys / static_cast<double>(line_count), spread = std::sqrt(in_line);
    const auto rate = [&](double n) { return std::pow(1 - std::exp(-n * probes / line_bits), probes); };
    return (rate(in_line + spread) + rate(std::max(0.0, in_line - spread))) / 2;
  }
};

class line_rule {
 public:
  using shape_type = line_shape;
  using digest_type = foreign::digest_pair;
  static constexpr kind_info kind{.id = 0, .name = "blocked-bloom"};
  static constexpr std::uint16_t id = 0;  // has no native file
  static constexpr std::uint32_t max_probes = 127;

  struct state {
    std::uint64_t line;
    std::uint32_t x, step;
  };

  static result<line_rule> make(const line_shape& shape) {
    if (auto ok = shape.check(); !ok) return ok.error();
    line_rule rule;
    rule.shape_ = shape;
    rule.spread_ = shape.is_legacy ? ~std::uint64_t{0} / shape.line_count + 1 : std::uint64_t{1} << 32;
    rule.factor_ = shape.is_legacy ? 1 : 0x9e37'79b9;
    rule.shift_ = shape.is_legacy ? 0 : 23;
    return rule;
  }
  [[nodiscard]] line_shape shape() const noexcept { return shape_; }
  [[nodiscard]] std::uint64_t bits() const noexcept { return shape_.bits(); }
  [[nodiscard]] std::uint32_t probes() const noexcept { return shape_.probes; }
  [[nodiscard]] std::uint64_t fold_unit() const noexcept { return 0; }
  [[nodiscard]] line_rule folded(std::uint64_t) const noexcept { return *this; }

  /// The line that all bits of a key lie in.
  [[nodiscard]] math::lane_shape block() const noexcept {
    const bool words =
        shape_.line_bits % 64 == 0 && shape_.line_bits <= 4096;  // an older cache line had 256 bytes at most
    return words ? math::lane_shape{1, shape_.line_bits, shape_.probes} : math::lane_shape{};
  }

  [[nodiscard]] state start(digest_type d) const noexcept {
    return {mulhi(d.a * spread_, shape_.line_count) * shape_.line_bits, static_cast<std::uint32_t>(d.b),
            static_cast<std::uint32_t>(d.b >> 32)};
  }
  template <std::size_t N>
  [[nodiscard]] std::array<std::uint64_t, N> take(state& from) const noexcept {
    std::array<std::uint64_t, N> at;
    for (std::size_t i = 0; i < N; ++i) {
      at[i] = from.line + ((from.x >> shift_) & (shape_.line_bits - 1));
      from.x = from.x * factor_ + from.step;
    }
    return at;
  }

 private:
  line_shape shape_;
  std::uint64_t spread_ = 0;
  std::uint32_t factor_ = 0;
  std::uint32_t shift_ = 0;
};

}  // namespace seen::inline v1::rocksdb
