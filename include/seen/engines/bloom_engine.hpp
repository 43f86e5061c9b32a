// bloom_engine<Rule, Access>: the one body of every filter that is "k positions in an array of m bits".
//
//   digest ──Rule──► position 0 … position k-1 ──Access──► bits
//
// Rule says where the bits of a digest lie (native chain, partitions, or another library's arithmetic), Access whether
// words are touched plainly or atomically. All combinations share these lines and, for one rule, the same bytes.
//
// The contract of a rule (chain_rule in filters/bloom.hpp is the model):
//   digest_type, shape_type, state   what it takes; how a user describes it; what it carries from probe to probe
//   kind, id, max_probes              the kind's name and number; the rule's number in files; the most probes it has
//   make(shape) -> result<Rule>      checks the shape
//   shape(), bits(), probes()        and gives them back
//   start(digest) -> state            where the positions of a digest begin
//   take<N>(state&) -> array of N     the next N of them, each below bits()
//   fold_unit(), folded(c)            m may be divided by any divisor c of fold_unit() (0: never); the new rule
//   plan(target) -> result<shape>     only if it sizes otherwise than shape_type does
//
// Cost: k words per operation, k cache misses in a table beyond the cache. Everything on the way of a key is noexcept
// and allocates nothing.
#pragma once

#include <seen/base/bit_words.hpp>
#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/concepts.hpp>
#include <seen/engines/word_engine.hpp>
#include <seen/kernels/bloom.hpp>
#include <seen/kernels/range_adds.hpp>
#include <seen/math/estimate.hpp>
#include <seen/math/lanes.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/storage.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seen::inline v1::engines {

template <class Rule, class Access = plain_access>
class bloom_engine : public word_engine<bloom_engine, Rule, Access> {
  using base = word_engine<bloom_engine, Rule, Access>;
  using base::rule_;

 public:
  using base::base;
  using base::probes;
  using base::word_count;
  using base::words;
  using typename base::digest_type;

  static constexpr bool is_monotone = true;

  [[nodiscard]] static std::uint64_t bits_of(const Rule& rule) noexcept { return rule.bits(); }
  [[nodiscard]] static std::string in_words(const Rule& rule) { return std::to_string(rule.bits()) + " bits"; }

  // --- one key

  void add(const digest_type& d) noexcept {
    const Rule rule = *rule_;
    kernels::bloom_add(kernels::bit_cells<Access>{words()}, rule, rule.start(d), rule.probes());
  }

  /// Calls use(offset) for every byte that add(d) may change.
  template <class Use>
  void for_each_place(const digest_type& d, Use use) const {
    const Rule rule = *rule_;
    auto state = rule.start(d);
    for (std::uint32_t i = rule.probes(); i != 0; --i) use(rule.template take<1>(state)[0] / 8);
  }

  [[nodiscard]] bool may_contain(const digest_type& d) const noexcept {
    const Rule rule = *rule_;
    return kernels::bloom_lookup(cells(), rule, rule.start(d), rule.probes());
  }

  /// The answer before, and the digest is in afterwards. Of threads that race to add a new digest at least one is told
  /// "absent": whichever first saw the bit that was set last.
  bool test_and_add(const digest_type& d) noexcept {
    // Probe by probe, not by fours as add and may_contain: every bit is looked at before it is set, and by fours that would
    // be a pass of tests and a pass of stores over the same words.
    std::uint64_t* const table = this->words();
    const Rule rule = *rule_;
    auto state = rule.start(d);
    bool present = true;
    for (std::uint32_t i = rule.probes(); i != 0; --i) {
      const std::uint64_t at = rule.template take<1>(state)[0];
      const std::uint64_t mask = bit_mask(at);
      if ((Access::load(table + at / 64) & mask) == 0) {
        present = false;
        Access::set(table + at / 64, mask);
      }
    }
    return present;
  }

  // --- many keys

  void add_many(std::span<const digest_type> digests) noexcept {
    kernels::bloom_add_many(kernels::bit_cells<Access>{words()}, *rule_, probes(), digests);
  }

  /// The same on several threads, with atomic ORs: a key's positions lie all over the array, so that no thread could
  /// have a part of it to itself.
  void add_many(std::span<const digest_type> digests, unsigned threads) {
    const kernels::bit_cells<atomic_access> cells{words()};
    const Rule rule = *rule_;
    kernels::for_each_part(digests, threads, [&](std::span<const digest_type> some) {
      kernels::bloom_add_many(cells, rule, rule.probes(), some);
    });
  }

  std::size_t may_contain_many(std::span<const digest_type> digests, bool* out) const noexcept {
    if (probes() == 0) {  // moved from: as may_contain answers
      std::fill_n(out, digests.size(), true);
      return digests.size();
    }
    return kernels::bloom_lookup_many(cells(), *rule_, probes(), digests, out);
  }

  // --- the whole filter

  result<void> merge(const bloom_engine& other) { return combine("merge", other, Access::set); }
  result<void> intersect(const bloom_engine& other) { return combine("intersect", other, Access::keep); }

