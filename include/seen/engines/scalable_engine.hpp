// scalable_engine<Links, Access>: the one body of the filters that grow with their keys.
//
//   link i holds ceil(n0·r^i) keys at rate p0·s^i          [Almeida et al. 2007; math/scalable_bloom.hpp]
//
//   add        a key that some link may hold already is left alone; any other goes to the newest link that has room,
//              and is counted there. When none has, a new link is made first.
//   lookup     newest link first: it is the largest and, when growth is 2, holds half of the keys
//   next link  the largest capacity so far times r, the strictest rate so far times s: link i + 1 in a chain that grew
//              by itself, and a chain whose bound stays finite after a merge
//
// `Links` says what a link is: kind (of the chain), engine<Access> (of a link). Of that engine this uses
//   shape_type (plan, fields, from_fields), make, over, add, may_contain, may_contain_many, merge, clear, snapshot,
//   with_access, shape, bytes, census, fill, estimated_fpr, ==
//
// Threads, with shared access. Lookups are wait-free and never wait for growth. An add is wait-free while the link it
// found has room; otherwise it waits for one lock, under which one thread makes the next link. Each link takes exactly
// as many keys as it has places: racing threads cannot overfill it. A key that two threads add at the same moment may
// take two places, so a link may be full a little early, which only lowers the rate.
//
// Cost: an absent key is looked up in every link, so about log_r(n/n0) times as long as in one filter.
#pragma once

#include <seen/base/digest.hpp>
#include <seen/base/result.hpp>
#include <seen/base/taken.hpp>
#include <seen/base/text.hpp>
#include <seen/concepts.hpp>
#include <seen/engines/link_chain.hpp>
#include <seen/hash/fnv1a.hpp>
#include <seen/math/scalable_bloom.hpp>
#include <seen/storage/access.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seen::inline v1::engines {

template <class Links, class Access = plain_access>
class scalable_engine {
 public:
  using link_engine = typename Links::template engine<Access>;
  using link_shape = typename link_engine::shape_type;
  using access_type = Access;
  using digest_type = digest;
  using shape_type = typename Links::shape_type;

  static constexpr kind_info kind = Links::kind;
  static constexpr std::uint16_t index_rule = kind.id;
  static constexpr bool is_monotone = false;  // bits only go 0 -> 1, but growth is more than bits

  scalable_engine() noexcept = default;
  scalable_engine(scalable_engine&&) noexcept = default;
  scalable_engine& operator=(scalable_engine&&) noexcept = default;
  scalable_engine(const scalable_engine&) requires(!Access::is_shared) = default;
  scalable_engine& operator=(const scalable_engine&) requires(!Access::is_shared) = default;
  ~scalable_engine() = default;

  /// A chain of one empty link.
  static result<scalable_engine> make(const shape_type& shape) {
    return or_no_memory([&]() -> result<scalable_engine> {
      const auto first = math::scalable_link({shape.first_capacity, shape.fpr}, shape.follow(), 0);
      if (!first) return first.error();
      const auto planned = link_shape::plan(*first);
      if (!planned) return planned.error();
      chain made;
      auto link = made.empty_link(*first, *planned);
      if (!link) return link.error();
      links alone;
      alone.push_back(std::move(*link));
      return scalable_engine(shape, chain(std::move(alone)));
    });
  }

  // --- one key

  /// Throws std::bad_alloc where there is no memory for the next link, std::length_error where there can be no next
  /// link; nothing has changed then.
  void add(digest d) {
    if (!may_contain(d)) (void)insert(d);
  }

  [[nodiscard]] bool may_contain(digest d) const noexcept {
    const link* l = chain_.newest();
    if (l == nullptr) return true;  // moved from
    for (; l != nullptr; l = chain::older(l)) {
      if (l->filter.may_contain(d)) return true;
    }
    return false;
  }

  /// The answer before, and the digest is in afterwards; throws as add does. Of threads that race to add a new digest
  /// at least one is told "absent": only a thread that was told so sets bits.
  bool test_and_add(digest d) {
    if (may_contain(d)) return true;
    (void)insert(d);
    return false;
  }

