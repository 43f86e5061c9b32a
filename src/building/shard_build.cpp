// A build from collected digests to a body: sort, count, choose a shape, solve shard by shard, grow if it must.
#include <seen/base/text.hpp>
#include <seen/base/threads.hpp>
#include <seen/building/shard_build.hpp>
#include <seen/math/shards.hpp>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/checksum.hpp"
#include "checkpoint.hpp"
#include "digest_store.hpp"

namespace seen::inline v1::building {
namespace {

constexpr unsigned seeds_tried = 32;  // before all shards are made larger
constexpr unsigned most_growth = 8;   // steps, after which the digests cannot be hashes

std::uint64_t checksum_of(std::span<const std::uint64_t> words) {
  return detail::checksum::of(std::as_bytes(words));
}

/// One build, from sorting to the last shard.
class build {
 public:
  build(digest_store& store, const shard_kind& kind, const sharded_options& options)
      : store_(store), kind_(kind), options_(options), threads_(detail::threads_for(options.threads)) {}

  result<storage> run() {
    if (store_.partitions() == 1) {  // a scratch as large as the digests, before it is known how many are equal
      counts_ = {store_.size(), 1, store_.size()};
      unit_bytes_ = unit_bytes();
      if (auto room = check_memory(std::max(unit_bytes_, two_arrays(store_.size()) / 2)); !room) return room.error();
      counts_ = {};
    }
    if (auto sorted = sort(); !sorted) return sorted.error();
    unit_bytes_ = unit_bytes();
    if (auto room = check_memory(unit_bytes_); !room) return room.error();
    for (unsigned growth = 0; growth <= most_growth; ++growth) {
      auto made = solve(growth);
      if (!made) return made.error();
      if (*made) return std::move(**made);
    }
    return {errc::invalid_argument,
            "build: the digests cannot be told apart by their bits: they are not hashes of keys"};
  }

 private:
  // --- memory that threads take turns with