  /// Folds the array to the smallest size that keeps the false-positive rate of the keys in it at or below `fpr`.
  result<void> shrink_to_fpr(double fpr) requires(!Access::is_shared) {
    if (auto sensible = check_shrink(fpr, set_bits()); !sensible) return sensible;
    if (rule_->fold_unit() == 0) return {errc::unsupported, "shrink: this format's positions do not fold"};
    // The rate grows with the divisor, so the first one from above that keeps it is the best.
    for (const std::uint64_t divisor : divisors_from_above(rule_->fold_unit(), largest_useful_divisor(fpr))) {
      auto folded = fold(divisor);
      if (!folded) return folded.error();
      if (math::fpr_of_fill(folded->fill(), probes()) > fpr) continue;  // the estimate was a little off
      *this = std::move(*folded);
      return {};
    }
    return no_divisor(rule_->fold_unit(), fpr);
  }

  /// What the size may be divided by a divisor of; 0: it does not fold.
  [[nodiscard]] std::uint64_t fold_unit() const noexcept { return rule_->fold_unit(); }
  /// Folds the array by a divisor of fold_unit().
  result<void> fold_by(std::uint64_t divisor) requires(!Access::is_shared) {
    if (auto fine = check_divisor(fold_unit(), divisor); !fine || divisor == 1) return fine;
    auto folded = fold(divisor);
    if (!folded) return folded.error();
    *this = std::move(*folded);
    return {};
  }

  // --- what it is

  [[nodiscard]] std::uint64_t bits() const noexcept { return rule_->bits(); }
  [[nodiscard]] std::uint64_t set_bits() const noexcept { return this->census(); }
  /// What that number, once known, tells.
  [[nodiscard]] math::fill_estimates estimates_of(std::uint64_t set) const noexcept {
    const double fill = bits() == 0 ? 0 : static_cast<double>(set) / static_cast<double>(bits());
    return {.fill = fill,
            .keys = math::estimate_count(set, bits(), probes()),
            .fpr = math::fpr_of_fill(fill, probes()),
            .saturated = math::count_is_weak(fill)};
  }
  [[nodiscard]] double fill() const noexcept {
    return bits() == 0 ? 0 : static_cast<double>(set_bits()) / static_cast<double>(bits());
  }
  [[nodiscard]] double estimated_count() const noexcept { return math::estimate_count(set_bits(), bits(), probes()); }
  /// What estimated_count() says of so many keys at most, but for once in 10^9.
  [[nodiscard]] double most_keys(std::uint64_t keys) const noexcept { return math::most_keys(keys, bits(), probes()); }
  [[nodiscard]] double estimated_fpr() const noexcept { return math::fpr_of_fill(fill(), probes()); }
  [[nodiscard]] bool saturated() const noexcept { return math::count_is_weak(fill()); }
  /// For a survey: the block of a key, where the rule has such.
  [[nodiscard]] math::lane_shape block() const noexcept {
    if constexpr (requires { rule_->block(); }) {
      return rule_->block();
    } else {
      return {};
    }
  }
  [[nodiscard]] std::uint64_t block_pieces() const noexcept { return math::bits_of_block(block()) / 64; }
  /// Set bits of the union of two filters of one shape, without making it.
  [[nodiscard]] std::uint64_t set_bits_of_union(const bloom_engine& other) const noexcept {
    return detail::count_bits_of_union<Access>(words(), other.words(),
                                               std::min(this->used_words(), other.used_words()));
  }

 private:
  [[nodiscard]] kernels::bit_cells<Access, const std::uint64_t> cells() const noexcept { return {words()}; }

  template <class Change>
  result<void> combine(const char* what, const bloom_engine& other, Change change) {
    if (auto same = check_same_shape(what, *this, other); !same) return same;
    if (this->used_words() != other.used_words()) {  // another library's array may be longer than its positions reach
      return {errc::incompatible, std::string(what) + ": arrays differ: " + in_words(*rule_) + " here, " +
                                      in_words(*other.rule_) + " there"};
    }
    this->combine_words(other, change);
    return {};
  }

  // No divisor above m / (bits that these keys need at `fpr`) can keep the rate; generous by one percent.
  [[nodiscard]] std::uint64_t largest_useful_divisor(double fpr) const noexcept {
    const double need = math::bits_needed(math::estimate_count(set_bits(), bits(), probes()), fpr, probes());
    const double most = static_cast<double>(bits());
    return static_cast<std::uint64_t>(need > 1 ? 1.01 * most / need : most);
  }

  // New cell j is the OR of old cells c·j .. c·j + c - 1, since floor(mulhi(x, m) / c) = mulhi(x, m / c).
  [[nodiscard]] result<bloom_engine> fold(std::uint64_t divisor) const {
    const Rule rule = rule_->folded(divisor);
    auto folded = base::empty_of(rule);
    if (!folded) return folded;
    for (std::size_t i = 0; i < word_count(); ++i) {
      for (std::uint64_t rest = little_endian(words()[i]); rest != 0; rest &= rest - 1) {
        const std::uint64_t at = (i * 64 + static_cast<std::uint64_t>(std::countr_zero(rest))) / divisor;
        folded->words()[at / 64] |= bit_mask(at);
      }
    }
    return folded;
  }
};

}  // namespace seen::inline v1::engines
