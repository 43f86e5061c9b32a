// bucket_engine<Rule>: cuckoo filters as other libraries lay them out.
//
//   bucket     0          1          2                        slots of one fingerprint each, lowest bytes first; 0 is empty
//   bytes   [f f . .]  [f . . .]  [f f f f]  …
//
//   key ──hash──► digest_pair { a: where, b: fingerprint } ──Rule──► two buckets, in either of which b may lie
//
// There may be several tables, oldest first, where the peer adds one when it finds no room; one hash serves all of them.
// The bytes of a table are its file's, unchanged. A key that finds both buckets full pushes a fingerprint out, that one
// another, slot 0, 1, 2, … in turn; where that leads nowhere every step is taken back, so that no key is ever lost.
//
// Rule is a copyable value:
//   fingerprint_type                   an unsigned integer
//   skips_present                      static bool: a digest that is there already is not added again
//   places(digest, buckets)            the two buckets of a digest in a table of this many
//   alternate(bucket, fingerprint, buckets)   the other bucket of a fingerprint. Its own inverse for every bucket, also one
//                                      where the fingerprint cannot have come from: steps are taken back with it
//
// A digest whose fingerprint is 0 could not be told from an empty slot: it always may be there, and is not stored.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/concepts.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/storage.hpp>
#include <seen/survey.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/hashing/foreign_hash.hpp"

namespace seen::inline v1::foreign {

/// The shape of foreign buckets.
struct bucket_shape {
  std::uint64_t buckets = 0;  ///< of all tables
  std::uint64_t slots = 0;    ///< a bucket
  std::uint64_t fingerprint_bits = 0;
  std::uint64_t tables = 1;

  static result<bucket_shape> plan(const target&) { return {errc::unsupported, "planned by its format"}; }
  static constexpr std::array<std::string_view, 4> field_names{"buckets", "bucket-size", "fingerprint-bits", "tables"};
  [[nodiscard]] std::array<std::uint64_t, 4> fields() const noexcept {
    return {buckets, slots, fingerprint_bits, tables};
  }
  static result<bucket_shape> from_fields(std::span<const std::uint64_t, 4> f) {
    return bucket_shape{f[0], f[1], f[2], f[3]};
  }
  [[nodiscard]] std::uint64_t slots_in_all() const noexcept { return buckets * slots; }
  [[nodiscard]] std::size_t bytes() const noexcept { return clamp_to_size(slots_in_all() * (fingerprint_bits / 8)); }
  [[nodiscard]] std::uint32_t lines() const noexcept { return clamp_to_u32(2 * tables); }
  /// A lookup compares with 2·slots slots per table; each is the same by chance once in 2^bits - 1 times.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const noexcept {
    if (buckets == 0) return 0;
    const double values = std::exp2(static_cast<double>(fingerprint_bits)) - 1;
    const double load = std::min(1.0, static_cast<double>(keys) / static_cast<double>(slots_in_all()));
    return -std::expm1(2 * static_cast<double>(slots * tables) * load * std::log1p(-1 / values));
  }

  friend bool operator==(const bucket_shape&, const bucket_shape&) = default;
};

/// How the peer treats a key that finds no room.
struct bucket_growth {
  std::uint64_t most_kicks = 500;
  std::uint64_t factor = 0;        ///< the next table has this many times the buckets of the newest; 0: there is none
  std::uint64_t most_tables = 32;  ///< of a filter that grows
  bool fills_gaps = false;         ///< free slots of older tables are taken before any fingerprint is moved
  double most_load =
      std::numeric_limits<double>::infinity();  ///< keys per bucket of the newest table, beyond which it grows
};

/// One table of buckets.
struct bucket_table {
  storage bytes;
  std::uint64_t buckets = 0;
  std::uint64_t used = 0;  ///< slots; bucket_engine counts them
};

template <class Rule>
class bucket_engine {
 public:
  using digest_type = digest_pair;
  using shape_type = bucket_shape;
  using access_type = plain_access;
  using fingerprint_type = typename Rule::fingerprint_type;
  static constexpr kind_info kind{.id = 0, .name = "cuckoo"};
  static constexpr std::uint16_t index_rule = 0;
  static constexpr std::uint64_t fingerprint_bytes = sizeof(fingerprint_type);

