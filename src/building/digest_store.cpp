// Partitions, chunks and the file they spill to; and the collector, which is what is seen of them outside src/.
#include "digest_store.hpp"

#include <seen/base/threads.hpp>
#include <seen/building/shard_build.hpp>
#include <seen/math/shards.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "building/digest_sort.hpp"
#include "checkpoint.hpp"

namespace seen::inline v1::building {
namespace {

constexpr std::size_t all_partitions = std::size_t{1} << digest_store::partition_bits;
constexpr std::uint64_t chunk_bytes = digest_store::chunk_digests * sizeof(std::uint64_t);

std::string spill_directory(const sharded_options& options) {
  if (!options.spill_directory.empty()) return options.spill_directory;
  const char* const usual = std::getenv("TMPDIR");
  return usual != nullptr && *usual != '\0' ? usual : "/tmp";
}

error finished() {
  return {errc::invalid_argument, "build: the builder has finished already"};
}

// A digest is its 64 bits and nothing else.
std::span<const std::uint64_t> values_of(std::span<const digest> digests) noexcept {
  static_assert(sizeof(digest) == sizeof(std::uint64_t) && alignof(digest) == alignof(std::uint64_t));
  return {reinterpret_cast<const std::uint64_t*>(digests.data()), digests.size()};
}

}  // namespace

digest_store::digest_store(const sharded_options& options) : options_(options) {
  if (options.shards > 1) split();
}

result<void> digest_store::prepare() {
  if (options_.memory == 0) return {};
  auto opened = file::temporary(spill_directory(options_));
  if (!opened) return opened.error().prefixed("spill directory: ");
  spill_ = std::move(*opened);
  return {};
}

void digest_store::begin_partitions() {
  if (partitions_.empty()) split();
}

bool digest_store::adds_in_parallel(std::uint64_t digests) const noexcept {
  return size_ == 0 && digests > most_flat && options_.shards != 1 && options_.memory == 0 &&
         detail::threads_for(options_.threads) > 1;
}

void digest_store::expect(std::uint64_t digests) {
  const bool stays_flat = partitions_.empty() && (digests <= most_flat || options_.shards == 1);
  if (stays_flat && digests <= flat_.max_size()) flat_.reserve(static_cast<std::size_t>(digests));
}

// The chunks may take what the budget leaves beside the units that will be in work.
bool digest_store::is_over_budget() const noexcept {
  if (!spill_) return false;
  const std::uint64_t shards = options_.shards != 0 ? options_.shards : math::shards_for(size_);
  const std::uint64_t units = std::min<std::uint64_t>(all_partitions, shards);
  const std::uint64_t in_work =
      detail::threads_for(options_.threads) * unit_bytes_per_key * (size_ / std::max<std::uint64_t>(1, units));
  return resident_chunks_ * chunk_bytes + in_work > options_.memory;
}

void digest_store::split() {
  partitions_.resize(all_partitions);
  filling_.resize(all_partitions);
  slabs_.resize(1);
}

// An empty chunk for a partition that has none, or a full one.
result<void> digest_store::next_chunk(std::size_t number) {
  partition& p = partitions_[number];
  piece& full = filling_[number];
  if (full.digests != nullptr && is_over_budget()) {
    // Equal digests need no place on disk: where they are many the chunk has room again.
    const std::span<std::uint64_t> chunk(full.digests, chunk_digests);
    std::sort(chunk.begin(), chunk.end());
    const std::size_t different = drop_equal(chunk);
    if (different <= chunk_digests / 2) {
      full.count = different;
      return {};
    }
    std::fill(chunk.begin() + static_cast<std::ptrdiff_t>(different), chunk.end(), chunk[different - 1]);
    // The full chunk goes to the file, and its memory takes the next digests.
    const auto bytes = std::as_bytes(std::span(full.digests, chunk_digests));
    if (auto written = spill_->write_at(spilled_bytes_, bytes); !written) {
      return written.error().prefixed("spill directory: ");
    }
    p.spilled.push_back(spilled_bytes_);
    spilled_bytes_ += chunk_bytes;
    full.count = 0;
    return {};
  }
  if (full.digests != nullptr) p.pieces.push_back(full);
  full = {slabs_[0].take<std::uint64_t>(chunk_digests).data(), 0};
  ++resident_chunks_;
  return {};
}

result<void> digest_store::scatter(std::span<const std::uint64_t> digests) {
  for (const std::uint64_t d : digests) {
    const auto number = static_cast<std::size_t>(d >> (64 - partition_bits));
    piece& into = filling_[number];
    if (into.digests == nullptr || into.count == chunk_digests) {
      if (auto room = next_chunk(number); !room) return room;
    }
    into.digests[into.count++] = d;
  }
  return {};
}

void digest_store::absorb(digest_store&& other) {
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    const std::vector<piece> more = other.pieces_of(i);
    partitions_[i].pieces.insert(partitions_[i].pieces.end(), more.begin(), more.end());
  }
  std::move(other.slabs_.begin(), other.slabs_.end(), std::back_inserter(slabs_));
  size_ += other.size_;
  resident_chunks_ += other.resident_chunks_;
}

