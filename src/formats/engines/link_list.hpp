// link_list<Link>: several filters of one hash that answer as one, and what there is to say of all of them together.
#pragma once

#include <seen/concepts.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace seen::inline v1::foreign {

template <class Link>
class link_list {
 public:
  [[nodiscard]] std::span<const Link> links() const noexcept { return links_; }
  [[nodiscard]] std::uint64_t total_bits() const noexcept {
    std::uint64_t sum = 0;
    for (const Link& link : links_) sum += link.bits();
    return sum;
  }
  [[nodiscard]] std::vector<engine_part> parts() const {
    std::vector<engine_part> parts;
    for (const Link& link : links_) parts.push_back({{}, link.bytes()});
    return parts;
  }
  [[nodiscard]] std::uint64_t census() const noexcept {
    std::uint64_t sum = 0;
    for (const Link& link : links_) sum += link.census();
    return sum;
  }
  [[nodiscard]] double fill() const noexcept {
    const std::uint64_t bits = total_bits();
    return bits == 0 ? 0 : static_cast<double>(census()) / static_cast<double>(bits);
  }
  [[nodiscard]] double estimated_count() const noexcept {
    double sum = 0;
    for (const Link& link : links_) sum += link.estimated_count();
    return sum;
  }
  /// For a survey: use(link) for each that is a table of bits, oldest first.
  template <class Use>
  void for_each_table(Use use) const {
    for (const Link& link : links_) {
      if constexpr (requires { link.pieces(); }) {
        use(link);
      } else if constexpr (requires { link.filter.pieces(); }) {  // with a hash of its own
        use(link.filter);
      }
    }
  }
  /// Some link says so though none has it.
  [[nodiscard]] double estimated_fpr() const noexcept {
    double absent = 1;
    for (const Link& link : links_) absent *= 1 - link.estimated_fpr();
    return 1 - absent;
  }

 protected:
  link_list() = default;
  explicit link_list(std::vector<Link> links) : links_(std::move(links)) {}

  std::vector<Link> links_;
};

}  // namespace seen::inline v1::foreign
