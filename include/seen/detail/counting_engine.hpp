// counting_engine<Rule, Access>: the one body of every filter that is "k counters a key in an array of m".
//
//   add      raises the k counters            a counter at its maximum 2^w - 1 is stuck: neither raised nor lowered
//   remove   lowers them, if none is 0        so that what two adds share is lowered once for each
//   lookup   none is 0: "maybe"               count: the least of them
//
// While none is stuck a counter holds exactly the probes that fell on it, so removing every key that was added gives an
// empty filter back, bit for bit. A stuck counter says "some", for ever: keys are never lost to it, and the least counter
// of a key is still an upper bound of its adds as long as that one is not stuck itself.
//
// Removing a key that was never added and tests present (a false positive) takes from other keys: callers remove only
// what they added.
//
// Rule says where the counters of a digest lie (anywhere: filters/counting_bloom.hpp; in one cache line:
// filters/blocked_counting_bloom.hpp), Access whether words are touched plainly or atomically:
//   params_type, kind, id         as in bloom_engine.hpp
//   make(params) -> result<Rule>  checks the parameters
//   params(), counters(), probes(), width()
//   visit(digest, use)            calls use(counter) for each of the k probes; a counter may come twice
//   lookup, lookup_many, add, add_many, rate   the same for a table of words, by the rule's own kernels
//
// Shared access: every counter is changed by compare-and-swap of its word. may_contain and count are wait-free; add,
// remove and test_and_add are lock-free: a thread repeats a step only when another has changed the very word. Saturating
// adds commute, so any order of the same adds ends in the same bytes.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/concepts.hpp>
#include <seen/detail/bit_words.hpp>
#include <seen/detail/stripes.hpp>
#include <seen/detail/taken.hpp>
#include <seen/kernels/counters.hpp>
#include <seen/math/estimate.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/storage.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace seen {
inline namespace v1 {
namespace detail {

/// Bytes of `counters` counters of `width` bits: whole cache lines.
[[nodiscard]] constexpr std::size_t counter_array_bytes(std::uint64_t counters, std::uint32_t width) noexcept {
  return static_cast<std::size_t>(round_up(ceil_div(counters * width, 8), storage::alignment));
}

/// A parameter that may be anything, for a field of 32 bits: too large stays too large.
[[nodiscard]] constexpr std::uint32_t clamp_to_u32(std::uint64_t value) noexcept {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, 0xffff'ffff));
}

template <class Rule, class Access = plain_access>
class counting_engine {
 public:
  using rule_type = Rule;
  using access_type = Access;
  using digest_type = typename Rule::digest_type;
  using params_type = typename Rule::params_type;

  static constexpr kind_info kind = Rule::kind;
  static constexpr std::uint16_t index_rule = Rule::id;
  static constexpr bool is_monotone = false;  // a counter goes up and down: a torn file may lack keys

  counting_engine() noexcept = default;
  counting_engine(counting_engine&&) noexcept = default;
  counting_engine& operator=(counting_engine&&) noexcept = default;
  counting_engine(const counting_engine&) requires(!Access::is_shared) = default;
  counting_engine& operator=(const counting_engine&) requires(!Access::is_shared) = default;
  ~counting_engine() = default;

  /// An empty filter of this shape.
  static result<counting_engine> make(const params_type& params) {
    auto rule = Rule::make(params);
    if (!rule) return rule.error();
    auto bytes = storage::allocate(counter_array_bytes(rule->counters(), rule->width()));
    if (!bytes) return bytes.error();
    return counting_engine(*rule, std::move(*bytes));
  }

  /// A filter over bytes that exist already: a file's body, or the caller's memory.
  static result<counting_engine> over(const params_type& params, storage bytes) {
    auto rule = Rule::make(params);
    if (!rule) return rule.error();
    const std::size_t least =
        static_cast<std::size_t>(ceil_div(rule->counters() * rule->width(), 64)) * sizeof(std::uint64_t);
    const std::size_t most = counter_array_bytes(rule->counters(), rule->width());
    if (bytes.size() < least || bytes.size() > most || bytes.size() % sizeof(std::uint64_t) != 0) {
      return {errc::invalid_argument, std::to_string(rule->counters()) + " counters of " +
                                          std::to_string(rule->width()) + " bits take " + std::to_string(least) +
                                          " to " + std::to_string(most) + " bytes; " + std::to_string(bytes.size()) +
                                          " were given"};
    }
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 != 0) {  // what atomic words need, on 32-bit machines too
      return {errc::invalid_argument, "the bytes of a filter must be aligned to 8"};
    }
    counting_engine made(*rule, std::move(bytes));
    if (!zero_beyond<Access>(made.words(), made.word_count(), rule->counters() * rule->width())) {
      return {errc::corrupt, "bits beyond the last of " + std::to_string(rule->counters()) + " counters are set"};
    }
    return made;
  }

  // --- one key

  void add(digest_type d) noexcept {
    const Rule rule = *rule_;
    rule.template add<Access>(words(), d);
  }

  [[nodiscard]] bool may_contain(digest_type d) const noexcept {
    const Rule rule = *rule_;
    return rule.template lookup<Access>(words(), d);
  }

  /// Takes out one add of a digest. False where it tests absent, and then nothing has changed. Of threads that remove
  /// one digest at once more may succeed than added it: remove only what you added.
  bool remove(digest_type d) noexcept {
    if (probes() == 0) return false;
    // One look at where the words are: a reset in between must not make it lower the counters of other keys.
    std::uint64_t* const words = this->words();
    if (!rule_->template lookup<Access>(words, d)) return false;
    const kernels::counter_cells<Access> counters(words, rule_->width());
    rule_->visit(d, [&](std::uint64_t at) { counters.take(at); });
    return true;
  }

  /// How often the digest was added at most; the maximum of a counter, 2^w - 1, stands for "so often or more".
  [[nodiscard]] std::uint64_t count(digest_type d) const noexcept {
    const auto counters = this->cells();
    std::uint64_t least = counters.maximum();
    rule_->visit(d, [&](std::uint64_t at) { least = std::min(least, counters.value(at)); });
    return least;
  }

  /// The answer before, and the digest is in once more afterwards. Of threads that race to add a new digest at least one
  /// is told "absent": whichever raised a counter from 0.
  bool test_and_add(digest_type d) noexcept {
    const auto counters = this->cells();
    bool present = true;
    rule_->visit(d, [&](std::uint64_t at) { present &= counters.put(at) != 0; });
    return present;
  }

  // --- many keys

  void add_many(std::span<const digest_type> digests) noexcept {
    if (probes() != 0) rule_->template add_many<Access>(words(), digests);
  }

  std::size_t may_contain_many(std::span<const digest_type> digests, bool* out) const noexcept {
    if (probes() == 0) {  // moved from: as may_contain answers
      std::fill_n(out, digests.size(), true);
      return digests.size();
    }
    return rule_->template lookup_many<Access>(words(), digests, out);
  }

  // --- the whole filter

  /// Empties the filter. With shared access it is free of races, but answers during it are unspecified.
  void clear() noexcept {
    for (std::size_t i = 0; i < word_count(); ++i) Access::store(words() + i, 0);
  }

  /// Puts empty bytes in place and returns the full ones, as a filter; readers see one or the other. The caller keeps
  /// what is returned until no call that began before the reset is still running.
  [[nodiscard]] counting_engine reset() {
    auto fresh = storage::allocate(storage_.size());
    if (!fresh) throw_error(fresh.error());
    const auto lock = lock_stripe(reinterpret_cast<std::uintptr_t>(this));  // two resets at once: one after the other
    storage_.template replace_with<Access>(*fresh);
    return counting_engine(*rule_, std::move(*fresh));
  }

  /// Adds the counters of both, each stopping at its maximum: the filter of all adds to either.
  result<void> merge(const counting_engine& other) {
    const auto here = params().fields(), there = other.params().fields();
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (here[i] == there[i]) continue;
      const std::string name(params_type::field_names[i]);
      return {errc::incompatible, "merge: " + name + " differ: " + std::to_string(here[i]) + " here, " +
                                      std::to_string(there[i]) + " there"};
    }
    const std::uint32_t width = rule_->width();
    std::uint64_t* const to = words();  // once: all of the other goes into one table, whatever a reset does meanwhile
    const std::uint64_t* const from = other.words();
    for (std::size_t i = 0; i < used_words(); ++i) {
      const std::uint64_t added = little_endian(Access::load(from + i));
      Access::update(to + i, [&](std::uint64_t stored) {
        return little_endian(kernels::packed_sum(little_endian(stored), added, width));
      });
    }
    return {};
  }

  [[nodiscard]] friend bool operator==(const counting_engine& a, const counting_engine& b) noexcept {
    return a.params() == b.params() && equal_words<Access>(a.words(), b.words(), a.used_words());
  }

  // --- what it is

  [[nodiscard]] params_type params() const noexcept { return rule_->params(); }
  [[nodiscard]] std::uint64_t counters() const noexcept { return rule_->counters(); }
  [[nodiscard]] std::uint32_t probes() const noexcept { return rule_->probes(); }
  [[nodiscard]] std::uint32_t counter_bits() const noexcept { return rule_->width(); }
  [[nodiscard]] const Rule& rule() const noexcept { return *rule_; }

  /// The counters that are not 0.
  [[nodiscard]] std::uint64_t nonzero_counters() const noexcept {
    return sum_of_words([width = rule_->width()](std::uint64_t word) { return kernels::packed_nonzero(word, width); });
  }
  /// The counters at their maximum, which stay there.
  [[nodiscard]] std::uint64_t stuck_counters() const noexcept {
    return sum_of_words([width = rule_->width()](std::uint64_t word) {
      return kernels::packed_nonzero(~word, width) ^ kernels::packed_ones(width);
    });
  }
  [[nodiscard]] double fill() const noexcept {
    return counters() == 0 ? 0 : static_cast<double>(nonzero_counters()) / static_cast<double>(counters());
  }
  /// How many different keys it holds, judged by its fill; infinite when no counter is 0.
  [[nodiscard]] double estimated_count() const noexcept {
    return math::estimate_count(nonzero_counters(), counters(), probes());
  }
  /// The rate as the counters are now.
  [[nodiscard]] double estimated_fpr() const noexcept {
    return probes() == 0 ? 1 : rule_->template rate<Access>(words(), nonzero_counters());
  }
  /// More than 0.7 of the counters are not 0: the rate is far above plan and the estimates are weak.
  [[nodiscard]] bool saturated() const noexcept { return math::count_is_weak(fill()); }

  [[nodiscard]] bytes_view bytes() const noexcept { return storage_.bytes(); }
  [[nodiscard]] std::uint64_t* words() noexcept {
    return reinterpret_cast<std::uint64_t*>(storage_.template data_as<Access>());
  }
  [[nodiscard]] const std::uint64_t* words() const noexcept {
    return reinterpret_cast<const std::uint64_t*>(storage_.template data_as<Access>());
  }
  [[nodiscard]] std::size_t word_count() const noexcept { return storage_.size() / sizeof(std::uint64_t); }
  /// The words that hold counters. Two filters of one shape have as many; the padding after them may differ in length.
  [[nodiscard]] std::size_t used_words() const noexcept {
    return static_cast<std::size_t>(ceil_div(counters() * rule_->width(), 64));
  }

  /// What a file keeps beside the bytes to notice that they are not these: the number of set bits, cheaper than a sum of
  /// counters and changed by every flip.
  [[nodiscard]] std::uint64_t census() const noexcept { return count_bits<Access>(words(), word_count()); }

  // --- from one access policy to another

  /// The same bytes under another policy, without a copy.
  template <class Other>
  [[nodiscard]] counting_engine<Rule, Other> with_access() && {
    const Rule rule = *rule_;
    rule_ = taken<Rule>();
    return counting_engine<Rule, Other>(rule, std::move(storage_));
  }

  /// A copy that no other thread touches: every word is read once, and every add that happened before is in it.
  [[nodiscard]] result<counting_engine<Rule, plain_access>> snapshot() const {
    auto copy = storage::allocate(storage_.size());
    if (!copy) return copy.error();
    copy_words<Access>(reinterpret_cast<std::uint64_t*>(copy->data()), words(), word_count());
    return counting_engine<Rule, plain_access>(*rule_, std::move(*copy));
  }

 private:
  template <class, class>
  friend class counting_engine;

  counting_engine(const Rule& rule, storage bytes) noexcept : storage_(std::move(bytes)), rule_(rule) {}

  [[nodiscard]] kernels::counter_cells<Access> cells() noexcept { return {words(), rule_->width()}; }
  [[nodiscard]] kernels::counter_cells<Access, const std::uint64_t> cells() const noexcept {
    return {words(), rule_->width()};
  }

  // The set bits of marks(word), over all words in native order.
  template <class Marks>
  [[nodiscard]] std::uint64_t sum_of_words(Marks marks) const noexcept {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < word_count(); ++i) {
      sum += static_cast<std::uint64_t>(std::popcount(marks(little_endian(Access::load(words() + i)))));
    }
    return sum;
  }

  // In this order: an assignment that finds no memory for the bytes has not changed the rule yet.
  storage storage_;
  taken<Rule> rule_;
};

}  // namespace detail
}  // namespace v1
}  // namespace seen
