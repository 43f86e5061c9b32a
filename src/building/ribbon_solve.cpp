// The band, its buckets and the substitution of building/ribbon_solve.hpp, for results of 8, 16 and 32 bits.
#include <seen/base/bits.hpp>
#include <seen/building/ribbon_solve.hpp>
#include <seen/building/shards.hpp>
#include <seen/kernels/ribbon.hpp>
#include <seen/kernels/ribbon_vectors.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "base/processor.hpp"

namespace seen::inline v1::building {

namespace {

using math::ribbon_bucket;
using math::ribbon_bumped_slots;

// --- the band

// Rows by slot; Result is the smallest integer that holds r bits.
template <class Result>
class band {
 public:
  // Of keys of shard `shard` of `shards`, whose digests begin with it; or of keys with digests of their own, of 0 of 1.
  band(std::uint64_t slots, std::uint64_t shard, std::uint64_t shards, std::uint32_t bits, std::uint8_t seed,
       workspace& memory)
      : coefficients_(memory.take_zeroed<std::uint64_t>(static_cast<std::size_t>(slots))),
        results_(memory.take_zeroed<Result>(static_cast<std::size_t>(slots))),
        starts_(math::ribbon_starts(slots) * shards),
        origin_(math::ribbon_starts(slots) * shard),
        mask_(~std::uint32_t{0} >> (32 - bits)),
        drop_(math::ribbon_drop(slots)),
        multiplier_(seed_multiplier(seed)) {}

  [[nodiscard]] std::uint64_t start(std::uint64_t digest) const noexcept { return mulhi(digest, starts_) - origin_; }

  enum class added { taken, redundant, contradiction };

  // Adds the row of a digest that begins at `slot`, which becomes the slot it takes.
  [[gnu::always_inline]] added add(std::uint64_t digest, std::uint64_t& slot) noexcept {
    const shard_digest d{.value = digest, .multiplier = multiplier_};
    const shard_digest::halves drawn = d.product();
    std::uint64_t c = ribbon_coefficients(drawn) >> drop_ | 1;
    auto result = static_cast<Result>(drawn.high & mask_);
    auto at = static_cast<std::size_t>(slot);
    for (;;) {
      const std::uint64_t there = coefficients_[at];
      if (there == 0) break;
      c ^= there;
      result = static_cast<Result>(result ^ results_[at]);
      if (c == 0) return result == 0 ? added::redundant : added::contradiction;
      const int zeros = std::countr_zero(c);
      c >>= zeros;
      at += static_cast<std::size_t>(zeros);
    }
    coefficients_[at] = c;
    results_[at] = result;
    slot = at;
    return added::taken;
  }
  void remove(std::uint64_t slot) noexcept {
    const auto at = static_cast<std::size_t>(slot);
    coefficients_[at] = results_[at] = 0;
  }

  [[nodiscard]] const std::uint64_t* coefficients() const noexcept { return coefficients_.data(); }
  [[nodiscard]] const Result* results() const noexcept { return results_.data(); }
  [[nodiscard]] std::uint64_t slots() const noexcept { return coefficients_.size(); }

 private:
  std::span<std::uint64_t> coefficients_;
  std::span<Result> results_;
  std::uint64_t starts_;
  std::uint64_t origin_;
  std::uint32_t mask_;
  std::uint32_t drop_;
  std::uint64_t multiplier_;
};

// --- a layer that bumps

// The rows of the last buckets can be taken back. Rows of a bucket lie in the 191 slots from its first on.
struct bucket_log {
  std::size_t first_key = 0;
  std::size_t end_key = 0;
  std::uint32_t rows = 0;
  bool bumped = false;
  std::array<std::uint8_t, 192> slot;   // from the bucket's first
  std::array<std::uint8_t, 192> start;  // the same
};

template <class Result>
class bumping_layer {
 public:
  static constexpr std::uint64_t depth = 8;

  bumping_layer(band<Result>& rows, std::span<const std::uint64_t> keys) : rows_(rows), keys_(keys) {}

