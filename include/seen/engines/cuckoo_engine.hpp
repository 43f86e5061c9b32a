// cuckoo_engine<Rule, Access>: the one body of every filter that keeps a fingerprint of each key in one of two buckets.
//
//   digest ──Rule──► chunk, two buckets in it, fingerprint ──Access──► slots            [Fan, Andersen, Kaminsky,
//                                                                                        Mitzenmacher 2014]
// Rule says where the fingerprint of a digest may lie and what it is; Access whether words are touched plainly or from
// many threads. The contract of a rule (cuckoo_rule in filters/cuckoo.hpp is the model):
//   shape_type, kind, id              how a user describes it; the kind's name and number; the rule's number in files
//   make(shape) -> result<Rule>       checks the shape; shape() gives it back
//   chunks(), buckets(), lanes()       the table: so many buckets of four slots of so many bits, in so many chunks
//   form(), form(bits, one chunk)      of a rule that is not nested (is_nested): the width and whether there is one chunk
//   slots(), bytes()                   what follows from these; empty() for a rule that was moved from
//   with_lanes(use)                    calls use with the masks, as constants where the width is the commonest
//   with_common_lanes(use)             the same with constants for more widths: for code that is short
//   map()                              the arithmetic behind place, for many digests at once
//   place(lanes, digest) -> cuckoo_place   the pair of buckets and the fingerprint, not 0; place(digest) is the same
//   chunk_of(bucket)                   where the chunk of a bucket begins, and how many buckets it has
//   alternate(size, bucket, fingerprint)   the other bucket of the pair, from what is stored alone, both as numbers in a
//                                      chunk of `size`; its own inverse, never the same, below size for any fingerprint
//
// Adding. The emptier of the two buckets takes the fingerprint. If both are full, fingerprints have to move to their
// own other buckets until one comes free (engines/cuckoo_path.hpp). If there is no way to do so, nothing has been
// touched: a failed add changes no bit. No choice is random, so the bytes are a function of the operations and their
// order.
//
// Batches. Places are computed by blocks of digests (kernels/cuckoo_map.hpp); a large batch for a large table is
// sorted by chunk first (kernels/bulk_add.hpp).
//
// Cost: two cache lines per operation, in chunks that fit the second-level cache. Everything on the way of a key is
// noexcept and allocates nothing.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/base/taken.hpp>
#include <seen/concepts.hpp>
#include <seen/engines/cuckoo_guards.hpp>
#include <seen/engines/cuckoo_path.hpp>
#include <seen/kernels/bulk_add.hpp>
#include <seen/kernels/cuckoo.hpp>
#include <seen/kernels/cuckoo_alone.hpp>
#include <seen/kernels/cuckoo_map.hpp>
#include <seen/kernels/prefetch.hpp>
#include <seen/math/cuckoo.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/storage.hpp>
#include <seen/survey.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace seen::inline v1::engines {

/// Where a digest may lie, and what of it is stored there.
struct cuckoo_place {
  cuckoo_pair pair;
  std::uint64_t fingerprint = 0;
};

/// Bytes of `buckets` buckets: whole cache lines, with room for a 64-bit load that begins in the last byte used.
[[nodiscard]] constexpr std::size_t cuckoo_bytes(std::uint64_t buckets, std::uint32_t fingerprint_bits) noexcept {
  return clamp_to_size(round_up(buckets * fingerprint_bits / 2 + 8, storage::alignment));
}

template <class Rule, class Access = plain_access>
class cuckoo_engine {
 public:
  using rule_type = Rule;
  using access_type = Access;
  using digest_type = digest;
  using shape_type = typename Rule::shape_type;

  static constexpr kind_info kind = Rule::kind;
  static constexpr std::uint16_t index_rule = Rule::id;
  static constexpr bool is_monotone = false;

  cuckoo_engine() noexcept = default;
  cuckoo_engine(cuckoo_engine&&) noexcept = default;
  cuckoo_engine& operator=(cuckoo_engine&&) noexcept = default;
  cuckoo_engine(const cuckoo_engine&) requires(!Access::is_shared) = default;
  cuckoo_engine& operator=(const cuckoo_engine&) requires(!Access::is_shared) = default;
  ~cuckoo_engine() = default;

