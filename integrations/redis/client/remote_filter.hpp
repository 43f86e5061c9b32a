// remote_filter: a filter on a server or spread over a cluster, by its name.
//
//   TYPE name   hash          the record of a filter in parts (layout.hpp)
//               MBbloom-- …   an ordinary key with a filter: one part, under its own name. `seen serve` has only these
//
//   add     keys ──part_of──► a batch for each part ──► BF.INSERT part NOCREATE ITEMS …
//   ask     keys ──part_of──► …                     ──► BF.MEXISTS part …, TYPE part
//
// An add never makes a part by itself, with numbers that nobody asked for. A question is never answered by a part that is not there: the server
// says no to everything then, and TYPE, behind it in the same pipeline, tells.
//
// Adds to a Bloom filter may be repeated, so they are after a lost connection. The answer "it is new" of one that was repeated may be no.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "client/cluster.hpp"
#include "client/layout.hpp"
#include "table/value.hpp"

namespace seen::redis::client {

/// "BF", "CF" or "SF".
[[nodiscard]] std::string_view letters_of(family of) noexcept;
/// The family whose keys have this TYPE: those of the module, RedisBloom and valkey-bloom.
[[nodiscard]] std::optional<family> family_of_type(std::string_view type) noexcept;

/// True of the error that there is no such filter.
[[nodiscard]] bool is_missing(const error& why) noexcept;

/// A part in numbers.
struct part_info {
  part_place place;
  std::string node;
  std::optional<std::uint64_t> items;  ///< those that were new; a static filter does not say
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> capacity;
  std::string kind;  ///< of a static filter
};

/// What became of keys that were added.
struct added_keys {
  std::uint64_t keys = 0;
  std::uint64_t fresh = 0;  ///< were new
};

class remote_filter {
 public:
  /// An error that is_missing if there is no such filter.
  static result<remote_filter> open(cluster& at, const std::string& name);
  /// Makes a filter in parts: empty parts first, the record at the end. Parts that an interrupted one left are taken
  /// if they are empty and alike.
  static result<remote_filter> reserve(cluster& at, const std::string& name, const spread_record& wanted);
  /// Makes an ordinary key.
  static result<remote_filter> reserve_key(cluster& at, const std::string& name, const spread_record& wanted);
  /// The union of filters that are there, in the first one, which is made if it is not there. All with equal records, or
  /// all ordinary keys.
  static result<remote_filter> merge(cluster& at, const std::string& name, std::span<const std::string> others);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] family of() const noexcept { return of_; }
  /// Nothing of an ordinary key.
  [[nodiscard]] const std::optional<spread_record>& record() const noexcept { return record_; }
  [[nodiscard]] const std::vector<part_place>& parts() const noexcept { return parts_; }
  [[nodiscard]] cluster& servers() const noexcept { return *at_; }

  /// Adds keys, sooner or later: all of them when `finish` returns.
  [[nodiscard]] result<void> add(std::span<const bytes_view> keys);
  [[nodiscard]] result<added_keys> finish();

  /// Whether keys may be in it.
  [[nodiscard]] result<void> may_contain(std::span<const bytes_view> keys, std::span<bool> out);

  [[nodiscard]] result<std::vector<part_info>> info();

  /// Writes the record, of a filter whose parts are there. errc::exists: there is another one.
  [[nodiscard]] result<void> write_record();
  /// Takes the record away, and then the parts.
  [[nodiscard]] result<void> remove();

  /// A filter in parts that need not be there.
  remote_filter(cluster& at, std::string name, spread_record record);
  remote_filter(cluster& at, std::string name, family of);

 private:
  // Keys for one part on their way.
  struct batch {
    std::optional<request> command;
    std::size_t keys = 0;
  };

  [[nodiscard]] std::size_t place_of(bytes_view key) const noexcept {
    return record_ ? part_of(key, record_->seed, record_->parts) : 0;
  }
  [[nodiscard]] std::string told(std::size_t part) const;
  [[nodiscard]] error lost(std::size_t part) const;
  result<void> check_parts();
  result<void> check_alike(std::size_t part, std::uint64_t capacity);
  result<void> send_adds(std::size_t part);

  cluster* at_;
  std::string name_;
  family of_ = family::bloom;
  std::optional<spread_record> record_;
  std::vector<part_place> parts_;
  std::vector<batch> batches_;
  std::size_t gathered_ = 0;  // bytes in them
  added_keys added_;
};

}  // namespace seen::redis::client
