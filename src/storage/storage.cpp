// Where bytes come from: the allocator for small sizes, mappings of the system for large ones, or the program's own; and a refusal that says how much
// memory there is before the system kills the process for it.
#include <seen/base/text.hpp>
#include <seen/storage/allocator.hpp>
#include <seen/storage/pages.hpp>
#include <seen/storage/storage.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace seen::inline v1 {
namespace {

// From here up memory comes straight from mmap: zeroed without being touched, and eligible for huge pages. Below, the
// allocator is faster, but for sizes that fill huge pages nearly by themselves. Two huge pages of x86-64.
constexpr std::size_t mapping_threshold = std::size_t{4} << 20;

// What a mapping of so many bytes takes. A last huge page that is filled to seven eighths is had whole: a table of
// nearly 2 MiB is looked up 3 % faster and built 8 % faster for it (docs/performance.md). A smaller rest lies in small
// pages, since nobody asked for the memory.
std::size_t mapped_size(std::size_t bytes) noexcept {
  const std::size_t rest = bytes % huge_page;
  if (rest >= huge_page / 8 * 7) return bytes - rest + huge_page;
  return static_cast<std::size_t>(round_up(bytes, static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))));
}

bool is_mapped(std::size_t bytes) noexcept {
  return bytes >= mapping_threshold || (bytes >= huge_page / 8 * 7 && mapped_size(bytes) % huge_page == 0);
}

constexpr std::align_val_t cache_line{storage::alignment};

void release_heap(std::byte* data, std::size_t, void*) noexcept {
  ::operator delete(data, cache_line);
}

// `context` is where the mapping really begins: the data starts at the first huge-page boundary inside it.
void release_mapping(std::byte* data, std::size_t size, void* context) noexcept {
  auto* const begin = static_cast<std::byte*>(context);
  ::munmap(begin, static_cast<std::size_t>(data - begin) + mapped_size(size));
}

// What use_allocator was given.
constinit std::atomic<const allocator*> chosen_allocator{nullptr};

// `context` is what the chosen allocator gave. It begins with the function that takes it back; the data starts at the
// first cache line after that.
using give_back = void (*)(void* memory) noexcept;
constexpr std::size_t chosen_overhead = sizeof(give_back) + storage::alignment;

void release_chosen(std::byte*, std::size_t, void* context) noexcept {
  (*static_cast<const give_back*>(context))(context);
}

double physical_memory() noexcept {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// The largest difference of two pointers: 2 GiB on a 32-bit machine, and more memory than any other machine has.
constexpr std::size_t most_bytes = std::numeric_limits<std::ptrdiff_t>::max();

// `reason`: errno of the call that was refused the memory, if one was made.
error no_memory(std::size_t bytes, int reason = 0) {
  if (static_cast<double>(most_bytes) < physical_memory()) {
    return {errc::no_memory,
            "need " + readable_bytes(static_cast<double>(bytes)) + " of memory or more; a program of " +
                std::to_string(8 * sizeof(void*)) + " bits has at most " +
                readable_bytes(static_cast<double>(most_bytes)),
            reason, bytes};
  }
  return {errc::no_memory,
          "need " + readable_bytes(static_cast<double>(bytes)) + " of memory; this machine has " +
              readable_bytes(physical_memory()),
          reason, bytes};
}

}  // namespace

alignas(storage::alignment) constinit const std::array<std::byte, storage::alignment> storage::ones = [] {
  std::array<std::byte, alignment> line{};
  line.fill(std::byte{0xff});
  return line;
}();

result<storage> storage::allocate(std::size_t bytes) {
  if (bytes == 0) return storage();
  // Linux overcommits: a mapping larger than the machine succeeds and kills the process later. Refuse it here.
  if (bytes > most_bytes || static_cast<double>(bytes) > physical_memory()) return no_memory(bytes);
  if (const allocator* const from = chosen_allocator.load(std::memory_order_acquire); from != nullptr) {
    void* const begin = from->allocate(bytes + chosen_overhead);
    if (begin == nullptr) return no_memory(bytes);
    ::new (begin) give_back(from->release);
    const std::uint64_t first = reinterpret_cast<std::uintptr_t>(begin) + sizeof(give_back);
    const std::uint64_t skip = round_up(first, std::uint64_t{alignment}) - reinterpret_cast<std::uintptr_t>(begin);
    return storage(static_cast<std::byte*>(begin) + skip, bytes, release_chosen, begin);
  }
  if (!is_mapped(bytes)) {
    void* const data = ::operator new(bytes, cache_line, std::nothrow);
    if (data == nullptr) return no_memory(bytes);
    std::memset(data, 0, bytes);
    return storage(static_cast<std::byte*>(data), bytes, release_heap, nullptr);
  }
  const std::size_t used = mapped_size(bytes), reserved = used + huge_page;
  void* const begin = ::mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (begin == MAP_FAILED) return no_memory(bytes, errno);
  const auto skip = (huge_page - reinterpret_cast<std::uintptr_t>(begin) % huge_page) % huge_page;
  auto* const data = static_cast<std::byte*>(begin) + skip;
  // Only a hint: without huge pages everything works, with more misses in the TLB.
  (void)::madvise(data, used, MADV_HUGEPAGE);
  // What is left beyond the data is given back; release_mapping then has one exact range.
  if (skip + used < reserved) (void)::munmap(data + used, reserved - skip - used);
  return storage(data, bytes, release_mapping, begin);
}

void use_allocator(const allocator* chosen) noexcept {
  chosen_allocator.store(chosen, std::memory_order_release);
}

storage storage::borrow(std::span<std::byte> bytes) noexcept {
  return {bytes.data(), bytes.size(), nullptr, nullptr};
}

storage storage::adopt(std::span<std::byte> bytes, release_function release, void* context) noexcept {
  return {bytes.data(), bytes.size(), release, context};
}

storage::storage(const storage& other) {
  auto copy = allocate(other.size_);
  if (!copy) throw_error(copy.error());
  if (other.size_ != 0) std::memcpy(copy->data_, other.data_, other.size_);
  swap(*this, *copy);
}

storage::storage(storage&& other) noexcept {
  swap(*this, other);
}

storage& storage::operator=(const storage& other) {
  return *this = storage(other);
}

storage& storage::operator=(storage&& other) noexcept {
  storage taken(std::move(other));
  swap(*this, taken);
  return *this;
}

storage::~storage() {
  if (release_ != nullptr) release_(data_, size_, context_);
}

void swap(storage& a, storage& b) noexcept {
  std::swap(a.data_, b.data_);
  std::swap(a.size_, b.size_);
  std::swap(a.release_, b.release_);
  std::swap(a.context_, b.context_);
}

}  // namespace seen::inline v1
