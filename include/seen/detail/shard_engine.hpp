// shard_engine<Rule>: a static filter over one array, whatever the kind.
//
//   body   [ tables: the rule's, `shards` times the same shape ][ one seed byte a shard ]      to a multiple of 8 bytes
//
// The rule says what the tables are, where a digest lies in them and how they are made to hold a set of digests; here is
// what does not depend on it: which shard, which seed, batches that fetch ahead, files, and the empty filter, which says
// no to everything and has no shard to ask.
//
// A rule brings:
//   params_type, kind, id                 as any engine; make(params) checks them; params(), shards(), table_bytes()
//   place find(shard_digest)              all a lookup needs, computed without touching the tables
//   prefetch(tables, place)               asks for the lines that test will read
//   bool test(tables, place)              the answer
//   pieces(shard)                         where in the tables a shard lies
//   bool solve(inner, shard, seed, tables, workspace)  makes a shard of sorted different digests; false: not with this seed
// and may bring with_shape(use), which calls use with a value that finds, prefetches and tests with what the rule decides
// at run time decided, so that a batch does it once; or test_many(tables, locator, digests, out) where batches have a body of
// their own.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/result.hpp>
#include <seen/concepts.hpp>
#include <seen/detail/shards.hpp>
#include <seen/detail/taken.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/storage.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seen {
inline namespace v1 {
namespace detail {

template <class Rule>
class shard_engine {
 public:
  using rule_type = Rule;
  using digest_type = digest;
  using params_type = typename Rule::params_type;
  using access_type = plain_access;

  static constexpr kind_info kind = Rule::kind;
  static constexpr std::uint16_t index_rule = Rule::id;

  shard_engine() noexcept = default;

  /// A filter over bytes that were built before: of params.bytes(), and zeros up to a multiple of 64 where a file has them.
  static result<shard_engine> over(const params_type& params, storage bytes) {
    auto rule = Rule::make(params);
    if (!rule) return rule.error();
    const std::uint64_t need = params.bytes();
    if (bytes.size() < need || bytes.size() > round_up(need, storage::alignment)) {
      return {errc::invalid_argument, "a " + std::string(kind.name) + " filter of these parameters takes " +
                                          std::to_string(need) + " bytes; " + std::to_string(bytes.size()) +
                                          " were given"};
    }
    return shard_engine(*rule, std::move(bytes));
  }

  [[nodiscard, gnu::always_inline]] bool may_contain(digest d) const noexcept {
    const state& s = *state_;
    if (s.rule.shards() == 1) {
      return s.rule.test(tables(), s.rule.find({.shard = 0, .inner = d.value, .multiplier = s.multiplier}));
    }
    if constexpr (requires { requires Rule::shards_apart; }) {
      return may_contain_apart(d);
    } else {
      return may_contain_in_shard(d);
    }
  }

  /// Writes whether each digest may be present, and returns how many may.
  std::size_t may_contain_many(std::span<const digest> digests, bool* out) const noexcept {
    const Rule& rule = state_->rule;
    if (rule.shards() == 0) {
      std::fill_n(out, digests.size(), is_moved_from());
      return is_moved_from() ? digests.size() : 0;
    }
    if constexpr (requires { rule.test_many(tables(), locator(), digests, out); }) {
      return rule.test_many(tables(), locator(), digests, out);
    } else if constexpr (requires { rule.with_shape([](const auto&) {}); }) {
      return rule.with_shape([&](const auto& fixed) { return test_many(fixed, digests, out); });
    } else {
      return test_many(rule, digests, out);
    }
  }

  [[nodiscard]] friend bool operator==(const shard_engine& a, const shard_engine& b) noexcept {
    return a.params() == b.params() && std::ranges::equal(a.bytes(), b.bytes());
  }

  // --- what it is

  [[nodiscard]] params_type params() const noexcept { return state_->rule.params(); }
  [[nodiscard]] const Rule& rule() const noexcept { return state_->rule; }
  [[nodiscard]] std::uint64_t shards() const noexcept { return state_->rule.shards(); }
  [[nodiscard]] bytes_view bytes() const noexcept {
    return storage_.bytes().first(is_moved_from() ? 0 : static_cast<std::size_t>(params().bytes()));
  }
  /// The tables, and after them the seeds.
  [[nodiscard]] const std::byte* tables() const noexcept { return storage_.data(); }
  [[nodiscard]] const std::byte* seeds() const noexcept { return storage_.data() + state_->seeds_at; }

  [[nodiscard]] std::uint64_t size() const noexcept { return params().keys; }
  [[nodiscard]] std::uint64_t census() const noexcept { return size(); }
  /// Keys a slot.
  [[nodiscard]] double fill() const noexcept { return params().fill(); }
  [[nodiscard]] double estimated_count() const noexcept { return static_cast<double>(size()); }
  [[nodiscard]] double estimated_fpr() const noexcept { return size() == 0 ? 0 : params().expected_fpr(size()); }
  [[nodiscard]] bool saturated() const noexcept { return false; }

  // --- files

  [[nodiscard]] std::vector<engine_part> parts() const {
    if (is_moved_from()) return {};
    const auto fields = params().fields();
    std::vector<engine_part> parts;
    parts.push_back({{fields.begin(), fields.end()}, bytes()});
    return parts;
  }

  static result<shard_engine> from_parts(std::vector<stored_part> parts) {
    constexpr std::size_t field_count = params_type::field_names.size();
    if (parts.size() != 1 || parts[0].fields.size() != field_count) {
      return {errc::corrupt, "a " + std::string(kind.name) + " filter has one segment with " +
                                 std::to_string(field_count) + " parameters"};
    }
    auto params = params_type::from_fields(std::span<const std::uint64_t, field_count>(parts[0].fields));
    if (!params) return error{errc::corrupt, params.error().detail};
    const std::uint64_t need = round_up(params->bytes(), storage::alignment);
    if (parts[0].bytes.size() != need) {
      return {errc::corrupt, "the parameters describe " + std::to_string(need) + " bytes, the body has " +
                                 std::to_string(parts[0].bytes.size())};
    }
    return over(*params, std::move(parts[0].bytes));
  }

  /// What a file has beyond the tables and seeds is zero.
  [[nodiscard]] result<void> check() const {
    const std::uint64_t used = state_->rule.table_bytes() + shards();
    for (const std::byte padding : storage_.bytes().subspan(static_cast<std::size_t>(used))) {
      if (padding != std::byte{0}) return {errc::corrupt, "bytes beyond the last seed are set"};
    }
    return {};
  }

 private:
  struct state {
    Rule rule;
    std::uint64_t seeds_at = 0;
    std::uint64_t multiplier = 0;  // of the only shard, where there is one
  };

  shard_engine(const Rule& rule, storage bytes) noexcept
      : storage_(std::move(bytes)), state_(state{.rule = rule, .seeds_at = rule.table_bytes()}) {
    if (rule.shards() != 1) return;
    const auto seed = std::to_integer<std::uint8_t>(*seeds());
    state_ = state{.rule = rule, .seeds_at = rule.table_bytes(), .multiplier = seed_multiplier(seed)};
  }

  [[nodiscard]] bool is_moved_from() const noexcept { return storage_.size() == 0; }

  [[nodiscard, gnu::always_inline]] bool may_contain_in_shard(digest d) const noexcept {
    if (shards() == 0) return is_moved_from();
    return state_->rule.test(tables(), state_->rule.find(locator()(d)));
  }
  [[nodiscard, gnu::noinline]] bool may_contain_apart(digest d) const noexcept { return may_contain_in_shard(d); }

  [[nodiscard, gnu::always_inline]] shard_locator locator() const noexcept { return {seeds(), shards()}; }

  template <class Lookup>
  std::size_t test_many(const Lookup& lookup, std::span<const digest> digests, bool* out) const noexcept {
    const std::uint64_t multiplier = state_->multiplier;
    if (shards() == 1) {
      return test_each(
          lookup, [=](digest d) -> shard_digest { return {.shard = 0, .inner = d.value, .multiplier = multiplier}; },
          digests, out);
    }
    return test_each(lookup, locator(), digests, out);
  }

  // Each place is found, and its lines asked for, some digests before it is tested.
  template <class Lookup, class Locate>
  std::size_t test_each(const Lookup lookup, const Locate locate, std::span<const digest> digests,
                        bool* out) const noexcept {
    constexpr std::size_t ahead = 64;  // 32 measure 10 % slower with three lines a key
    constexpr std::uint64_t prefetched = std::uint64_t{4}
                                         << 20;  // below, the misses of a few keys overlap by themselves
    const std::byte* const tables = this->tables();
    const std::size_t n = digests.size();
    std::size_t i = 0, found = 0;
    if (state_->rule.table_bytes() > prefetched && n > ahead) {
      std::array<typename Lookup::place, ahead> coming;
      for (; i < ahead; ++i) lookup.prefetch(tables, coming[i] = lookup.find(locate(digests[i])));
      for (i = 0; i + ahead < n; ++i) {
        typename Lookup::place& at = coming[i % ahead];
        found += out[i] = lookup.test(tables, at);
        lookup.prefetch(tables, at = lookup.find(locate(digests[i + ahead])));
      }
      for (; i < n; ++i) found += out[i] = lookup.test(tables, coming[i % ahead]);
      return found;
    }
    for (; i < n; ++i) found += out[i] = lookup.test(tables, lookup.find(locate(digests[i])));
    return found;
  }

  // In this order: an assignment that finds no memory for the bytes has not changed the rule yet.
  storage storage_;
  taken<state> state_;
};

}  // namespace detail
}  // namespace v1
}  // namespace seen
