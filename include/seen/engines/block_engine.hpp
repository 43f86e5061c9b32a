// block_engine<Rule, Access>: the one body of every filter that is "a few bits in one small block".
//
//   digest ──Rule──► block, pattern ──Access──► the words of that block
//
// Rule says which block and which pattern belong to a digest, Access whether words are touched plainly or atomically.
// All combinations share these lines and, for one rule, the same bytes. How a pattern lies in a block is
// kernels/block.hpp's business.
//
// The contract of a rule (block_rule in filters/blocked_bloom.hpp is the model):
//   digest_type, shape_type          what it takes; how a user describes it
//   kind, id, block_words             the kind's name and number; the rule's number in files; 64-bit words of a block
//   make(shape) -> result<Rule>      checks the shape
//   shape(), blocks(), probes()      and gives them back; a rule made by default has no blocks
//   block_of(digest), pattern_of      an index below blocks(), or 0; the 32 bits a pattern is made of
//   with_pattern(use)                 use(pattern type) for the pattern of this rule; for any, where it has no blocks
//   folded(c)                         the rule with blocks()/c blocks
//   layout()                          if the rule is one of those that kernels/block.hpp has batches for: which
//
// Only the block depends on the number of blocks B, as floor(x·B/2^w) does; floor(floor(x·B/2^w)/c) =
// floor(x·(B/c)/2^w), so a filter folds down by any divisor c of B: new block j is the OR of old blocks c·j … c·j+c-1.
//
// Cost: one cache line per operation. Everything on the way of a key is noexcept and allocates nothing.
#pragma once

#include <seen/base/bit_words.hpp>
#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/base/select.hpp>
#include <seen/concepts.hpp>
#include <seen/engines/word_engine.hpp>
#include <seen/hash/xxh3_fold.hpp>
#include <seen/kernels/block.hpp>
#include <seen/kernels/range_adds.hpp>
#include <seen/kernels/tiles.hpp>
#include <seen/math/estimate.hpp>
#include <seen/math/lanes.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/storage.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace seen::inline v1::engines {