  // --- many keys

  /// As add, one after the other; what was added before an exception stays.
  void add_many(std::span<const digest> digests) {
    std::array<bool, tile_keys> present;
    for (; !digests.empty(); digests = digests.subspan(std::min(tile_keys, digests.size()))) {
      const auto tile = digests.first(std::min(tile_keys, digests.size()));
      may_contain_many(tile, present.data());
      // An absent key can have come in by now only with a key before it in this tile: look where those went.
      const link* const here = chain_.filling();
      bool elsewhere = false;
      for (std::size_t i = 0; i < tile.size(); ++i) {
        if (present[i]) continue;
        if (elsewhere ? may_contain(tile[i]) : here->filter.may_contain(tile[i])) continue;
        if (insert(tile[i]) != here) elsewhere = true;
      }
    }
  }

  std::size_t may_contain_many(std::span<const digest> digests, bool* out) const noexcept {
    const link* const newest = chain_.newest();
    if (newest == nullptr) {
      std::fill_n(out, digests.size(), true);
      return digests.size();
    }
    return ask_chain(digests, out, newest->filter, chain::older(newest) != nullptr, [newest](auto use) {
      for (const link* l = chain::older(newest); l != nullptr && use(l->filter);) l = chain::older(l);
    });
  }

  // --- the whole filter

  /// Back to one empty link. A shared chain keeps the memory of the others for its next growth; answers during it are
  /// unspecified, and a key added meanwhile may be lost.
  void clear() noexcept {
    if (chain_.newest() == nullptr) return;
    [[maybe_unused]] const auto lock = chain_.lock();
    chain_.clear();
  }

  /// Puts a chain of one empty link in place and returns the full one. The caller keeps what is returned until no call
  /// that began before the reset is still running.
  [[nodiscard]] scalable_engine reset() {
    if (chain_.newest() == nullptr) return {};  // moved from
    auto fresh = make(*shape_);
    if (!fresh) throw_error(fresh.error());
    [[maybe_unused]] const auto lock = chain_.lock();
    chain_.exchange(fresh->chain_);
    return std::move(*fresh);
  }

  /// Takes over copies of the other's links, those without a key excepted. The rate of the chain is then the sum of
  /// both, and keys of both chains are counted twice.
  result<void> merge(const scalable_engine& other) {
    if (this == &other) return {};
    if (chain_.newest() == nullptr || other.chain_.newest() == nullptr) {
      return {errc::incompatible, "merge: links differ: " + std::to_string(links_in_chain()) + " here, " +
                                      std::to_string(other.links_in_chain()) + " there; one was moved from"};
    }
    return or_no_memory([&] { return take_over(other.chain_.all()); });
  }

  [[nodiscard]] friend bool operator==(const scalable_engine& a, const scalable_engine& b) noexcept {
    const link* x = a.chain_.newest();
    const link* y = b.chain_.newest();
    for (; x != nullptr && y != nullptr; x = chain::older(x), y = chain::older(y)) {
      if (!(x->made_for == y->made_for && x->keys() == y->keys() && x->filter == y->filter)) return false;
    }
    return x == y && a.shape() == b.shape();
  }

  // --- what it is

