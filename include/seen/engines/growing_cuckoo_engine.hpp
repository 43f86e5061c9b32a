// A chain of cuckoo tables, each nested in the one before. filters/growing_cuckoo.hpp says why nesting makes removal
// safe.
#pragma once

#include <seen/base/digest.hpp>
#include <seen/base/result.hpp>
#include <seen/base/taken.hpp>
#include <seen/concepts.hpp>
#include <seen/engines/cuckoo_engine.hpp>
#include <seen/engines/link_chain.hpp>
#include <seen/math/growing_cuckoo.hpp>
#include <seen/storage/access.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seen::inline v1::engines {

/// Rule places a digest in a link; its chain_shape describes the chain.
template <class Rule>
class growing_cuckoo_engine {
 public:
  using link = cuckoo_engine<Rule, plain_access>;
  using access_type = plain_access;
  using digest_type = digest;
  using shape_type = typename Rule::chain_shape;

  static constexpr kind_info kind = Rule::kind;
  static constexpr std::uint16_t index_rule = Rule::id;
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
    shape_ = std::move(third.shape_);
    return *this;
  }
  ~growing_cuckoo_engine() = default;

  /// An empty chain of one link.
  static result<growing_cuckoo_engine> make(const shape_type& shape) {
    auto first = math::growing_cuckoo_first({shape.first_capacity, shape.fpr});
    if (!first) return first.error();
    auto made = link::make({*first, 1, first->fingerprint_bits});
    if (!made) return made.error();
    growing_cuckoo_engine chain;
    chain.shape_ = detail::taken<shape_type>(shape);
    chain.links_.push_back(std::move(*made));
    return chain;
  }

  // --- one key

  /// Adds a digest. Throws std::bad_alloc, having changed nothing, if there is no memory for a further link.
  void add(digest d) { (void)add_within(d, most_links); }
  /// The same, if that takes no more than `most` links; false, with nothing changed, if it would.
  bool add_within(digest d, std::size_t most) {
    if (links_.empty()) return true;  // moved from
    for (std::size_t i = links_.size(); i-- != 0;) {
      if (links_[i].add(d)) return true;
    }
    if (links_.size() >= most && most < most_links) return false;
    grow();
    (void)links_.back().add(d);  // empty: there is room
    return true;
  }

  [[nodiscard]] bool may_contain(digest d) const noexcept {
    for (std::size_t i = links_.size(); i-- != 0;) {
      if (links_[i].may_contain(d)) return true;
    }
    return links_.empty();
  }

  /// Takes out one fingerprint that matches, from the newest link that has one (filters/growing_cuckoo.hpp says why).
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
    return a.shape() == b.shape() && a.links_ == b.links_;
  }

  // --- what it is

  [[nodiscard]] shape_type shape() const noexcept { return *shape_; }
  /// The number of links: one, and one for each time it has grown.
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
  /// The false-positive rate as the chain is now: an absent key must match in no link.
  [[nodiscard]] double estimated_fpr() const noexcept {
    double pass = links_.empty() ? 0 : 1;
    for (const link& each : links_) pass *= 1 - each.estimated_fpr();
    return 1 - pass;
  }
  /// The rate is above the one asked for: only a chain beyond the reach of 32-bit fingerprints gets there.
  [[nodiscard]] bool saturated() const noexcept { return estimated_fpr() > shape_->fpr; }

  /// For a survey: use(link) for each, oldest first.
  template <class Use>
  void for_each_table(Use use) const {
    for (const link& each : links_) use(each);
  }

  // --- files: the chain's shape, then the links

  [[nodiscard]] std::vector<engine_part> parts() const {
    std::vector<engine_part> parts;
    if (links_.empty()) return parts;
    const auto fields = shape().fields();
    parts.push_back({{fields.begin(), fields.end()}, {}});
    for (const link& each : links_) {
      const math::cuckoo_shape s = each.shape().table;
      parts.push_back({{s.buckets, s.fingerprint_bits, s.chunks}, each.bytes()});
    }
    return parts;
  }

  static result<growing_cuckoo_engine> from_parts(std::vector<stored_part> parts) {
    if (parts.size() < 2 || parts.size() > most_links + 1 || parts[0].fields.size() != 2 ||
        parts[0].bytes.size() != 0) {
      return {errc::corrupt, "a growing-cuckoo filter has a segment with 2 fields and no bytes, then 1 to 255 links"};
    }
    auto shape = shape_type::from_fields(std::span<const std::uint64_t, 2>(parts[0].fields));
    if (!shape) return error{errc::corrupt, shape.error().detail};
    auto expected = math::growing_cuckoo_first({shape->first_capacity, shape->fpr});
    if (!expected) return error{errc::corrupt, expected.error().detail};
    const std::uint32_t first_bits = expected->fingerprint_bits;
    std::uint64_t copies = 1;
    growing_cuckoo_engine chain;
    chain.shape_ = detail::taken<shape_type>(*shape);
    chain.links_.reserve(parts.size() - 1);
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const auto index = static_cast<std::uint32_t>(i - 1);
      expected->fingerprint_bits = math::growing_cuckoo_width(shape->fpr, index);
      if (index != 0 && parts[i].fields.size() == 3 && parts[i].fields[2] == 2 * expected->chunks) {
        expected->buckets *= 2;
        expected->chunks *= 2;
        copies *= 2;
      }
      const std::vector<std::uint64_t> fields{expected->buckets, expected->fingerprint_bits, expected->chunks};
      if (parts[i].fields != fields) {
        return {errc::corrupt, "link " + std::to_string(index) + " does not follow from the link before: " +
                                   std::to_string(expected->buckets) + " buckets of " +
                                   std::to_string(expected->fingerprint_bits) + " bits or twice as many would"};
      }
      auto made = link::over({*expected, copies, first_bits}, std::move(parts[i].bytes));
      if (!made) return error{errc::corrupt, "link " + std::to_string(index) + ": " + made.error().detail};
      chain.links_.push_back(std::move(*made));
    }
    return chain;
  }

 private:
  void grow() {
    if (links_.size() == most_links) {
      throw_error({errc::too_large, "add: the chain has " + std::to_string(most_links) + " links and " +
                                        std::to_string(size()) + " keys; every eight adds of one key take a link"});
    }
    links_.reserve(links_.size() + 1);
    typename Rule::shape_type next = links_.back().shape();
    next.table.fingerprint_bits = math::growing_cuckoo_width(shape_->fpr, static_cast<std::uint32_t>(links_.size()));
    if (2 * links_.back().size() >= links_.back().slots()) {
      next.table.buckets *= 2;
      next.table.chunks *= 2;
      next.copies *= 2;
    }
    auto made = link::make(next);
    if (!made) throw_error(made.error());
    links_.push_back(std::move(*made));
  }

  std::vector<link> links_;  // oldest first; each nests in the one before
  detail::taken<shape_type> shape_;
};

}  // namespace seen::inline v1::engines
