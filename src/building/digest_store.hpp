// digest_store: the digests of a build, in memory or on disk, in the order of their high bits.
//
//   below 2^23, or never to be sharded    one array
//   more                                  256 partitions by the highest 8 bits, each a list of chunks of 32 KiB
//
//   partition 0    [chunk][chunk][ chunk being filled ]         in memory while the budget lasts,
//   partition 1    [@4096][chunk][ … ]                          then full chunks go to one nameless file: @ is where
//   …
//
// Partitions are contiguous ranges of digests, so sorting them one by one sorts all, and a shard (a power of two of
// them, or a power-of-two part of one) is found without a look at any other.
#pragma once

#include <seen/base/result.hpp>
#include <seen/building/shard_build.hpp>
#include <seen/building/workspace.hpp>
#include <seen/math/shards.hpp>
#include <seen/storage/file.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace seen::inline v1::building {

class digest_store {
 public:
  static constexpr unsigned partition_bits = 8;
  static constexpr std::size_t chunk_digests = 4096;
  static constexpr std::uint64_t most_flat = math::sharded_keys - 1;

  explicit digest_store(const sharded_options& options);

  /// Opens the file to spill to, so that a directory that cannot be written to is told at once.
  result<void> prepare();
  result<void> add(std::span<const std::uint64_t> digests);
  /// Whether so many may come from several threads: into stores of their own, which are absorbed.
  [[nodiscard]] bool adds_in_parallel(std::uint64_t digests) const noexcept;
  /// Has partitions from now on, whatever comes.
  void begin_partitions();
  /// Takes over all that another store holds in memory; both have partitions, and neither has spilled.
  void absorb(digest_store&& other);
  /// Makes room in one array for so many; a hint.
  void expect(std::uint64_t digests);

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// 1 or 256.
  [[nodiscard]] std::size_t partitions() const noexcept { return partitions_.empty() ? 1 : partitions_.size(); }
  /// Digests of a partition: as given, or without equals once it was sorted.
  [[nodiscard]] std::uint64_t size_of(std::size_t partition) const noexcept;
  /// Memory the digests take now.
  [[nodiscard]] std::uint64_t resident_bytes() const noexcept;
  /// The only partition, where it is one array.
  [[nodiscard]] std::span<std::uint64_t> flat() noexcept { return flat_; }

  /// Copies a partition, sorted and without equals, to the front of `into` and returns how many there are. `scratch`
  /// needs as many places. Digests in memory are left sorted, so that the next time is only a copy.
  result<std::size_t> sorted(std::size_t partition, std::span<std::uint64_t> into, std::span<std::uint64_t> scratch);
  /// The same of one array, in place.
  std::span<const std::uint64_t> sorted_flat(std::span<std::uint64_t> scratch);

 private:
  // Digests side by side in a chunk that was carved from a slab.
  struct piece {
    std::uint64_t* digests = nullptr;
    std::size_t count = 0;
  };
  struct partition {
    std::vector<piece> pieces;           // without the one that is being filled
    std::vector<std::uint64_t> spilled;  // offsets of full chunks in the file
    bool is_sorted = false;
  };

  void split();
  [[nodiscard]] std::vector<piece> pieces_of(std::size_t partition) const;
  result<void> scatter(std::span<const std::uint64_t> digests);
  result<void> next_chunk(std::size_t partition);
  [[nodiscard]] bool is_over_budget() const noexcept;

  sharded_options options_;
  std::vector<std::uint64_t> flat_;
  std::vector<partition> partitions_;
  std::vector<piece> filling_;  // apart: all that adding a digest touches fits the first-level cache
  std::uint64_t size_ = 0;
  std::vector<workspace> slabs_;
  std::uint64_t resident_chunks_ = 0;
  std::optional<file> spill_;
  std::uint64_t spilled_bytes_ = 0;
  bool flat_is_sorted_ = false;
};

/// Memory that building a unit of so many keys takes at most, beside its digests: a copy, a scratch, and the solver's.
inline constexpr std::uint64_t unit_bytes_per_key = 32;

}  // namespace seen::inline v1::building
