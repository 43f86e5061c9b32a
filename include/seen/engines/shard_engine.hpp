// shard_engine<Rule>: a static filter over one array, whatever the kind.
//
//   body   [ tables: the rule's, `shards` times the same shape ][ one seed byte per shard ]    to a multiple of 8 bytes
//
// The rule says what the tables are, where a digest lies in them and how they are made to hold a set of digests. The
// engine has all that does not depend on it: which shard, which seed, batches that fetch ahead, files, and the empty
// filter, which says no to everything and has no shard to ask.
//
// A rule brings:
//   shape_type, kind, id                 as any engine; make(shape) checks them; shape(), shards(), table_bytes()
//   place find(shard_digest)              all a lookup needs, computed without touching the tables
//   bool test(tables, place)              the answer
//   form(), inlined_forms                 the number of its form; single keys of forms below that are asked inline:
//   bool test_form<Form, Several>(tables, shard_digest)
//   test_many(tables, locate, digests, out)  a batch; `locate` makes a shard_digest of a digest
//   pieces(shard)                         where in the tables a shard lies
//   bool solve(digests, shard, seed, tables, workspace)  makes a shard of its digests, which are sorted and different;
//                                         false: not with this seed
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/result.hpp>
#include <seen/base/taken.hpp>
#include <seen/building/build_functions.hpp>
#include <seen/building/shards.hpp>
#include <seen/concepts.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/storage.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seen::inline v1::engines {

template <class Rule>
class shard_engine {
 public:
  using rule_type = Rule;
  /// The functions that filter::build is made of.
  template <class Filter, class Hash>
  using build_functions = building::build_functions<Filter, shard_engine, Hash>;
  using digest_type = digest;
  using shape_type = typename Rule::shape_type;
  using access_type = plain_access;

  static constexpr kind_info kind = Rule::kind;
  static constexpr std::uint16_t index_rule = Rule::id;

  shard_engine() noexcept = default;

  /// A filter over bytes that were built before: of shape.bytes(), and zeros up to a multiple of 64 where a file has
  /// them.
  static result<shard_engine> over(const shape_type& shape, storage bytes) {
    auto rule = Rule::make(shape);
    if (!rule) return rule.error();
    const std::uint64_t need = shape.bytes();
    if (bytes.size() < need || bytes.size() > round_up(need, storage::alignment)) {
      return {errc::invalid_argument, "a " + std::string(kind.name) + " filter of this shape takes " +
                                          std::to_string(need) + " bytes; " + std::to_string(bytes.size()) +
                                          " were given"};
    }
    return or_no_memory([&]() -> result<shard_engine> { return shard_engine(*rule, std::move(bytes)); });
  }

  [[nodiscard, gnu::always_inline]] bool may_contain(digest d) const noexcept { return may_contain_as<0>(d); }

  /// Writes whether each digest may be present, and returns how many may.
  std::size_t may_contain_many(std::span<const digest> digests, bool* out) const noexcept {
    const state& s = *state_;
    if (s.rule.shards() == 0) {
      std::fill_n(out, digests.size(), is_moved_from());
      return is_moved_from() ? digests.size() : 0;
    }
    if (s.rule.shards() == 1) return s.rule.test_many(tables(), building::lone_shard{s.multiplier}, digests, out);
    return s.rule.test_many(tables(), locator(), digests, out);
  }

  [[nodiscard]] friend bool operator==(const shard_engine& a, const shard_engine& b) noexcept {
    return a.shape() == b.shape() && std::ranges::equal(a.bytes(), b.bytes());
  }

  // --- what it is

  [[nodiscard]] shape_type shape() const noexcept { return state_->rule.shape(); }
  [[nodiscard]] const Rule& rule() const noexcept { return state_->rule; }
  [[nodiscard]] std::uint64_t shards() const noexcept { return state_->rule.shards(); }
  [[nodiscard]] bytes_view bytes() const noexcept {
    return storage_.bytes().first(is_moved_from() ? 0 : static_cast<std::size_t>(shape().bytes()));
  }
  /// The tables, and after them the seeds.
  [[nodiscard]] const std::byte* tables() const noexcept { return storage_.data(); }
  [[nodiscard]] const std::byte* seeds() const noexcept { return storage_.data() + state_->seeds_at; }

  [[nodiscard]] std::uint64_t size() const noexcept { return shape().keys; }
  [[nodiscard]] std::uint64_t census() const noexcept { return size(); }
  /// Keys per slot.
  [[nodiscard]] double fill() const noexcept { return shape().fill(); }
  [[nodiscard]] double estimated_count() const noexcept { return static_cast<double>(size()); }
  [[nodiscard]] double estimated_fpr() const noexcept { return size() == 0 ? 0 : shape().expected_fpr(size()); }
  [[nodiscard]] bool saturated() const noexcept { return false; }

