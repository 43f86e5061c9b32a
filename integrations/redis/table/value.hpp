// value: what a key holds. A filter of the library, and what clients ask of it that the filter itself does not know.
//
//   family   bloom (BF.*) │ cuckoo (CF.*) │ lookup (SF.*)
//   filter   any_filter: of which kind and format is its own business
//   terms    what the client asked for: rate, capacity, expansion, …
//   counts   items that were new, items removed
//
//   asked for                          held
//   BF                                 scalable-bloom: a chain of blocked Bloom filters
//   BF, EXPANSION 0 or NONSCALING      blocked-bloom, full at its capacity
//   BF, WINDOW seconds                 windowed-bloom, whose clock counts milliseconds
//   BF, KIND name                      that kind, or the format redisbloom: k dependent probes, as RedisBloom has them
//   CF                                 growing-cuckoo; EXPANSION 0: cuckoo
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
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seen::redis {

/// Which commands a key is for.
enum class family : std::uint8_t { bloom, cuckoo, lookup };

/// What was asked for when a filter was made.
struct terms {
  double error = 0.01;
  std::uint64_t capacity = 100;
  std::uint64_t expansion = 2;           ///< 0: does not grow
  std::uint64_t bucket_size = 2;         ///< of cuckoo filters: told again, and decides the rate where none is given
  std::uint64_t iterations = 20;         ///< told again
  std::uint64_t window = 0;              ///< milliseconds; 0: forgets nothing
  std::string kind = {};                 ///< empty: the usual one
  std::optional<seen::secret> key = {};  ///< of a keyed filter
};

/// A filter in numbers.
struct value_info {
  std::uint64_t capacity = 0;
  std::uint64_t bytes = 0;
  std::uint64_t filters = 1;
  std::uint64_t buckets = 0;
};

class value {
 public:
  /// An empty filter. Planned before memory is taken: `affords` is asked for its bytes, and refuses with errc::no_memory.
  template <class Affords>
  static result<value> make(family of, const terms& asked, Affords affords) {
    auto bytes = planned_bytes(of, asked);
    if (!bytes) return bytes.error();
    if (!affords(*bytes)) return error{errc::no_memory, "the server has no memory for it", 0, *bytes};
    return make_now(of, asked);
  }
  /// A filter from elsewhere.
  static value holding(family of, any_filter filter);

  [[nodiscard]] family of() const noexcept { return family_; }
  [[nodiscard]] const terms& asked() const noexcept { return asked_; }
  [[nodiscard]] const any_filter& filter() const noexcept { return filter_; }

  // --- items

  /// True: it was not there, and is now. errc::full, errc::no_memory: nothing has changed.
  result<bool> add(bytes_view item);
  [[nodiscard]] bool may_contain(bytes_view item) const noexcept { return filter_.may_contain(item); }
  /// Of many at once: out[i] is the answer of item i.
  void may_contain_many(std::span<const bytes_view> items, std::span<bool> out) const {
    filter_.may_contain_many(items, out);
  }
  /// Items that were new when they were added and have not been removed.
  [[nodiscard]] std::uint64_t items() const;

  // --- what it is

  /// Whether it takes items beyond its capacity.
  [[nodiscard]] bool grows() const noexcept { return asked_.expansion != 0; }
  [[nodiscard]] bool forgets() const noexcept { return asked_.window != 0; }
  [[nodiscard]] value_info info() const;
  /// Memory that it takes.
  [[nodiscard]] std::uint64_t bytes() const { return info().bytes; }

 private:
  value(family of, any_filter filter, terms asked)
      : family_(of), filter_(std::move(filter)), asked_(std::move(asked)) {}

  static result<std::uint64_t> planned_bytes(family of, const terms& asked);
  static result<value> make_now(family of, const terms& asked);

  family family_;
  any_filter filter_;
  terms asked_;
  std::uint64_t items_ = 0;
  std::uint64_t fixed_bytes_ = 0;  // of a filter that does not grow
};

}  // namespace seen::redis
