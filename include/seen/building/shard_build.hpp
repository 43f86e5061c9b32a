// From digests to the body of a static filter: collected, sorted, solved shard by shard.
//
//   add ──► digest_collector ──► build_body ──► storage: tables and seeds
//             in memory,           sort, count, then each shard:
//             or spilled           solve with seed 0, 1, 2 … ── none of them ──► all shards a little larger
//
// Compiled once for all kinds (src/building/): a kind is a handful of functions here, called shard by shard.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/build_options.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/result.hpp>
#include <seen/building/shards.hpp>
#include <seen/building/workspace.hpp>
#include <seen/math/shards.hpp>
#include <seen/storage/storage.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace seen::inline v1::building {

class digest_store;

/// The caller's options, and how many shards to make; 0: chosen by the number of keys.
struct sharded_options : build_options {
  std::uint64_t shards = 0;
};

/// Takes digests in any order and number, and keeps them until they are built from; within a budget, by spilling.
class digest_collector {
 public:
  static result<digest_collector> make(const sharded_options& options);

  digest_collector(digest_collector&&) noexcept;
  digest_collector& operator=(digest_collector&&) noexcept;
  ~digest_collector();

  /// Keeps digests. An error means that memory or disk ran out. After it nothing can be added or built any more, since
  /// lost digests would be false negatives.
  result<void> add(std::span<const digest> digests);
  /// Whether so many digests, known from the start, are worth several threads (and the options ask for them).
  [[nodiscard]] bool adds_in_parallel(std::uint64_t count) const noexcept;
  /// Writes the digests of keys number `first` and following.
  using hash_function = std::function<void(std::uint64_t first, std::span<digest> digests)>;
  /// Keeps `count` digests, which `hash` gives to several threads at once.
  result<void> add_parallel(std::uint64_t count, unsigned threads, const hash_function& hash);
  /// How many were given, equal ones too.
  [[nodiscard]] std::uint64_t size() const noexcept;

  /// Makes room for so many, where it is known: a hint.
  void expect(std::uint64_t digests);

  /// All digests, ascending and different, where there is one shard: for kinds that are not solved shard by shard. They
  /// live as long as the collector.
  result<std::span<const std::uint64_t>> sorted();

  [[nodiscard]] digest_store& store() noexcept;
  /// The first error, if there was one.
  [[nodiscard]] std::optional<error> failure() const;

 private:
  struct state;
  explicit digest_collector(std::unique_ptr<state> s) noexcept;
  std::unique_ptr<state> state_;
};

/// All that the builder knows of a static kind.
struct shard_kind {
  /// Chooses the shape for these counts, `growth` steps larger than usual: its kind and fields as numbers, and the
  /// bytes of its tables.
  struct fitting {
    std::vector<std::uint64_t> identity;
    std::uint64_t table_bytes = 0;
  };
  std::function<result<fitting>(const math::shard_counts&, unsigned growth)> fit;
  /// Memory that solving a shard of so many keys takes, beside its digests and the tables.
  std::function<std::uint64_t(std::uint64_t keys)> workspace_bytes;
  /// Solves one shard from its digests, ascending and different; false: not with this seed.
  std::function<bool(std::span<const std::uint64_t> digests, std::uint64_t shard, std::uint8_t seed, std::byte* tables,
                     workspace& memory)>
      solve;
  /// Whether a shard holds all its keys.
  std::function<bool(std::span<const std::uint64_t> digests, std::uint64_t shard, std::uint8_t seed,
                     const std::byte* tables)>
      holds;
  /// Where a shard lies in the tables.
  std::function<std::array<body_piece, 2>(std::uint64_t shard)> pieces;
};

/// The body of a filter of all digests that were collected: tables and seeds.
[[nodiscard]] result<storage> build_body(digest_collector digests, const shard_kind& kind,
                                         const sharded_options& options);

}  // namespace seen::inline v1::building