  /// An empty filter of this shape.
  static result<cuckoo_engine> make(const shape_type& shape) {
    auto rule = Rule::make(shape);
    if (!rule) return rule.error();
    auto bytes = storage::allocate(rule->bytes());
    if (!bytes) return bytes.error();
    return assemble(*rule, std::move(*bytes), 0);
  }

  /// A filter over bytes that exist already. Any content of the slots is a filter; what is not a slot must be zero.
  static result<cuckoo_engine> over(const shape_type& shape, storage bytes) {
    auto rule = Rule::make(shape);
    if (!rule) return rule.error();
    if (bytes.size() != rule->bytes()) {
      return {errc::invalid_argument,
              std::to_string(rule->slots()) + " slots of " + std::to_string(rule->lanes().bits) + " bits take " +
                  std::to_string(rule->bytes()) + " bytes; " + std::to_string(bytes.size()) + " were given"};
    }
    if (auto fine = check_alignment(bytes.data()); !fine) return fine.error();
    if (!padding_is_zero(*rule, bytes)) {
      return {errc::corrupt, "bits beyond the last of " + std::to_string(rule->slots()) + " slots are set"};
    }
    // A plain filter counts when asked: opening a mapped one takes no longer for its size.
    std::uint64_t used = cuckoo_guards<plain_access>::unknown;
    if constexpr (Access::is_shared) used = count_used<plain_access>(*rule, words_of(bytes));
    return assemble(*rule, std::move(bytes), used);
  }

  // --- one key

  /// False: there is no room for it, and no bit has changed. (Where other threads add at the same time: no key was
  /// lost.)
  [[nodiscard]] bool add(digest d) noexcept {
    const bool added = rule_->lanes().bits == 16 ? add_at(common, rule_->place(common, d)) : add_other(d);
    guards_.count(added);
    return added;
  }

  [[nodiscard, gnu::always_inline]] bool may_contain(digest d) const noexcept {
    using kernels::cuckoo_chunks;
    if constexpr (!is_lone) {
      if (rule_->lanes().bits == 16) [[likely]]
        return look(common, rule_->place(common, d));
      return rule_->lanes().bits == 12 ? look_twelve(d) : look_other(d);
    } else {
      const std::uint32_t form = rule_->form();
      if (form == Rule::form(16, true)) [[likely]]
        return look_alone<cuckoo_chunks::one>(common, d);
      if (form == Rule::form(16, false)) [[likely]]
        return look_alone<cuckoo_chunks::several>(common, d);
      if (form == Rule::form(12, true)) [[likely]]
        return look_alone<cuckoo_chunks::one>(twelve, d);
      if (form == Rule::form(12, false)) [[likely]]
        return look_alone<cuckoo_chunks::several>(twelve, d);
      return look_other(d);
    }
  }

  /// Takes out one fingerprint equal to this digest's; false, and nothing changed, if there is none. Only for keys that
  /// were added: the fingerprint of another key may be equal, and would go instead.
  bool remove(digest d) noexcept {
    const bool removed = take_out(d);
    guards_.count(std::uint64_t{0} - removed);
    return removed;
  }

  /// How many fingerprints equal to this digest's lie in its buckets: at least as many as it was added, 8 at most.
  [[nodiscard]] std::uint64_t count(digest d) const noexcept {
    if (rule_->empty()) return 0;
    const Rule& rule = *rule_;
    const cuckoo_place at = rule.place(rule.lanes(), d);
    return guards_.read(at.pair, [&]() -> std::uint64_t {
      const auto in = [&](std::uint64_t bucket) {
        return kernels::count_of<Access>(rule.lanes(), words(), bucket, at.fingerprint);
      };
      return in(at.pair.first) + in(at.pair.second);
    });
  }

  // --- many keys