result<void> digest_store::add(std::span<const std::uint64_t> digests) {
  size_ += digests.size();
  if (partitions_.empty() && (size_ <= most_flat || options_.shards == 1)) {
    // Grows by half: the old array and the new one together take no more than solving will.
    if (flat_.capacity() < size_) flat_.reserve(static_cast<std::size_t>(size_ + size_ / 2));
    flat_.insert(flat_.end(), digests.begin(), digests.end());
    return {};
  }
  if (partitions_.empty()) {
    split();
    const std::vector<std::uint64_t> so_far = std::exchange(flat_, {});
    if (auto moved = scatter(so_far); !moved) return moved;
  }
  return scatter(digests);
}

std::vector<digest_store::piece> digest_store::pieces_of(std::size_t partition) const {
  std::vector<piece> all = partitions_[partition].pieces;
  if (filling_[partition].count != 0) all.push_back(filling_[partition]);
  return all;
}

std::uint64_t digest_store::size_of(std::size_t partition) const noexcept {
  if (partitions_.empty()) return flat_.size();
  const auto& p = partitions_[partition];
  std::uint64_t sum = p.spilled.size() * chunk_digests + filling_[partition].count;
  for (const piece& each : p.pieces) sum += each.count;
  return sum;
}

std::uint64_t digest_store::resident_bytes() const noexcept {
  return partitions_.empty() ? flat_.size() * sizeof(std::uint64_t) : resident_chunks_ * chunk_bytes;
}

std::span<const std::uint64_t> digest_store::sorted_flat(std::span<std::uint64_t> scratch) {
  if (!flat_is_sorted_) {
    sort_digests(flat_, scratch);
    flat_.resize(drop_equal(flat_));
    flat_is_sorted_ = true;
  }
  return flat_;
}

result<std::size_t> digest_store::sorted(std::size_t number, std::span<std::uint64_t> into,
                                         std::span<std::uint64_t> scratch) {
  partition& p = partitions_[number];
  const auto all = into.first(static_cast<std::size_t>(size_of(number)));
  std::size_t at = 0;
  for (const std::uint64_t offset : p.spilled) {
    const auto place = all.subspan(at, chunk_digests);
    if (auto read = spill_->read_at(offset, std::as_writable_bytes(place)); !read) return read.error();
    at += chunk_digests;
  }
  const std::vector<piece> pieces = pieces_of(number);
  for (const piece& each : pieces) {
    std::memcpy(all.data() + at, each.digests, each.count * sizeof(std::uint64_t));
    at += each.count;
  }
  if (p.is_sorted) return all.size();
  sort_digests(all, scratch, partition_bits);
  const std::size_t kept = drop_equal(all);
  if (p.spilled.empty()) {
    // Back to where they were: from now on the partition has no more than that.
    p.pieces.clear();
    filling_[number] = {};
    for (std::size_t back = 0; const piece& each : pieces) {
      const std::size_t some = std::min(each.count, kept - back);
      if (some == 0) break;
      std::memcpy(each.digests, all.data() + back, some * sizeof(std::uint64_t));
      p.pieces.push_back({each.digests, some});
      back += some;
    }
    p.is_sorted = true;
  }
  return kept;
}

