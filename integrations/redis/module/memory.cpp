#include "module/memory.hpp"

#include <seen/storage/allocator.hpp>

#include <atomic>
#include <cstring>

#include "module/api.hpp"

namespace seen::redis {
namespace {

std::atomic<std::uint64_t> taken{0};

// The server ends itself where its other functions find no memory; these return null.
void* allocate(std::size_t bytes) noexcept {
  void* memory = nullptr;
  if (api::TryCalloc != nullptr) {
    memory = api::TryCalloc(1, bytes);
  } else {
    memory = api::TryAlloc(bytes);
    if (memory != nullptr) std::memset(memory, 0, bytes);
  }
  if (memory != nullptr) taken += api::MallocSize(memory);
  return memory;
}
void release(void* memory) noexcept {
  taken -= api::MallocSize(memory);
  api::Free(memory);
}

constexpr allocator of_server{allocate, release};

}  // namespace

void take_memory_from_server() noexcept {
  use_allocator(&of_server);
}

std::uint64_t memory_taken() noexcept {
  return taken;
}

}  // namespace seen::redis
