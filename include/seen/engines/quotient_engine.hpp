// Digests in a quotient filter: the table, its count of keys, and what keys and whole filters do with both.
// filters/quotient.hpp says what it is, quotient_slots.hpp how the table is laid out, quotient_runs.hpp how a key is
// found.
//
//   storage   [ block ][ block ] … [ tail ][ number of keys ]
//
// The same fingerprints make the same bytes, in whatever order they came. So a large batch is sorted first, 2^22 digests
// at a time; where these are at least as many as what is there, the table is written anew as one sorted list, and
// otherwise they are added in order, from one end of the table to the other.
//
// Rule names the kind and its shape; what is kept of a digest, its fingerprint, is known from the shape alone.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/result.hpp>
#include <seen/base/taken.hpp>
#include <seen/base/threads.hpp>
#include <seen/building/digest_window.hpp>
#include <seen/concepts.hpp>
#include <seen/engines/quotient_runs.hpp>
#include <seen/engines/quotient_slots.hpp>
#include <seen/engines/quotient_walk.hpp>
#include <seen/kernels/prefetch.hpp>
#include <seen/math/quotient.hpp>
#include <seen/storage/access.hpp>
#include <seen/storage/storage.hpp>
#include <seen/survey.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace seen::inline v1::engines {

/// Digests between the prefetch of a digest's slots and their use, in a table beyond the cache.
inline constexpr std::size_t quotient_ahead = 32;

/// Tables from here on gain from insertions in order: on Zen 5 a third at 43 MB, nothing at 6 MB, which stay in a cache.
inline constexpr std::size_t quotient_far_bytes = std::size_t{16} << 20;

/// Digests in a quotient filter.
template <class Rule>
class quotient_engine {
 public:
  using digest_type = digest;
  using shape_type = typename Rule::shape_type;
  using access_type = plain_access;

  static constexpr kind_info kind = Rule::kind;
  static constexpr std::uint16_t index_rule = Rule::id;
  static constexpr bool is_monotone = false;

  quotient_engine() noexcept = default;

  /// An empty filter of this shape.
  static result<quotient_engine> make(const shape_type& p) {
    if (auto ok = math::check_quotient_shape(p.blocks, p.remainder_bits); !ok) return ok.error();
    auto bytes = storage::allocate(p.bytes());
    if (!bytes) return bytes.error();
    return quotient_engine({p.blocks, p.remainder_bits}, std::move(*bytes));
  }

  /// A filter over bytes that exist already (all zero: an empty one). Whatever they hold, every operation stays within
  /// them. Only check(), which reads them all, tells whether they hold a filter.
  static result<quotient_engine> over(const shape_type& p, storage bytes) {
    if (auto ok = math::check_quotient_shape(p.blocks, p.remainder_bits); !ok) return ok.error();
    const quotient_layout layout(p.blocks, p.remainder_bits);
    if (bytes.size() < layout.used_bytes() || bytes.size() > p.bytes()) {
      return {errc::invalid_argument, "blocks " + std::to_string(p.blocks) + " and remainder-bits " +
                                          std::to_string(p.remainder_bits) + " take " +
                                          std::to_string(layout.used_bytes()) + " to " + std::to_string(p.bytes()) +
                                          " bytes; " + std::to_string(bytes.size()) + " were given"};
    }
    quotient_engine made(layout, std::move(bytes));
    const bytes_view padding = made.bytes().subspan(layout.used_bytes());
    if (std::any_of(padding.begin(), padding.end(), [](std::byte b) { return b != std::byte{0}; })) {
      return {errc::corrupt, "bytes after the count of keys are not zero"};
    }
    if (made.size() > layout.capacity) {
      return {errc::corrupt,
              "it counts " + std::to_string(made.size()) + " keys and has room for " + std::to_string(layout.capacity)};
    }
    return made;
  }

  /// Reads everything and says whether adding keys could have made it. Only then are answers right.
  [[nodiscard]] result<void> check() const { return check_quotient_table(table(), size()); }

  // --- one key

  /// False: full, and nothing changed.
  [[nodiscard]] bool add(digest d) noexcept {
    const std::uint64_t keys = size();
    if (keys >= layout_->capacity) return false;
    quotient_writer writer(storage_.data(), *layout_);
    const auto [quotient, remainder] = layout_->parts(d);
    if (!insert_in_run(writer, quotient, remainder)) return false;
    set_size(keys + 1);
    return true;
  }

  [[nodiscard]] bool may_contain(digest d) const noexcept {
    if (layout_->blocks == 0) return true;  // moved from
    const auto [quotient, remainder] = layout_->parts(d);
    return is_in_run(table(), quotient, remainder);
  }