  // Sets the bits of the bumped buckets, which must be 0 before, and appends the digests that are left over.
  bool fill(std::byte* bumps, std::vector<std::uint64_t>& left) {
    const std::uint64_t buckets = ceil_div(rows_.slots(), ribbon_bucket);
    for (std::uint64_t b = 0; b < buckets + depth; ++b) {
      if (b < buckets && !enter(b)) return false;
      if (b >= depth) {  // nothing will change this bucket any more
        const bucket_log& log = at(b - depth);
        if (!log.bumped) continue;
        bumps[(b - depth) / 8] |= static_cast<std::byte>(1 << (b - depth) % 8);
        const std::uint64_t limit = (b - depth) * ribbon_bucket + ribbon_bumped_slots;
        for (std::size_t k = log.first_key; k < log.end_key && rows_.start(keys_[k]) < limit; ++k) {
          left.push_back(keys_[k]);
        }
      }
    }
    return true;
  }

 private:
  [[nodiscard]] bucket_log& at(std::uint64_t bucket) noexcept {
    return logs_[static_cast<std::size_t>(bucket % (depth + 1))];
  }

  bool enter(std::uint64_t bucket) {
    bucket_log& log = at(bucket);
    log.first_key = log.end_key = next_key_;
    log.rows = 0;
    log.bumped = false;
    const std::uint64_t limit = (bucket + 1) * ribbon_bucket;
    while (log.end_key < keys_.size() && rows_.start(keys_[log.end_key]) < limit) ++log.end_key;
    next_key_ = log.end_key;
    for (std::uint64_t next = bucket; next <= bucket; ++next) {
      if (insert(next)) continue;
      for (;;) {  // it fails to the right of what it can bump: make room to its left, and come here again from there
        if (next == 0 || bucket - next == depth) return false;
        if (!at(--next).bumped) break;
        take_back(next, ribbon_bucket);
      }
      at(next).bumped = true;
      take_back(next, ribbon_bumped_slots);
    }
    return true;
  }

  // Enters the keys of a bucket from right to left; true if all of them, or all that are not bumped, are in.
  bool insert(std::uint64_t bucket) {
    bucket_log& log = at(bucket);
    const std::uint64_t base = bucket * ribbon_bucket;
    log.rows = 0;
    for (std::size_t k = log.end_key; k != log.first_key; --k) {
      const std::uint64_t start = rows_.start(keys_[k - 1]);
      if (log.bumped && start - base < ribbon_bumped_slots) return true;
      std::uint64_t slot = start;
      const auto added = rows_.add(keys_[k - 1], slot);
      if (added == band<Result>::added::taken) {
        log.slot[log.rows] = static_cast<std::uint8_t>(slot - base);
        log.start[log.rows++] = static_cast<std::uint8_t>(start - base);
      } else if (added == band<Result>::added::contradiction) {
        if (start - base < ribbon_bumped_slots) {
          log.bumped = true;
          take_back(bucket, ribbon_bumped_slots);
          return true;
        }
        take_back(bucket, ribbon_bucket);
        return false;
      }
    }
    return true;
  }

  // Takes out the rows of a bucket that begin in its first `slots` slots: those that came last.
  void take_back(std::uint64_t bucket, std::uint64_t slots) noexcept {
    bucket_log& log = at(bucket);
    for (; log.rows != 0 && log.start[log.rows - 1] < slots; --log.rows) {
      rows_.remove(bucket * ribbon_bucket + log.slot[log.rows - 1]);
    }
  }