// --- what the builders above see of it

struct digest_collector::state {
  digest_store store;
  std::optional<error> failure = {};

  // Does something to the store, unless something failed before.
  template <class Use>
  result<void> with_store(Use use) {
    if (failure) return *failure;
    auto kept = or_no_memory([&]() -> result<void> { return use(store); });
    if (!kept) failure = kept.error();
    return kept;
  }
};

digest_collector::digest_collector(std::unique_ptr<state> s) noexcept : state_(std::move(s)) {}
digest_collector::digest_collector(digest_collector&&) noexcept = default;
digest_collector& digest_collector::operator=(digest_collector&&) noexcept = default;
digest_collector::~digest_collector() = default;

result<digest_collector> digest_collector::make(const sharded_options& options) {
  const std::uint64_t shards = options.shards;
  if (!math::is_shard_count(shards)) {
    return {errc::invalid_argument, "shards is " + std::to_string(shards) + "; it must be a power of two, at most " +
                                        std::to_string(math::max_shards)};
  }
  if (!options.checkpoint.empty() && shards != 1) {  // better told now than when all keys have come
    if (auto fine = checkpoint::check(options.checkpoint); !fine) {
      return fine.error().prefixed("checkpoint: ");
    }
  }
  digest_collector made(std::make_unique<state>(state{digest_store(options)}));
  if (auto ready = made.state_->store.prepare(); !ready) return ready.error();
  return made;
}

result<void> digest_collector::add(std::span<const digest> digests) {
  if (!state_) return finished();
  return state_->with_store([&](digest_store& store) { return store.add(values_of(digests)); });
}
result<void> digest_collector::add_parallel(std::uint64_t count, unsigned threads, const hash_function& hash) {
  return state_->with_store([&](digest_store& all) -> result<void> {
    const std::uint64_t parts = detail::threads_for(threads);
    std::vector<std::optional<digest_store>> stores(static_cast<std::size_t>(parts));
    std::vector<result<void>> kept(stores.size());
    detail::for_each_index(stores.size(), detail::threads_for(threads), [&](std::size_t i) {
      digest_store& mine = stores[i].emplace(sharded_options{{}, 2});  // of partitions from the beginning
      std::array<digest, 1024> tile;
      const std::uint64_t end = count / parts * (i + 1) + (i + 1 == parts ? count % parts : 0);
      for (std::uint64_t at = count / parts * i; at < end && kept[i];) {
        const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(tile.size(), end - at));
        hash(at, std::span(tile).first(some));
        kept[i] = mine.add(values_of(std::span<const digest>(tile).first(some)));
        at += some;
      }
      return kept[i].has_value();
    });
    all.begin_partitions();
    for (std::size_t i = 0; i < stores.size(); ++i) {
      if (!kept[i]) return kept[i];
      all.absorb(std::move(*stores[i]));
    }
    return {};
  });
}
bool digest_collector::adds_in_parallel(std::uint64_t count) const noexcept {
  return state_->store.adds_in_parallel(count);
}
void digest_collector::expect(std::uint64_t digests) {
  state_->store.expect(digests);
}
std::uint64_t digest_collector::size() const noexcept {
  return state_ ? state_->store.size() : 0;
}
std::optional<error> digest_collector::failure() const {
  if (!state_) return finished();
  return state_->failure;
}
result<std::span<const std::uint64_t>> digest_collector::sorted() {
  if (const auto failed = failure()) return *failed;
  assert(state_->store.partitions() == 1);
  return or_no_memory([&]() -> result<std::span<const std::uint64_t>> {
    workspace scratch;
    return state_->store.sorted_flat(scratch.take<std::uint64_t>(state_->store.flat().size()));
  });
}
digest_store& digest_collector::store() noexcept {
  return state_->store;
}

}  // namespace seen::inline v1::building