  [[nodiscard]] shape_type shape() const noexcept { return *shape_; }
  /// How many links it has.
  [[nodiscard]] std::size_t links_in_chain() const noexcept {
    std::size_t count = 0;
    for_each_link([&](const link&) { ++count; });
    return count;
  }
  /// The sum of the links' rates: an upper bound of the chain's rate when every link is full.
  [[nodiscard]] double bound() const noexcept {
    double sum = 0;
    for_each_link([&](const link& l) { sum += l.made_for.fpr; });
    return sum;
  }
  /// Set bits of all links.
  [[nodiscard]] std::uint64_t census() const noexcept {
    std::uint64_t sum = 0;
    for_each_link([&](const link& l) { sum += l.filter.census(); });
    return sum;
  }
  /// Share of all bits that are set.
  [[nodiscard]] double fill() const noexcept {
    double set = 0, bytes = 0;
    for_each_link([&](const link& l) {
      const auto size = static_cast<double>(l.filter.bytes().size());
      set += l.filter.fill() * size;
      bytes += size;
    });
    return bytes == 0 ? 0 : set / bytes;
  }
  /// The keys counted in the links. A new key that was a false positive is not among them; one that two merged chains
  /// held is there twice.
  [[nodiscard]] double estimated_count() const noexcept {
    double sum = 0;
    for_each_link([&](const link& l) { sum += static_cast<double>(l.keys()); });
    return sum;
  }
  /// The chance that some link says yes to an absent key, as they are filled now.
  ///
  /// It is the sum of the links' own rates, which their bits tell, less the share that is counted more than once
  /// because several links say yes. No formula gives that overlap: links that grew one after the other avoid one
  /// another (src/math/chain_rate.hpp), links of a merge do not. So 65,536 digests that nobody added are asked. The sample
  /// decides only about the overlap, and its error is below 0.3 % of the rate (one sigma), whatever the rate.
  [[nodiscard]] double estimated_fpr() const noexcept {
    double sum = 0, log_pass = 0;
    for_each_link([&](const link& l) {
      const double rate = l.filter.estimated_fpr();
      sum += rate;
      log_pass += std::log1p(-rate);
    });
    constexpr double no_overlap = 0.004;  // whatever links do together is below 0.2 % of such a rate
    if (sum < no_overlap || chain_.newest() == nullptr) return -std::expm1(log_pass);
    return std::clamp(sum - overlap(), 0.0, 1.0);
  }
  /// The links' rates add up to more than was asked of the chain. A merge can do that, growth never does.
  [[nodiscard]] bool saturated() const noexcept { return bound() > shape_->fpr * (1 + 1e-9); }

  /// For a survey: use(the filter of a link) for each, oldest first.
  template <class Use>
  void for_each_table(Use use) const {
    if (chain_.newest() == nullptr) return;
    for (const link* l : chain_.all()) use(l->filter);
  }

  // --- in a file: the chain's shape, then its links, oldest first

  [[nodiscard]] std::vector<engine_part> parts() const {
    std::vector<engine_part> parts;
    if (chain_.newest() == nullptr) return parts;
    const auto own = shape_->fields();
    parts.push_back({{own.begin(), own.end()}, {}});
    for (const link* l : chain_.all()) {
      engine_part part{{l->made_for.capacity, std::bit_cast<std::uint64_t>(l->made_for.fpr), l->keys()},
                       l->filter.bytes()};
      for (const std::uint64_t field : l->filter.shape().fields()) part.fields.push_back(field);
      parts.push_back(std::move(part));
    }
    return parts;
  }

  static result<scalable_engine> from_parts(std::vector<stored_part> parts) {
    if (parts.size() < 2 || parts.size() > max_links + 1) {
      return {errc::corrupt, "a " + std::string(kind.name) + " filter has 1 to " + std::to_string(max_links) +
                                 " links; this one has " + std::to_string(parts.empty() ? 0 : parts.size() - 1)};
    }
    constexpr std::size_t own_fields = shape_type::field_names.size();
    if (parts[0].fields.size() != own_fields || parts[0].bytes.size() != 0) {
      return {errc::corrupt, "the first segment of a chain has " + std::to_string(own_fields) +
                                 " fields and no bytes; this one has " + std::to_string(parts[0].fields.size()) +
                                 " and " + std::to_string(parts[0].bytes.size())};
    }
    const auto shape = shape_type::from_fields(std::span<const std::uint64_t, own_fields>(parts[0].fields));
    if (!shape) return error{errc::corrupt, shape.error().detail};
    return or_no_memory([&]() -> result<scalable_engine> {
      links made;
      for (std::size_t i = 1; i < parts.size(); ++i) {
        auto each = link_from(parts[i]);
        if (!each) return error{errc::corrupt, "link " + std::to_string(i - 1) + ": " + each.error().detail};
        made.push_back(std::move(*each));
      }
      return scalable_engine(*shape, chain(std::move(made)));
    });
  }