  band<Result>& rows_;
  std::span<const std::uint64_t> keys_;
  std::size_t next_key_ = 0;
  std::array<bucket_log, depth + 1> logs_;
};

// --- back-substitution

// `Words` result words at once; the loops over them are what the compiler makes vectors of.
template <std::size_t Words, class Result>
[[gnu::always_inline]] inline void substitute_words(const std::uint64_t* coefficients, const Result* results,
                                                    std::uint64_t slots, const kernels::ribbon_bits& form,
                                                    std::byte* layer) noexcept {
  std::array<std::uint64_t, Words> state{};
  for (std::uint64_t i = slots; i-- != 0;) {
    const std::uint64_t c = coefficients[i], wanted = results[i];
    for (std::size_t j = 0; j < Words; ++j) {
      const std::uint64_t shifted = state[j] << 1;
      const auto parity = static_cast<std::uint64_t>(__builtin_popcountll(shifted & c));
      state[j] = shifted | ((parity ^ wanted >> j) & 1);
    }
    if (i % 64 == 0) form.write(layer, i / 64, state.data());
  }
}

template <class Result>
[[gnu::always_inline]] inline void substitute_body(const std::uint64_t* coefficients, const Result* results,
                                                   std::uint64_t slots, std::uint32_t bits, std::byte* layer) noexcept {
  const kernels::ribbon_bits form(slots, bits);
  if constexpr (sizeof(Result) == 1) {
    substitute_words<8>(coefficients, results, slots, form, layer);
  } else if constexpr (sizeof(Result) == 2) {
    substitute_words<16>(coefficients, results, slots, form, layer);
  } else if (bits <= 24) {
    substitute_words<24>(coefficients, results, slots, form, layer);
  } else {
    substitute_words<32>(coefficients, results, slots, form, layer);
  }
}

#ifdef SEEN_HAS_RIBBON_VECTORS
template <class Result>
[[gnu::target("avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]] void substitute_avx512(
    const std::uint64_t* coefficients, const Result* results, std::uint64_t slots, std::uint32_t bits,
    std::byte* layer) noexcept {
  substitute_body(coefficients, results, slots, bits, layer);
}
template <class Result>
[[gnu::target("popcnt")]] void substitute_popcnt(const std::uint64_t* coefficients, const Result* results,
                                                 std::uint64_t slots, std::uint32_t bits, std::byte* layer) noexcept {
  substitute_body(coefficients, results, slots, bits, layer);
}
#endif

template <class Result>
void substitute(const band<Result>& rows, std::uint32_t bits, std::byte* layer) noexcept {
#ifdef SEEN_HAS_RIBBON_VECTORS
  const detail::processor& has = detail::this_processor();
  if (has.avx512vpopcntdq && has.avx512vl && has.avx512bw) {
    return substitute_avx512(rows.coefficients(), rows.results(), rows.slots(), bits, layer);
  }
  if (has.popcnt) return substitute_popcnt(rows.coefficients(), rows.results(), rows.slots(), bits, layer);
#endif
  substitute_body(rows.coefficients(), rows.results(), rows.slots(), bits, layer);
}

// --- all layers

template <class Result>
bool solve(const math::ribbon_layers& layers, std::uint64_t shard, std::uint64_t shards,
           std::span<const std::uint64_t> digests, std::uint8_t seed, std::byte* solution, std::byte* bumps,
           workspace& memory) {
  std::vector<std::uint64_t> here, left;
  const workspace::mark begin = memory.here();
  const auto mix_and_sort = [&] {
    for (std::uint64_t& x : here) x = shard_digest{.value = x, .multiplier = seed_multiplier(seed)}.product().low;
    std::sort(here.begin(), here.end());
    digests = here;
    shard = 0, shards = 1;
  };
  if (layers.count() == 1) {  // it bumps nothing, so it is a last layer: where its keys begin depends on the seed
    here.assign(digests.begin(), digests.end());
    mix_and_sort();
  }
  for (std::uint32_t i = 0;; ++i) {
    const std::uint64_t slots = layers.slots[i];
    const bool last = i + 1 == layers.count();
    memory.release(begin);
    band<Result> rows(slots, shard, shards, layers.bits, seed, memory);
    if (last) {
      for (std::size_t k = digests.size(); k-- != 0;) {
        std::uint64_t slot = rows.start(digests[k]);
        if (rows.add(digests[k], slot) == band<Result>::added::contradiction) return false;
      }
    } else {
      left.clear();
      if (!bumping_layer<Result>(rows, digests).fill(bumps, left)) return false;
    }
    substitute(rows, layers.bits, solution);
    if (last) return true;
    solution += math::ribbon_layer_bytes(slots, layers.bits);
    bumps += math::ribbon_bump_bytes(slots);
    std::swap(here, left);
    mix_and_sort();
  }
}

}  // namespace

bool solve_ribbon(const math::ribbon_layers& layers, std::uint64_t shard, std::uint64_t shards,
                  std::span<const std::uint64_t> digests, std::uint8_t seed, std::byte* solution, std::byte* bumps,
                  workspace& memory) {
  std::memset(solution, 0, static_cast<std::size_t>(layers.solution_bytes()));
  std::memset(bumps, 0, static_cast<std::size_t>(layers.bump_bytes()));
  if (layers.bits <= 8) return solve<std::uint8_t>(layers, shard, shards, digests, seed, solution, bumps, memory);
  if (layers.bits <= 16) return solve<std::uint16_t>(layers, shard, shards, digests, seed, solution, bumps, memory);
  return solve<std::uint32_t>(layers, shard, shards, digests, seed, solution, bumps, memory);
}

}  // namespace seen::inline v1::building
