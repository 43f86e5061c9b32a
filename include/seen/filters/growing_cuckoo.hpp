// The cuckoo filter that grows: a chain of tables, and a further one when the last is full. Never "full"; keys can be
// removed and counted however often it has grown. For keys that come once: a table holds eight copies of a key, so every
// eight adds of one key take a table, up to 255 of them.
//
//   link 0 [C chunks, w0 bits]   link 1 [2C chunks, w1 ≥ w0 bits]   link 2 [4C chunks, w2 ≥ w1 bits] …
//    └ all chunks of all links have the same number of buckets, B
//
// A link is a cuckoo table (detail/cuckoo_engine.hpp) with a rule of its own:
//
//   chunk        high half of x1·chunks, x1 = x / 2^32      a link with twice the chunks: one more bit of the same number
//   bucket i     high half of x0·B, x0 = x mod 2^32         the same in every link
//   fingerprint  the top w bits of x·C, 0 taken for 1       wider links: more bits of the same number
//   alternate    (h(t0) − i) mod B                          the same in every link: t0 is the first w0 bits of the
//                                                           fingerprint, 0 taken for 1
//
// Removal is what makes a chain of cuckoo filters hard. A key X may test present in a link where it is not, because the
// fingerprint of another key, Y, looks the same there. Taking that one out leaves X's own behind in its link, where Y
// need not match it: Y is lost, though it was added and never removed. Chains of independent tables have this false
// negative, at the rate of the filter, on every removal.
//
// Here it cannot happen. Say X ~j Y if X and Y have the same fingerprint and the same two buckets in link j. By the rule
// above everything that is compared in link j is a function of what is compared in link j+1, so
//
//   (nesting)   X ~j+1 Y implies X ~j Y.
//
// Removal takes from the NEWEST link that has a match. Claim: at any time the keys in the filter can be paired off with the
// fingerprints stored, one to one, so that each key is paired with one that it matches. (So every key is found, and
// count(X) is at least the number of times X is in.) Adding X stores one fingerprint and pairs it with X. Removing X
// takes a fingerprint F that X matches out of link j, the newest with such a one. If F is paired with X, done. If it is
// paired with Y, then Y ~j X. X itself is paired with some F' in a link k, and k ≤ j, since j is the newest with a match.
// By nesting Y ~k X, so Y matches F': pair Y with F'. Done.                                                           ∎
//
// Nothing in this asks where a key is added: add tries the newest link, then the older ones, where removals may have
// made room, and only then grows. It grows by doubling; if the newest link is less than half full (one key added over
// and over fills its eight slots and finds no room at any load) by a link of the same size, which nests as well.
//
// A lookup asks every link: two cache lines each. Few links are a matter of a good first guess of the capacity.
#pragma once

#include <seen/detail/chain_lookup.hpp>
#include <seen/detail/cuckoo_engine.hpp>
#include <seen/detail/taken.hpp>
#include <seen/filter.hpp>
#include <seen/filters/cuckoo.hpp>
#include <seen/hash/xxh3.hpp>
#include <seen/math/growing_cuckoo.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seen {
inline namespace v1 {

/// What a growing_cuckoo begins with, and the rate it keeps.
struct growing_cuckoo_params {
  std::uint64_t first_capacity = 0;  ///< keys of the first link
  double fpr = 0;                    ///< of the whole chain, however long

  /// A first link for the target's keys, and its rate for the whole chain.
  static result<growing_cuckoo_params> plan(const target& asked) {
    auto first = math::growing_cuckoo_first(asked);
    if (!first) return first.error();
    return growing_cuckoo_params{asked.capacity, asked.fpr};
  }
  /// What a file stores and `info` prints, in this order.
  static constexpr std::array<std::string_view, 2> field_names{"first-capacity", "fpr"};
  static constexpr std::array<field_type, 2> field_types{field_type::integer, field_type::real};
  [[nodiscard]] std::array<std::uint64_t, 2> fields() const noexcept {
    return {first_capacity, std::bit_cast<std::uint64_t>(fpr)};
  }
  static result<growing_cuckoo_params> from_fields(std::span<const std::uint64_t, 2> fields) {
    return plan({.capacity = fields[0], .fpr = std::bit_cast<double>(fields[1])});
  }
  /// Bytes of memory the first link takes.
  [[nodiscard]] std::size_t bytes() const noexcept {
    const auto first = math::growing_cuckoo_first({first_capacity, fpr});
    return first ? detail::cuckoo_bytes(first->buckets, first->fingerprint_bits) : 0;
  }
  /// Cache lines a lookup touches in the first link.
  [[nodiscard]] std::uint32_t lines() const noexcept { return 2; }
  /// The false-positive rate with this many keys in it: exact up to the capacity, beyond it for links that filled as
  /// planned.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const {
    const auto first = math::growing_cuckoo_first({first_capacity, fpr});
    return first ? math::growing_cuckoo_fpr(*first, {first_capacity, fpr}, keys) : 1;
  }

  friend bool operator==(const growing_cuckoo_params&, const growing_cuckoo_params&) = default;
};