  bucket_engine() = default;

  /// Over tables that were read; each has at least buckets · slots fingerprints of bytes.
  static result<bucket_engine> over(std::vector<bucket_table> tables, std::uint64_t slots, Rule rule,
                                    bucket_growth growth) {
    if (tables.empty() || slots == 0) return {errc::invalid_argument, "a cuckoo filter has at least one slot"};
    bucket_engine made(std::move(tables), slots, std::move(rule), growth);
    for (bucket_table& t : made.tables_) {
      if (t.buckets == 0 || t.buckets > t.bytes.size() / fingerprint_bytes / slots) {
        return {errc::invalid_argument, std::to_string(t.buckets) + " buckets of " + std::to_string(slots) +
                                            " fingerprints do not fit " + std::to_string(t.bytes.size()) + " bytes"};
      }
      t.used = made.used_slots(t);
    }
    return made;
  }
  /// Empty, with one table.
  static result<bucket_engine> make(std::uint64_t buckets, std::uint64_t slots, Rule rule, bucket_growth growth) {
    auto first = empty_table(buckets, slots);
    if (!first) return first.error();
    std::vector<bucket_table> tables;
    tables.push_back(std::move(*first));
    return over(std::move(tables), slots, std::move(rule), growth);
  }

  // --- one key

  /// False: there is no room, and nothing changed.
  bool add(digest_type d) noexcept {
    const auto fingerprint = static_cast<fingerprint_type>(d.b);
    if (fingerprint == 0 || (Rule::skips_present && may_contain(d))) return true;
    if (tables_.empty()) return false;
    const auto load = static_cast<double>(tables_.back().used) / static_cast<double>(tables_.back().buckets);
    if (load > growth_.most_load) return grow() && put(tables_.back(), d);
    if (put(tables_.back(), d)) return true;
    for (std::size_t i = tables_.size() - 1; growth_.fills_gaps && i-- > 0;) {
      if (put(tables_[i], d)) return true;
    }
    return make_way(tables_.back(), d) || (grow() && put(tables_.back(), d));
  }
  [[nodiscard]] bool may_contain(digest_type d) const noexcept {
    const auto fingerprint = static_cast<fingerprint_type>(d.b);
    for (const bucket_table& t : tables_) {
      const auto at = rule_.places(d, t.buckets);
      if (find(t, at[0], fingerprint) != slots_ || find(t, at[1], fingerprint) != slots_) return true;
    }
    return fingerprint == 0;
  }
  /// Takes one copy out, of the newest table that has it.
  bool remove(digest_type d) noexcept {
    const auto fingerprint = static_cast<fingerprint_type>(d.b);
    if (fingerprint == 0) return false;
    for (auto t = tables_.rbegin(); t != tables_.rend(); ++t) {
      for (const std::uint64_t bucket : rule_.places(d, t->buckets)) {
        const std::uint64_t slot = find(*t, bucket, fingerprint);
        if (slot == slots_) continue;
        set(*t, bucket * slots_ + slot, 0);
        --t->used;
        ++removed_;
        return true;
      }
    }
    return false;
  }
  /// The fingerprints like the key's in its buckets: at least as many as the key was added.
  [[nodiscard]] std::uint64_t count(digest_type d) const noexcept {
    const auto fingerprint = static_cast<fingerprint_type>(d.b);
    std::uint64_t sum = 0;
    for (const bucket_table& t : tables_) {
      const auto at = rule_.places(d, t.buckets);
      for (std::uint64_t i = 0; i < slots_; ++i) {
        sum += value(t, at[0] * slots_ + i) == fingerprint;
        sum += at[1] != at[0] && value(t, at[1] * slots_ + i) == fingerprint;
      }
    }
    return sum;
  }

  // --- many keys

  /// How many there was room for; it stops at the first that finds none.
  std::size_t add_many(std::span<const digest_type> digests) noexcept {
    for (std::size_t i = 0; i < digests.size(); ++i) {
      if (!add(digests[i])) return i;
    }
    return digests.size();
  }
  std::size_t may_contain_many(std::span<const digest_type> digests, bool* out) const noexcept {
    std::size_t found = 0;
    for (const digest_type& d : digests) found += * out++ = may_contain(d);
    return found;
  }
  void clear() noexcept {
    for (bucket_table& t : tables_) {
      std::fill(t.bytes.bytes().begin(), t.bytes.bytes().end(), std::byte{0});
      t.used = 0;
    }
  }

