// The split-block Bloom filter of Apache Parquet: 256-bit blocks of eight 32-bit lanes, one bit of a key in each.
//
//   digest ─┬─ high 32 ─► block = (high·B) >> 32       lane 0    lane 1        lane 7     lane i: little-endian u32
//           │                                         [......1.][...1....] … [.1......]   at byte 4·i of the block
//           └─ low 32 = x ──► (x·salt_i mod 2^32) >> 27 ──┘         ▲             ▲
//
// The rule is Parquet's, bit for bit. With Parquet's hash, XXH64 of seed 0, the blocks are the bitset of a Parquet column
// chunk, and the other way round: parquet_split_block. split_block itself has the default hash, which is faster. Two
// blocks share a cache line, and the eight lanes fit one 256-bit register. Where the bytes need not be Parquet's,
// blocked_bloom takes 4 % less space at 1 % and 13 % less at 1e-4. [Apache Parquet format, "BloomFilter"]
//
// The block index is made of 32 bits, which limits B; math/split_block.hpp says why, and gives the rate.
//
// concurrent_split_block is the same engine with atomic words, and the same bytes.
#pragma once

#include <seen/base/target.hpp>
#include <seen/engines/block_engine.hpp>
#include <seen/filter.hpp>
#include <seen/filters/blocked_bloom.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/hash/xxh64.hpp>
#include <seen/math/split_block.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace seen::inline v1 {

/// The shape of a split_block.
struct split_block_shape {
  std::uint64_t blocks = 0;  ///< B, 1 to 2^31, of 32 bytes each

  /// The fewest blocks that hold the target's keys at its rate.
  static result<split_block_shape> plan(const target& asked) {
    auto blocks = math::split_blocks_for(asked);
    if (!blocks) return blocks.error();
    return split_block_shape{.blocks = *blocks};
  }
  /// The same with the number of blocks given, which is then not checked against the rate; 0 leaves it free.
  static result<split_block_shape> plan(const target& asked, const split_block_shape& wishes) {
    if (wishes.blocks == 0) return plan(asked);
    if (auto fine = math::check(asked); !fine) return fine.error();
    return from_fields(wishes.fields());
  }
  /// Wishes as they come by name; 0 where nothing was wished.
  static split_block_shape from_wishes(std::span<const std::uint64_t, 1> wishes) noexcept {
    return {.blocks = wishes[0]};
  }
  /// The fields that a file stores and `info` prints.
  static constexpr std::array<std::string_view, 1> field_names{"blocks"};
  [[nodiscard]] std::array<std::uint64_t, 1> fields() const noexcept { return {blocks}; }
  static result<split_block_shape> from_fields(std::span<const std::uint64_t, 1> fields) {
    if (auto ok = detail::check_blocks(fields[0], math::max_split_blocks, "2^31", 32); !ok) return ok.error();
    return split_block_shape{.blocks = fields[0]};
  }
  /// Bytes of memory that the blocks take: whole cache lines.
  [[nodiscard]] std::size_t bytes() const noexcept { return engines::bit_array_bytes(blocks * math::split_block_bits); }
  /// Cache lines that a lookup of a present key touches.
  [[nodiscard]] std::uint32_t lines() const noexcept { return 1; }
  /// Locked instructions that a new key takes on x86-64 in a filter of many threads: its bits lie in two pairs of words.
  [[nodiscard]] std::uint32_t add_steps() const noexcept { return 2; }
  /// The false-positive rate with this many keys in it, more than planned included.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const { return math::split_block_fpr(blocks, keys); }

  friend bool operator==(const split_block_shape&, const split_block_shape&) = default;
};

/// Parquet's rule: block = ((digest >> 32)·B) >> 32, pattern from the low 32 bits.
class split_block_rule {
 public:
  using digest_type = digest;
  using shape_type = split_block_shape;

  static constexpr kind_info kind{.id = 4, .name = "split-block"};
  static constexpr std::uint16_t id = 4;
  static constexpr std::size_t block_words = 4;

  static result<split_block_rule> make(const split_block_shape& p) {
    auto checked = split_block_shape::from_fields(p.fields());
    if (!checked) return checked.error();
    return split_block_rule(*checked);
  }
  split_block_rule() noexcept = default;

  [[nodiscard]] split_block_shape shape() const noexcept { return shape_; }
  [[nodiscard]] std::uint64_t blocks() const noexcept { return shape_.blocks; }
  [[nodiscard]] std::uint32_t probes() const noexcept {
    return shape_.blocks == 0 ? 0 : kernels::split_block_pattern::probes;
  }

  [[nodiscard]] std::size_t block_of(digest d) const noexcept {
    return static_cast<std::size_t>(kernels::block_by_high_half(d, shape_.blocks));
  }
  [[nodiscard]] static std::uint32_t pattern_of(digest d) noexcept { return static_cast<std::uint32_t>(d.value); }

  template <class Use>
  [[gnu::always_inline]] static auto with_pattern(Use use) {
    return use(kernels::split_block_pattern());
  }

  /// The layout as compiled batches know it.
  [[nodiscard]] static kernels::block_layout layout() noexcept { return kernels::block_layout::split; }

  [[nodiscard]] split_block_rule folded(std::uint64_t divisor) const noexcept {
    return split_block_rule({.blocks = shape_.blocks / divisor});
  }

 private:
  explicit split_block_rule(const split_block_shape& shape) noexcept : shape_(shape) {}

  split_block_shape shape_;
};

/// Parquet's blocks with the default hash, for one thread at a time.
using split_block = filter<engines::block_engine<split_block_rule, plain_access>, default_hash>;

/// The same blocks with Parquet's hash: the bytes are those of a Parquet column chunk's filter.
using parquet_split_block = filter<engines::block_engine<split_block_rule, plain_access>, xxh64>;

/// split_block with atomic words: add, may_contain and test_and_add from any thread, wait-free.
using concurrent_split_block = filter<engines::block_engine<split_block_rule, atomic_access>, default_hash>;

}  // namespace seen::inline v1
