// The blocked Bloom filter: all bits of a key in one 64-byte block, one cache line.   [Putze, Sanders, Singler 2007]
//
//   digest ─┬─ all 64 bits ─► block = mulhi(digest, B)    word 0    word 1        word 7
//           │                                            [......1.][...1....] … [.1......]
//           └─ low 32 = x ──► x·salt_i mod 2^32 ──────────────┘         ▲             ▲    k = 8: top six bits of each
//
//   k = 4    bit i = 0…3 lies in words 2i and 2i+1, at the top seven bits of x·salt_i
//   k = 8    bit i = 0…7 lies in word i, at the top six bits of x·salt_i
//   k = 16   two bits in word i = 0…7, at the top six bits of x·salt_i and at the next six
//
// k follows from the rate: 4 for more than about 2 %, 8 down to about 2e-4, 16 below. Lanes are independent given the
// number of keys in a block, so the rate is known exactly (math/blocked_bloom.hpp). Double hashing inside a block would
// not be: it measures forty times the rate at 24 bits per key.
//
// Space: 10.1 bits per key at 1 %, 22.9 at 1e-4: 1.06 and 1.2 times the classic filter's, for one cache miss instead of
// seven or thirteen. Nothing but the block depends on B, so a filter built too large folds (shrink_to_fpr).
//
// concurrent_blocked_bloom is the same engine with atomic words, and the same bytes.
#pragma once

#include <seen/base/target.hpp>
#include <seen/engines/block_engine.hpp>
#include <seen/filter.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/math/blocked_bloom.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace seen::inline v1 {

namespace detail {

/// Refuses a number of blocks that no filter has; `most` is the kind's own limit.
result<void> check_blocks(std::uint64_t blocks, std::uint64_t most, std::string_view limit, std::size_t block_bytes);

}  // namespace detail

/// The shape of a blocked_bloom: what `plan<blocked_bloom>` computes and `blocked_bloom(blocked_bloom_shape{…})` takes.
struct blocked_bloom_shape {
  std::uint64_t blocks = 0;  ///< B, 1 to 2^31, of 64 bytes each
  std::uint32_t probes = 0;  ///< k: 4, 8 or 16

  /// The smallest shape that holds the target's keys at its rate.
  static result<blocked_bloom_shape> plan(const target& asked) { return plan(asked, {}); }
  /// The same with some fields given; those that are 0 are free. Given blocks are not checked against the rate.
  static result<blocked_bloom_shape> plan(const target& asked, const blocked_bloom_shape& wishes) {
    const std::array given{std::max<std::uint64_t>(wishes.blocks, 1),
                           std::uint64_t{wishes.probes == 0 ? 8 : wishes.probes}};
    if (auto fine = from_fields(given); !fine) return fine.error();
    if (wishes.blocks != 0) {
      if (auto fine = math::check(asked); !fine) return fine.error();
      const std::uint32_t best = math::best_block_probes(wishes.blocks, asked.capacity);
      return blocked_bloom_shape{.blocks = wishes.blocks, .probes = wishes.probes == 0 ? best : wishes.probes};
    }
    auto shape = math::blocked_shape_for(asked, wishes.probes);
    if (!shape) return shape.error();
    return blocked_bloom_shape{.blocks = shape->blocks, .probes = shape->probes};
  }
  /// Wishes as they come by name; 0 where nothing was wished.
  static blocked_bloom_shape from_wishes(std::span<const std::uint64_t, 2> wishes) noexcept {
    // A number of probes beyond 32 bits stays one that is refused.
    return {.blocks = wishes[0], .probes = clamp_to_u32(wishes[1])};
  }
  /// The fields that a file stores and `info` prints, in this order.
  static constexpr std::array<std::string_view, 2> field_names{"blocks", "probes"};
  [[nodiscard]] std::array<std::uint64_t, 2> fields() const noexcept { return {blocks, probes}; }
  static result<blocked_bloom_shape> from_fields(std::span<const std::uint64_t, 2> fields) {
    if (auto ok = detail::check_blocks(fields[0], math::max_blocks, "2^31", 64); !ok) return ok.error();
    if (std::find(math::block_probes.begin(), math::block_probes.end(), fields[1]) == math::block_probes.end()) {
      return {errc::invalid_argument, "probes is " + std::to_string(fields[1]) + "; it must be 4, 8 or 16"};
    }
    return blocked_bloom_shape{.blocks = fields[0], .probes = static_cast<std::uint32_t>(fields[1])};
  }
  /// Bytes of memory that the blocks take.
  [[nodiscard]] std::size_t bytes() const noexcept { return clamp_to_size(blocks * 64); }
  /// Cache lines that a lookup of a present key touches.
  [[nodiscard]] std::uint32_t lines() const noexcept { return 1; }
  /// Locked instructions that a new key takes on x86-64 in a filter of many threads: its bits lie in four pairs of words.
  [[nodiscard]] std::uint32_t add_steps() const noexcept { return 4; }
  /// The false-positive rate with this many keys in it, more than planned included.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const { return math::blocked_fpr(blocks, probes, keys); }

