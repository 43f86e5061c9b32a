// block_engine<Rule, Access>: the one body of every filter that is "a few bits in one small block".
//
//   digest ──Rule──► block, pattern ──Access──► the words of that block
//
// Rule says which block and which pattern belong to a digest, Access whether words are touched plainly or atomically.
// All combinations share these lines and, for one rule, the same bytes. How a pattern lies in a block is
// kernels/block.hpp's business.
//
// The contract of a rule (block_rule in filters/blocked_bloom.hpp is the model):
//   digest_type, params_type          what it takes; how a user describes it
//   kind, id, block_words             the kind's name and number; the rule's number in files; 64-bit words of a block
//   make(params) -> result<Rule>      checks the parameters
//   params(), blocks(), probes()      and gives them back; a rule made by default has no blocks
//   block_of(digest), pattern_of      an index below blocks(); the 32 bits a pattern is made of
//   with_pattern(use, without)        use(pattern type) for the pattern of this rule, without() where it has no blocks
//   folded(c)                         the rule with blocks()/c blocks
//
// Only the block depends on the number of blocks B, as floor(x·B/2^w) does; floor(floor(x·B/2^w)/c) =
// floor(x·(B/c)/2^w), so a filter folds down by any divisor c of B: new block j is the OR of old blocks c·j … c·j+c-1.
//
// Cost: one cache line per operation. Everything on the way of a key is noexcept and allocates nothing.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/concepts.hpp>
#include <seen/detail/bit_words.hpp>
#include <seen/detail/bloom_engine.hpp>
#include <seen/detail/stripes.hpp>
#include <seen/detail/taken.hpp>
#include <seen/kernels/block.hpp>
#include <seen/math/estimate.hpp>
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
#include <type_traits>
#include <utility>

