// How a word is touched: plainly, or from many threads at once. The bytes are the same.
//
// plain_access    ordinary loads and stores
// atomic_access   std::atomic_ref over the very same words, with relaxed order but where a name says otherwise
//
// Relaxed is enough for a filter: bits only go from 0 to 1, and "added before, therefore seen" rests on the caller's
// own happens-before edge (docs/promises.md). The atomic one tests before it sets: on a shared line the locked
// OR is the cost, and a bit that is there already needs none. The result of the OR is discarded, since an OR whose old
// value is used compiles to a compare-and-swap loop on x86 and is no longer wait-free.
//
// Counters cannot be ORed: update() replaces a word by a function of it. Shared, that is such a loop, and lock-free: a
// thread tries again only because another one has changed the word, that is, has got on with its work.
//
// The atomics of atomic_access are a parameter (Atomics): tests/models runs the same code over atomics of its own,
// which try every order of events and every value that a load may return. So shared code has no other atomics, locks or
// waits than these, with one exception: the blocks of kernels/shared_block.hpp are touched by instructions of the machine
// that C++ has no name for. A set of atomics says whether they may be (allows_instructions). The atomics of tests/models
// do not allow it, nor do those of the language where ThreadSanitizer watches; the same code then works word by word.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#if defined(__SANITIZE_THREAD__)
#define SEEN_WATCHED_BY_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SEEN_WATCHED_BY_THREAD_SANITIZER 1
#endif
#endif

namespace seen::inline v1 {

/// One thread at a time, as with any standard container.
struct plain_access {
  static constexpr bool is_shared = false;

  static std::uint64_t load(const std::uint64_t* word) noexcept { return *word; }
  static void store(std::uint64_t* word, std::uint64_t value) noexcept { *word = value; }
  static void store_release(std::uint64_t* word, std::uint64_t value) noexcept { *word = value; }
  /// Adds to a word and returns what was there.
  static std::uint64_t add(std::uint64_t* word, std::uint64_t by) noexcept {
    const std::uint64_t before = *word;
    *word = before + by;
    return before;
  }
  static void set(std::uint64_t* word, std::uint64_t mask) noexcept { *word |= mask; }
  static void set_missing(std::uint64_t* word, std::uint64_t mask) noexcept { *word |= mask; }
  static void keep(std::uint64_t* word, std::uint64_t mask) noexcept { *word &= mask; }
  /// Puts change(word) in the word's place and returns what was there.
  template <class Change>
  static std::uint64_t update(std::uint64_t* word, Change change) noexcept {
    const std::uint64_t before = *word;
    *word = change(before);
    return before;
  }

  template <class T>
  static T* pointer(T* const& slot) noexcept {
    return slot;
  }
  /// An address, for reading through it: shared_access says what that means.
  template <class T>
  static T* address(T* const& slot) noexcept {
    return slot;
  }
  template <class T>
  static void publish(T*& slot, T* value) noexcept {
    slot = value;
  }
};

class standard_mutex;  // storage/mutex.hpp, which is not for everyone to compile

/// The atomics, locks and waits of the language.
struct standard_atomics {
  template <class T>
  using ref = std::atomic_ref<T>;
  using mutex = standard_mutex;
  /// Whether words may also be touched by instructions that C++ has no name for.
#if defined(SEEN_WATCHED_BY_THREAD_SANITIZER)
  static constexpr bool allows_instructions = false;
#else
  static constexpr bool allows_instructions = true;
#endif
  /// For a loop that waits for another thread: a few turns in place, then the processor is given away, which that
  /// thread may be waiting for.
  static void wait(unsigned tries) noexcept {
    if (tries >= 16) yield();
  }

 private:
  static void yield() noexcept;
};

/// Any number of threads; every operation but update is a single atomic instruction on x86-64, ARMv8.1+, s390x and
/// RISC-V.
template <class Atomics>
struct shared_access {
  static constexpr bool is_shared = true;
  /// Whether blocks of words may be touched by the machine's own instructions (kernels/shared_block.hpp).
  static constexpr bool allows_instructions = requires { requires Atomics::allows_instructions; };