  // --- files

  [[nodiscard]] std::vector<engine_part> parts() const {
    if (is_moved_from()) return {};
    const auto fields = shape().fields();
    std::vector<engine_part> parts;
    parts.push_back({{fields.begin(), fields.end()}, bytes()});
    return parts;
  }

  static result<shard_engine> from_parts(std::vector<stored_part> parts) {
    auto shape = shape_of_only_part<shard_engine>(parts);
    if (!shape) return shape.error();
    const std::uint64_t need = round_up(shape->bytes(), storage::alignment);
    if (auto fits = check_body_size(need, parts[0].bytes.size()); !fits) return fits.error();
    auto made = over(*shape, std::move(parts[0].bytes));
    if (made && !made->padding_is_zero()) return {errc::corrupt, "bytes beyond the last seed are set"};
    return made;
  }

 private:
  struct state {
    unsigned how = otherwise;       // single keys are asked: twice the number of the form, and 1 for several shards
    std::uint32_t shard_shift = 0;  // what leaves the shard of a digest, where there are several
    std::uint64_t multiplier = 0;   // of the only shard, where there is one
    Rule rule;
    std::uint64_t seeds_at = 0;
    // Of all shards, where there are several: eight bytes for each, so that a lookup loads one number and not a seed and
    // then its multiplier. Shared by copies, which cannot fail then when the bytes have been copied.
    std::shared_ptr<const std::uint64_t[]> multipliers = {};
  };

  static constexpr unsigned otherwise = 2 * Rule::inlined_forms;

  shard_engine(const Rule& rule, storage bytes) : storage_(std::move(bytes)), state_(state_of(rule, storage_.data())) {}

  [[nodiscard]] static state state_of(const Rule& rule, const std::byte* body) {
    state s{.rule = rule, .seeds_at = rule.table_bytes()};
    const auto shards = static_cast<std::size_t>(rule.shards());
    if (shards == 0) return s;
    const auto multiplier_of = [seeds = body + s.seeds_at](std::size_t shard) {
      return building::seed_multiplier(std::to_integer<std::uint8_t>(seeds[shard]));
    };
    s.how = std::min(otherwise, 2 * rule.form() + (shards > 1 ? 1 : 0));
    s.shard_shift = 64 - static_cast<std::uint32_t>(std::countr_zero(shards));
    s.multiplier = multiplier_of(0);
    if (shards > 1) {
      auto all = std::make_shared<std::uint64_t[]>(shards);
      for (std::size_t i = 0; i < shards; ++i) all.get()[i] = multiplier_of(i);
      s.multipliers = std::move(all);
    }
    return s;
  }

  [[nodiscard]] bool is_moved_from() const noexcept { return storage_.size() == 0; }

  /// The bytes of a file beyond the tables and seeds: less than a cache line, whatever the size.
  [[nodiscard]] bool padding_is_zero() const noexcept {
    const bytes_view padding = storage_.bytes().subspan(static_cast<std::size_t>(state_->seeds_at + shards()));
    return std::all_of(padding.begin(), padding.end(), [](std::byte b) { return b == std::byte{0}; });
  }

  [[nodiscard, gnu::always_inline]] building::shard_locator locator() const noexcept {
    return {state_->multipliers.get(), state_->shard_shift};
  }

  // One form after the other: the usual ones are first.
  template <unsigned Form>
  [[nodiscard, gnu::always_inline]] bool may_contain_as(digest d) const noexcept {
    const state& s = *state_;
    if constexpr (Form < Rule::inlined_forms) {
      if (s.how == 2 * Form) [[likely]]
        return s.rule.template test_form<Form, false>(tables(), building::lone_shard{s.multiplier}(d));
      if (s.how == 2 * Form + 1) return s.rule.template test_form<Form, true>(tables(), locator()(d));
      return may_contain_as<Form + 1>(d);
    } else {
      return may_contain_otherwise(d);
    }
  }

  // All shapes that are not inlined are a call away: inlined, the compiler would begin all of them at once and run out
  // of registers.
  [[nodiscard, gnu::noinline, gnu::pure]] bool may_contain_otherwise(digest d) const noexcept {
    const Rule& rule = state_->rule;
    if (rule.shards() == 0) return is_moved_from();
    if (rule.shards() == 1) return rule.test(tables(), rule.find(building::lone_shard{state_->multiplier}(d)));
    return rule.test(tables(), rule.find(locator()(d)));
  }

  // In this order: an assignment that finds no memory for the bytes has not changed the rule yet.
  storage storage_;
  detail::taken<state> state_;
};

}  // namespace seen::inline v1::engines