  /// How often digests with this fingerprint were added and not removed.
  [[nodiscard]] std::uint64_t count(digest d) const noexcept {
    if (layout_->blocks == 0) return 0;
    const auto [quotient, remainder] = layout_->parts(d);
    return count_in_run(table(), quotient, remainder);
  }

  /// Takes one fingerprint out. False: there was none, and nothing changed.
  bool remove(digest d) noexcept {
    if (layout_->blocks == 0) return false;
    quotient_writer writer(storage_.data(), *layout_);
    const auto [quotient, remainder] = layout_->parts(d);
    const std::uint64_t slot = find_in_run(writer, quotient, remainder);
    const std::uint64_t keys = size();
    if (slot == no_slot || keys == 0) return false;
    erase_from_run(writer, quotient, slot);
    set_size(keys - 1);
    return true;
  }

  // --- many keys

  /// Adds from the front until one finds no room; returns how many it added. A large batch is sorted first; where there is
  /// no memory for that, the digests go as they come.
  std::size_t add_many(std::span<const digest> digests) noexcept { return add_many(digests, 1); }
  /// The same; threads (0: all there are) share the copying.
  std::size_t add_many(std::span<const digest> digests, unsigned threads) {
    if (!is_bulk(digests.size())) return add_in_order(digests);
    return add_read(
        digests.size(),
        [digests](std::uint64_t first, std::span<digest> to) {
          std::copy_n(digests.begin() + static_cast<std::ptrdiff_t>(first), to.size(), to.begin());
        },
        threads);
  }

  /// Whether so many digests are enough to be sorted: one per block of 64 slots or more, so that it is not far from each to
  /// the next; and as many as are there already, or the table is beyond the cache.
  [[nodiscard]] bool is_bulk(std::uint64_t digests) const noexcept {
    const std::uint64_t at_once = std::min(digests, building::digest_window::most);
    return at_once >= 1024 && at_once >= layout_->home_blocks &&
           (at_once >= size() || storage_.size() >= quotient_far_bytes);
  }
  /// add_many of `count` digests that read(first, span) writes, any of them more than once and from any thread.
  template <class Read>
  std::size_t add_read(std::uint64_t count, Read read, unsigned threads = 1) {
    std::optional<building::digest_window> window;
    (void)or_no_memory([&]() -> result<void> {
      window.emplace(static_cast<std::size_t>(std::min(count, building::digest_window::most)));
      return {};
    });
    std::uint64_t done = 0;
    while (window && done < count && size() < capacity()) {
      // As many as there is room for: adding one by one would stop there, too.
      const std::uint64_t left = std::min(count - done, capacity() - size());
      const auto some = static_cast<std::size_t>(std::min(left, building::digest_window::most));
      if (!add_window(*window, some, done, read, threads)) break;
      done += some;
    }
    // One by one: without memory, without room, and after a window that crowds, to find the digest that does not fit.
    std::array<digest, 1024> tile;
    while (done < count) {
      const auto some =
          std::span(tile).first(static_cast<std::size_t>(std::min<std::uint64_t>(count - done, tile.size())));
      read(done, some);
      const std::size_t added = add_in_order(some);
      done += added;
      if (added != some.size()) break;
    }
    return static_cast<std::size_t>(done);
  }

  std::size_t may_contain_many(std::span<const digest> digests, bool* out) const noexcept {
    const std::size_t lead = this->lead();
    std::size_t found = 0;
    for (std::size_t i = 0; i < std::min(digests.size(), lead); ++i) prefetch(digests[i]);
    for (std::size_t i = 0; i < digests.size(); ++i) {
      if (lead != 0 && i + lead < digests.size()) prefetch(digests[i + lead]);
      out[i] = may_contain(digests[i]);
      found += out[i];
    }
    return found;
  }

  // --- the whole filter

  /// All fingerprints, ascending; one that was added twice comes twice.
  [[nodiscard]] auto fingerprints() const noexcept {
    struct range {
      quotient_reader table;
      [[nodiscard]] quotient_cursor begin() const noexcept { return quotient_cursor(table); }
      [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }
    };
    return range{table()};
  }

  /// Twice the slots for the same fingerprints. Refused, with nothing changed, where the last remainder bit would go.
  result<void> expand() {
    const std::uint32_t r = layout_->remainder_bits - 1;
    if (layout_->remainder_bits <= 1) {
      return {errc::unsupported, "expand: remainder-bits is " + std::to_string(layout_->remainder_bits) +
                                     "; doubling the slots would leave no remainder"};
    }
    auto larger = make({.blocks = 2 * layout_->home_blocks, .remainder_bits = r});
    if (!larger) return larger.error().prefixed("expand: ");
    quotient_appender to(quotient_writer(larger->storage_.data(), *larger->layout_));
    bool fits = true;
    for (quotient_cursor from(table()); fits && !from.at_end(); ++from) {
      const std::uint64_t remainder = from.remainder();
      fits = to.append(from.quotient() << 1 | remainder >> r, remainder & detail::low_bits(r));
    }
    // A remainder within reach of its slot is so still with twice the slots: only unchecked bytes come here.
    if (!fits || !to.finish()) return {errc::corrupt, "expand: these bytes are not a quotient filter"};
    larger->set_size(to.count());
    *this = std::move(*larger);
    return {};
  }

