// link_chain<Filter, Access>: the links of a scalable filter, as readers walk them and as their owner keeps them.
//
//   readers    newest ──► link ──► link ──► link 0          from pointer to pointer, never blocked
//                            ▲ filling: where the next key goes
//   owner      links_  [link 0][…][newest] | [spare][spare]  one thread at a time: lock()
//
// A link is complete before a pointer to it is released, and a reader acquires the pointer (Access says how; with plain
// access all of this is ordinary loads and stores). A shared chain frees no link while it lives, since a reader may
// still be in it: clear() puts the links it drops aside, and the next growth takes them up again.
#pragma once

#include <seen/base/digest.hpp>
#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/mutex.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace seen::inline v1::engines {

/// One filter of a chain: what it was made for, and how many places in it are taken.
template <class Filter, class Access>
struct chain_link {
  using filter_type = Filter;

  chain_link(const target& t, Filter f, std::uint64_t keys = 0) noexcept
      : made_for(t), filter(std::move(f)), places(keys) {}

  /// The keys counted in it, at most its capacity.
  [[nodiscard]] std::uint64_t keys() const noexcept { return std::min(Access::load(&places), made_for.capacity); }
  [[nodiscard]] bool has_room() const noexcept { return keys() < made_for.capacity; }
  /// Takes a place for one key; false when there is none left. Of racing threads exactly as many succeed as there are
  /// places; those that come too late leave the number above the capacity, which keys() ignores.
  [[nodiscard]] bool take_place() noexcept { return has_room() && Access::add(&places, 1) < made_for.capacity; }

  target made_for;
  Filter filter;
  std::uint64_t places = 0;     // through Access
  chain_link* older = nullptr;  // through Access
  bool was_in_use = false;      // a reader may still be in it; with the owner's lock
};

template <class Filter, class Access>
class link_chain {
 public:
  using link = chain_link<Filter, Access>;
  using links = std::vector<std::unique_ptr<link>>;

  link_chain() noexcept = default;
  /// A chain of these links, oldest first.
  explicit link_chain(links made) {
    if constexpr (Access::is_shared) mutex_ = std::make_unique<typename Access::mutex>();
    append(made);
  }
  link_chain(link_chain&& other) noexcept { swap(other); }
  link_chain& operator=(link_chain&& other) noexcept {
    link_chain taken(std::move(other));
    swap(taken);
    return *this;
  }
  link_chain(const link_chain& other) requires(!Access::is_shared) : link_chain(copies(other)) {}
  link_chain& operator=(const link_chain& other) requires(!Access::is_shared) {
    link_chain copy(other);
    swap(copy);
    return *this;
  }
  ~link_chain() = default;

  void swap(link_chain& other) noexcept {
    std::swap(mutex_, other.mutex_);
    std::swap(links_, other.links_);
    std::swap(used_, other.used_);
    std::swap(newest_, other.newest_);
    std::swap(filling_, other.filling_);
  }

  // --- what readers do

  /// The newest link, from which `older` leads to all others; null when moved from.
  [[nodiscard]] const link* newest() const noexcept { return Access::pointer(newest_); }
  [[nodiscard]] static const link* older(const link* l) noexcept { return Access::pointer(l->older); }
  /// The link the next key goes to, full or not.
  [[nodiscard]] link* filling() noexcept { return Access::pointer(filling_); }

  /// All links, oldest first.
  [[nodiscard]] std::vector<const link*> all() const {
    std::vector<const link*> found;
    for (const link* l = newest(); l != nullptr; l = older(l)) found.push_back(l);
    std::reverse(found.begin(), found.end());
    return found;
  }

  // --- what one thread at a time does

