// sealed_engine<Link>: filters that were read and take no more keys, asked as one.
//
//   lookup   may be present if any link says so
//
// Where a peer makes a filter from all its keys at once, what it wrote is finished: another key would spoil the rate it
// was made for, and nothing of the peer's could have added it. `says_yes` is for filters that a newer release wrote: the
// peer answers yes to what it cannot read, and so does this.
#pragma once

#include <seen/base/result.hpp>
#include <seen/concepts.hpp>
#include <seen/engines/link_chain.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/engines/link_list.hpp"

namespace seen::inline v1::foreign {

/// Describes sealed filters as a whole.
struct sealed_shape {
  std::uint64_t filters = 0;
  std::uint64_t bits = 0;    ///< of all of them
  std::uint64_t probes = 0;  ///< the most that one has

  static result<sealed_shape> plan(const target&) {
    return {errc::unsupported, "a filter that was read is not planned"};
  }
  static constexpr std::array<std::string_view, 3> field_names{"filters", "bits", "probes"};
  [[nodiscard]] std::array<std::uint64_t, 3> fields() const noexcept { return {filters, bits, probes}; }
  static result<sealed_shape> from_fields(std::span<const std::uint64_t, 3> f) {
    return sealed_shape{f[0], f[1], f[2]};
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return clamp_to_size(bits / 8); }
  [[nodiscard]] std::uint32_t lines() const noexcept { return clamp_to_u32(filters * probes); }
  [[nodiscard]] double expected_fpr(std::uint64_t) const noexcept { return 0; }

  friend bool operator==(const sealed_shape&, const sealed_shape&) = default;
};

template <class Link>
class sealed_engine : public link_list<Link> {
  using link_list<Link>::links_;

 public:
  using digest_type = typename Link::digest_type;
  using shape_type = sealed_shape;
  using access_type = typename Link::access_type;
  static constexpr kind_info kind = Link::kind;
  static constexpr std::uint16_t index_rule = 0;

  sealed_engine() = default;
  explicit sealed_engine(std::vector<Link> links, bool says_yes = false)
      : link_list<Link>(std::move(links)), says_yes_(says_yes) {}

  [[nodiscard]] bool may_contain(digest_type d) const noexcept {
    return says_yes_ ||
           std::any_of(links_.begin(), links_.end(), [&](const Link& link) { return link.may_contain(d); });
  }
  std::size_t may_contain_many(std::span<const digest_type> digests, bool* out) const noexcept {
    if (says_yes_ || links_.empty()) {
      std::fill_n(out, digests.size(), says_yes_);
      return says_yes_ ? digests.size() : 0;
    }
    return engines::ask_chain(digests, out, links_.front(), links_.size() > 1, [&](auto use) {
      for (std::size_t i = 1; i < links_.size(); ++i) {
        if (!use(links_[i])) return;
      }
    });
  }

  // --- what it is

  [[nodiscard]] sealed_shape shape() const noexcept {
    sealed_shape shape{.filters = links_.size()};
    for (const Link& link : links_) {
      shape.bits += link.bits();
      shape.probes = std::max<std::uint64_t>(shape.probes, link.probes());
    }
    return shape;
  }
  [[nodiscard]] double estimated_fpr() const noexcept { return says_yes_ ? 1 : link_list<Link>::estimated_fpr(); }
  [[nodiscard]] bool saturated() const noexcept {
    return says_yes_ || std::any_of(links_.begin(), links_.end(), [](const Link& link) { return link.saturated(); });
  }

 private:
  bool says_yes_ = false;
};

}  // namespace seen::inline v1::foreign