  /// Takes up all fingerprints of the other. Refused, with nothing changed, unless the shape is the same and all fit.
  result<void> merge(const quotient_engine& other) {
    if (auto same = check_same_shape("merge", *this, other); !same) return same;
    if (other.size() == 0) return {};
    const std::string both = std::to_string(size()) + " keys here and " + std::to_string(other.size()) + " there";
    if (size() + other.size() > capacity()) {
      return {errc::full, "merge: " + both + ", room for " + std::to_string(capacity())};
    }
    auto fresh = make(shape());
    if (!fresh) return fresh.error().prefixed("merge: ");
    quotient_appender to(quotient_writer(fresh->storage_.data(), *layout_));
    bool fits = true;
    for (quotient_cursor a(table()), b(other.table()); fits && !(a.at_end() && b.at_end());) {
      quotient_cursor& next = b.at_end() || (!a.at_end() && *a <= *b) ? a : b;
      fits = to.append(next.quotient(), next.remainder());
      ++next;
    }
    if (!fits || !to.finish()) return {errc::full, "merge: " + both + " crowd too closely around one place"};
    fresh->set_size(to.count());
    std::memcpy(storage_.data(), fresh->storage_.data(), layout_->used_bytes());  // in place: the words may be borrowed
    return {};
  }

  /// Empties the filter.
  void clear() noexcept {
    if (storage_.size() != 0) std::memset(storage_.data(), 0, storage_.size());
  }

  /// Puts empty bytes in place and returns the full ones, as a filter.
  [[nodiscard]] quotient_engine reset() {
    auto fresh = storage::allocate(storage_.size());
    if (!fresh) throw_error(fresh.error());
    return quotient_engine(*layout_, std::exchange(storage_, std::move(*fresh)));
  }

  [[nodiscard]] friend bool operator==(const quotient_engine& a, const quotient_engine& b) noexcept {
    if (!(a.shape() == b.shape())) return false;
    return a.layout_->blocks == 0 || std::memcmp(a.storage_.data(), b.storage_.data(), a.layout_->used_bytes()) == 0;
  }

  // --- what it is

  [[nodiscard]] shape_type shape() const noexcept {
    return {.blocks = layout_->home_blocks, .remainder_bits = layout_->remainder_bits};
  }
  [[nodiscard]] bytes_view bytes() const noexcept { return storage_.bytes(); }
  /// The number of keys in it, exactly; a key added twice counts twice.
  [[nodiscard]] std::uint64_t size() const noexcept {
    return layout_->blocks == 0 ? 0 : load_le<std::uint64_t>(storage_.data() + layout_->count_at);
  }
  /// The most keys it takes: 21/22 of its slots.
  [[nodiscard]] std::uint64_t capacity() const noexcept { return layout_->capacity; }
  /// Kept in a file beside the bytes, to notice when they are not these: the number of keys.
  [[nodiscard]] std::uint64_t census() const noexcept { return size(); }

  /// The share of the slots that is taken, without the tail.
  [[nodiscard]] double fill() const noexcept {
    return layout_->blocks == 0 ? 0 : static_cast<double>(size()) / static_cast<double>(64 * layout_->home_blocks);
  }
  [[nodiscard]] double estimated_count() const noexcept { return static_cast<double>(size()); }
  /// The rate as it is now; a key added twice is taken for two, which errs upwards.
  [[nodiscard]] double estimated_fpr() const noexcept {
    return layout_->blocks == 0 ? 1 : shape().expected_fpr(size());
  }
  /// True when there is no room for another key.
  [[nodiscard]] bool saturated() const noexcept { return size() >= capacity(); }

  // --- a survey (survey.hpp): 64 quotients at a time. Slots are taken in runs, wherever the runs before end; the slots that
  // keys have as their home are by chance alone

  static constexpr std::string_view place = "home slot";
  [[nodiscard]] std::uint64_t pieces() const noexcept { return layout_->blocks == 0 ? 0 : layout_->home_blocks; }
  [[nodiscard]] counted_places count_pieces(std::uint64_t first, std::uint64_t last) const noexcept {
    counted_places counted{.places = 64 * (last - first)};
    for (std::uint64_t b = first; b < last; ++b) counted.used += detail::popcount(table().occupieds(b));
    return counted;
  }