/// The rate of one block: how likely an absent key's pattern is all set in it.
template <class Pattern, class Access>
[[nodiscard]] double rate_of_block(const std::uint64_t* block) noexcept {
  constexpr math::lane_shape shape = Pattern::shape;
  double rate = 1;
  const auto lane = [&](unsigned set) {
    const double share = static_cast<double>(set) / shape.lane_bits;
    for (std::uint32_t bit = 0; bit < shape.bits_per_lane; ++bit) rate *= share;
  };
  if constexpr (shape.lane_bits == 32) {  // two lanes per word
    for (std::size_t i = 0; i < Pattern::words; ++i) {
      const std::uint64_t word = Access::load(block + i);
      lane(detail::popcount(word >> 32));
      lane(detail::popcount(word & 0xffff'ffff));
    }
  } else {
    constexpr std::size_t lane_words = shape.lane_bits / 64;
    for (std::size_t i = 0; i < Pattern::words; i += lane_words) {
      unsigned set = 0;
      for (std::size_t j = i; j < i + lane_words; ++j) set += detail::popcount(Access::load(block + j));
      lane(set);
    }
  }
  return rate;
}

template <class Rule, class Access = plain_access>
class block_engine : public word_engine<block_engine, Rule, Access> {
  using base = word_engine<block_engine, Rule, Access>;
  using base::rule_;

  static constexpr std::size_t block_words = Rule::block_words;
  // Blocks that other threads write are touched by the templates (kernels/shared_block.hpp).
  static constexpr bool has_compiled_batches = !Access::is_shared && requires(const Rule& rule) { rule.layout(); };

  template <class Hash, class Key>
  static constexpr bool takes_keys =
      has_compiled_batches&& key_like<Key>&& std::same_as<typename Hash::digest_type, digest>;

 public:
  using base::base;
  using base::probes;
  using base::used_words;
  using base::words;
  using typename base::digest_type;

  static constexpr bool is_monotone = true;

  [[nodiscard]] static std::uint64_t bits_of(const Rule& rule) noexcept { return rule.blocks() * block_words * 64; }
  [[nodiscard]] static std::string in_words(const Rule& rule) { return std::to_string(rule.blocks()) + " blocks"; }

  // --- one key

  void add(digest_type d) noexcept {
    std::uint64_t* const table = this->words();
    const Rule rule = *rule_;
    if (rule.blocks() == 0) return;  // moved from: there is nothing to write to
    rule.with_pattern([&](auto pattern) {
      kernels::block_set<Access, decltype(pattern)>(table + block_words * rule.block_of(d), rule.pattern_of(d));
    });
  }

  /// Calls use(offset) for the block that add(d) may change: it lies in one cache line.
  template <class Use>
  void for_each_place(digest_type d, Use use) const {
    if (blocks() != 0) use(rule_->block_of(d) * block_words * sizeof(std::uint64_t));
  }

  [[nodiscard]] bool may_contain(digest_type d) const noexcept {
    const std::uint64_t* const table = this->words();
    const Rule rule = *rule_;
    // Moved from, block_of gives 0, and there are ones (storage.hpp): true for every digest, and no test for it here.
    // (As a number: of patterns that give a bool each the compiler widens the one that was right by an instruction more.)
    return rule.with_pattern([&](auto pattern) -> std::uint32_t {
      return kernels::block_covers<Access, decltype(pattern)>(table + block_words * rule.block_of(d),
                                                              rule.pattern_of(d));
    }) != 0;
  }

  /// The answer before, and the digest is in afterwards. Of threads that race to add a new digest at least one is told
  /// "absent": whichever first saw the bit that was set last.
  bool test_and_add(digest_type d) noexcept {
    std::uint64_t* const table = this->words();
    const Rule rule = *rule_;
    if (rule.blocks() == 0) return true;
    return rule.with_pattern([&](auto pattern) {
      return kernels::block_test_and_set<Access, decltype(pattern)>(table + block_words * rule.block_of(d),
                                                                    rule.pattern_of(d));
    });
  }

  // --- many keys

  void add_many(std::span<const digest_type> digests) noexcept {
    const Rule rule = *rule_;
    if (rule.blocks() == 0) return;
    if constexpr (has_compiled_batches) {
      kernels::block_add_many(rule.layout(), words(), rule.blocks(), digests);
    } else {
      rule.with_pattern(
          [&](auto pattern) { kernels::block_add_many<Access, decltype(pattern)>(words(), rule, digests); });
    }
  }

  /// The same on several threads, each with blocks of its own; shared words take them as they come.
  void add_many(std::span<const digest_type> digests, unsigned threads) {
    const Rule rule = *rule_;
    if constexpr (Access::is_shared) {
      kernels::for_each_part(digests, threads, [&](std::span<const digest_type> some) { add_many(some); });
    } else if (rule.blocks() != 0) {
      kernels::add_by_ranges(
          digests, rule.blocks(), threads, [&](digest_type d) { return rule.block_of(d); },
          [&](std::span<const digest_type> some) { add_many(some); });
    }
  }

  std::size_t may_contain_many(std::span<const digest_type> digests, bool* out) const noexcept {
    const Rule rule = *rule_;
    if (rule.blocks() == 0) {  // moved from: as may_contain answers
      std::fill_n(out, digests.size(), true);
      return digests.size();
    }
    if constexpr (has_compiled_batches) {
      return kernels::block_lookup_many(rule.layout(), words(), rule.blocks(), digests, out);
    } else {
      return rule.with_pattern([&](auto pattern) {
        return kernels::block_lookup_many<Access, decltype(pattern)>(words(), rule, digests, out);
      });
    }
  }

  // --- many keys, each hashed where its block is touched (concepts.hpp: hashes_in_place)

  template <class Hash, class Key>
  void add_keys(const Hash& hash, std::span<Key> keys) noexcept requires(takes_keys<Hash, Key>) {
    const Rule rule = *rule_;
    if (rule.blocks() == 0) return;
    with_batch_of(
        hash, keys,
        [&](const default_hash& known, auto words_of_keys) {
          kernels::block_add_keys(rule.layout(), words(), rule.blocks(), known, words_of_keys);
        },
        [&](const kernels::digest_source& digests) {
          kernels::block_add_many(rule.layout(), words(), rule.blocks(), digests);
        });
  }

  template <class Hash, class Key>
  std::size_t may_contain_keys(const Hash& hash, std::span<Key> keys, bool* out) const noexcept
      requires(takes_keys<Hash, Key>) {
    const Rule rule = *rule_;
    if (rule.blocks() == 0) {
      std::fill_n(out, keys.size(), true);
      return keys.size();
    }
    return with_batch_of(
        hash, keys,
        [&](const default_hash& known, auto words_of_keys) {
          return kernels::block_lookup_keys(rule.layout(), words(), rule.blocks(), known, words_of_keys, out);
        },
        [&](const kernels::digest_source& digests) {
          return kernels::block_lookup_many(rule.layout(), words(), rule.blocks(), digests, out);
        });
  }

  // --- the whole filter

  result<void> merge(const block_engine& other) { return combine("merge", other, Access::set); }
  result<void> intersect(const block_engine& other) { return combine("intersect", other, Access::keep); }

  /// Folds the blocks to the fewest that keep the false-positive rate of the keys in them at or below `fpr`.
  result<void> shrink_to_fpr(double fpr) requires(!Access::is_shared) {
    if (auto sensible = check_shrink(fpr, set_bits()); !sensible) return sensible;
    const auto keys = static_cast<std::uint64_t>(std::min(estimated_count(), 0x1p60));  // infinite when full
    for (const std::uint64_t divisor : divisors_from_above(rule_->blocks(), rule_->blocks())) {
      // The model rules out hopeless divisors without folding; a small filter's own rate may be well below it.
      const Rule rule = rule_->folded(divisor);
      if (!(rule.shape().expected_fpr(keys) <= 4 * fpr)) continue;
      auto folded = fold(rule, divisor);
      if (!folded) return folded.error();
      if (folded->estimated_fpr() > fpr) continue;
      *this = std::move(*folded);
      return {};
    }
    return no_divisor(rule_->blocks(), fpr);
  }

  /// What the size may be divided by a divisor of.
  [[nodiscard]] std::uint64_t fold_unit() const noexcept { return rule_->blocks(); }
  /// Folds the blocks by a divisor of fold_unit().
  result<void> fold_by(std::uint64_t divisor) requires(!Access::is_shared) {
    if (auto fine = check_divisor(fold_unit(), divisor); !fine || divisor == 1) return fine;
    auto folded = fold(rule_->folded(divisor), divisor);
    if (!folded) return folded.error();
    *this = std::move(*folded);
    return {};
  }

  // --- what it is

  [[nodiscard]] std::uint64_t blocks() const noexcept { return rule_->blocks(); }
  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_of(*rule_); }
  [[nodiscard]] std::uint64_t set_bits() const noexcept { return this->census(); }
  /// Set bits of the union of two filters of one shape, without making it.
  [[nodiscard]] std::uint64_t set_bits_of_union(const block_engine& other) const noexcept {
    return detail::count_bits_of_union<Access>(words(), other.words(), std::min(used_words(), other.used_words()));
  }

  /// What the number of set bits, once known, tells. The rate is that of the model: it is a mean over blocks, which differ.
  [[nodiscard]] math::fill_estimates estimates_of(std::uint64_t set) const noexcept {
    const double fill = bits() == 0 ? 0 : static_cast<double>(set) / static_cast<double>(bits());
    const double keys = math::estimate_count(set, bits(), 1) / throws_per_key();
    const auto whole = static_cast<std::uint64_t>(std::min(keys, 0x1p60));  // infinite when full
    return {.fill = fill,
            .keys = keys,
            .fpr = set == 0 ? 0 : rule_->shape().expected_fpr(whole),
            .saturated = math::count_is_weak(fill)};
  }
  /// Share of the bits that are set.
  [[nodiscard]] double fill() const noexcept {
    return bits() == 0 ? 0 : static_cast<double>(set_bits()) / static_cast<double>(bits());
  }
  /// Different bits that a key sets on average: probes(), less a little where two of them may meet.
  [[nodiscard]] double throws_per_key() const noexcept {
    if (blocks() == 0) return 1;
    return rule_->with_pattern([](auto pattern) { return math::throws_per_key(decltype(pattern)::shape); });
  }
  /// How many different keys it holds, judged by its fill.
  [[nodiscard]] double estimated_count() const noexcept {
    return math::estimate_count(set_bits(), bits(), 1) / throws_per_key();
  }
  /// What estimated_count() says of so many keys at most, but for once in 10^9.
  [[nodiscard]] double most_keys(std::uint64_t keys) const noexcept {
    return math::most_keys(keys, bits(), throws_per_key());
  }
  /// The false-positive rate as the filter is now: the mean over its blocks, which differ, of each one's own.
  [[nodiscard]] double estimated_fpr() const noexcept {
    const std::uint64_t* const table = this->words();
    if (blocks() == 0) return 1;
    return rule_->with_pattern([&](auto pattern) {
      double sum = 0;
      for (std::size_t i = 0; i < used_words(); i += block_words) {
        sum += rate_of_block<decltype(pattern), Access>(table + i);
      }
      return sum / static_cast<double>(blocks());
    });
  }
  /// More than 0.7 of the bits are set: the rate is far above plan and the estimates are weak.
  [[nodiscard]] bool saturated() const noexcept { return math::count_is_weak(fill()); }

  /// For a survey: the block of a key.
  [[nodiscard]] math::lane_shape block() const noexcept {
    return rule_->with_pattern([](auto pattern) { return decltype(pattern)::shape; });
  }
  [[nodiscard]] static constexpr std::uint64_t block_pieces() noexcept { return block_words; }

 private:
  // Integers with the default hash, chosen at run time or not, go to the loops that hash them; all else is hashed in pieces.
  template <class Hash, class Key, class UseKeys, class UseDigests>
  auto with_batch_of(const Hash& hash, std::span<Key> keys, UseKeys use_keys, UseDigests use_digests) const {
    if constexpr (kernels::is_word<Key>) {
      if (const default_hash* known = as_default(hash)) return use_keys(*known, kernels::as_words(keys));
    }
    using kernels::look_ahead;
    if constexpr (kernels::elsewhere<Key>) {
      if (bits() > kernels::cached_bits) {
        return use_digests(kernels::hashed_pieces<look_ahead::far, Hash, Key>(hash, keys));
      }
    }
    return use_digests(kernels::hashed_pieces<look_ahead::near, Hash, Key>(hash, keys));
  }

  template <class Change>
  result<void> combine(const char* what, const block_engine& other, Change change) {
    if (auto same = check_same_shape(what, *this, other); !same) return same;
    this->combine_words(other, change);
    return {};
  }

  [[nodiscard]] result<block_engine> fold(const Rule& rule, std::uint64_t divisor) const {
    auto folded = base::empty_of(rule);
    if (!folded) return folded;
    const std::uint64_t* from = words();
    for (std::uint64_t block = 0; block < rule.blocks(); ++block) {
      std::uint64_t* const to = folded->words() + block * block_words;
      for (std::uint64_t old = 0; old < divisor; ++old) {
        for (std::size_t i = 0; i < block_words; ++i) to[i] |= *from++;
      }
    }
    return folded;
  }
};

}  // namespace seen::inline v1::engines
