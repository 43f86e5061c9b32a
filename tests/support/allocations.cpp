#include "support/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> calls{0};

void* counted(std::size_t size, std::size_t alignment) noexcept {
  calls.fetch_add(1, std::memory_order_relaxed);
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
}

void* counted_or_throw(std::size_t size, std::size_t alignment) {
  void* const memory = counted(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

constexpr std::size_t usual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

}  // namespace

std::uint64_t seen::testing::allocations() noexcept {
  return calls.load(std::memory_order_relaxed);
}

void* operator new(std::size_t size) {
  return counted_or_throw(size, usual);
}
void* operator new[](std::size_t size) {
  return counted_or_throw(size, usual);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size, usual);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size, usual);
}
void* operator new(std::size_t size, std::align_val_t at) {
  return counted_or_throw(size, static_cast<std::size_t>(at));
}
void* operator new[](std::size_t size, std::align_val_t at) {
  return counted_or_throw(size, static_cast<std::size_t>(at));
}
void* operator new(std::size_t size, std::align_val_t at, const std::nothrow_t&) noexcept {
  return counted(size, static_cast<std::size_t>(at));
}
void* operator new[](std::size_t size, std::align_val_t at, const std::nothrow_t&) noexcept {
  return counted(size, static_cast<std::size_t>(at));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