 private:
  std::size_t add_in_order(std::span<const digest> digests) noexcept {
    const std::size_t lead = this->lead();
    for (std::size_t i = 0; i < std::min(digests.size(), lead); ++i) prefetch(digests[i]);
    for (std::size_t i = 0; i < digests.size(); ++i) {
      if (lead != 0 && i + lead < digests.size()) prefetch(digests[i + lead]);
      if (!add(digests[i])) return i;
    }
    return digests.size();
  }

  // Adds `count` digests from `first` on, for which there is room by number. False: some crowd, and nothing changed.
  template <class Read>
  bool add_window(building::digest_window& window, std::size_t count, std::uint64_t first, const Read& read,
                  unsigned threads) {
    constexpr std::size_t tile = 1024;
    detail::for_each_index(static_cast<std::size_t>(ceil_div(count, tile)), detail::threads_for(threads),
                           [&](std::size_t i) {
                             std::array<digest, tile> some;
                             const std::size_t begin = i * tile, n = std::min(tile, count - begin);
                             read(first + begin, std::span(some).first(n));
                             std::transform(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(n),
                                            window.first(count).begin() + static_cast<std::ptrdiff_t>(begin),
                                            [](digest d) { return d.value; });
                             return true;
                           });
    window.sort(count);
    const auto digests = window.first(count);
    const std::uint64_t before = size();
    if (before > count) {
      // Few beside what is there: each is put in where it belongs, and taken out again if a later one finds no room.
      for (std::size_t i = 0; i < count; ++i) {
        if (add(digest(digests[i]))) continue;
        while (i-- != 0) remove(digest(digests[i]));
        return false;
      }
      return true;
    }
    // Otherwise the table is written anew, from what was in it and the digests.
    const auto old = window.scratch().first(static_cast<std::size_t>(before));
    std::size_t listed = 0;
    for (quotient_cursor from(table()); listed < old.size() && !from.at_end(); ++from) old[listed++] = *from;
    clear();
    if (append_sorted(old.first(listed), digests)) return true;
    clear();
    (void)append_sorted(old.first(listed), {});
    return false;
  }

  // Writes fingerprints and digests, both ascending, into the empty table. False: they crowd.
  bool append_sorted(std::span<const std::uint64_t> fingerprints, std::span<const std::uint64_t> digests) noexcept {
    quotient_appender to(quotient_writer(storage_.data(), *layout_));
    std::size_t i = 0;
    const auto append = [&](std::uint64_t fingerprint) {
      const auto [quotient, remainder] = layout_->parts(fingerprint);
      return to.append(quotient, remainder);
    };
    for (const std::uint64_t d : digests) {
      const std::uint64_t fingerprint = layout_->fingerprint(digest(d));
      for (; i < fingerprints.size() && fingerprints[i] < fingerprint; ++i) {
        if (!append(fingerprints[i])) return false;
      }
      if (!append(fingerprint)) return false;
    }
    for (; i < fingerprints.size(); ++i) {
      if (!append(fingerprints[i])) return false;
    }
    if (!to.finish()) return false;
    set_size(to.count());
    return true;
  }

  // Keys between prefetch and use: 32 lines on their way keep the second-level cache's misses busy
  // (docs/performance.md). None in a table that lies in that cache.
  [[nodiscard]] std::size_t lead() const noexcept {
    return storage_.size() <= kernels::cached_bytes ? 0 : quotient_ahead;
  }

  quotient_engine(const quotient_layout& layout, storage bytes) noexcept
      : storage_(std::move(bytes)), layout_(layout) {}

  [[nodiscard]] quotient_reader table() const noexcept { return {storage_.data(), *layout_}; }
  void set_size(std::uint64_t keys) noexcept { store_le(storage_.data() + layout_->count_at, keys); }

  // The words of the block, and the remainder, which is about five slots from home at a load of 0.9. The place is 14 bytes
  // further than home, so that the late quotients of a block have the next block's words, too (docs/performance.md, "Dead
  // ends"). Always inlined: the compiler takes a function that only
  // prefetches for one without effect, and drops the call.
  [[gnu::always_inline]] void prefetch(digest d) const noexcept {
    if (layout_->blocks == 0) return;
    const std::uint64_t quotient = layout_->parts(d).quotient;
    const quotient_reader reader = table();
    __builtin_prefetch(reader.block(quotient / 64), 0, 2);
    __builtin_prefetch(reader.remainder_at(quotient) + 14, 0, 2);
  }

  // In this order: an assignment that finds no memory for the bytes has not changed the layout yet.
  storage storage_;
  detail::taken<quotient_layout> layout_;
};

}  // namespace seen::inline v1::engines