  // --- what it is

  [[nodiscard]] bucket_shape shape() const noexcept {
    bucket_shape shape{0, slots_, 8 * fingerprint_bytes, tables_.size()};
    for (const bucket_table& t : tables_) shape.buckets += t.buckets;
    return shape;
  }
  [[nodiscard]] std::span<const bucket_table> tables() const noexcept { return tables_; }
  /// The bytes of a table's fingerprints.
  [[nodiscard]] bytes_view bytes_of(const bucket_table& t) const noexcept {
    return t.bytes.bytes().first(static_cast<std::size_t>(t.buckets * slots_ * fingerprint_bytes));
  }
  [[nodiscard]] std::vector<engine_part> parts() const {
    std::vector<engine_part> parts;
    for (const bucket_table& t : tables_) parts.push_back({{}, bytes_of(t)});
    return parts;
  }
  [[nodiscard]] std::uint64_t slots() const noexcept { return slots_; }
  [[nodiscard]] const bucket_growth& growth() const noexcept { return growth_; }
  /// How many keys were removed here.
  [[nodiscard]] std::uint64_t removed() const noexcept { return removed_; }
  [[nodiscard]] std::uint64_t census() const noexcept {
    std::uint64_t sum = 0;
    for (const bucket_table& t : tables_) sum += t.used;
    return sum;
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return census(); }
  [[nodiscard]] double fill() const noexcept {
    const std::uint64_t all = shape().slots_in_all();
    return all == 0 ? 0 : static_cast<double>(census()) / static_cast<double>(all);
  }
  [[nodiscard]] double estimated_count() const noexcept { return static_cast<double>(census()); }
  [[nodiscard]] double estimated_fpr() const noexcept { return shape().expected_fpr(census()); }
  [[nodiscard]] bool saturated() const noexcept { return growth_.factor == 0 && fill() > 0.95; }

  // --- a survey (survey.hpp): table by table, slot by slot

  class slot_table {
   public:
    static constexpr std::string_view place = "slot";
    slot_table(const bucket_engine& of, const bucket_table& table) noexcept : of_(&of), table_(&table) {}

    [[nodiscard]] std::uint64_t pieces() const noexcept { return table_->buckets * of_->slots_; }
    [[nodiscard]] counted_places count_pieces(std::uint64_t first, std::uint64_t last) const noexcept {
      return {last - first, of_->used_slots(*table_, first, last)};
    }

   private:
    const bucket_engine* of_;
    const bucket_table* table_;
  };
  /// use(table) for each, the oldest first.
  template <class Use>
  void for_each_table(Use use) const {
    for (const bucket_table& t : tables_) use(slot_table(*this, t));
  }

 private:
  bucket_engine(std::vector<bucket_table> tables, std::uint64_t slots, Rule rule, bucket_growth growth)
      : tables_(std::move(tables)), slots_(slots), rule_(std::move(rule)), growth_(growth) {}

  static result<bucket_table> empty_table(std::uint64_t buckets, std::uint64_t slots) {
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    if (buckets == 0 || slots == 0 || buckets > most / slots / fingerprint_bytes) {
      return {errc::too_large, std::to_string(buckets) + " buckets of " + std::to_string(slots) +
                                   " fingerprints: a table has from 1 to 2^40 bytes"};
    }
    auto bytes = storage::allocate(clamp_to_size(buckets * slots * fingerprint_bytes));
    if (!bytes) return bytes.error();
    return bucket_table{std::move(*bytes), buckets, 0};
  }