  /// Adds from the front until one finds no room; returns how many were added. Many digests for a large table are
  /// sorted by chunk first (kernels/bulk_add.hpp); where there is no memory for that, or not enough digests, they go as
  /// they come.
  std::size_t add_many(std::span<const digest> digests) noexcept { return add_many(digests, 1); }
  /// The same on several threads (0: all there are), if there is something to share; the bytes are the same.
  std::size_t add_many(std::span<const digest> digests, unsigned threads) {
    if (!is_bulk(digests.size())) return add_one_by_one(digests);
    return add_read(
        digests.size(),
        [digests](std::uint64_t first, std::span<digest> to) {
          std::copy_n(digests.begin() + static_cast<std::ptrdiff_t>(first), to.size(), to.begin());
        },
        threads);
  }
  /// The same as they come, whatever their number.
  std::size_t add_one_by_one(std::span<const digest> digests) noexcept {
    const std::size_t added = add_in_order(digests);
    guards_.count(added);
    return added;
  }

  /// Whether so many digests are enough to be sorted by chunk.
  [[nodiscard]] bool is_bulk(std::uint64_t digests) const noexcept { return plan_for(digests).parts != 0; }
  /// add_many of `count` digests that read(first, span) writes, any of them more than once and from any thread.
  template <class Read>
  std::size_t add_read(std::uint64_t count, Read read, unsigned threads = 1) {
    struct work final : kernels::bulk_work {
      work(cuckoo_engine& to, const Read& from) : engine(to), reads(from) {}
      void read(std::uint64_t first, std::span<digest> to) const override { reads(first, to); }
      std::size_t add(std::span<const digest> digests) noexcept override { return engine.add_in_order(digests); }
      void remove(std::span<const digest> digests) noexcept override {
        for (std::size_t i = digests.size(); i-- != 0;) (void)engine.take_out(digests[i]);
      }
      cuckoo_engine& engine;
      const Read& reads;
    } these(*this, read);
    if (const kernels::bulk_plan plan = plan_for(count); plan.parts != 0) {
      if (const auto added = kernels::bulk_add(plan, count, threads, these)) {
        guards_.count(*added);
        return static_cast<std::size_t>(*added);
      }
    }
    std::array<digest, 1024> tile;
    for (std::uint64_t done = 0; done < count;) {
      const auto some =
          std::span(tile).first(static_cast<std::size_t>(std::min<std::uint64_t>(count - done, tile.size())));
      read(done, some);
      const std::size_t added = add_one_by_one(some);
      done += added;
      if (added != some.size()) return static_cast<std::size_t>(done);
    }
    return static_cast<std::size_t>(count);
  }

  /// Writes whether each digest may be present; returns how many may.
  std::size_t may_contain_many(std::span<const digest> digests, bool* out) const noexcept {
    if (rule_->empty()) {
      std::fill_n(out, digests.size(), true);
      return digests.size();
    }
    return rule_->with_common_lanes([&](const auto& lanes) {
      std::size_t found = 0;
      const std::uint64_t* const all = words();
      for_each_place(lanes, digests, [&](std::size_t i, const kernels::cuckoo_block& block, std::size_t j) {
        bool may;
        if constexpr (Access::is_shared) {
          may = look(lanes, place_in(block, j));
        } else {
          may = kernels::either_holds<Access>(lanes, all, block.first[j], block.second[j], block.fingerprint[j]);
        }
        out[i] = may;
        found += may;
        return true;
      });
      return found;
    });
  }

  // --- the whole filter

  /// Empties the filter; with shared access chunk by chunk, each at once, or all at once where chunks share stripes.
  void clear() noexcept {
    if constexpr (Access::is_shared) {
      if (guards_.shared_by_chunks()) {
        const auto lock = guards_.lock_all();
        for (std::size_t i = 0; i < word_count(); ++i) Access::store_release(words() + i, 0);
        guards_.cleared_all();
        return;
      }
    }
    for (std::uint64_t chunk = 0; chunk < rule_->chunks(); ++chunk) {
      [[maybe_unused]] const auto lock = guards_.lock_chunk(chunk);
      for (std::size_t i = first_word(chunk), end = first_word(chunk + 1); i < end; ++i) {
        Access::store_release(words() + i, 0);
      }
      guards_.cleared(chunk);
    }
  }