  friend bool operator==(const blocked_bloom_shape&, const blocked_bloom_shape&) = default;
};

/// The native rule: block = mulhi(digest, B), pattern from the low 32 bits.
class block_rule {
 public:
  using digest_type = digest;
  using shape_type = blocked_bloom_shape;

  static constexpr kind_info kind{.id = 3, .name = "blocked-bloom"};
  static constexpr std::uint16_t id = 3;
  static constexpr std::size_t block_words = 8;

  static result<block_rule> make(const blocked_bloom_shape& p) {
    auto checked = blocked_bloom_shape::from_fields(p.fields());
    if (!checked) return checked.error();
    return block_rule(*checked);
  }
  block_rule() noexcept = default;

  [[nodiscard]] blocked_bloom_shape shape() const noexcept { return shape_; }
  [[nodiscard]] std::uint64_t blocks() const noexcept { return shape_.blocks; }
  [[nodiscard]] std::uint32_t probes() const noexcept { return shape_.probes; }

  [[nodiscard]] std::size_t block_of(digest d) const noexcept {
    return static_cast<std::size_t>(kernels::block_by_product(d, shape_.blocks));
  }
  [[nodiscard]] static std::uint32_t pattern_of(digest d) noexcept { return static_cast<std::uint32_t>(d.value); }

  /// The usual number of probes first: its body is then on the straight way through the code.
  template <class Use>
  [[gnu::always_inline]] auto with_pattern(Use use) const {
    if (shape_.probes == 8) [[likely]] {
      return use(kernels::block_pattern_8());
    }
    if (shape_.probes == 16) return use(kernels::block_pattern_16());
    return use(kernels::block_pattern_4());
  }

  /// The layout as compiled batches know it.
  [[nodiscard]] kernels::block_layout layout() const noexcept {
    return shape_.probes == 4   ? kernels::block_layout::lanes_4
           : shape_.probes == 8 ? kernels::block_layout::lanes_8
                                : kernels::block_layout::lanes_16;
  }

  [[nodiscard]] block_rule folded(std::uint64_t divisor) const noexcept {
    return block_rule({.blocks = shape_.blocks / divisor, .probes = shape_.probes});
  }

 private:
  explicit block_rule(const blocked_bloom_shape& shape) noexcept : shape_(shape) {}

  blocked_bloom_shape shape_;
};

/// A Bloom filter that touches one cache line per key, for one thread at a time, hashing with the default hash: the
/// default kind.
using blocked_bloom = filter<engines::block_engine<block_rule, plain_access>, default_hash>;

/// The same filter with atomic words: add, may_contain and test_and_add from any thread, wait-free.
using concurrent_blocked_bloom = filter<engines::block_engine<block_rule, atomic_access>, default_hash>;

}  // namespace seen::inline v1
