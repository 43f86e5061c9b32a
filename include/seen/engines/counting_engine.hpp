// counting_engine<Rule, Access>: the one body of every filter that is "k counters per key in an array of m".
//
//   add      raises the k counters            a counter at its maximum 2^w - 1 is stuck: neither raised nor lowered
//   remove   lowers them, if none is 0        so a counter that two adds share is lowered twice
//   lookup   none is 0: "maybe"               count: the least of them
//
// While none is stuck, a counter holds exactly the probes that fell on it, so removing every key that was added gives
// an empty filter back, bit for bit. A stuck counter stays at "some". No key is lost to it, and the least counter of a
// key is still an upper bound of its adds, unless that one is stuck itself.
//
// Removing a key that tests present but was never added (a false positive) takes from other keys. Callers remove only
// keys that they added.
//
// Rule says where the counters of a digest lie (anywhere: filters/counting_bloom.hpp; in one cache line:
// filters/blocked_counting_bloom.hpp), Access whether words are touched plainly or atomically:
//   shape_type, kind, id         as in bloom_engine.hpp
//   make(shape) -> result<Rule>  checks the shape
//   shape(), counters(), probes(), width()
//   visit(digest, use)            calls use(counter) for each of the k probes; a counter may come twice
//   lookup, lookup_many, add, add_many, rate   the same for a table of words, by the rule's own kernels
//
// Shared access: every counter is changed by compare-and-swap of its word. may_contain and count are wait-free; add,
// remove and test_and_add are lock-free: a thread repeats a step only when another has changed the very word.
// Saturating adds commute, so any order of the same adds ends in the same bytes.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/concepts.hpp>
#include <seen/engines/word_engine.hpp>
#include <seen/kernels/counters.hpp>
#include <seen/kernels/range_adds.hpp>
#include <seen/math/estimate.hpp>
#include <seen/math/lanes.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/storage.hpp>
#include <seen/survey.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace seen::inline v1::engines {

template <class Rule, class Access = plain_access>
class counting_engine : public word_engine<counting_engine, Rule, Access> {
  using base = word_engine<counting_engine, Rule, Access>;
  using base::rule_;

 public:
  using base::base;
  using base::probes;
  using base::word_count;
  using base::words;
  using typename base::digest_type;

  static constexpr bool is_monotone = false;  // a counter goes up and down: a torn file may lack keys

  [[nodiscard]] static std::uint64_t bits_of(const Rule& rule) noexcept { return rule.counters() * rule.width(); }
  [[nodiscard]] static std::string in_words(const Rule& rule) {
    return std::to_string(rule.counters()) + " counters of " + std::to_string(rule.width()) + " bits";
  }

  // --- one key

  void add(digest_type d) noexcept { rule_->template add<Access>(words(), d); }

  [[nodiscard]] bool may_contain(digest_type d) const noexcept { return rule_->template lookup<Access>(words(), d); }