namespace detail {

/// The shape of one link: a cuckoo table, and how many bits of a fingerprint say where its other bucket is.
struct nested_cuckoo_params {
  math::cuckoo_shape shape;
  std::uint32_t first_bits = 0;

  friend bool operator==(const nested_cuckoo_params&, const nested_cuckoo_params&) = default;
};

/// The rule of a link: see the top of this file.
class nested_cuckoo_rule : public cuckoo_table {
 public:
  using params_type = nested_cuckoo_params;

  static constexpr kind_info kind{.id = 9, .name = "growing-cuckoo"};
  static constexpr std::uint16_t id = 9;

  static result<nested_cuckoo_rule> make(const nested_cuckoo_params& p) {
    if (auto fine = math::check(p.shape); !fine) return fine.error();
    return nested_cuckoo_rule(p);
  }
  nested_cuckoo_rule() noexcept = default;

  [[nodiscard]] nested_cuckoo_params params() const noexcept { return {shape(), lanes().bits - map().dropped}; }

  template <class Lanes>
  [[nodiscard, gnu::always_inline]] inline cuckoo_place place(const Lanes& lanes, digest d) const noexcept {
    const std::uint64_t t = map().fingerprint(d, lanes.bits), first = map().first_of(d);
    return {{map().chunk_of(d), first, map().other(first, t)}, t};
  }
  [[nodiscard]] cuckoo_place place(digest d) const noexcept { return place(lanes(), d); }
  [[nodiscard, gnu::always_inline]] inline std::uint64_t alternate(std::uint64_t bucket,
                                                                   std::uint64_t t) const noexcept {
    return map().other(bucket, t);
  }

 private:
  explicit nested_cuckoo_rule(const nested_cuckoo_params& p) noexcept
      : cuckoo_table(p.shape, p.shape.fingerprint_bits - p.first_bits) {}
};

class growing_cuckoo_engine {
 public:
  using link = cuckoo_engine<nested_cuckoo_rule, plain_access>;
  using access_type = plain_access;
  using digest_type = digest;
  using params_type = growing_cuckoo_params;

  static constexpr kind_info kind = nested_cuckoo_rule::kind;
  static constexpr std::uint16_t index_rule = nested_cuckoo_rule::id;
  static constexpr bool is_monotone = false;
  /// A file has one part for the chain and one for each link.
  static constexpr std::size_t most_links = 255;

  growing_cuckoo_engine() noexcept = default;
  growing_cuckoo_engine(const growing_cuckoo_engine&) = default;
  growing_cuckoo_engine(growing_cuckoo_engine&&) noexcept = default;
  // A vector assigns element by element and may find no memory half way, and one moved to itself is empty: both by way
  // of a third.
  growing_cuckoo_engine& operator=(const growing_cuckoo_engine& other) { return *this = growing_cuckoo_engine(other); }
  growing_cuckoo_engine& operator=(growing_cuckoo_engine&& other) noexcept {
    growing_cuckoo_engine third(std::move(other));
    links_.swap(third.links_);
    params_ = std::move(third.params_);
    return *this;
  }
  ~growing_cuckoo_engine() = default;

