// The room of building/digest_window.hpp.
#include <seen/building/digest_window.hpp>

#include <new>
#include <utility>

#include "building/digest_sort.hpp"

namespace seen::inline v1::building {

digest_window::digest_window(std::size_t digests) : room_(digests) {
  constexpr std::size_t few = std::size_t{1} << 17;  // 2 MiB with the places to sort with: a large page
  if (digests <= few) {
    few_.reset(new std::uint64_t[2 * digests]);
    words_ = few_.get();
    return;
  }
  auto bytes = storage::allocate(2 * digests * sizeof(std::uint64_t));
  if (!bytes) throw std::bad_alloc();
  many_ = std::move(*bytes);
  words_ = reinterpret_cast<std::uint64_t*>(many_.data());
}

void digest_window::sort(std::size_t n) noexcept {
  sort_digests(first(n), scratch());
}

}  // namespace seen::inline v1::building