  /// Takes out one add of a digest. False where it tests absent, and then nothing has changed. Of threads that remove
  /// one digest at once more may succeed than added it: remove only what you added.
  bool remove(digest_type d) noexcept {
    if (probes() == 0) return false;
    // One look at where the words are: a reset in between must not make it lower the counters of other keys.
    std::uint64_t* const table = this->words();
    if (!rule_->template lookup<Access>(table, d)) return false;
    const kernels::counter_cells<Access> counters(table, rule_->width());
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

  /// The answer before, and the digest is in once more afterwards. Of threads that race to add a new digest at least
  /// one is told "absent": whichever raised a counter from 0.
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

  /// The same on several threads: each with blocks of its own where the counters of a key lie in one, else atomically.
  void add_many(std::span<const digest_type> digests, unsigned threads) {
    if (probes() == 0) return;
    const Rule rule = *rule_;
    std::uint64_t* const table = this->words();
    if constexpr (!Access::is_shared && requires(digest_type d) { rule.block_of(d); }) {
      kernels::add_by_ranges(
          digests, rule.blocks(), threads, [&](digest_type d) { return rule.block_of(d); },
          [&](std::span<const digest_type> some) { rule.template add_many<Access>(table, some); });
    } else {
      kernels::for_each_part(digests, threads, [&](std::span<const digest_type> some) {
        rule.template add_many<atomic_access>(table, some);
      });
    }
  }

  std::size_t may_contain_many(std::span<const digest_type> digests, bool* out) const noexcept {
    if (probes() == 0) {  // moved from: as may_contain answers
      std::fill_n(out, digests.size(), true);
      return digests.size();
    }
    return rule_->template lookup_many<Access>(words(), digests, out);
  }

  // --- the whole filter

  /// Adds the counters of both, each stopping at its maximum: the filter of all adds to either.
  result<void> merge(const counting_engine& other) {
    if (auto same = check_same_shape("merge", *this, other); !same) return same;
    const std::uint32_t width = rule_->width();
    this->combine_words(other, [width](std::uint64_t* to, std::uint64_t from) {
      Access::update(to, [&](std::uint64_t stored) {
        return little_endian(kernels::packed_sum(little_endian(stored), little_endian(from), width));
      });
    });
    return {};
  }

  // --- what it is

  [[nodiscard]] std::uint64_t counters() const noexcept { return rule_->counters(); }
  [[nodiscard]] std::uint32_t counter_bits() const noexcept { return rule_->width(); }

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
  /// What estimated_count() says of so many keys at most, but for once in 10^9.
  [[nodiscard]] double most_keys(std::uint64_t keys) const noexcept {
    return math::most_keys(keys, counters(), probes());
  }
  /// The rate as the counters are now.
  [[nodiscard]] double estimated_fpr() const noexcept {
    return probes() == 0 ? 1 : rule_->template rate<Access>(words(), nonzero_counters());
  }
  /// More than 0.7 of the counters are not 0: the rate is far above plan and the estimates are weak.
  [[nodiscard]] bool saturated() const noexcept { return math::count_is_weak(fill()); }

  // --- a survey (survey.hpp): word by word

  static constexpr std::string_view place = "counter";
  [[nodiscard]] counted_places count_pieces(std::uint64_t first, std::uint64_t last) const noexcept {
    const std::uint32_t width = std::max(rule_->width(), 1u);  // moved from: 0
    const auto marks = [width](std::uint64_t word) { return kernels::packed_nonzero(word, width); };
    return {std::min(counters(), last * 64 / width) - std::min(counters(), first * 64 / width),
            sum_of_words(marks, static_cast<std::size_t>(first), static_cast<std::size_t>(last))};
  }
  /// The block of a key, where its counters lie in one.
  [[nodiscard]] math::lane_shape block() const noexcept {
    if constexpr (requires { rule_->block(); }) {
      return rule_->block();
    } else {
      return {};
    }
  }
  [[nodiscard]] std::uint64_t block_pieces() const noexcept {
    return std::uint64_t{math::bits_of_block(block())} * rule_->width() / 64;
  }

 private:
  [[nodiscard]] kernels::counter_cells<Access> cells() noexcept { return {words(), rule_->width()}; }
  [[nodiscard]] kernels::counter_cells<Access, const std::uint64_t> cells() const noexcept {
    return {words(), rule_->width()};
  }

  // The set bits of marks(word), over words in native order.
  template <class Marks>
  [[nodiscard]] std::uint64_t sum_of_words(Marks marks, std::size_t first, std::size_t last) const noexcept {
    const auto* const from = words();
    return detail::count_bits_of([&](std::size_t i) { return marks(little_endian(Access::load(from + i))); }, first,
                                 last);
  }
  template <class Marks>
  [[nodiscard]] std::uint64_t sum_of_words(Marks marks) const noexcept {
    return sum_of_words(marks, 0, word_count());
  }
};

}  // namespace seen::inline v1::engines
