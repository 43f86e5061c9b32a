// Who may change which buckets of a cuckoo table, and how many slots are taken.
//
// plain_access   nobody else is there: locks are nothing, the count is a number.
// atomic_access  stripes. A stripe has a version that is odd while a writer is in it, and covers groups of 16 buckets
//                of one chunk (16·4w bits are whole words whatever w is, so no word has two owners):
//
//                  stripe = (chunk · S + (bucket / 16) mod S) mod N          S = 1 … 64, N ≤ 512 stripes in all
//
//                (32 KiB whatever the size of the table; more than 512 chunks share them.)
//
//                A writer holds the stripes of both buckets of the key it moves, locked in ascending order. A reader
//                locks nothing: it notes the two versions, looks, and believes a "no" only if both were even and have
//                not changed meanwhile (a sequence lock, twice). It believes a "yes" at once.
//
// Why a reader is right. The words are stored with release and loaded with acquire, so whoever read a word that a
// writer has stored finds, when it looks at the version again, the odd number that the writer put there before, or a
// later one. Versions are 64 bits and only grow, so an unchanged even pair means that neither bucket changed between
// the two looks: at that moment the key was in neither.
//
// Stripes belong to the object, not to the file: the bytes are those of the plain table.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/taken.hpp>
#include <seen/storage/access.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace seen::inline v1::engines {

/// The two buckets of a key, both of one chunk.
struct cuckoo_pair {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

template <class Access>
class cuckoo_guards;

/// For one thread at a time: no locks. The count of a mapped file is unknown until somebody counts, so that opening a
/// large one takes no longer.
template <>
class cuckoo_guards<plain_access> {
 public:
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};

  cuckoo_guards() noexcept = default;
  explicit cuckoo_guards(std::uint64_t used) noexcept : used_(used) {}
  cuckoo_guards(const cuckoo_guards& other) noexcept : used_(other.used()) {}
  cuckoo_guards(cuckoo_guards&& other) noexcept : used_(other.take()) {}
  cuckoo_guards& operator=(const cuckoo_guards& other) noexcept {
    know(other.used());
    return *this;
  }
  cuckoo_guards& operator=(cuckoo_guards&& other) noexcept {
    used_ = other.take();
    return *this;
  }
  ~cuckoo_guards() = default;

  static cuckoo_guards make(std::uint64_t, std::uint32_t, std::uint64_t used) noexcept { return cuckoo_guards(used); }

  struct lock {};
  [[nodiscard]] static lock lock_pair(const cuckoo_pair&) noexcept { return {}; }
  [[nodiscard]] static lock lock_chunk(std::uint64_t) noexcept { return {}; }

  /// Calls look() once.
  template <class Look>
  [[nodiscard, gnu::always_inline]] auto read(const cuckoo_pair&, Look look) const noexcept {
    return look();
  }

  static void added(const cuckoo_pair&) noexcept {}
  static void removed(const cuckoo_pair&) noexcept {}
  /// Counts what was added, or, as a negative number modulo 2^64, removed: once per call, not per key.
  void count(std::uint64_t by) noexcept {
    if (const std::uint64_t now = used(); now != unknown) know(now + by);
  }
  void cleared(std::uint64_t) noexcept { know(0); }

  /// Slots taken, or `unknown`.
  [[nodiscard]] std::uint64_t used() const noexcept { return std::atomic_ref(used_).load(std::memory_order_relaxed); }
  /// Keeps what was counted. Const, and atomic, because readers of one filter may all find it unknown and count.
  void know(std::uint64_t used) const noexcept { std::atomic_ref(used_).store(used, std::memory_order_relaxed); }

 private:
  // Nobody reads a filter that is being moved from: no need for atomics (g++ 12 takes them for an overflow).
  std::uint64_t take() noexcept { return std::exchange(used_, 0); }

  mutable std::uint64_t used_ = 0;  // through atomic_ref where readers may meet
};

