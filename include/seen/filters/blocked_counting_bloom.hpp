// The blocked counting Bloom filter: counters of a key in one cache line.
//
//   digest ─┬─ mulhi(digest, B) ──────────► block, 512 bits     lane 0     lane 1           lane k-1
//           └─ y = digest·C mod 2^64 ─────► top bits of y      [..1.…...] [.1..…...]  …  [....….1.]  a counter per lane
//
// A block holds 128 counters of 4 bits or 64 of 8, in k = 4, 8 or 16 lanes. A key has one counter in each lane, chosen
// by the next log2(lane) bits of y from the top: 32 bits of y in all for k = 8 and w = 4. C is the chain's multiplier,
// so y is bloom's x1: the top bits depend on all bits of the digest, and nothing but the block depends on B.
//
// A key touches one line, and its counters never coincide. The price is space: blocks get unequal numbers of keys, and
// 128 cells even out less than 512. At 1 % with k = 8 it takes 45.7 bits per key, where counting_bloom takes 38.3 (1.19
// times). Below 1e-4 the classic one is the better choice. `plan` takes the k that needs least space: 4 from about 1.2
// % up, 8 down to 1e-5, 16 below.
//
// Widths are 4 and 8 only. With 2 bits one counter in 24 would be stuck at plan, and more of them in crowded blocks: a
// filter made for removals that does not let go. With 16 bits a line has 32 counters, and takes twice the classic space
// at 1 %.
//
// A counter reaches its maximum 15 at plan (1 %, k = 8) with probability 2e-15: as in the classic one.
//
// concurrent_blocked_counting_bloom is the same engine with atomic words, and the same bytes.
#pragma once

#include <seen/base/target.hpp>
#include <seen/engines/counting_engine.hpp>
#include <seen/filter.hpp>
#include <seen/filters/bloom.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/kernels/counter_blocks.hpp>
#include <seen/math/blocked_counting_bloom.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace seen::inline v1 {

/// The shape of a blocked_counting_bloom.
struct blocked_counting_bloom_shape {
  std::uint64_t blocks = 0;        ///< B, 1 to 2^31, of 512 bits each
  std::uint32_t probes = 0;        ///< k: 4, 8 or 16
  std::uint32_t counter_bits = 4;  ///< w: 4 or 8

  /// The smallest shape that holds the target's keys at its rate, with counters of 4 bits.
  static result<blocked_counting_bloom_shape> plan(const target& asked) { return plan(asked, {.counter_bits = 0}); }
  /// The same where some fields are given; those that are 0 are free.
  static result<blocked_counting_bloom_shape> plan(const target& asked, const blocked_counting_bloom_shape& wishes) {
    if (auto fine = math::check(asked); !fine) return fine.error();
    blocked_counting_bloom_shape planned = wishes;
    if (planned.counter_bits == 0) planned.counter_bits = 4;
    if (auto ok = check_width(planned.counter_bits); !ok) return ok.error();
    if (planned.probes != 0) {
      if (auto ok = check_probes(planned.probes); !ok) return ok.error();
    }
    if (planned.blocks == 0 || planned.probes == 0) {
      auto shape = math::counter_blocks_for(asked, planned.counter_bits, planned.probes);
      if (!shape) return shape.error();
      if (planned.blocks == 0) planned.blocks = shape->blocks;
      planned.probes = shape->probes;
    }
    if (auto ok = planned.check(); !ok) return ok.error();
    return planned;
  }

  /// The fields that a file stores and `info` prints, in this order.
  static constexpr std::array<std::string_view, 3> field_names{"blocks", "probes", "counter-bits"};
  [[nodiscard]] std::array<std::uint64_t, 3> fields() const noexcept { return {blocks, probes, counter_bits}; }
  static result<blocked_counting_bloom_shape> from_fields(std::span<const std::uint64_t, 3> fields) {
    if (auto ok = check_probes(fields[1]); !ok) return ok.error();
    if (auto ok = check_width(fields[2]); !ok) return ok.error();
    const blocked_counting_bloom_shape p{.blocks = fields[0],
                                         .probes = static_cast<std::uint32_t>(fields[1]),
                                         .counter_bits = static_cast<std::uint32_t>(fields[2])};
    if (auto ok = p.check(); !ok) return ok.error();
    return p;
  }
  /// The fields that `plan` must keep, as a user named them; 0 is free.
  static blocked_counting_bloom_shape from_wishes(std::span<const std::uint64_t, 3> fields) noexcept {
    return {.blocks = fields[0], .probes = clamp_to_u32(fields[1]), .counter_bits = clamp_to_u32(fields[2])};
  }
  /// Rejects numbers that are not a shape, and names the values that are.
  [[nodiscard]] result<void> check() const {
    if (blocks < 1 || blocks > math::max_counter_blocks) {
      return {blocks < 1 ? errc::invalid_argument : errc::too_large,
              "blocks is " + std::to_string(blocks) + "; it must be from 1 to 2^31 (2^40 bits)"};
    }
    if (blocks > std::numeric_limits<std::size_t>::max() / 128) {
      return {errc::too_large, "blocks is " + std::to_string(blocks) + ", more than this machine can address"};
    }
    if (auto ok = check_probes(probes); !ok) return ok;
    return check_width(counter_bits);
  }
  /// Counters in all.
  [[nodiscard]] std::uint64_t counters() const noexcept {
    return counter_bits == 0 ? 0 : blocks * (kernels::counter_block_bits / counter_bits);
  }
  /// Bytes of memory that the counters take.
  [[nodiscard]] std::size_t bytes() const noexcept { return clamp_to_size(blocks * (kernels::counter_block_bits / 8)); }
  /// Cache lines that a lookup touches.
  [[nodiscard]] std::uint32_t lines() const noexcept { return 1; }
  /// The false-positive rate with this many keys in it, more than planned included.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const {
    if (probes == 0 || counter_bits == 0) return 1;
    return math::blocked_counting_fpr(blocks, counter_bits, probes, keys);
  }

  friend bool operator==(const blocked_counting_bloom_shape&, const blocked_counting_bloom_shape&) = default;

 private:
  static result<void> check_probes(std::uint64_t probes) {
    if (probes == 4 || probes == 8 || probes == 16) return {};
    return {errc::invalid_argument, "probes is " + std::to_string(probes) + "; it must be 4, 8 or 16"};
  }
  static result<void> check_width(std::uint64_t width) {
    if (width == 4 || width == 8) return {};
    return {errc::invalid_argument, "counter-bits is " + std::to_string(width) + "; it must be 4 or 8"};
  }
};

