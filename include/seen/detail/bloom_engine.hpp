// bloom_engine<Rule, Access>: the one body of every filter that is "k positions in an array of m bits".
//
//   digest ──Rule──► position 0 … position k-1 ──Access──► bits
//
// Rule says where the bits of a digest lie (native chain, partitions, or another library's arithmetic), Access whether
// words are touched plainly or atomically. All combinations share these lines and, for one rule, the same bytes.
//
// The contract of a rule (chain_rule in filters/bloom.hpp is the model):
//   digest_type, params_type, state   what it takes; how a user describes it; what it carries from probe to probe
//   kind, id, max_probes              the kind's name and number; the rule's number in files; the most probes it has
//   make(params) -> result<Rule>      checks the parameters
//   params(), bits(), probes()        and gives them back
//   start(digest) -> state            where the positions of a digest begin
//   take<N>(state&) -> array of N     the next N of them, each below bits()
//   fold_unit(), folded(c)            m may be divided by any divisor c of fold_unit() (0: never); the new rule
//
// Cost: k words per operation, k cache misses in a table beyond the cache. Everything on the way of a key is noexcept
// and allocates nothing.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/concepts.hpp>
#include <seen/detail/bit_words.hpp>
#include <seen/detail/stripes.hpp>
#include <seen/detail/taken.hpp>
#include <seen/kernels/bloom.hpp>
#include <seen/math/estimate.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/storage.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seen {
inline namespace v1 {
namespace detail {

/// Bytes of an array of `bits` bits: whole cache lines, so that mapped and owned memory are laid out alike.
[[nodiscard]] constexpr std::size_t bit_array_bytes(std::uint64_t bits) noexcept {
  return static_cast<std::size_t>(round_up(ceil_div(bits, 8), storage::alignment));
}

/// The divisors of `n` above 1 and up to `most`, largest first.
[[nodiscard]] inline std::vector<std::uint64_t> divisors_from_above(std::uint64_t n, std::uint64_t most) {
  std::vector<std::uint64_t> divisors;
  for (std::uint64_t d = 1; n != 0 && d <= n / d; ++d) {
    if (n % d != 0) continue;
    for (const std::uint64_t each : {d, n / d}) {
      if (each > 1 && each <= most) divisors.push_back(each);
    }
  }
  std::sort(divisors.begin(), divisors.end(), std::greater<>());
  divisors.erase(std::unique(divisors.begin(), divisors.end()), divisors.end());
  return divisors;
}

template <class Rule, class Access = plain_access>
class bloom_engine {
 public:
  using rule_type = Rule;
  using access_type = Access;
  using digest_type = typename Rule::digest_type;
  using params_type = typename Rule::params_type;

  static constexpr kind_info kind = Rule::kind;
  static constexpr std::uint16_t index_rule = Rule::id;
  static constexpr bool is_monotone = true;

  bloom_engine() noexcept = default;
  bloom_engine(bloom_engine&&) noexcept = default;
  bloom_engine& operator=(bloom_engine&&) noexcept = default;
  // Copying words that other threads write is not a copy of anything: shared engines have snapshot() instead.
  bloom_engine(const bloom_engine&) requires(!Access::is_shared) = default;
  bloom_engine& operator=(const bloom_engine&) requires(!Access::is_shared) = default;
  ~bloom_engine() = default;

  /// An empty filter of this shape.
  static result<bloom_engine> make(const params_type& params) {
    auto rule = Rule::make(params);
    if (!rule) return rule.error();
    auto bytes = storage::allocate(bit_array_bytes(rule->bits()));
    if (!bytes) return bytes.error();
    return bloom_engine(*rule, std::move(*bytes));
  }

  /// A filter over bytes that exist already: a file's body, or the caller's memory.
  static result<bloom_engine> over(const params_type& params, storage bytes) {
    auto rule = Rule::make(params);
    if (!rule) return rule.error();
    const std::size_t least = static_cast<std::size_t>(ceil_div(rule->bits(), 64)) * sizeof(std::uint64_t);
    const std::size_t most = bit_array_bytes(rule->bits());
    if (bytes.size() < least || bytes.size() > most || bytes.size() % sizeof(std::uint64_t) != 0) {
      return {errc::invalid_argument, std::to_string(rule->bits()) + " bits take " + std::to_string(least) + " to " +
                                          std::to_string(most) + " bytes; " + std::to_string(bytes.size()) +
                                          " were given"};
    }
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 != 0) {  // what atomic words need, on 32-bit machines too
      return {errc::invalid_argument, "the bytes of a filter must be aligned to 8"};
    }
    bloom_engine made(*rule, std::move(bytes));
    if (!zero_beyond<Access>(made.words(), made.word_count(), rule->bits())) {
      return {errc::corrupt, "bits beyond the last of " + std::to_string(rule->bits()) + " are set"};
    }
    return made;
  }

  // --- one key

  void add(digest_type d) noexcept {
    std::uint64_t* const words = this->words();
    const Rule rule = *rule_;
    auto state = rule.start(d);
    for (std::uint32_t i = rule.probes(); i != 0; --i) {
      const std::uint64_t at = rule.template take<1>(state)[0];
      Access::set(words + at / 64, bit_mask(at));
    }
  }

  [[nodiscard]] bool may_contain(digest_type d) const noexcept {
    const Rule rule = *rule_;
    return kernels::bloom_lookup(cells(), rule, rule.start(d), rule.probes());
  }

  /// The answer before, and the digest is in afterwards. Of threads that race to add a new digest at least one is told
  /// "absent": whichever first saw the bit that was set last.
  bool test_and_add(digest_type d) noexcept {
    std::uint64_t* const words = this->words();
    const Rule rule = *rule_;
    auto state = rule.start(d);
    bool present = true;
    for (std::uint32_t i = rule.probes(); i != 0; --i) {
      const std::uint64_t at = rule.template take<1>(state)[0];
      const std::uint64_t mask = bit_mask(at);
      if ((Access::load(words + at / 64) & mask) == 0) {
        present = false;
        Access::set(words + at / 64, mask);
      }
    }
    return present;
  }

  // --- many keys

  void add_many(std::span<const digest_type> digests) noexcept {
    kernels::bloom_add_many(kernels::bit_cells<Access>{words()}, *rule_, probes(), digests);
  }

  std::size_t may_contain_many(std::span<const digest_type> digests, bool* out) const noexcept {
    if (probes() == 0) {  // moved from: as may_contain answers
      std::fill_n(out, digests.size(), true);
      return digests.size();
    }
    return kernels::bloom_lookup_many(cells(), *rule_, probes(), digests, out);
  }

  // --- the whole filter

  /// Empties the filter. With shared access it is free of races, but answers during it are unspecified.
  void clear() noexcept {
    for (std::size_t i = 0; i < word_count(); ++i) Access::store(words() + i, 0);
  }

  /// Puts empty bytes in place and returns the full ones, as a filter; readers see one or the other. The caller keeps
  /// what is returned until no call that began before the reset is still running.
  [[nodiscard]] bloom_engine reset() {
    auto fresh = storage::allocate(storage_.size());
    if (!fresh) throw_error(fresh.error());
    const auto lock = lock_stripe(reinterpret_cast<std::uintptr_t>(this));  // two resets at once: one after the other
    storage_.template replace_with<Access>(*fresh);
    return bloom_engine(*rule_, std::move(*fresh));
  }

  result<void> merge(const bloom_engine& other) { return combine("merge", other, Access::set); }
  result<void> intersect(const bloom_engine& other) { return combine("intersect", other, Access::keep); }

  /// Folds the array to the smallest size that keeps the false-positive rate of the keys in it at or below `fpr`.
  result<void> shrink_to_fpr(double fpr) requires(!Access::is_shared) {
    if (!(fpr > 0 && fpr < 1)) {
      return {errc::invalid_argument, "shrink: fpr " + readable(fpr) + " is not strictly between 0 and 1"};
    }
    if (set_bits() == 0) return {errc::unsupported, "shrink: the filter is empty: there is no key to size it by"};
    if (rule_->fold_unit() == 0) return {errc::unsupported, "shrink: this format's positions do not fold"};
    // The rate grows with the divisor, so the first one from above that keeps it is the best.
    for (const std::uint64_t divisor : divisors_from_above(rule_->fold_unit(), largest_useful_divisor(fpr))) {
      auto folded = fold(divisor);
      if (!folded) return folded.error();
      if (math::fpr_of_fill(folded->fill(), probes()) > fpr) continue;  // the estimate was a little off
      *this = std::move(*folded);
      return {};
    }
    return {errc::unsupported, "shrink: no divisor of " + std::to_string(rule_->fold_unit()) +
                                   " keeps the rate at or below " + readable(fpr) + "; the filter is unchanged"};
  }

  [[nodiscard]] friend bool operator==(const bloom_engine& a, const bloom_engine& b) noexcept {
    return a.params() == b.params() && equal_words<Access>(a.words(), b.words(), a.used_words());
  }

  // --- what it is

  [[nodiscard]] params_type params() const noexcept { return rule_->params(); }
  [[nodiscard]] std::uint64_t bits() const noexcept { return rule_->bits(); }
  [[nodiscard]] std::uint32_t probes() const noexcept { return rule_->probes(); }
  [[nodiscard]] const Rule& rule() const noexcept { return *rule_; }

  [[nodiscard]] std::uint64_t set_bits() const noexcept { return count_bits<Access>(words(), word_count()); }
  [[nodiscard]] double fill() const noexcept {
    return bits() == 0 ? 0 : static_cast<double>(set_bits()) / static_cast<double>(bits());
  }
  [[nodiscard]] double estimated_count() const noexcept { return math::estimate_count(set_bits(), bits(), probes()); }
  [[nodiscard]] double estimated_fpr() const noexcept { return math::fpr_of_fill(fill(), probes()); }
  [[nodiscard]] bool saturated() const noexcept { return math::count_is_weak(fill()); }
  /// Set bits of the union of two filters of one shape, without making it.
  [[nodiscard]] std::uint64_t set_bits_of_union(const bloom_engine& other) const noexcept {
    return count_bits_of_union<Access>(words(), other.words(), std::min(used_words(), other.used_words()));
  }

  [[nodiscard]] bytes_view bytes() const noexcept { return storage_.bytes(); }
  [[nodiscard]] std::uint64_t* words() noexcept {
    return reinterpret_cast<std::uint64_t*>(storage_.template data_as<Access>());
  }
  [[nodiscard]] const std::uint64_t* words() const noexcept {
    return reinterpret_cast<const std::uint64_t*>(storage_.template data_as<Access>());
  }
  [[nodiscard]] std::size_t word_count() const noexcept { return storage_.size() / sizeof(std::uint64_t); }
  /// The words that hold bits. Two filters of one shape have as many; the padding after them may differ in length.
  [[nodiscard]] std::size_t used_words() const noexcept { return static_cast<std::size_t>(ceil_div(bits(), 64)); }

  /// What a file keeps beside the bytes to notice that they are not these: the number of set bits.
  [[nodiscard]] std::uint64_t census() const noexcept { return set_bits(); }

  // --- from one access policy to another

  /// The same bytes under another policy, without a copy.
  template <class Other>
  [[nodiscard]] bloom_engine<Rule, Other> with_access() && {
    const Rule rule = *rule_;
    rule_ = taken<Rule>();
    return bloom_engine<Rule, Other>(rule, std::move(storage_));
  }

  /// A copy that no other thread touches: every word is read once, and every add that happened before is in it.
  [[nodiscard]] result<bloom_engine<Rule, plain_access>> snapshot() const {
    auto copy = storage::allocate(storage_.size());
    if (!copy) return copy.error();
    copy_words<Access>(reinterpret_cast<std::uint64_t*>(copy->data()), words(), word_count());
    return bloom_engine<Rule, plain_access>(*rule_, std::move(*copy));
  }

 private:
  template <class, class>
  friend class bloom_engine;

  bloom_engine(const Rule& rule, storage bytes) noexcept : storage_(std::move(bytes)), rule_(rule) {}

  [[nodiscard]] kernels::bit_cells<Access, const std::uint64_t> cells() const noexcept { return {words()}; }

  template <class Combine>
  result<void> combine(const char* what, const bloom_engine& other, Combine combine_words) {
    if (bits() != other.bits()) {
      return {errc::incompatible, std::string(what) + ": bits differ: " + std::to_string(bits()) + " here, " +
                                      std::to_string(other.bits()) + " there"};
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

  // No divisor above m / (bits that these keys need at `fpr`) can keep the rate; generous by one percent.
  [[nodiscard]] std::uint64_t largest_useful_divisor(double fpr) const noexcept {
    const double keys = math::estimate_count(set_bits(), bits(), probes());
    const double fill_at_fpr = std::pow(fpr, 1.0 / probes());
    const double need = -keys * probes() / std::log1p(-fill_at_fpr);
    const double most = static_cast<double>(bits());
    return static_cast<std::uint64_t>(need > 1 ? 1.01 * most / need : most);
  }

  // New cell j is the OR of old cells c·j .. c·j + c - 1, since floor(mulhi(x, m) / c) = mulhi(x, m / c).
  [[nodiscard]] result<bloom_engine> fold(std::uint64_t divisor) const {
    const Rule rule = rule_->folded(divisor);
    auto bytes = storage::allocate(bit_array_bytes(rule.bits()));
    if (!bytes) return bytes.error();
    bloom_engine folded(rule, std::move(*bytes));
    for (std::size_t i = 0; i < word_count(); ++i) {
      for (std::uint64_t rest = little_endian(words()[i]); rest != 0; rest &= rest - 1) {
        const std::uint64_t at = (i * 64 + static_cast<std::uint64_t>(std::countr_zero(rest))) / divisor;
        folded.words()[at / 64] |= bit_mask(at);
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
