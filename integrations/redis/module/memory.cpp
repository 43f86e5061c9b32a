#include "module/memory.hpp"

#include <seen/storage/allocator.hpp>

#include <atomic>
#include <cstring>
#include <sys/mman.h>

#include "module/api.hpp"
#include "table/host.hpp"

namespace seen::redis {
namespace {

std::atomic<std::uint64_t> taken{0};
thread_local const host* call = nullptr;
thread_local defrag_context* moving = nullptr;

// Whether the system has so much now.
bool system_has(std::size_t bytes) noexcept {
  void* const place = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) return false;
  ::munmap(place, bytes);
  return true;
}

// A server ends itself where Calloc finds no memory. TryCalloc, of later ones, returns null. In their stead TryAlloc serves for small sizes; a
// large one would have every page of it touched, which has every client wait for seconds: the system is asked first.
void* allocate(std::size_t bytes) noexcept {
  constexpr std::size_t large = std::size_t{1} << 20;
  if (bytes >= large && call != nullptr && !call->repeats() && !call->affords(bytes)) return nullptr;
  void* memory = nullptr;
  if (api::TryCalloc != nullptr) {
    memory = api::TryCalloc(1, bytes);
  } else if (bytes >= large) {
    if (system_has(bytes + large)) memory = api::Calloc(1, bytes);
  } else {
    memory = api::TryAlloc(bytes);
    if (memory != nullptr) std::memset(memory, 0, bytes);
  }
  if (memory == nullptr) return nullptr;
  if (moving != nullptr) {  // what Calloc has at hand may lie in a hole that is to be left
    if (void* const better = api::DefragAlloc(moving, memory); better != nullptr) memory = better;
  }
  taken += api::MallocSize(memory);
  return memory;
}
void release(void* memory) noexcept {
  taken -= api::MallocSize(memory);
  api::Free(memory);
}

constexpr allocator of_server{allocate, release};

}  // namespace

void take_memory_for(const host* by) noexcept {
  call = by;
}

void take_memory_to_move_to(defrag_context* by) noexcept {
  moving = by;
}

void take_memory_from_server() noexcept {
  use_allocator(&of_server);
}

std::uint64_t memory_taken() noexcept {
  return taken;
}

}  // namespace seen::redis
