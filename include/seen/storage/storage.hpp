// storage: who owns the bytes of a filter.
//
//   storage::allocate(n)   zeroed memory of our own: 64-byte aligned, huge pages asked for from 4 MiB up, and
//                         where they are filled to seven eighths
//   storage::borrow(span)  the caller's bytes, for as long as the caller keeps them
//   storage::adopt(…)      bytes with a release function: mapped files come through here (storage/file.hpp)
//
// No bytes, which is what a moved-from storage and one made by default have, are a size of 0 and an address that may be
// read: a cache line of ones. So an engine that was moved from finds every bit it looks for, and says yes, without
// asking on the way of each key whether it has bytes. The line is a constant: whoever writes has to ask first.
//
// Ownership is a run-time value, not a template parameter: an engine over a mapped file is the same type, the same code
// and the same bytes as one over the heap. Whether the bytes may be written is a question for the types above
// (frozen<F> hands out only const filters).
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace seen::inline v1 {

/// Owns, maps or borrows a span of bytes; moving hands it on, copying allocates.
class storage {
 public:
  /// Every allocation begins on such a boundary: one cache line, and the widest vector register.
  static constexpr std::size_t alignment = 64;

  /// Gives the bytes back; `context` is whatever adopt() was given.
  using release_function = void (*)(std::byte* data, std::size_t size, void* context) noexcept;

  storage() noexcept = default;
  storage(const storage& other);
  storage(storage&& other) noexcept;
  // Two, and not one that takes its argument by value: clang would take the defaulted assignment of an engine for
  // noexcept then, and a copy that finds no memory would end the program.
  storage& operator=(const storage& other);
  storage& operator=(storage&& other) noexcept;
  ~storage();

  /// Zeroed bytes; errc::no_memory says how much was asked for and how much the machine has.
  static result<storage> allocate(std::size_t bytes);
  /// The caller's bytes; they must outlive the storage.
  static storage borrow(std::span<std::byte> bytes) noexcept;
  /// Bytes that `release` gives back when the storage dies.
  static storage adopt(std::span<std::byte> bytes, release_function release, void* context) noexcept;

  [[nodiscard]] std::byte* data() noexcept { return data_; }
  [[nodiscard]] const std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<std::byte> bytes() noexcept { return {data_, size_}; }
  [[nodiscard]] bytes_view bytes() const noexcept { return {data_, size_}; }

  friend void swap(storage& a, storage& b) noexcept;

  /// data(), read as `Access` reads an address that another thread may replace.
  template <class Access>
  [[nodiscard]] std::byte* data_as() const noexcept {
    return Access::address(data_);
  }
  /// Puts `fresh` (of the same size) in place and leaves the old bytes in it; readers through data_as see one or the
  /// other.
  template <class Access>
  void replace_with(storage& fresh) noexcept {
    std::byte* const incoming = fresh.data_;
    fresh.data_ = data_;
    Access::publish(data_, incoming);
    std::swap(release_, fresh.release_);
    std::swap(context_, fresh.context_);
  }

 private:
  storage(std::byte* data, std::size_t size, release_function release, void* context) noexcept
      : data_(data), size_(size), release_(release), context_(context) {}

  /// What there is to read where there are no bytes.
  alignas(alignment) static const std::array<std::byte, alignment> ones;

  std::byte* data_ = const_cast<std::byte*>(ones.data());
  std::size_t size_ = 0;
  release_function release_ = nullptr;  // null: borrowed, or nothing to give back
  void* context_ = nullptr;
};

}  // namespace seen::inline v1