  template <class T>
  using ref = typename Atomics::template ref<T>;
  using word_ref = ref<std::uint64_t>;
  using mutex = typename Atomics::mutex;
  static void wait(unsigned tries) noexcept { Atomics::wait(tries); }

  static std::uint64_t load(const std::uint64_t* word) noexcept {
    // atomic_ref<const T> comes with C++26; loading writes nothing, so read-only pages are fine.
    return word_ref(*const_cast<std::uint64_t*>(word)).load(std::memory_order_relaxed);
  }
  static void store(std::uint64_t* word, std::uint64_t value) noexcept {
    word_ref(*word).store(value, std::memory_order_relaxed);
  }
  /// For words that are read beside a version (engines/cuckoo_guards.hpp): whoever sees what was stored sees all that
  /// the storing thread did before. On x86 both are plain instructions.
  static std::uint64_t load_acquire(const std::uint64_t* word) noexcept {
    return word_ref(*const_cast<std::uint64_t*>(word)).load(std::memory_order_acquire);
  }
  static void store_release(std::uint64_t* word, std::uint64_t value) noexcept {
    word_ref(*word).store(value, std::memory_order_release);
  }
  /// Adds to a word and returns what was there.
  static std::uint64_t add(std::uint64_t* word, std::uint64_t by) noexcept {
    return word_ref(*word).fetch_add(by, std::memory_order_relaxed);
  }
  static void set(std::uint64_t* word, std::uint64_t mask) noexcept {
    word_ref shared(*word);
    if ((shared.load(std::memory_order_relaxed) & mask) != mask) {
      shared.fetch_or(mask, std::memory_order_relaxed);
    }
  }
  /// set, without a look before: for a caller who has seen that bits are missing.
  static void set_missing(std::uint64_t* word, std::uint64_t mask) noexcept {
    word_ref(*word).fetch_or(mask, std::memory_order_relaxed);
  }
  static void keep(std::uint64_t* word, std::uint64_t mask) noexcept {
    word_ref(*word).fetch_and(mask, std::memory_order_relaxed);
  }
  template <class Change>
  static std::uint64_t update(std::uint64_t* word, Change change) noexcept {
    word_ref shared(*word);
    std::uint64_t before = shared.load(std::memory_order_relaxed);
    for (;;) {
      const std::uint64_t after = change(before);
      if (after == before || shared.compare_exchange_weak(before, after, std::memory_order_relaxed)) return before;
    }
  }

  // The address of the words themselves can change under a reader (reset swaps them): publish releases the zeroed
  // words, pointer acquires them.
  //
  // An acquire operation orders everything that follows it, so a loop of lookups would load a filter's shape and seed
  // anew for every key, a fifth of its time (docs/performance.md, "Dead ends"). All that has to follow is what is read
  // through the address. address() is for that: on x86 a load in asm. Nothing can be read through a value before it is
  // there, neither by the compiler, which does not guess it, nor by the processor, which keeps loads in order.
  template <class T>
  static T* pointer(T* const& slot) noexcept {
    return ref<T*>(const_cast<T*&>(slot)).load(std::memory_order_acquire);
  }
  template <class T>
  static T* address(T* const& slot) noexcept {
#if defined(__x86_64__) && defined(__LP64__) && defined(__GNUC__)
    if constexpr (allows_instructions) {
      T* found;
      asm volatile("{movq %1, %0|mov %0, %1}" : "=r"(found) : "m"(slot));
      return found;
    }
#endif
    return pointer(slot);
  }
  template <class T>
  static void publish(T*& slot, T* value) noexcept {
    ref<T*>(slot).store(value, std::memory_order_release);
  }
};

using atomic_access = shared_access<standard_atomics>;

}  // namespace seen::inline v1