  // --- between threads

  /// The same links under another access policy, without a copy of their bits.
  template <class Other>
  [[nodiscard]] scalable_engine<Links, Other> with_access() && {
    using other_engine = scalable_engine<Links, Other>;
    typename other_engine::links made;
    const auto here = chain_.all();
    // All memory first: a link that has been moved out has no way back.
    for (const link* l : here) {
      made.push_back(
          std::make_unique<typename other_engine::link>(l->made_for, typename other_engine::link_engine(), l->keys()));
    }
    typename other_engine::chain other_chain(std::move(made));
    const auto there = other_chain.all();
    for (std::size_t i = 0; i < here.size(); ++i) {
      const_cast<typename other_engine::link*>(there[i])->filter =
          std::move(const_cast<link*>(here[i])->filter).template with_access<Other>();
    }
    other_engine moved(*shape_, std::move(other_chain));
    *this = scalable_engine();
    return moved;
  }

  /// A plain copy with every key whose add happened before this call; each link is copied word by word.
  [[nodiscard]] result<scalable_engine<Links, plain_access>> snapshot() const {
    using plain_engine = scalable_engine<Links, plain_access>;
    return or_no_memory([&]() -> result<plain_engine> {
      typename plain_engine::links made;
      for (const link* l : chain_.all()) {
        auto copy = l->filter.snapshot();
        if (!copy) return copy.error();
        made.push_back(std::make_unique<typename plain_engine::link>(l->made_for, std::move(*copy), l->keys()));
      }
      if (made.empty()) return plain_engine();
      return plain_engine(*shape_, typename plain_engine::chain(std::move(made)));
    });
  }

 private:
  template <class, class>
  friend class scalable_engine;

  using chain = link_chain<link_engine, Access>;
  using link = typename chain::link;
  using links = typename chain::links;

  static constexpr std::size_t max_links = shape_type::max_links;
  static constexpr std::size_t tile_keys = chain_tile<digest>;
  static constexpr std::size_t state_fields = 3;  // capacity, fpr and keys, before the link's own shape

  scalable_engine(const shape_type& shape, chain made) noexcept : chain_(std::move(made)), shape_(shape) {}

  template <class Use>
  void for_each_link(Use use) const noexcept {
    for (const link* l = chain_.newest(); l != nullptr; l = chain::older(l)) use(*l);
  }

  // Links that say yes beyond the first that does, for an absent key on average.
  [[nodiscard]] double overlap() const noexcept {
    constexpr std::uint64_t samples = 1 << 16;
    std::array<digest, tile_keys> asked;
    std::array<bool, tile_keys> said;
    std::uint64_t beyond = 0;
    for (std::uint64_t next = 0; next < samples; next += asked.size()) {
      for (std::size_t i = 0; i < asked.size(); ++i) asked[i] = digest(splitmix64(next + i));
      std::array<bool, tile_keys> claimed{};
      for_each_link([&](const link& l) {
        l.filter.may_contain_many(asked, said.data());
        for (std::size_t i = 0; i < asked.size(); ++i) {
          beyond += claimed[i] && said[i];
          claimed[i] = claimed[i] || said[i];
        }
      });
    }
    return static_cast<double>(beyond) / static_cast<double>(samples);
  }

  // Puts the digest into the link that is being filled, and says which that was; null when moved from.
  const link* insert(digest d) {
    link* l = chain_.filling();
    if (l == nullptr) return l;
    while (!l->take_place()) {
      make_room(l);
      l = chain_.filling();
    }
    l->filter.add(d);
    return l;
  }