  /// An empty chain of one link.
  static result<growing_cuckoo_engine> make(const params_type& params) {
    auto first = math::growing_cuckoo_first({params.first_capacity, params.fpr});
    if (!first) return first.error();
    auto made = link::make({*first, first->fingerprint_bits});
    if (!made) return made.error();
    growing_cuckoo_engine chain;
    chain.params_ = taken<params_type>(params);
    chain.links_.push_back(std::move(*made));
    return chain;
  }

  // --- one key

  /// Adds a digest. Throws std::bad_alloc where there is no memory for a further link; nothing has changed then.
  void add(digest d) {
    if (links_.empty()) return;  // moved from
    for (std::size_t i = links_.size(); i-- != 0;) {
      if (links_[i].add(d)) return;
    }
    grow();
    (void)links_.back().add(d);  // empty: there is room
  }

  [[nodiscard]] bool may_contain(digest d) const noexcept {
    for (std::size_t i = links_.size(); i-- != 0;) {
      if (links_[i].may_contain(d)) return true;
    }
    return links_.empty();
  }

  /// Takes out one fingerprint that matches, from the newest link that has one: see the top of this file.
  bool remove(digest d) noexcept {
    for (std::size_t i = links_.size(); i-- != 0;) {
      if (links_[i].remove(d)) return true;
    }
    return false;
  }

  /// How many fingerprints match, in all links: at least as many as the digest was added.
  [[nodiscard]] std::uint64_t count(digest d) const noexcept {
    std::uint64_t sum = 0;
    for (const link& each : links_) sum += each.count(d);
    return sum;
  }

  // --- many keys

  void add_many(std::span<const digest> digests) {
    while (!digests.empty() && !links_.empty()) {
      digests = digests.subspan(links_.back().add_one_by_one(digests));
      if (digests.empty()) return;
      add(digests[0]);
      digests = digests.subspan(1);
    }
  }

  /// Newest first; an older link is asked only for what no newer one has.
  std::size_t may_contain_many(std::span<const digest> digests, bool* out) const noexcept {
    if (links_.empty()) {  // moved from: as may_contain answers
      std::fill_n(out, digests.size(), true);
      return digests.size();
    }
    return ask_chain(digests, out, links_.back(), links_.size() > 1, [this](auto use) {
      for (std::size_t i = links_.size() - 1; i != 0 && use(links_[i - 1]);) --i;
    });
  }

  // --- the whole filter

  /// Empties the filter and gives back all links but the first.
  void clear() noexcept {
    if (links_.empty()) return;
    links_.erase(links_.begin() + 1, links_.end());
    links_[0].clear();
  }

  [[nodiscard]] friend bool operator==(const growing_cuckoo_engine& a, const growing_cuckoo_engine& b) noexcept {
    return a.params() == b.params() && a.links_ == b.links_;
  }

  // --- what it is

  [[nodiscard]] params_type params() const noexcept { return *params_; }
  /// How often it has grown, and one.
  [[nodiscard]] std::size_t link_count() const noexcept { return links_.size(); }
  [[nodiscard]] std::uint64_t slots() const noexcept {
    std::uint64_t sum = 0;
    for (const link& each : links_) sum += each.slots();
    return sum;
  }
  /// The exact number of keys in it.
  [[nodiscard]] std::uint64_t size() const noexcept {
    std::uint64_t sum = 0;
    for (const link& each : links_) sum += each.size();
    return sum;
  }
  /// Slots that are taken, counted in the bytes.
  [[nodiscard]] std::uint64_t census() const noexcept {
    std::uint64_t sum = 0;
    for (const link& each : links_) sum += each.census();
    return sum;
  }
  [[nodiscard]] double fill() const noexcept {
    return links_.empty() ? 0 : static_cast<double>(size()) / static_cast<double>(slots());
  }
  [[nodiscard]] double estimated_count() const noexcept { return static_cast<double>(size()); }
  /// The false-positive rate as the chain is now: an absent key must pass none of the links.
  [[nodiscard]] double estimated_fpr() const noexcept {
    double pass = links_.empty() ? 0 : 1;
    for (const link& each : links_) pass *= 1 - each.estimated_fpr();
    return 1 - pass;
  }
  /// The rate is above the one asked for: only a chain beyond the reach of 32-bit fingerprints gets there.
  [[nodiscard]] bool saturated() const noexcept { return estimated_fpr() > params_->fpr; }