  /// Puts empty bytes in place and returns the full ones, as a filter. Under threads the caller keeps what is returned
  /// until no call that began before the reset is still running.
  [[nodiscard]] cuckoo_engine reset() {
    if (storage_.size() == 0) return {};  // moved from
    auto fresh = storage::allocate(storage_.size());
    if (!fresh) throw_error(fresh.error());
    if constexpr (Access::is_shared) {
      auto guards = cuckoo_guards<Access>::make(rule_->chunks(), rule_->map().chunk_bits(), 0);
      const auto lock = guards_.lock_all();
      guards.take_counts(guards_);
      storage_.template replace_with<Access>(*fresh);
      return cuckoo_engine(*rule_, std::move(*fresh), std::move(guards));
    } else {
      storage_.template replace_with<Access>(*fresh);
      return cuckoo_engine(*rule_, std::move(*fresh), std::exchange(guards_, cuckoo_guards<Access>()));
    }
  }

  [[nodiscard]] friend bool operator==(const cuckoo_engine& a, const cuckoo_engine& b) noexcept {
    if (!(a.shape() == b.shape())) return false;
    for (std::size_t i = 0; i < a.word_count(); ++i) {
      if (Access::load(a.words() + i) != Access::load(b.words() + i)) return false;
    }
    return true;
  }

  // --- what it is

  [[nodiscard]] shape_type shape() const noexcept { return rule_->shape(); }
  [[nodiscard]] const Rule& rule() const noexcept { return *rule_; }
  /// Slots in all: four per bucket.
  [[nodiscard]] std::uint64_t slots() const noexcept { return rule_->slots(); }

  /// The exact number of keys in it. (While other threads add and remove: of some moment for each of them.)
  [[nodiscard]] std::uint64_t size() const noexcept {
    const std::uint64_t used = guards_.used();
    return used == cuckoo_guards<plain_access>::unknown ? census() : used;
  }
  /// Slots that are taken, counted in the bytes.
  [[nodiscard]] std::uint64_t census() const noexcept {
    const std::uint64_t used = count_used<Access>(*rule_, words());
    guards_.know(used);
    return used;
  }
  /// Share of the slots that are taken.
  [[nodiscard]] double fill() const noexcept {
    return slots() == 0 ? 0 : static_cast<double>(size()) / static_cast<double>(slots());
  }
  [[nodiscard]] double estimated_count() const noexcept { return static_cast<double>(size()); }
  /// The false-positive rate as the filter is now.
  [[nodiscard]] double estimated_fpr() const noexcept {
    return slots() == 0 ? 1 : math::cuckoo_model_fpr(rule_->lanes().bits, slots() / kernels::cuckoo_slots, size());
  }
  /// Fuller than any plan makes it: the next add may find no room.
  [[nodiscard]] bool saturated() const noexcept { return size() > slots() / 20 * 19 + slots() % 20 * 19 / 20; }

  // --- a survey (survey.hpp): bucket by bucket

  static constexpr std::string_view place = "slot";
  [[nodiscard]] std::uint64_t pieces() const noexcept { return slots() / kernels::cuckoo_slots; }
  [[nodiscard]] counted_places count_pieces(std::uint64_t first, std::uint64_t last) const noexcept {
    return {kernels::cuckoo_slots * (last - first), count_used<Access>(*rule_, words(), first, last)};
  }

  [[nodiscard]] bytes_view bytes() const noexcept { return storage_.bytes(); }

  // --- from one access policy to another

  /// The same bytes under another policy, without a copy. Throws std::bad_alloc for the stripes of a shared one.
  template <class Other>
  [[nodiscard]] cuckoo_engine<Rule, Other> with_access() && {
    const Rule rule = *rule_;
    auto guards = rule.empty() ? cuckoo_guards<Other>()
                               : cuckoo_guards<Other>::make(rule.chunks(), rule.map().chunk_bits(), size());
    rule_ = detail::taken<Rule>();
    guards_ = cuckoo_guards<Access>();
    return cuckoo_engine<Rule, Other>(rule, std::move(storage_), std::move(guards));
  }

