// value: what a key holds. A filter of the library, and what clients ask of it that the filter itself does not know.
//
//   family   bloom (BF.*) │ cuckoo (CF.*) │ lookup (SF.*)
//   filter   any_filter: of which kind and format is its own business; none while its bytes are still arriving (arrival.hpp)
//   terms    what the client asked for: rate, capacity, expansion, …
//   counts   items that were new, items removed
//
//   asked for                          held
//   BF                                 scalable-bloom: a chain of blocked Bloom filters
//   BF, EXPANSION 0 or NONSCALING      blocked-bloom, full at its capacity
//   BF, WINDOW seconds                 windowed-bloom, whose clock counts milliseconds
//   BF, KIND name                      that kind; or redisbloom, the format: k dependent probes, as RedisBloom has them
//   CF                                 growing-cuckoo; EXPANSION 0: cuckoo
//   CF, KIND name                      that kind; or redisbloom: a byte an item
//   chunks and dumps of RedisBloom     format redisbloom, growing on by RedisBloom's rule
//   objects of valkey-bloom            format valkey-bloom, by that module's rule
//
// Everything here is a function of the commands and their order, never of chance or of the clock: a replica that is given the same
// commands holds the same bytes.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/hash/secret.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "table/outside_file.hpp"

namespace seen::redis {

class arrival;

/// Which commands a key is for.
enum class family : std::uint8_t { bloom, cuckoo, lookup };

/// What was asked for when a filter was made.
struct terms {
  double error = 0.01;  ///< 0 of a cuckoo filter: what its bucket size gives RedisBloom's
  std::uint64_t capacity = 100;
  std::uint64_t expansion = 2;  ///< 0: does not grow
  std::uint64_t bucket_size = 2;
  std::uint64_t iterations = 20;         ///< told again
  std::uint64_t window = 0;              ///< milliseconds; 0: forgets nothing
  std::string kind = {};                 ///< empty: the usual one
  std::optional<seen::secret> key = {};  ///< of a keyed filter
};

/// How often items came and went.
struct counts {
  std::uint64_t items = 0;
  std::uint64_t removed = 0;
};

/// A filter in numbers.
struct value_info {
  std::uint64_t capacity = 0;
  std::uint64_t bytes = 0;
  std::uint64_t filters = 1;
  std::uint64_t buckets = 0;  ///< of cuckoo filters
};

class value {
 public:
  /// Whether the server has so many bytes.
  using affording = std::function<bool(std::uint64_t)>;

  /// An empty filter. It is planned first: errc::no_memory if the server does not have the bytes, and none are taken then.
  static result<value> make(family of, const terms& asked, const affording& affords);
  /// A filter that was made elsewhere and takes so much memory (0: find out).
  static value holding(family of, any_filter filter, terms asked, counts so_far, std::uint64_t bytes = 0);
  /// A filter in a file, asked where it lies; and a key whose file is not there.
  static value mapped(any_filter filter, outside_file file);
  static value lost(outside_file file);
  /// A filter whose bytes are still to come.
  static value awaiting(family of, std::unique_ptr<arrival> pieces);

  value(value&&) noexcept;
  value& operator=(value&&) noexcept;
  ~value();

  [[nodiscard]] family of() const noexcept { return family_; }
  [[nodiscard]] const terms& asked() const noexcept { return asked_; }
  /// False while it is arriving, and where its file is not there: nothing else may be called then but arriving, file, info and copy.
  [[nodiscard]] bool is_whole() const noexcept { return filter_.has_value(); }
  [[nodiscard]] const any_filter& filter() const noexcept { return *filter_; }
  [[nodiscard]] const std::optional<outside_file>& file() const noexcept { return file_; }
  [[nodiscard]] arrival* arriving() const noexcept { return arriving_.get(); }

  // --- items. `now` is the time in milliseconds, which counts where a filter forgets.

  /// Adds to a Bloom filter. True: it was not there, and is now. errc::full, errc::no_memory: nothing has changed.
  result<bool> add(bytes_view item, std::uint64_t now);
  /// Adds to a cuckoo filter, which may be expanded so often. errc::full, errc::no_memory: nothing has changed.
  result<void> insert(bytes_view item, std::uint64_t most_expansions);
  /// Takes one copy out of a cuckoo filter. False: there is none.
  result<bool> remove(bytes_view item);
  [[nodiscard]] result<std::uint64_t> count(bytes_view item) const { return filter_->count(item); }
  [[nodiscard]] bool may_contain(bytes_view item, std::uint64_t now) const;
  void may_contain_many(std::span<const bytes_view> items, std::uint64_t now, std::span<bool> out) const;

  /// Items that were new when they were added and have not been removed; of a filter that forgets, an estimate.
  [[nodiscard]] std::uint64_t items() const;
  [[nodiscard]] counts counted() const noexcept { return counts_; }

  // --- the whole filter

  /// Takes in another of its kind. Sizes that differ are folded to one that divides both (`other` too).
  result<void> merge(value& other);
  [[nodiscard]] result<value> copy() const;

  // --- what it is

  /// Whether it takes items beyond its capacity.
  [[nodiscard]] bool grows() const noexcept { return asked_.expansion != 0; }
  [[nodiscard]] bool forgets() const noexcept { return asked_.window != 0; }
  [[nodiscard]] value_info info() const;

 private:
  explicit value(family of) noexcept;

  [[nodiscard]] bool is_at_capacity() const noexcept { return stops_ && counts_.items >= asked_.capacity; }

  family family_;
  std::optional<any_filter> filter_;
  std::unique_ptr<arrival> arriving_;
  std::optional<outside_file> file_;
  terms asked_;
  counts counts_;
  std::uint64_t first_bytes_ = 0;  // of the filter when it was made or came
  bool stops_ = false;             // at its capacity: its kind would go on, and its rate would rise
};

}  // namespace seen::redis