  // --- files: the chain's parameters, then the links

  [[nodiscard]] std::vector<engine_part> parts() const {
    std::vector<engine_part> parts;
    if (links_.empty()) return parts;
    const auto fields = params().fields();
    parts.push_back({{fields.begin(), fields.end()}, {}});
    for (const link& each : links_) {
      const math::cuckoo_shape s = each.params().shape;
      parts.push_back({{s.buckets, s.fingerprint_bits, s.chunks}, each.bytes()});
    }
    return parts;
  }

  static result<growing_cuckoo_engine> from_parts(std::vector<stored_part> parts) {
    if (parts.size() < 2 || parts.size() > most_links + 1 || parts[0].fields.size() != 2 ||
        parts[0].bytes.size() != 0) {
      return {errc::corrupt,
              "a growing-cuckoo filter has a segment with 2 parameters and no bytes, then 1 to 255 links"};
    }
    auto params = params_type::from_fields(std::span<const std::uint64_t, 2>(parts[0].fields));
    if (!params) return error{errc::corrupt, params.error().detail};
    auto expected = math::growing_cuckoo_first({params->first_capacity, params->fpr});
    if (!expected) return error{errc::corrupt, expected.error().detail};
    const std::uint32_t first_bits = expected->fingerprint_bits;
    growing_cuckoo_engine chain;
    chain.params_ = taken<params_type>(*params);
    chain.links_.reserve(parts.size() - 1);
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const auto index = static_cast<std::uint32_t>(i - 1);
      expected->fingerprint_bits = math::growing_cuckoo_width(params->fpr, index);
      if (index != 0 && parts[i].fields.size() == 3 && parts[i].fields[2] == 2 * expected->chunks) {
        expected->buckets *= 2;
        expected->chunks *= 2;
      }
      const std::vector<std::uint64_t> fields{expected->buckets, expected->fingerprint_bits, expected->chunks};
      if (parts[i].fields != fields) {
        return {errc::corrupt, "link " + std::to_string(index) + " does not follow from the link before: " +
                                   std::to_string(expected->buckets) + " buckets of " +
                                   std::to_string(expected->fingerprint_bits) + " bits or twice as many would"};
      }
      auto made = link::over({*expected, first_bits}, std::move(parts[i].bytes));
      if (!made) return error{errc::corrupt, "link " + std::to_string(index) + ": " + made.error().detail};
      chain.links_.push_back(std::move(*made));
    }
    return chain;
  }

 private:
  void grow() {
    if (links_.size() == most_links) {
      throw std::length_error("add: the chain has " + std::to_string(most_links) + " links and " +
                              std::to_string(size()) + " keys; every eight adds of one key take a link");
    }
    links_.reserve(links_.size() + 1);
    nested_cuckoo_params next = links_.back().params();
    next.shape.fingerprint_bits = math::growing_cuckoo_width(params_->fpr, static_cast<std::uint32_t>(links_.size()));
    if (2 * links_.back().size() >= links_.back().slots()) {
      next.shape.buckets *= 2;
      next.shape.chunks *= 2;
    }
    auto made = link::make(next);
    if (!made) throw_error(made.error());
    links_.push_back(std::move(*made));
  }

  std::vector<link> links_;  // oldest first; each nests in the one before
  taken<params_type> params_;
};

}  // namespace detail

/// A cuckoo filter that grows with its keys, for one thread at a time, hashing with XXH3.
using growing_cuckoo = filter<detail::growing_cuckoo_engine, xxh3_64>;

}  // namespace v1
}  // namespace seen
