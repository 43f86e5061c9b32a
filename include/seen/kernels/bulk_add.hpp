// Adding a large batch to a large table part by part, so that each part stays in the cache while its keys come.
//
//   digests ──scatter──► [part 0: d d d …][part 1: d d …][part 2: …] …     a window: a bounded number of digests, in
//                             │                │                           the order they came within each part
//                             └──── drain ─────┴─► the table, part after part, on one thread or several
//
// A digest belongs to one chunk of the table (kernels/cuckoo_map.hpp) and never touches another one. A part is some
// chunks in a row, 2^shift buckets; the last part has what is left. Keys of one chunk are added in their own order, and
// keys of different chunks do not see each other, so the bytes are those of adding one by one.
//
// So is the answer when there is no room: adding one by one would have stopped at the first key that any part refuses.
// Every part says how many of its digests it took before it refused one. Another pass through the window, in order,
// finds the first such digest of all, and the parts give back what they took after it. (That takes out fingerprints,
// and does not undo moves: the same keys are in, perhaps in other slots, depending on the number of threads.)
//
// Cost: every digest is written and read once more; memory for one window.
#pragma once

#include <seen/base/digest.hpp>
#include <seen/kernels/cuckoo_map.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace seen::inline v1::kernels {

/// How a table is cut into parts, and how many digests to take at a time.
struct bulk_plan {
  cuckoo_map map;            ///< where digests lie
  std::uint32_t shift = 0;   ///< a part is 2^shift buckets
  std::size_t parts = 0;     ///< 0: adding one by one is as good
  std::uint64_t window = 0;  ///< digests scattered before the parts are filled
  static constexpr std::size_t most_parts = 512;

  /// For `keys` keys and a table of so many chunks and bytes.
  static bulk_plan of(std::uint64_t keys, const cuckoo_map& map, std::uint64_t chunks, std::uint64_t bytes) noexcept;
};

/// The table that is added to, and the digests. On several threads, parts that are not neighbours are added to at the
/// same time.
class bulk_work {
 public:
  /// Writes digest `first` and those after it.
  virtual void read(std::uint64_t first, std::span<digest> to) const = 0;
  /// How many of these, from the front, found room.
  virtual std::size_t add(std::span<const digest> digests) noexcept = 0;
  /// Takes out digests that were added.
  virtual void remove(std::span<const digest> digests) noexcept = 0;

 protected:
  ~bulk_work() = default;
};

/// Adds digests 0 to count − 1 in order until one finds no room, on so many threads (0: all there are); how many were
/// added. Returns nothing, having done nothing, if there is no memory for a window.
[[nodiscard]] std::optional<std::uint64_t> bulk_add(const bulk_plan& plan, std::uint64_t count, unsigned threads,
                                                    bulk_work& work);

}  // namespace seen::inline v1::kernels