namespace seen {
inline namespace v1 {
namespace detail {

/// The rate of one block: how likely an absent key's pattern is all set in it.
template <class Pattern, class Access>
[[nodiscard]] double rate_of_block(const std::uint64_t* block) noexcept {
  constexpr math::lane_shape shape = Pattern::shape;
  double rate = 1;
  const auto lane = [&](int set) {
    const double share = static_cast<double>(set) / shape.lane_bits;
    for (std::uint32_t bit = 0; bit < shape.bits_per_lane; ++bit) rate *= share;
  };
  if constexpr (shape.lane_bits == 32) {  // two lanes a word
    for (std::size_t i = 0; i < Pattern::words; ++i) {
      const std::uint64_t word = Access::load(block + i);
      lane(std::popcount(word >> 32));
      lane(std::popcount(word & 0xffff'ffff));
    }
  } else {
    constexpr std::size_t lane_words = shape.lane_bits / 64;
    for (std::size_t i = 0; i < Pattern::words; i += lane_words) {
      lane(static_cast<int>(count_bits<Access>(block + i, lane_words)));
    }
  }
  return rate;
}

template <class Rule, class Access = plain_access>
class block_engine {
 public:
  using rule_type = Rule;
  using access_type = Access;
  using digest_type = typename Rule::digest_type;
  using params_type = typename Rule::params_type;

  static constexpr kind_info kind = Rule::kind;
  static constexpr std::uint16_t index_rule = Rule::id;
  static constexpr bool is_monotone = true;

  block_engine() noexcept = default;
  block_engine(block_engine&&) noexcept = default;
  block_engine& operator=(block_engine&&) noexcept = default;
  // Copying words that other threads write is not a copy of anything: shared engines have snapshot() instead.
  block_engine(const block_engine&) requires(!Access::is_shared) = default;
  block_engine& operator=(const block_engine&) requires(!Access::is_shared) = default;
  ~block_engine() = default;

  /// An empty filter of this shape.
  static result<block_engine> make(const params_type& params) {
    auto rule = Rule::make(params);
    if (!rule) return rule.error();
    auto bytes = storage::allocate(bit_array_bytes(bits_of(*rule)));
    if (!bytes) return bytes.error();
    return block_engine(*rule, std::move(*bytes));
  }

  /// A filter over bytes that exist already: a file's body, or the caller's memory.
  static result<block_engine> over(const params_type& params, storage bytes) {
    auto rule = Rule::make(params);
    if (!rule) return rule.error();
    const std::size_t least = static_cast<std::size_t>(bits_of(*rule) / 8), most = bit_array_bytes(bits_of(*rule));
    if (bytes.size() < least || bytes.size() > most || bytes.size() % sizeof(std::uint64_t) != 0) {
      return {errc::invalid_argument, std::to_string(rule->blocks()) + " blocks take " + std::to_string(least) +
                                          (most == least ? "" : " to " + std::to_string(most)) + " bytes; " +
                                          std::to_string(bytes.size()) + " were given"};
    }
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 != 0) {  // what atomic words need, on 32-bit machines too
      return {errc::invalid_argument, "the bytes of a filter must be aligned to 8"};
    }
    block_engine made(*rule, std::move(bytes));
    if (!all_zero<Access>(made.words() + made.used_words(), made.word_count() - made.used_words())) {
      return {errc::corrupt, "bits beyond the last of " + std::to_string(rule->blocks()) + " blocks are set"};
    }
    return made;
  }

  // --- one key

  void add(digest_type d) noexcept {
    std::uint64_t* const words = this->words();
    const Rule rule = *rule_;
    rule.with_pattern(
        [&](auto pattern) {
          kernels::block_set<Access, decltype(pattern)>(words + block_words * rule.block_of(d), rule.pattern_of(d));
        },
        [] {});
  }

  [[nodiscard]] bool may_contain(digest_type d) const noexcept {
    const std::uint64_t* const words = this->words();
    const Rule rule = *rule_;
    return rule.with_pattern(
        [&](auto pattern) {
          return kernels::block_covers<Access, decltype(pattern)>(words + block_words * rule.block_of(d),
                                                                  rule.pattern_of(d));
        },
        [] { return true; });
  }

  /// The answer before, and the digest is in afterwards. Of threads that race to add a new digest at least one is told
  /// "absent": whichever first saw the bit that was set last.
  bool test_and_add(digest_type d) noexcept {
    std::uint64_t* const words = this->words();
    const Rule rule = *rule_;
    return rule.with_pattern(
        [&](auto pattern) {
          return kernels::block_test_and_set<Access, decltype(pattern)>(words + block_words * rule.block_of(d),
                                                                        rule.pattern_of(d));
        },
        [] { return true; });
  }

  // --- many keys

  void add_many(std::span<const digest_type> digests) noexcept {
    const Rule rule = *rule_;
    rule.with_pattern([&](auto pattern) { kernels::block_add_many<Access, decltype(pattern)>(words(), rule, digests); },
                      [] {});
  }

  std::size_t may_contain_many(std::span<const digest_type> digests, bool* out) const noexcept {
    const Rule rule = *rule_;
    return rule.with_pattern(
        [&](auto pattern) {
          return kernels::block_lookup_many<Access, decltype(pattern)>(words(), rule, digests, out);
        },
        [&] {  // moved from: as may_contain answers
          std::fill_n(out, digests.size(), true);
          return digests.size();
        });
  }

  // --- the whole filter

  /// Empties the filter. With shared access it is free of races, but answers during it are unspecified.
  void clear() noexcept {
    for (std::size_t i = 0; i < word_count(); ++i) Access::store(words() + i, 0);
  }

  /// Puts empty bytes in place and returns the full ones, as a filter; readers see one or the other. The caller keeps
  /// what is returned until no call that began before the reset is still running.
  [[nodiscard]] block_engine reset() {
    auto fresh = storage::allocate(storage_.size());
    if (!fresh) throw_error(fresh.error());
    const auto lock = lock_stripe(reinterpret_cast<std::uintptr_t>(this));  // two resets at once: one after the other
    storage_.template replace_with<Access>(*fresh);
    return block_engine(*rule_, std::move(*fresh));
  }

  result<void> merge(const block_engine& other) { return combine("merge", other, Access::set); }
  result<void> intersect(const block_engine& other) { return combine("intersect", other, Access::keep); }

  /// Folds the blocks to the fewest that keep the false-positive rate of the keys in them at or below `fpr`.
  result<void> shrink_to_fpr(double fpr) requires(!Access::is_shared) {
    if (!(fpr > 0 && fpr < 1)) {
      return {errc::invalid_argument, "shrink: fpr " + readable(fpr) + " is not strictly between 0 and 1"};
    }
    if (set_bits() == 0) return {errc::unsupported, "shrink: the filter is empty: there is no key to size it by"};
    const auto keys = static_cast<std::uint64_t>(std::min(estimated_count(), 0x1p60));  // infinite when full
    for (const std::uint64_t divisor : divisors_from_above(rule_->blocks(), rule_->blocks())) {
      // The model spares the folding of what is hopeless; a small filter's own rate may be well below it.
      const Rule rule = rule_->folded(divisor);
      if (!(rule.params().expected_fpr(keys) <= 4 * fpr)) continue;
      auto folded = fold(rule, divisor);
      if (!folded) return folded.error();
      if (folded->estimated_fpr() > fpr) continue;
      *this = std::move(*folded);
      return {};
    }
    return {errc::unsupported, "shrink: no divisor of " + std::to_string(rule_->blocks()) +
                                   " keeps the rate at or below " + readable(fpr) + "; the filter is unchanged"};
  }

  [[nodiscard]] friend bool operator==(const block_engine& a, const block_engine& b) noexcept {
    return a.params() == b.params() && equal_words<Access>(a.words(), b.words(), a.used_words());
  }

  // --- what it is

  [[nodiscard]] params_type params() const noexcept { return rule_->params(); }
  [[nodiscard]] std::uint64_t blocks() const noexcept { return rule_->blocks(); }
  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_of(*rule_); }
  [[nodiscard]] std::uint32_t probes() const noexcept { return rule_->probes(); }
  [[nodiscard]] const Rule& rule() const noexcept { return *rule_; }

  [[nodiscard]] std::uint64_t set_bits() const noexcept { return count_bits<Access>(words(), used_words()); }
  /// Set bits of the union of two filters of one shape, without making it.
  [[nodiscard]] std::uint64_t set_bits_of_union(const block_engine& other) const noexcept {
    return count_bits_of_union<Access>(words(), other.words(), std::min(used_words(), other.used_words()));
  }

  /// Share of the bits that are set.
  [[nodiscard]] double fill() const noexcept {
    return bits() == 0 ? 0 : static_cast<double>(set_bits()) / static_cast<double>(bits());
  }
  /// Different bits that a key sets on the average: probes(), less a little where two of them may meet.
  [[nodiscard]] double throws_per_key() const noexcept {
    return rule_->with_pattern([](auto pattern) { return math::throws_per_key(decltype(pattern)::shape); },
                               [] { return 1.0; });
  }
  /// How many different keys it holds, judged by its fill.
  [[nodiscard]] double estimated_count() const noexcept {
    return math::estimate_count(set_bits(), bits(), 1) / throws_per_key();
  }
  /// The false-positive rate as the filter is now: the mean over its blocks, which differ, of each one's own.
  [[nodiscard]] double estimated_fpr() const noexcept {
    const std::uint64_t* const words = this->words();
    return rule_->with_pattern(
        [&](auto pattern) {
          double sum = 0;
          for (std::size_t i = 0; i < used_words(); i += block_words) {
            sum += rate_of_block<decltype(pattern), Access>(words + i);
          }
          return sum / static_cast<double>(blocks());
        },
        [] { return 1.0; });
  }
  /// More than 0.7 of the bits are set: the rate is far above plan and the estimates are weak.
  [[nodiscard]] bool saturated() const noexcept { return math::count_is_weak(fill()); }

  [[nodiscard]] bytes_view bytes() const noexcept { return storage_.bytes(); }
  [[nodiscard]] std::uint64_t* words() noexcept {
    return reinterpret_cast<std::uint64_t*>(storage_.template data_as<Access>());
  }
  [[nodiscard]] const std::uint64_t* words() const noexcept {
    return reinterpret_cast<const std::uint64_t*>(storage_.template data_as<Access>());
  }
  [[nodiscard]] std::size_t word_count() const noexcept { return storage_.size() / sizeof(std::uint64_t); }
  /// The words that hold blocks. Two filters of one shape have as many; the padding after them may differ in length.
  [[nodiscard]] std::size_t used_words() const noexcept {
    return static_cast<std::size_t>(rule_->blocks()) * block_words;
  }

  /// What a file keeps beside the bytes to notice that they are not these: the number of set bits.
  [[nodiscard]] std::uint64_t census() const noexcept { return set_bits(); }

  // --- from one access policy to another

  /// The same bytes under another policy, without a copy.
  template <class Other>
  [[nodiscard]] block_engine<Rule, Other> with_access() && {
    const Rule rule = *rule_;
    rule_ = taken<Rule>();
    return block_engine<Rule, Other>(rule, std::move(storage_));
  }

  /// A copy that no other thread touches: every word is read once, and every add that happened before is in it.
  [[nodiscard]] result<block_engine<Rule, plain_access>> snapshot() const {
    auto copy = storage::allocate(storage_.size());
    if (!copy) return copy.error();
    copy_words<Access>(reinterpret_cast<std::uint64_t*>(copy->data()), words(), word_count());
    return block_engine<Rule, plain_access>(*rule_, std::move(*copy));
  }

 private:
  template <class, class>
  friend class block_engine;

  static constexpr std::size_t block_words = Rule::block_words;

  block_engine(const Rule& rule, storage bytes) noexcept : storage_(std::move(bytes)), rule_(rule) {}

  [[nodiscard]] static std::uint64_t bits_of(const Rule& rule) noexcept { return rule.blocks() * block_words * 64; }

  template <class Combine>
  result<void> combine(const char* what, const block_engine& other, Combine combine_words) {
    if (blocks() != other.blocks()) {
      return {errc::incompatible, std::string(what) + ": blocks differ: " + std::to_string(blocks()) + " here, " +
                                      std::to_string(other.blocks()) + " there"};
    }
    if (probes() != other.probes()) {
      return {errc::incompatible, std::string(what) + ": probes differ: " + std::to_string(probes()) + " here, " +
                                      std::to_string(other.probes()) + " there"};
    }
    std::uint64_t* const to = words();  // once: all of the other goes into one table, whatever a reset does meanwhile
    const std::uint64_t* const from = other.words();
    for (std::size_t i = 0; i < used_words(); ++i) combine_words(to + i, Access::load(from + i));
    return {};
  }

  [[nodiscard]] result<block_engine> fold(const Rule& rule, std::uint64_t divisor) const {
    auto bytes = storage::allocate(bit_array_bytes(bits_of(rule)));
    if (!bytes) return bytes.error();
    block_engine folded(rule, std::move(*bytes));
    const std::uint64_t* from = words();
    for (std::uint64_t block = 0; block < rule.blocks(); ++block) {
      std::uint64_t* const to = folded.words() + block * block_words;
      for (std::uint64_t old = 0; old < divisor; ++old) {
        for (std::size_t i = 0; i < block_words; ++i) to[i] |= *from++;
      }
    }
    return folded;
  }

  // In this order: an assignment that finds no memory for the bytes has not changed the rule yet.
  storage storage_;
  taken<Rule> rule_;
};

}  // namespace detail
}  // namespace v1
}  // namespace seen