/// For any number of threads.
template <class Access>
requires Access::is_shared class cuckoo_guards<Access> {
  using word_ref = typename Access::word_ref;

  // A line of its own each: writers of different stripes do not slow one another down. `used` counts what was added
  // minus what was removed through this stripe; only the sum over all stripes means something.
  struct alignas(64) stripe {
    std::uint64_t version = 0;  // through word_ref
    std::uint64_t used = 0;     // through Access

    void acquire() noexcept {
      const word_ref shared(version);
      for (unsigned tries = 0;; ++tries) {
        std::uint64_t now = shared.load(std::memory_order_relaxed);
        if (now % 2 == 0 && shared.compare_exchange_weak(now, now + 1, std::memory_order_acquire)) return;
        Access::wait(tries);
      }
    }
    void release() noexcept { Access::store_release(&version, Access::load(&version) + 1); }
    void count(std::uint64_t by) noexcept { Access::store(&used, Access::load(&used) + by); }
  };

 public:
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};
  static constexpr std::uint64_t most_stripes = 512;

  cuckoo_guards() noexcept = default;
  cuckoo_guards(cuckoo_guards&&) noexcept = default;
  cuckoo_guards& operator=(cuckoo_guards&&) noexcept = default;
  ~cuckoo_guards() = default;

  /// Throws std::bad_alloc.
  /// For a table of so many chunks, of 2^chunk_bits buckets or more.
  static cuckoo_guards make(std::uint64_t chunks, std::uint32_t chunk_bits, std::uint64_t used) {
    cuckoo_guards made;
    made.chunk_bits_ = chunk_bits;
    made.last_chunk_ = chunks - 1;
    const std::uint64_t share = std::clamp<std::uint64_t>(most_stripes / chunks, 1, 64);
    made.each_ = std::bit_floor(std::min(share, ceil_div(std::uint64_t{1} << chunk_bits, 16)));
    made.count_ = detail::taken<std::uint64_t>(std::min(std::bit_ceil(chunks) * made.each_, most_stripes));
    made.shared_by_chunks_ = chunks * made.each_ > *made.count_;
    made.stripes_ = std::make_unique<stripe[]>(static_cast<std::size_t>(*made.count_));
    made.stripes_[0].used = used;
    return made;
  }

  /// Holds `count` stripes, `step` apart, from construction to destruction.
  class lock {
   public:
    lock(stripe* first, std::uint64_t step, std::uint64_t count) noexcept : first_(first), step_(step), count_(count) {
      for (std::uint64_t i = 0; i < count_; ++i) first_[i * step_].acquire();
    }
    lock(const lock&) = delete;
    lock& operator=(const lock&) = delete;
    ~lock() {
      for (std::uint64_t i = 0; i < count_; ++i) first_[i * step_].release();
    }

   private:
    stripe* first_;
    std::uint64_t step_;
    std::uint64_t count_;
  };

  // Every lock is taken in ascending order: nobody waits in a circle.
  [[nodiscard]] lock lock_pair(const cuckoo_pair& p) noexcept {
    const auto [low, high] = std::minmax({stripe_of(p.first), stripe_of(p.second)});
    return {&stripes_[low], high - low, low == high ? std::uint64_t{1} : std::uint64_t{2}};
  }
  [[nodiscard]] lock lock_chunk(std::uint64_t chunk) noexcept { return {&stripes_[first_stripe_of(chunk)], 1, each_}; }
  [[nodiscard]] lock lock_all() noexcept { return {stripes_.get(), 1, *count_}; }

  /// The answer of look() at a moment when neither bucket changed; or of a look() that is true, at any moment.
  template <class Look>
  [[nodiscard, gnu::always_inline]] auto read(const cuckoo_pair& p, Look look) const noexcept {
    const std::uint64_t* const first = &stripes_[stripe_of(p.first)].version;
    const std::uint64_t* const second = &stripes_[stripe_of(p.second)].version;
    for (unsigned tries = 0;; ++tries) {
      const std::uint64_t first_before = Access::load_acquire(first);
      const std::uint64_t second_before = Access::load_acquire(second);
      const auto found = look();
      if constexpr (std::is_same_v<decltype(look()), bool>) {
        if (found) return found;
      }
      const bool still = ((first_before | second_before) & 1) == 0 && Access::load(first) == first_before &&
                         Access::load(second) == second_before;
      if (still) return found;
      Access::wait(tries);
    }
  }

  // Called by the owner of the pair's stripes: this is where keys are counted.
  void added(const cuckoo_pair& p) noexcept { stripes_[stripe_of(p.first)].count(1); }
  void removed(const cuckoo_pair& p) noexcept { stripes_[stripe_of(p.first)].count(~std::uint64_t{0}); }
  static void count(std::uint64_t) noexcept {}
  /// Whether a stripe may belong to several chunks: then emptying one of them does not tell whose slots were taken.
  [[nodiscard]] bool shared_by_chunks() const noexcept { return shared_by_chunks_; }
  // Called by the owner of the chunk, if no other chunk shares its stripes.
  void cleared(std::uint64_t chunk) noexcept {
    for (std::size_t i = 0; i < each_; ++i) {
      Access::store(&stripes_[first_stripe_of(chunk) + i].used, 0);
    }
  }
  // Called by the owner of all.
  void cleared_all() noexcept {
    for (std::size_t i = 0; i < *count_; ++i) Access::store(&stripes_[i].used, 0);
  }

  /// Slots taken; exact while nobody adds or removes.
  [[nodiscard]] std::uint64_t used() const noexcept {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < *count_; ++i) sum += Access::load(&stripes_[i].used);
    return sum;
  }
  void know(std::uint64_t) const noexcept {}
  /// Takes the counts of `other`, whose stripes the caller holds, and leaves it none.
  void take_counts(cuckoo_guards& other) noexcept {
    for (std::size_t i = 0; i < *count_; ++i) {
      Access::store(&stripes_[i].used, Access::load(&other.stripes_[i].used));
      Access::store(&other.stripes_[i].used, 0);
    }
  }

 private:
  [[nodiscard]] std::size_t first_stripe_of(std::uint64_t chunk) const noexcept {
    return static_cast<std::size_t>((chunk * each_) & (*count_ - 1));
  }
  [[nodiscard]] std::size_t stripe_of(std::uint64_t bucket) const noexcept {
    return first_stripe_of(std::min(bucket >> chunk_bits_, last_chunk_)) +
           static_cast<std::size_t>(bucket / 16 & (each_ - 1));
  }

  std::unique_ptr<stripe[]> stripes_;
  detail::taken<std::uint64_t> count_;
  std::uint64_t each_ = 0;  // stripes of a chunk, a power of two, as is their number
  std::uint32_t chunk_bits_ = 0;
  std::uint64_t last_chunk_ = 0;  // which may be larger
  bool shared_by_chunks_ = false;
};

}  // namespace seen::inline v1::engines