  static fingerprint_type value(const bucket_table& t, std::uint64_t at) noexcept {
    return load_le<fingerprint_type>(t.bytes.data() + at * fingerprint_bytes);
  }
  static void set(bucket_table& t, std::uint64_t at, fingerprint_type to) noexcept {
    store_le(t.bytes.data() + at * fingerprint_bytes, to);
  }
  [[nodiscard]] std::uint64_t used_slots(const bucket_table& t) const noexcept {
    return used_slots(t, 0, t.buckets * slots_);
  }
  [[nodiscard]] std::uint64_t used_slots(const bucket_table& t, std::uint64_t first,
                                         std::uint64_t last) const noexcept {
    if constexpr (fingerprint_bytes == 1) {
      const bytes_view bytes =
          bytes_of(t).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
      return last - first - static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), std::byte{0}));
    } else {
      std::uint64_t used = 0;
      for (std::uint64_t i = first; i < last; ++i) used += value(t, i) != 0;
      return used;
    }
  }
  // The slot of a bucket that holds a fingerprint; slots_ where none does.
  [[nodiscard]] std::uint64_t find(const bucket_table& t, std::uint64_t bucket,
                                   fingerprint_type wanted) const noexcept {
    std::uint64_t slot = 0;
    while (slot < slots_ && value(t, bucket * slots_ + slot) != wanted) ++slot;
    return slot;
  }
  bool put_in(bucket_table& t, std::uint64_t bucket, fingerprint_type fingerprint) noexcept {
    const std::uint64_t free = find(t, bucket, 0);
    if (free == slots_) return false;
    set(t, bucket * slots_ + free, fingerprint);
    ++t.used;
    return true;
  }
  bool put(bucket_table& t, digest_type d) noexcept {
    const auto fingerprint = static_cast<fingerprint_type>(d.b);
    const auto at = rule_.places(d, t.buckets);
    return put_in(t, at[0], fingerprint) || put_in(t, at[1], fingerprint);
  }
  // Moves fingerprints, each to its other bucket, until one finds a free slot there.
  bool make_way(bucket_table& t, digest_type d) noexcept {
    auto in_hand = static_cast<fingerprint_type>(d.b);
    std::uint64_t bucket = rule_.places(d, t.buckets)[0], kicks = 0;
    const auto exchange = [&](std::uint64_t slot) {
      const std::uint64_t at = bucket * slots_ + slot;
      const fingerprint_type pushed_out = value(t, at);
      set(t, at, in_hand);
      in_hand = pushed_out;
    };
    while (kicks < growth_.most_kicks) {
      exchange(kicks++ % slots_);
      bucket = rule_.alternate(bucket, in_hand, t.buckets);
      if (put_in(t, bucket, in_hand)) return true;
    }
    while (kicks-- > 0) {
      bucket = rule_.alternate(bucket, in_hand, t.buckets);
      exchange(kicks % slots_);
    }
    return false;
  }
  bool grow() noexcept {
    const std::uint64_t newest = tables_.back().buckets;
    if (growth_.factor == 0 || tables_.size() >= growth_.most_tables) return false;
    // A few bytes of a hostile file can ask for any growth: 16 MiB, or 64 times what is there, is enough for the others.
    const std::uint64_t most = std::max<std::uint64_t>(std::uint64_t{16} << 20, 64 * std::uint64_t{shape().bytes()});
    if (newest > most / slots_ / fingerprint_bytes / growth_.factor) return false;
    auto next = or_no_memory([&] {
      tables_.reserve(tables_.size() + 1);
      return empty_table(newest * growth_.factor, slots_);
    });
    if (next) tables_.push_back(std::move(*next));
    return next.has_value();
  }

  std::vector<bucket_table> tables_;
  std::uint64_t slots_ = 0;
  Rule rule_;
  bucket_growth growth_;
  std::uint64_t removed_ = 0;
};

/// One byte per fingerprint, buckets a power of two: the other bucket is this one xor a word that the fingerprint chooses.
struct xor_byte_rule {
  using fingerprint_type = std::uint8_t;
  static constexpr bool skips_present = false;

  std::array<std::uint64_t, 256> other{};

  [[nodiscard]] std::array<std::uint64_t, 2> places(digest_pair d, std::uint64_t buckets) const noexcept {
    const std::uint64_t first = d.a & (buckets - 1);
    return {first, alternate(first, static_cast<std::uint8_t>(d.b), buckets)};
  }
  [[nodiscard]] std::uint64_t alternate(std::uint64_t bucket, std::uint8_t fingerprint,
                                        std::uint64_t buckets) const noexcept {
    return bucket ^ (other[fingerprint] & (buckets - 1));
  }
};

}  // namespace seen::inline v1::foreign
