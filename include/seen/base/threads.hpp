// Threads: how many a call may take, running the pieces of a build on several of them, and locks for filters that they share.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace seen::inline v1 {

/// Asks a call to work on several threads: `f.add_many(keys, seen::parallel{.threads = 8})`. The filter that comes out
/// is the same, byte for byte, for any number of them. (A cuckoo filter that ran full on the way holds the same keys, perhaps
/// in other slots.)
struct parallel {
  unsigned threads = 0;  ///< 0: as many as there are processors
};

namespace detail {

/// Processors there are, where `asked` is 0; else `asked`, but not many times as many as there are.
[[nodiscard]] unsigned threads_for(unsigned asked) noexcept;

/// Something that can be called with an index, by reference: nothing is copied or allocated.
class index_function {
 public:
  template <class F>
  index_function(F&& function) noexcept requires(!std::same_as<std::remove_cvref_t<F>, index_function>)
      : object_(const_cast<void*>(static_cast<const void*>(&function))), call_([](void* object, std::size_t i) -> bool {
          return (*static_cast<std::remove_reference_t<F>*>(object))(i);
        }) {}
  bool operator()(std::size_t i) const { return call_(object_, i); }

 private:
  void* object_;
  bool (*call_)(void*, std::size_t);
};

/// Calls use(i) once for every i below `count`, on at most `threads` threads, beginning with the lowest; once a call
/// has returned false no other begins. An exception of a call is thrown here, and nothing else: where there is no
/// memory for threads, there are fewer.
void for_each_index(std::size_t count, unsigned threads, index_function use);

// A fixed set of locks shared by all filters, picked by a 64-bit value.
//
// Filters stay small and movable because none of them holds a mutex; two filters that meet on one stripe only wait a
// little longer. Used where a promise needs exclusion (test_and_add_exclusive, reset), never by add or may_contain. The
// locks live in the compiled library, so that all parts of a program share them.

/// Holds the stripe that a value falls on, as long as it lives.
class [[nodiscard]] stripe_lock {
 public:
  explicit stripe_lock(std::uint64_t value);
  ~stripe_lock();
  stripe_lock(const stripe_lock&) = delete;
  stripe_lock& operator=(const stripe_lock&) = delete;

 private:
  void* mutex_;  // a std::mutex, whose header is not for everyone to compile
};

}  // namespace detail
}  // namespace seen::inline v1
