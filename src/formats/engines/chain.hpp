// chain_engine<Link, Growth>: several filters of one hash, oldest first, in place of one that grows.
//
//   lookup   may be present if any link says so; the newest is asked first
//   add      Growth makes room, then the newest link takes the digest
//
// Growth is the peer's rule, a copyable value:
//   skips_present                         static bool: a digest that some link claims already is not added again
//   result<void> make_room(links)         called before an add; appends an empty link where the newest is full
//   kind                                  what the chain is called; "scalable-bloom" where it does not say
//
// bounded_chain_engine is one that may have no room: its add says so, and it knows how many keys its links count.
#pragma once

#include <seen/base/bits.hpp>
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

/// Describes a chain as a whole.
struct chain_shape {
  std::uint64_t links = 0;
  std::uint64_t bits = 0;  ///< of all of them

  static result<chain_shape> plan(const target&) { return {errc::unsupported, "a chain is planned by its format"}; }
  static constexpr std::array<std::string_view, 2> field_names{"links", "bits"};
  [[nodiscard]] std::array<std::uint64_t, 2> fields() const noexcept { return {links, bits}; }
  static result<chain_shape> from_fields(std::span<const std::uint64_t, 2> f) { return chain_shape{f[0], f[1]}; }
  [[nodiscard]] std::size_t bytes() const noexcept { return clamp_to_size(bits / 8); }
  [[nodiscard]] std::uint32_t lines() const noexcept { return clamp_to_u32(links); }
  [[nodiscard]] double expected_fpr(std::uint64_t) const noexcept { return 0; }

  friend bool operator==(const chain_shape&, const chain_shape&) = default;
};

/// The kind of a chain that grows so.
template <class Growth>
constexpr kind_info kind_of_chain() {
  if constexpr (requires { Growth::kind; }) {
    return Growth::kind;
  } else {
    return {.id = 0, .name = "scalable-bloom"};
  }
}

template <class Link, class Growth>
class chain_engine : public link_list<Link> {
 public:
  using link_type = Link;
  using digest_type = typename Link::digest_type;
  using shape_type = chain_shape;
  using access_type = typename Link::access_type;
  static constexpr kind_info kind = kind_of_chain<Growth>();
  static constexpr std::uint16_t index_rule = 0;

  chain_engine() = default;
  chain_engine(std::vector<Link> links, Growth growth)
      : link_list<Link>(std::move(links)), growth_(std::move(growth)) {}

  /// Throws std::bad_alloc, or what make_room refuses, with nothing changed.
  void add(digest_type d) {
    if (Growth::skips_present && may_contain(d)) return;
    if (auto room = growth_.make_room(links_); !room) throw_error(room.error());
    links_.back().add(d);
  }
  void add_many(std::span<const digest_type> digests) {
    for (const digest_type& d : digests) add(d);
  }

  [[nodiscard]] bool may_contain(digest_type d) const noexcept {
    for (auto link = links_.rbegin(); link != links_.rend(); ++link) {
      if (link->may_contain(d)) return true;
    }
    return false;
  }
  std::size_t may_contain_many(std::span<const digest_type> digests, bool* out) const noexcept {
    if (links_.empty()) {
      std::fill_n(out, digests.size(), false);
      return 0;
    }
    return engines::ask_chain(digests, out, links_.back(), links_.size() > 1, [&](auto use) {
      for (auto link = links_.rbegin() + 1; link != links_.rend(); ++link) {
        if (!use(*link)) return;
      }
    });
  }

  // --- what it is

  [[nodiscard]] const Growth& growth() const noexcept { return growth_; }
  [[nodiscard]] chain_shape shape() const noexcept { return {links_.size(), this->total_bits()}; }
  [[nodiscard]] bool saturated() const noexcept { return !links_.empty() && links_.back().saturated(); }

 protected:
  using link_list<Link>::links_;
  Growth growth_;
};

/// The most bytes that the next link of a chain may have. A few bytes of a hostile file can ask for any growth: what goes
/// far beyond the links there are is refused, as if the chain were full.
template <class Link>
[[nodiscard]] std::uint64_t most_of_next_link(const std::vector<Link>& links) noexcept {
  std::uint64_t bytes = 0;
  for (const Link& link : links) bytes += link.bytes().size();
  return std::max<std::uint64_t>(std::uint64_t{16} << 20, 64 * bytes);
}

template <class Link, class Growth>
class bounded_chain_engine : public chain_engine<Link, Growth> {
  using base = chain_engine<Link, Growth>;
  using base::growth_;
  using base::links_;

 public:
  using base::base;
  using typename base::digest_type;

  /// False: the last link is full, and Growth makes no other, or there is no memory for it. Nothing changed then.
  bool add(digest_type d) noexcept {
    if (Growth::skips_present && this->may_contain(d)) return true;
    const auto room = or_no_memory([&] { return growth_.make_room(links_); });
    if (room) links_.back().add(d);
    return room.has_value();
  }
  /// How many there was room for; it stops at the first that finds none.
  std::size_t add_many(std::span<const digest_type> digests) noexcept {
    for (std::size_t i = 0; i < digests.size(); ++i) {
      if (!add(digests[i])) return i;
    }
    return digests.size();
  }

  [[nodiscard]] std::uint64_t size() const noexcept {
    std::uint64_t sum = 0;
    for (const Link& link : links_) sum += link.size();
    return sum;
  }
};

}  // namespace seen::inline v1::foreign