  // Calls use(workspace) with one that nobody else has, of so many bytes.
  template <class Use>
  auto with_workspace(std::uint64_t bytes, Use use) {
    std::unique_ptr<workspace> mine;
    {
      const std::scoped_lock lock(guard_);
      if (!idle_.empty()) {
        mine = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    if (!mine) mine = std::make_unique<workspace>();
    mine->begin(bytes);
    const auto outcome = use(*mine);
    const std::scoped_lock lock(guard_);
    idle_.push_back(std::move(mine));
    return outcome;
  }

  // --- saying how far it is, and stopping

  void begin(build_progress::stage stage, std::uint64_t total) {
    progress_ = {.now = stage, .done = 0, .total = total};
  }

  // Reports progress. False: the caller wants no more.
  bool advance(std::uint64_t keys, std::uint64_t resumed = 0) {
    const std::scoped_lock lock(guard_);
    progress_.done += keys;
    progress_.resumed += resumed;
    if (!failure_ && options_.progress && !options_.progress(progress_))
      failure_ = {errc::cancelled, "build: cancelled"};
    return !failure_;
  }

  bool fail(error e) {
    const std::scoped_lock lock(guard_);
    if (!failure_) failure_ = std::move(e);
    return false;
  }

  result<void> outcome() {
    const std::scoped_lock lock(guard_);
    if (failure_) return *failure_;
    return {};
  }

  // --- sorting, and counting what is different

  result<void> sort() {
    begin(build_progress::stage::sorting, store_.size());
    const std::uint64_t most = options_.shards != 0 ? options_.shards : math::shards_for(store_.size());
    const std::uint64_t cells = std::max<std::uint64_t>(most, store_.partitions());  // as fine as may be needed
    std::vector<std::uint64_t> keys_of(static_cast<std::size_t>(cells));
    if (store_.partitions() == 1) {
      // What solving takes, as far as it is known, so that it need not be allocated again.
      const std::size_t digests = store_.flat().size();
      with_workspace(std::max(unit_bytes_, two_arrays(digests) / 2), [&](workspace& memory) {
        return keys_of[0] = store_.sorted_flat(memory.take<std::uint64_t>(digests)).size();
      });
      if (!advance(store_.size())) return outcome();
    } else {
      detail::for_each_index(store_.partitions(), sorting_threads(), [&](std::size_t p) {
        const auto size = static_cast<std::size_t>(store_.size_of(p));
        return with_workspace(two_arrays(size), [&](workspace& memory) {
          const auto digests = memory.take<std::uint64_t>(size);
          auto kept = store_.sorted(p, digests, memory.take<std::uint64_t>(size));
          if (!kept) return fail(kept.error());
          for (const std::uint64_t d : digests.first(*kept)) ++keys_of[static_cast<std::size_t>(shard_of(d, cells))];
          return advance(size);
        });
      });
    }
    if (store_.partitions() > 1) idle_.clear();  // solving needs other sizes
    if (auto fine = outcome(); !fine) return fine;
    for (const std::uint64_t keys : keys_of) counts_.keys += keys;
    counts_.shards = counts_.keys == 0 ? 0 : options_.shards != 0 ? options_.shards : math::shards_for(counts_.keys);
    assert(counts_.shards <= 1 || store_.partitions() > 1);
    keys_of_.assign(static_cast<std::size_t>(counts_.shards), 0);
    for (std::size_t i = 0; i < keys_of.size() && counts_.keys != 0; ++i) {
      keys_of_[i / (keys_of.size() / keys_of_.size())] += keys_of[i];
    }
    counts_.largest = keys_of_.empty() ? 0 : *std::max_element(keys_of_.begin(), keys_of_.end());
    return {};
  }

  // --- memory

  // As many threads as the budget has two arrays of the largest partition for.
  [[nodiscard]] unsigned sorting_threads() const noexcept {
    if (options_.memory == 0) return threads_;
    std::uint64_t largest = 0;
    for (std::size_t p = 0; p < store_.partitions(); ++p) largest = std::max(largest, store_.size_of(p));
    const std::uint64_t resident = store_.resident_bytes();
    const std::uint64_t left = options_.memory > resident ? options_.memory - resident : 0;
    return static_cast<unsigned>(std::clamp<std::uint64_t>(left / two_arrays(largest), 1, threads_));
  }

  // A unit is what one thread works on: a partition, or as many of them as one shard takes.
  [[nodiscard]] std::size_t units() const noexcept {
    return static_cast<std::size_t>(std::min<std::uint64_t>(counts_.shards, store_.partitions()));
  }

  [[nodiscard]] std::uint64_t unit_keys(std::size_t unit) const noexcept {
    const std::size_t partitions = store_.partitions() / units();
    std::uint64_t keys = 0;
    for (std::size_t p = unit * partitions; p < (unit + 1) * partitions; ++p) keys += store_.size_of(p);
    return keys;
  }

  // Two arrays of so many digests.
  [[nodiscard]] static std::uint64_t two_arrays(std::uint64_t digests) noexcept {
    return 2 * (digests * sizeof(std::uint64_t) + storage::alignment);
  }

  // Solving a unit takes its digests, and after them either what sorts a partition or what solves a shard. Digests in
  // one array stay where they are.
  [[nodiscard]] std::uint64_t unit_bytes() const {
    constexpr std::uint64_t rounding = 64 * storage::alignment;  // of a solver's arrays
    const std::uint64_t solver = kind_.workspace_bytes(counts_.largest) + rounding;
    if (store_.partitions() == 1) return solver;
    std::uint64_t unit = 0, partition = 0;
    for (std::size_t u = 0; u < units(); ++u) unit = std::max(unit, unit_keys(u));
    for (std::size_t p = 0; p < store_.partitions(); ++p) partition = std::max(partition, store_.size_of(p));
    return two_arrays(unit) - unit * sizeof(std::uint64_t) + std::max(partition * sizeof(std::uint64_t), solver);
  }

  // With fewer threads less is needed: as many as the budget allows, and an error if it is not enough for one.
  result<void> check_memory(std::uint64_t each) {
    if (options_.memory == 0 || counts_.keys == 0) return {};
    const std::uint64_t resident = store_.resident_bytes();
    const std::uint64_t left = options_.memory > resident ? options_.memory - resident : 0;
    threads_ = static_cast<unsigned>(std::min<std::uint64_t>(threads_, left / std::max<std::uint64_t>(1, each)));
    if (threads_ != 0) return {};
    return {
        errc::no_memory,
        "build: " + std::to_string(counts_.keys) + " keys in " + std::to_string(counts_.shards) +
            (counts_.shards == 1 ? " shard" : " shards") + " need " +
            readable_bytes(1.005 * static_cast<double>(resident + each))  // so that what is said, rounded, is enough
            + " beside the filter; the budget is " + readable_bytes(static_cast<double>(options_.memory)) +
            (counts_.keys >> 20 >= counts_.shards ? ". More shards need less" : "")};
  }

  // --- solving

  // A body, or nothing where some shard cannot be made in this size.
  result<std::optional<storage>> solve(unsigned growth) {
    begin(build_progress::stage::solving, counts_.keys);
    auto shape = kind_.fit(counts_, growth);
    if (!shape) return shape.error();
    table_bytes_ = shape->table_bytes;
    const std::uint64_t body_bytes = shard_body_bytes(table_bytes_, counts_.shards);
    storage owned;
    std::optional<checkpoint> kept;
    if (options_.checkpoint.empty() || counts_.shards < 2) {
      auto allocated = storage::allocate(clamp_to_size(body_bytes));
      if (!allocated) return allocated.error();
      owned = std::move(*allocated);
      body_ = owned.data();
    } else {
      auto opened = checkpoint::open(options_.checkpoint, checksum_of(shape->identity), counts_.shards, body_bytes);
      if (!opened) return opened.error().prefixed("checkpoint: ");
      kept.emplace(std::move(*opened));
      body_ = kept->body();
      // No checksum covers the rest; the seeds before it are written shard by shard.
      std::fill(body_ + table_bytes_ + counts_.shards, body_ + body_bytes, std::byte{0});
    }
    std::atomic<bool> is_too_small{false};
    if (counts_.shards != 0) {
      detail::for_each_index(units(), threads_, [&](std::size_t unit) {
        const unit_outcome made = with_workspace(
            unit_bytes_, [&](workspace& memory) { return solve_unit(unit, kept ? &*kept : nullptr, memory); });
        if (made == unit_outcome::too_small) is_too_small = true;
        return made == unit_outcome::fine;
      });
    }
    if (auto fine = outcome(); !fine) return fine.error();
    if (is_too_small) return std::optional<storage>();
    return std::optional<storage>(kept ? std::move(*kept).into_body() : std::move(owned));
  }

  enum class unit_outcome { fine, too_small, failed };

  unit_outcome solve_unit(std::size_t unit, checkpoint* kept, workspace& memory) {
    if (store_.partitions() == 1) return solve_shard(0, store_.flat(), kept, memory);
    const std::size_t partitions = store_.partitions() / units();
    const auto digests = memory.take<std::uint64_t>(static_cast<std::size_t>(unit_keys(unit)));
    std::size_t size = 0;
    const workspace::mark begin = memory.here();
    for (std::size_t p = unit * partitions; p < (unit + 1) * partitions; ++p) {
      const auto scratch = memory.take<std::uint64_t>(static_cast<std::size_t>(store_.size_of(p)));
      auto some = store_.sorted(p, digests.subspan(size), scratch);
      if (!some) return fail(some.error()), unit_outcome::failed;
      size += *some;
      memory.release(begin);
    }
    const auto shards = static_cast<std::size_t>(counts_.shards / units());
    std::span<const std::uint64_t> rest = digests.first(size);
    for (std::uint64_t shard = unit * shards; shard < (unit + 1) * shards; ++shard) {
      const auto own = rest.first(static_cast<std::size_t>(keys_of_[static_cast<std::size_t>(shard)]));
      assert(own.empty() ||
             (shard_of(own.front(), counts_.shards) == shard && shard_of(own.back(), counts_.shards) == shard));
      if (const unit_outcome made = solve_shard(shard, own, kept, memory); made != unit_outcome::fine) return made;
      rest = rest.subspan(own.size());
    }
    return unit_outcome::fine;
  }

  unit_outcome solve_shard(std::uint64_t shard, std::span<const std::uint64_t> own, checkpoint* kept,
                           workspace& memory) {
    std::byte& seed_place = body_[table_bytes_ + shard];
    const std::uint64_t digests = kept != nullptr ? checksum_of(own) : 0;
    if (kept != nullptr) {
      const auto seed = kept->finished(shard, digests, bytes_checksum(shard));
      if (seed && kind_.holds(own, shard, *seed, body_)) {
        seed_place = std::byte{*seed};
        return advance(own.size(), own.size()) ? unit_outcome::fine : unit_outcome::failed;
      }
    }
    for (unsigned seed = 0; seed < seeds_tried; ++seed) {
      const auto tried = static_cast<std::uint8_t>(seed);
      const workspace::mark begin = memory.here();
      const bool solved = kind_.solve(own, shard, tried, body_, memory) && kind_.holds(own, shard, tried, body_);
      memory.release(begin);
      if (solved) {
        seed_place = std::byte{tried};
        if (kept != nullptr) kept->finish(shard, digests, bytes_checksum(shard), tried);
        return advance(own.size()) ? unit_outcome::fine : unit_outcome::failed;
      }
      if (!advance(0)) return unit_outcome::failed;
    }
    return unit_outcome::too_small;
  }

  [[nodiscard]] std::uint64_t bytes_checksum(std::uint64_t shard) const {
    detail::checksum sum;
    for (const body_piece& piece : kind_.pieces(shard)) {
      sum.update({body_ + piece.offset, static_cast<std::size_t>(piece.length)});
    }
    return sum.value();
  }

  digest_store& store_;
  const shard_kind& kind_;
  const sharded_options& options_;
  unsigned threads_;

  math::shard_counts counts_;
  std::vector<std::uint64_t> keys_of_;  // by shard
  std::byte* body_ = nullptr;
  std::uint64_t table_bytes_ = 0;
  std::uint64_t unit_bytes_ = 0;

  std::mutex guard_;  // of what follows
  std::vector<std::unique_ptr<workspace>> idle_;
  build_progress progress_;
  std::optional<error> failure_;
};

}  // namespace

result<storage> build_body(digest_collector digests, const shard_kind& kind, const sharded_options& options) {
  if (const auto failed = digests.failure()) return *failed;
  return or_no_memory([&] { return build(digests.store(), kind, options).run(); });
}

}  // namespace seen::inline v1::building