  /// A copy that no other thread touches, made chunk by chunk while that chunk's writers wait: it holds every key whose
  /// add happened before, and none that was removed before.
  [[nodiscard]] result<cuckoo_engine<Rule, plain_access>> snapshot() const {
    auto copy = storage::allocate(storage_.size());
    if (!copy) return copy.error();
    std::uint64_t* const to = words_of(*copy);
    for (std::uint64_t chunk = 0; chunk < rule_->chunks(); ++chunk) {
      // The locks are not part of what the filter holds.
      [[maybe_unused]] const auto lock = const_cast<cuckoo_guards<Access>&>(guards_).lock_chunk(chunk);
      for (std::size_t i = first_word(chunk), end = first_word(chunk + 1); i < end; ++i)
        to[i] = Access::load(words() + i);
    }
    const std::uint64_t used = count_used<plain_access>(*rule_, to);
    return cuckoo_engine<Rule, plain_access>(*rule_, std::move(*copy), cuckoo_guards<plain_access>(used));
  }

 private:
  template <class, class>
  friend class cuckoo_engine;

  // The widths of 0.01 and 0.2 %, inline in every caller; all others are a call away, for with all of them in one place
  // the compiler would run out of registers. A filter moved from has no width, and is told there.
  static constexpr kernels::fixed_lanes<16> common{};
  static constexpr kernels::fixed_lanes<12> twelve{};

  cuckoo_engine(const Rule& rule, storage bytes, cuckoo_guards<Access> guards) noexcept
      : storage_(std::move(bytes)), guards_(std::move(guards)), rule_(rule) {}

  static result<cuckoo_engine> assemble(const Rule& rule, storage bytes, std::uint64_t used) {
    return or_no_memory([&]() -> result<cuckoo_engine> {
      return cuckoo_engine(rule, std::move(bytes),
                           cuckoo_guards<Access>::make(rule.chunks(), rule.map().chunk_bits(), used));
    });
  }

  // --- where things are

  template <class Storage>
  [[nodiscard]] static std::uint64_t* words_of(Storage& bytes) noexcept {
    return reinterpret_cast<std::uint64_t*>(bytes.data());
  }
  [[nodiscard]] std::uint64_t* words() const noexcept {
    return reinterpret_cast<std::uint64_t*>(storage_.template data_as<Access>());
  }
  [[nodiscard]] std::size_t word_count() const noexcept { return storage_.size() / sizeof(std::uint64_t); }
  // The word that begins with a bucket whose number is a multiple of 16: so many are whole words whatever the width.
  [[nodiscard]] std::size_t word_of(std::uint64_t bucket) const noexcept {
    return static_cast<std::size_t>(bucket / 16 * rule_->lanes().bits);
  }
  // The word that a chunk begins with; of the one after the last, all there are. (Of a table that does not nest.)
  [[nodiscard]] std::size_t first_word(std::uint64_t chunk) const noexcept {
    return chunk == rule_->chunks() ? word_count() : word_of(chunk << rule_->map().chunk_bits());
  }

  // --- looking

  template <class Lanes>
  [[nodiscard, gnu::always_inline]] bool look(const Lanes& lanes, const cuckoo_place& at) const noexcept {
    return guards_.read(at.pair, [&]() -> bool {
      return kernels::either_holds<Access>(lanes, words(), at.pair.first, at.pair.second, at.fingerprint);
    });
  }

  // Whether one key has a way of its own.
  static constexpr bool is_lone = kernels::has_lone_lookup && !Access::is_shared && !Rule::is_nested;

  // One key of a table with so many chunks.
  template <kernels::cuckoo_chunks Chunks, class Lanes>
  [[nodiscard, gnu::always_inline]] bool look_alone(const Lanes&, digest d) const noexcept {
    return kernels::lone_lookup<Lanes::bits, Chunks>(rule_->map(), reinterpret_cast<const std::byte*>(words()), d);
  }

  [[nodiscard, gnu::noinline]] bool look_twelve(digest d) const noexcept {
    return look(twelve, rule_->place(twelve, d));
  }
  [[nodiscard, gnu::noinline]] bool look_other(digest d) const noexcept {
    const Rule& rule = *rule_;
    if (rule.empty()) return true;  // moved from
    return rule.with_common_lanes([&](const auto& lanes) { return look(lanes, rule.place(lanes, d)); });
  }