/// block = mulhi(digest, B), and a counter in each of its lanes by the top bits of digest·C.
class counter_block_rule {
 public:
  using digest_type = digest;
  using shape_type = blocked_counting_bloom_shape;

  static constexpr kind_info kind{.id = 6, .name = "blocked-counting-bloom"};
  static constexpr std::uint16_t id = 6;

  static result<counter_block_rule> make(const blocked_counting_bloom_shape& p) {
    if (auto ok = p.check(); !ok) return ok.error();
    return counter_block_rule(p);
  }
  counter_block_rule() noexcept = default;

  [[nodiscard]] blocked_counting_bloom_shape shape() const noexcept { return shape_; }
  [[nodiscard]] std::uint64_t counters() const noexcept { return shape_.counters(); }
  [[nodiscard]] std::uint32_t probes() const noexcept { return shape_.probes; }
  [[nodiscard]] std::uint32_t width() const noexcept { return shape_.counter_bits; }

  [[nodiscard]] std::uint64_t blocks() const noexcept { return shape_.blocks; }
  [[nodiscard]] std::uint64_t block_of(digest d) const noexcept { return mulhi(d.value, shape_.blocks); }
  /// A counter of every key in each lane.
  [[nodiscard]] math::lane_shape block() const noexcept {
    if (shape_.blocks == 0) return {};
    return {probes(), kernels::counter_block_bits / width() / probes(), 1};
  }
  /// The first word of a digest's block, and what says where in the block its counters are.
  [[nodiscard]] std::size_t word(digest d) const noexcept {
    return static_cast<std::size_t>(block_of(d)) * kernels::counter_block_words;
  }
  [[nodiscard]] static std::uint64_t pattern(digest d) noexcept { return d.value * chain_rule::multiplier; }

  template <class Use>
  void visit(digest d, Use use) const noexcept {
    const std::uint64_t first = std::uint64_t{word(d)} * 64, width = this->width();
    kernels::with_counter_block_shape(probes(), this->width(), [&]<class Shape>() {
      for (std::uint32_t lane = 0; lane < Shape::probes; ++lane) use((first + Shape::bit(pattern(d), lane)) / width);
    });
  }

  template <class Access>
  void add(std::uint64_t* words, digest d) const noexcept {
    kernels::with_counter_block_shape(probes(), width(), [&]<class Shape>() {
      kernels::counter_block_add<Access, Shape>(words + word(d), pattern(d));
    });
  }
  template <class Access>
  [[nodiscard]] bool lookup(const std::uint64_t* words, digest d) const noexcept {
    const counter_block_rule rule = *this;  // so that a call for one key does not read it again for the next
    bool found = true;                      // moved from: "maybe"
    kernels::with_counter_block_shape(rule.probes(), rule.width(), [&]<class Shape>() {
      found = kernels::counter_block_lookup<Access, Shape>(words + rule.word(d), pattern(d));
    });
    return found;
  }
  template <class Access>
  void add_many(std::uint64_t* words, std::span<const digest> digests) const noexcept {
    kernels::with_counter_block_shape(probes(), width(), [&]<class Shape>() {
      kernels::counter_block_add_many<Access, Shape>(words, *this, shape_.bytes(), digests);
    });
  }
  template <class Access>
  std::size_t lookup_many(const std::uint64_t* words, std::span<const digest> digests, bool* out) const noexcept {
    std::size_t found = 0;
    kernels::with_counter_block_shape(probes(), width(), [&]<class Shape>() {
      found = kernels::counter_block_lookup_many<Access, Shape>(words, *this, shape_.bytes(), digests, out);
    });
    return found;
  }
  template <class Access>
  [[nodiscard]] double rate(const std::uint64_t* words, std::uint64_t) const noexcept {
    return kernels::counter_block_rate<Access>(words, shape_.blocks, probes(), width());
  }

 private:
  explicit counter_block_rule(const blocked_counting_bloom_shape& shape) noexcept : shape_(shape) {}

  blocked_counting_bloom_shape shape_{.counter_bits = 0};
};

/// A counting filter with one cache line per key, for one thread at a time, hashing with the default hash.
using blocked_counting_bloom = filter<engines::counting_engine<counter_block_rule, plain_access>, default_hash>;

/// The same filter with atomic words: lookups wait-free, add and remove lock-free, from any thread.
using concurrent_blocked_counting_bloom =
    filter<engines::counting_engine<counter_block_rule, atomic_access>, default_hash>;

}  // namespace seen::inline v1
