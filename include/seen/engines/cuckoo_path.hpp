// Finding room in a full pair of buckets: the shortest way along which fingerprints can move until one of them finds an
// empty slot.
//
//      root a  [x x x x]──►[x x x x]──►[x x . x]     each arrow: one of four fingerprints, to its other bucket
//      root c  [x x x x]──►…
//
// The search is breadth first. It finds three or four moves where a random walk makes dozens, and looks at no more than
// 500 buckets. Nothing is moved before the whole path is known, and moving begins at its free end. Every fingerprint is
// written at its new place before it is erased at the old one. A search that finds nothing has changed nothing. No
// choice is random.
//
// No bucket comes twice on a path: the part between would be a detour, and the search, nearest first, would have ended
// without it. Under threads the search reads without locks and may be wrong by the time it is walked; then a move says
// so, and the add begins anew.
//
// All four fingerprints of a bucket are followed before the one branch, since nobody could predict which leads to room.
#pragma once

#include <seen/engines/cuckoo_guards.hpp>
#include <seen/kernels/cuckoo.hpp>

#include <array>
#include <bit>
#include <cstdint>

namespace seen::inline v1::engines {

/// The buckets a search has come to, in one chunk.
template <class Access>
class cuckoo_path {
 public:
  /// Buckets looked at before a search gives up.
  static constexpr std::uint32_t most_steps = 500;

  enum class outcome { none, found, changed };
  /// A slot: a bucket of the chunk, and the bit offset in it.
  struct place {
    std::uint64_t bucket;
    std::uint32_t slot;
  };

  /// Looks for a way from the pair, whose buckets are full, in a chunk of `size` buckets; their numbers are counted from
  /// the first of the chunk. `changed`: one is not full, since another thread removed a key.
  template <class Rule, class Lanes>
  [[nodiscard, gnu::always_inline]] outcome search(const Rule& rule, const Lanes& lanes, const std::uint64_t* chunk,
                                                   std::uint64_t size, const cuckoo_pair& pair) noexcept {
    const std::uint64_t lane = (std::uint64_t{1} << lanes.bits) - 1;
    steps_[0] = {static_cast<std::uint32_t>(pair.first), 1, 0};  // either root counts as reached from the other
    steps_[1] = {static_cast<std::uint32_t>(pair.second), 0, 0};
    std::uint32_t known = 2;
    for (std::uint32_t at = 0; at < known; ++at) {
      std::array<std::uint32_t, kernels::cuckoo_slots> others{};
      std::uint32_t free = 0;
      for (std::uint32_t group = 0, i = 0; group < lanes.groups; ++group) {
        std::uint64_t rest = kernels::load_lanes<Access>(lanes, chunk, steps_[at].bucket, group);
        if constexpr (Access::is_shared) {
          if (kernels::first_zero_lane(lanes, rest) != 0) return outcome::changed;
        }
        for (std::uint32_t j = 0; j < kernels::cuckoo_slots / lanes.groups; ++j, ++i, rest >>= lanes.bits) {
          others[i] = static_cast<std::uint32_t>(rule.alternate(size, steps_[at].bucket, rest & lane));
          free |= std::uint32_t{kernels::has_empty<Access>(lanes, chunk, others[i])} << i;
        }
      }
      if (free != 0) {
        const auto i = static_cast<std::uint32_t>(std::countr_zero(free));
        last_ = at;
        slot_ = i * lanes.bits;
        end_ = others[i];
        return outcome::found;
      }
      const std::uint32_t from = steps_[steps_[at].parent].bucket;
      for (std::uint32_t i = 0; i < kernels::cuckoo_slots && known < most_steps; ++i) {
        steps_[known] = {others[i], static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(i * lanes.bits)};
        known += others[i] != from;  // not back to where we came from
      }
    }
    return outcome::none;
  }

  /// Calls move(from, to) for every move of a path that was found, each a place of a fingerprint and an empty one,
  /// until it says false. Returns the place of a root that is left empty when all are done.
  template <class Lanes, class Move>
  [[gnu::always_inline]] place walk(const Lanes& lanes, const std::uint64_t* chunk, Move move) const noexcept {
    place to{end_, kernels::find_slot<Access>(lanes, chunk, end_, 0)};
    std::uint32_t at = last_, slot = slot_;
    for (;;) {
      const place from{steps_[at].bucket, slot};
      if (to.slot == kernels::no_slot || !move(from, to) || at < 2) return from;
      to = from;
      slot = steps_[at].slot;
      at = steps_[at].parent;
    }
  }

 private:
  // A full bucket, and from where: over slot `slot` of the bucket of step `parent`.
  struct step {
    std::uint32_t bucket;
    std::uint16_t parent;
    std::uint16_t slot;
  };

  std::array<step, most_steps> steps_;
  std::uint32_t last_;  // the step whose fingerprint in slot_ has room in bucket end_
  std::uint32_t slot_;
  std::uint32_t end_;
};

}  // namespace seen::inline v1::engines