  // Calls use(i, block, j) for every digest in order, which lies where place j of the block says, until it says false.
  // In a table beyond the cache the lines of the next block are asked for one by one meanwhile.
  template <class Lanes, class Use>
  [[gnu::always_inline]] void for_each_place(const Lanes& lanes, std::span<const digest> digests,
                                             Use use) const noexcept {
    constexpr std::size_t size = kernels::cuckoo_block::size;
    const kernels::cuckoo_map map = rule_->map();
    const std::size_t n = digests.size();
    std::array<digest, size> rest{};  // the last digests, and something
    std::copy(digests.end() - static_cast<std::ptrdiff_t>(n % size), digests.end(), rest.begin());
    std::array<kernels::cuckoo_block, 2> blocks;
    const auto locate = [&](std::size_t from) {
      kernels::cuckoo_locate(map, lanes.bits, from + size <= n ? digests.data() + from : rest.data(),
                             blocks[from / size % 2]);
    };
    const auto* const bytes = reinterpret_cast<const std::byte*>(words());
    const auto fetch = [&](const kernels::cuckoo_block& block, std::size_t j) {
      kernels::prefetch(bytes + kernels::place_of(lanes, block.first[j]).byte);
      kernels::prefetch(bytes + kernels::place_of(lanes, block.second[j]).byte);
    };
    const bool far = storage_.size() > kernels::cached_bytes;
    if (n != 0) locate(0);
    if (far) {
      for (std::size_t j = 0; j < std::min(size, n); ++j) fetch(blocks[0], j);
    }
    for (std::size_t from = 0; from < n; from += size) {
      const kernels::cuckoo_block& now = blocks[from / size % 2];
      const kernels::cuckoo_block& next = blocks[1 - from / size % 2];
      const bool more = n - from > size;
      if (more) locate(from + size);
      if (more && far) {
        for (std::size_t j = 0; j < size; ++j) {
          fetch(next, j);
          if (!use(from + j, now, j)) return;
        }
      } else {
        for (std::size_t j = 0; j < std::min(size, n - from); ++j) {
          if (!use(from + j, now, j)) return;
        }
      }
    }
  }
  [[nodiscard]] static cuckoo_place place_in(const kernels::cuckoo_block& block, std::size_t j) noexcept {
    return {{block.first[j], block.second[j]}, block.fingerprint[j]};
  }

  // --- adding

  template <class Lanes>
  [[nodiscard, gnu::always_inline]] bool add_at(const Lanes& lanes, const cuckoo_place& at) noexcept {
    while (!settle(lanes, at)) {
      if (!make_room(lanes, at)) return false;
      if constexpr (!Access::is_shared) break;
    }
    return true;
  }
  std::size_t add_in_order(std::span<const digest> digests) noexcept {
    if (rule_->empty()) return 0;
    std::size_t added = 0;
    rule_->with_lanes([&](const auto& lanes) {
      for_each_place(lanes, digests, [&](std::size_t, const kernels::cuckoo_block& block, std::size_t j) {
        if (!add_at(lanes, place_in(block, j))) return false;
        ++added;
        return true;
      });
    });
    return added;
  }
  [[nodiscard]] kernels::bulk_plan plan_for(std::uint64_t digests) const noexcept {
    return kernels::bulk_plan::of(digests, rule_->map(), rule_->chunks(), storage_.size());
  }
  [[nodiscard, gnu::noinline]] bool add_other(digest d) noexcept {
    if (rule_->empty()) return false;  // moved from
    return rule_->with_lanes([&](const auto& lanes) { return add_at(lanes, rule_->place(lanes, d)); });
  }

  // Puts the fingerprint into a free slot of its pair.
  template <class Lanes>
  [[nodiscard, gnu::always_inline]] bool settle(const Lanes& lanes, const cuckoo_place& at) noexcept {
    [[maybe_unused]] const auto lock = guards_.lock_pair(at.pair);
    if (!kernels::put_in_either<Access>(lanes, words(), at.pair.first, at.pair.second, at.fingerprint)) return false;
    guards_.added(at.pair);
    return true;
  }