  // Makes sure that another link than `full` is being filled.
  void make_room(const link* full) {
    [[maybe_unused]] const auto lock = chain_.lock();
    if (chain_.filling() != full || chain_.fill_the_next_with_room()) return;  // somebody else made it, or a merge did
    if (chain_.size() == max_links) {
      throw_error({errc::too_large, "add: the chain has " + std::to_string(max_links) + " links, and all are full"});
    }
    const auto wanted = next_link();
    const auto shape = wanted ? link_shape::plan(*wanted) : wanted.error();
    // Whatever the reason (a rate may have shrunk to 0), the chain is at its end.
    if (!shape) throw_error({errc::too_large, "add: there can be no next link: " + shape.error().detail});
    links more;
    more.reserve(1);
    chain_.reserve(1);
    auto made = chain_.empty_link(*wanted, *shape);
    if (!made) throw_error(made.error());
    more.push_back(std::move(*made));
    chain_.append(more);
  }

  // r times the largest capacity, s times the strictest rate. With lock.
  [[nodiscard]] result<target> next_link() const {
    target most = chain_.newest()->made_for;
    for_each_link([&](const link& l) {
      most = {std::max(most.capacity, l.made_for.capacity), std::min(most.fpr, l.made_for.fpr)};
    });
    const auto capacity = math::scalable_capacity_after(most.capacity, shape_->growth);
    if (!capacity) {
      return {errc::too_large, "a link after one of " + std::to_string(most.capacity) + " keys, growing by " +
                                   readable(shape_->growth) + ", would hold more than 2^64 keys"};
    }
    return target{*capacity, most.fpr * shape_->tightening};
  }

  result<void> take_over(const std::vector<const link*>& theirs) {
    [[maybe_unused]] const auto lock = chain_.lock();
    std::vector<const link*> with_keys;
    for (const link* l : theirs) {
      if (l->keys() != 0 || l->filter.census() != 0) with_keys.push_back(l);
    }
    if (chain_.size() + with_keys.size() > max_links) {
      return {errc::incompatible, "merge: too many links: " + std::to_string(chain_.size()) + " here, " +
                                      std::to_string(with_keys.size()) + " there; a chain has at most " +
                                      std::to_string(max_links)};
    }
    chain_.reserve(with_keys.size());
    links copies;
    copies.reserve(with_keys.size());
    for (const link* l : with_keys) {
      auto copy = chain_.empty_link(l->made_for, l->filter.shape());
      if (!copy) {
        chain_.give_back(copies);
        return copy.error();
      }
      Access::store(&(*copy)->places, l->keys());
      copies.push_back(std::move(*copy));
      if (auto same = copies.back()->filter.merge(l->filter); !same) {
        chain_.give_back(copies);
        return same;
      }
    }
    chain_.append(copies);
    return {};
  }

  static result<std::unique_ptr<link>> link_from(stored_part& part) {
    constexpr std::size_t shape_fields = link_shape::field_names.size();
    if (part.fields.size() != state_fields + shape_fields) {
      return {errc::corrupt, "has " + std::to_string(part.fields.size()) + " fields instead of " +
                                 std::to_string(state_fields + shape_fields)};
    }
    const std::span<const std::uint64_t> fields(part.fields);
    const target made_for{fields[0], std::bit_cast<double>(fields[1])};
    if (auto fine = math::check(made_for); !fine) return fine.error();
    if (fields[2] > made_for.capacity) {
      return {errc::corrupt, "counts " + std::to_string(fields[2]) + " keys, more than its capacity of " +
                                 std::to_string(made_for.capacity)};
    }
    const auto shape = link_shape::from_fields(fields.template subspan<state_fields, shape_fields>());
    if (!shape) return shape.error();
    auto filter = engine_over<link_engine>(*shape, std::move(part.bytes));
    if (!filter) return filter.error();
    return std::make_unique<link>(made_for, std::move(*filter), fields[2]);
  }

  // In this order: an assignment that finds no memory for the links has not changed the shape yet.
  chain chain_;
  detail::taken<shape_type> shape_;
};

}  // namespace seen::inline v1::engines
