#include "support/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <malloc.h>
#include <new>

namespace {

std::atomic<std::uint64_t> calls{0};
std::atomic<std::uint64_t> heap_now{0};  // bytes
std::atomic<std::uint64_t> heap_peak{0};

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
std::atomic<std::uint64_t> fail_from{never};  // the call number
std::atomic<std::uint64_t> fail_to{never};
std::atomic<bool> failed{false};

void* counted(std::size_t size, std::size_t alignment) noexcept {
  const std::uint64_t call = calls.fetch_add(1, std::memory_order_relaxed);
  if (call >= fail_from.load(std::memory_order_relaxed) && call <= fail_to.load(std::memory_order_relaxed)) {
    failed.store(true, std::memory_order_relaxed);
    return nullptr;
  }
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) return nullptr;
  const std::uint64_t used = ::malloc_usable_size(memory);
  const std::uint64_t now = heap_now.fetch_add(used, std::memory_order_relaxed) + used;
  std::uint64_t most = heap_peak.load(std::memory_order_relaxed);
  while (now > most && !heap_peak.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
  }
  return memory;
}

void give_back(void* memory) noexcept {
  if (memory == nullptr) return;
  heap_now.fetch_sub(::malloc_usable_size(memory), std::memory_order_relaxed);
  std::free(memory);
}

void* counted_or_throw(std::size_t size, std::size_t alignment) {
  void* const memory = counted(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

constexpr std::size_t usual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

}  // namespace

namespace seen::testing {

std::uint64_t allocations() noexcept {
  return calls.load(std::memory_order_relaxed);
}

std::uint64_t heap_bytes() noexcept {
  return heap_now.load(std::memory_order_relaxed);
}

heap_watch::heap_watch() noexcept : at_begin_(heap_now.load()) {
  heap_peak.store(at_begin_);
}

std::uint64_t heap_watch::peak() const noexcept {
  return heap_peak.load() - at_begin_;
}

failing_allocations::failing_allocations(std::uint64_t countdown, mode how) noexcept {
  failed.store(false);
  const std::uint64_t first = calls.load() + countdown;
  fail_to.store(how == mode::once ? first : never);
  fail_from.store(first);
}

failing_allocations::~failing_allocations() {
  fail_from.store(never);
}

bool failing_allocations::happened() noexcept {
  return failed.load();
}

}  // namespace seen::testing

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
  give_back(memory);
}
void operator delete[](void* memory) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  give_back(memory);
}