  // Frees a slot of the place by moving fingerprints to their other buckets (engines/cuckoo_path.hpp). False: there is
  // no way, nothing was done. True: the fingerprint is in the slot; or, with shared access, try again: a slot is free
  // now, or was for a moment, or another thread was in the way.
  template <class Lanes>
  [[nodiscard, gnu::noinline]] bool make_room(const Lanes& lanes, const cuckoo_place& at) noexcept {
    using slot_place = typename cuckoo_path<Access>::place;
    const Rule rule(*rule_);
    const auto [start, size] = rule.chunk_of(at.pair.first);
    std::uint64_t* const chunk = words() + word_of(start);
    cuckoo_path<Access> path;
    const auto outcome = path.search(rule, lanes, chunk, size, {at.pair.first - start, at.pair.second - start});
    if (outcome != cuckoo_path<Access>::outcome::found) return outcome == cuckoo_path<Access>::outcome::changed;
    if constexpr (Access::is_shared) {
      (void)path.walk(lanes, chunk, [&, start = start](const slot_place& from, const slot_place& to) {
        return move(lanes, {start + from.bucket, start + to.bucket}, from.slot, to.slot);
      });
    } else {
      const slot_place root = path.walk(lanes, chunk, [&](const slot_place& from, const slot_place& to) {
        const std::uint64_t t = kernels::load_slot<Access>(lanes, chunk, from.bucket, from.slot);
        kernels::store_slot<Access>(lanes, chunk, to.bucket, to.slot, t);
        return true;
      });
      kernels::store_slot<Access>(lanes, chunk, root.bucket, root.slot, at.fingerprint);
    }
    return true;
  }

  // Moves what lies in a slot of pair.first to a free slot of pair.second; false if that is not, or no longer,
  // possible: others may have been here since the search.
  template <class Lanes>
  [[nodiscard]] bool move(const Lanes& lanes, const cuckoo_pair& pair, std::uint32_t slot,
                          std::uint32_t free) noexcept {
    const auto lock = guards_.lock_pair(pair);
    const auto [start, size] = rule_->chunk_of(pair.first);
    const std::uint64_t t = kernels::load_slot<Access>(lanes, words(), pair.first, slot);
    if (t == 0 || start + rule_->alternate(size, pair.first - start, t) != pair.second ||
        kernels::load_slot<Access>(lanes, words(), pair.second, free) != 0) {
      return false;
    }
    kernels::store_slot<Access>(lanes, words(), pair.second, free, t);
    kernels::store_slot<Access>(lanes, words(), pair.first, slot, 0);
    return true;
  }

  // --- removing

  bool take_out(digest d) noexcept {
    if (rule_->empty()) return false;
    const Rule& rule = *rule_;
    const cuckoo_place at = rule.place(rule.lanes(), d);
    [[maybe_unused]] const auto lock = guards_.lock_pair(at.pair);
    for (const std::uint64_t bucket : {at.pair.first, at.pair.second}) {
      const std::uint32_t slot = kernels::find_slot<Access>(rule.lanes(), words(), bucket, at.fingerprint);
      if (slot == kernels::no_slot) continue;
      kernels::store_slot<Access>(rule.lanes(), words(), bucket, slot, 0);
      guards_.removed(at.pair);
      return true;
    }
    return false;
  }

  // --- counting

  template <class Reads>
  [[nodiscard]] static std::uint64_t count_used(const Rule& rule, const std::uint64_t* words) noexcept {
    return count_used<Reads>(rule, words, 0, rule.slots() / kernels::cuckoo_slots);
  }
  template <class Reads>
  [[nodiscard]] static std::uint64_t count_used(const Rule& rule, const std::uint64_t* words, std::uint64_t first,
                                                std::uint64_t last) noexcept {
    return rule.with_lanes([&](const auto& lanes) {
      std::uint64_t empty = 0;
      for (std::uint64_t i = first; i < last; ++i) empty += kernels::count_of<Reads>(lanes, words, i, 0);
      return kernels::cuckoo_slots * (last - first) - empty;
    });
  }

  [[nodiscard]] static bool padding_is_zero(const Rule& rule, const storage& bytes) noexcept {
    const std::uint64_t bits = rule.slots() * rule.lanes().bits;  // whole bytes: buckets are even in number
    for (std::size_t i = static_cast<std::size_t>(bits / 8); i < bytes.size(); ++i) {
      if (bytes.data()[i] != std::byte{0}) return false;
    }
    return true;
  }

  // In this order: an assignment that finds no memory for the bytes has not changed the rest yet.
  storage storage_;
  cuckoo_guards<Access> guards_;
  detail::taken<Rule> rule_;
};

}  // namespace seen::inline v1::engines
