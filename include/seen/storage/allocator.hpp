// Where storage::allocate takes its memory, for programs that have an allocator of their own and count what it gives out.
//
//   static const seen::allocator mine{my_calloc, my_free};
//   seen::use_allocator(&mine);          // before the first filter is made
//
// Large filters then lie where the allocator puts them: huge pages are its business.
#pragma once

#include <cstddef>

namespace seen::inline v1 {

/// A pair of functions that take memory and give it back. Several threads may call them at once.
struct allocator {
  void* (*allocate)(std::size_t bytes) noexcept;  ///< zeroed; null where there is none
  void (*release)(void* memory) noexcept;
};

/// From now on all storage comes from `chosen`, which stays for the rest of the program; null: from the system. What was
/// allocated before is given back to where it came from.
void use_allocator(const allocator* chosen) noexcept;

}  // namespace seen::inline v1