  /// Keeps other owners out until it is destroyed; nothing at all with plain access.
  [[nodiscard]] auto lock() {
    if constexpr (Access::is_shared) {
      return std::unique_lock(*mutex_);
    } else {
      return nothing{};
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return used_; }
  /// Makes room in the list for this many more links, so that append needs no memory.
  void reserve(std::size_t more) { links_.reserve(links_.size() + more); }

  /// An empty link of this shape: a spare one, or a new one.
  template <class Shape>
  [[nodiscard]] result<std::unique_ptr<link>> empty_link(const target& made_for, const Shape& shape) {
    for (std::size_t i = used_; i < links_.size(); ++i) {
      link& spare = *links_[i];
      if (!(spare.made_for == made_for && spare.filter.shape() == shape)) continue;
      spare.filter.clear();
      Access::store(&spare.places, 0);
      auto taken = std::move(links_[i]);
      links_.erase(std::next(links_.begin(), static_cast<std::ptrdiff_t>(i)));
      return taken;
    }
    return or_no_memory([&]() -> result<std::unique_ptr<link>> {
      auto filter = Filter::make(shape);
      if (!filter) return filter.error();
      return std::make_unique<link>(made_for, std::move(*filter));
    });
  }
  /// Takes back what empty_link gave: new links are let go. With reserve() before, it needs no memory.
  void give_back(links& unused) noexcept {
    for (auto& each : unused) {
      if (each->was_in_use) links_.push_back(std::move(each));
    }
  }

  /// Makes these links the newest, in one step for readers. With reserve() before, it needs no memory.
  void append(links& more) {
    link* below = newest_;
    for (auto& each : more) {
      Access::publish(each->older, below);
      each->was_in_use = true;
      below = each.get();
    }
    const std::size_t count = more.size();
    links_.insert(std::next(links_.begin(), static_cast<std::ptrdiff_t>(used_)), std::move_iterator(more.begin()),
                  std::move_iterator(more.end()));
    used_ += count;
    Access::publish(newest_, below);
    (void)fill_the_next_with_room();
  }

  /// Adds go to the newest link that has room from now on; false when none has.
  bool fill_the_next_with_room() noexcept {
    for (link* l = newest_; l != nullptr; l = l->older) {
      if (!l->has_room()) continue;
      Access::publish(filling_, l);
      return true;
    }
    Access::publish(filling_, newest_);
    return false;
  }

  /// Back to the first link, emptied.
  void clear() noexcept {
    if (used_ == 0) return;
    link* const first = links_.front().get();
    used_ = 1;
    if constexpr (!Access::is_shared) links_.erase(std::next(links_.begin()), links_.end());
    Access::publish(newest_, first);
    Access::publish(filling_, first);
    first->filter.clear();
    Access::store(&first->places, 0);
  }

  /// Swaps in `fresh`, whose links nobody knows yet, for readers that go on meanwhile.
  void exchange(link_chain& fresh) noexcept {
    std::swap(links_, fresh.links_);
    std::swap(used_, fresh.used_);
    link* const newest = newest_;
    link* const filling = filling_;
    Access::publish(newest_, fresh.newest_);
    Access::publish(filling_, fresh.filling_);
    fresh.newest_ = newest;
    fresh.filling_ = filling;
  }

 private:
  struct nothing {
    ~nothing() {}  // not trivial, so that a lock nobody looks at causes no warning
  };

  static auto own_mutex() {
    if constexpr (Access::is_shared) {
      return std::unique_ptr<typename Access::mutex>();
    } else {
      return nothing{};
    }
  }

  static links copies(const link_chain& other) {
    links made;
    for (std::size_t i = 0; i < other.used_; ++i) {
      const link& each = *other.links_[i];
      made.push_back(std::make_unique<link>(each.made_for, each.filter, each.places));
    }
    return made;
  }

  decltype(own_mutex()) mutex_;
  links links_;           // oldest first: those in use, then the spare ones
  std::size_t used_ = 0;  // how many are in use
  link* newest_ = nullptr;
  link* filling_ = nullptr;
};

// Batches through a chain: the newest link is asked for all digests, every older one only for those that no link before
// it had. Chains of other libraries are asked in the same way.

/// Digests that are asked together: 256, and fewer of those that are long lists.
template <class Digest>
inline constexpr std::size_t chain_tile = sizeof(Digest) <= 64 ? 256 : 32;

/// Asks the older links for a tile of at most chain_tile digests that the newest has answered; returns how many more
/// are found. for_each_older(use) calls use(link) from newer to older until use says false.
template <class Digest, class ForEachOlder>
std::size_t ask_older_links(std::span<const Digest> tile, bool* out, ForEachOlder for_each_older) noexcept {
  constexpr std::size_t most = chain_tile<Digest>;
  std::array<Digest, most> absent;
  std::array<std::uint16_t, most> place;
  std::array<bool, most> present;
  std::size_t left = 0;
  for (std::size_t i = 0; i < tile.size(); ++i) {
    absent[left] = tile[i];
    place[left] = static_cast<std::uint16_t>(i);
    left += !out[i];
  }
  std::size_t found = 0;
  for_each_older([&](const auto& link) {
    if (left == 0) return false;
    const std::size_t hits = link.may_contain_many(std::span<const Digest>(absent).first(left), present.data());
    if (hits == 0) return true;
    found += hits;
    std::size_t still = 0;
    for (std::size_t i = 0; i < left; ++i) {
      if (present[i]) out[place[i]] = true;
      absent[still] = absent[i];
      place[still] = place[i];
      still += !present[i];
    }
    left = still;
    return true;
  });
  return found;
}

/// Writes whether some link may hold each digest; returns how many are found.
template <class Digest, class Newest, class ForEachOlder>
std::size_t ask_chain(std::span<const Digest> digests, bool* out, const Newest& newest, bool has_older,
                      ForEachOlder for_each_older) noexcept {
  std::size_t found = newest.may_contain_many(digests, out);
  if (!has_older) return found;
  constexpr std::size_t most = chain_tile<Digest>;
  for (std::size_t base = 0; base < digests.size(); base += most) {
    const std::size_t count = std::min(most, digests.size() - base);
    found += ask_older_links(digests.subspan(base, count), out + base, for_each_older);
  }
  return found;
}

}  // namespace seen::inline v1::engines
