// workspace: memory that is taken piece by piece, given back all at once, and kept for the next time.
//
//   unit of a build   [ digests | scratch ][ shard: solver's arrays ] ──release──► [ next shard's arrays ] …
//
// A build asks for the same tens of megabytes for every shard. Fresh memory costs a page fault for every 4 KiB, a third
// of the time it takes to solve a shard; memory that was used before costs nothing.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/storage/storage.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace seen::inline v1::building {

class workspace {
 public:
  /// A place to go back to.
  struct mark {
    std::size_t block = 0;
    std::size_t used = 0;
  };

  /// Gives back everything, and keeps one block of this many bytes: what is taken from now on comes from it.
  void begin(std::uint64_t bytes) {
    at_ = {};
    if (blocks_.size() == 1 && blocks_[0].size() >= bytes) return;
    blocks_.clear();
    add_block(static_cast<std::size_t>(bytes));
  }

  /// Room for `count` values of a plain type, aligned to a cache line, with unspecified content. Throws
  /// std::bad_alloc.
  template <class T>
  [[nodiscard]] std::span<T> take(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    if (count > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw_error({errc::no_memory, "out of memory"});
    return {reinterpret_cast<T*>(take_bytes(count * sizeof(T))), count};
  }
  /// The same, zeroed.
  template <class T>
  [[nodiscard]] std::span<T> take_zeroed(std::size_t count) {
    const std::span<T> taken = take<T>(count);
    if (!taken.empty()) std::memset(taken.data(), 0, taken.size_bytes());
    return taken;
  }

  [[nodiscard]] mark here() const noexcept { return at_; }
  /// Gives back all that was taken since.
  void release(const mark& m) noexcept { at_ = m; }

 private:
  static constexpr std::size_t least_block = std::size_t{64} << 10, most_block = std::size_t{8} << 20;

  void add_block(std::size_t bytes) {
    auto fresh = storage::allocate(bytes);
    if (!fresh) throw_error({errc::no_memory, "out of memory"});
    blocks_.push_back(std::move(*fresh));
  }

  std::byte* take_bytes(std::size_t bytes) {
    bytes = static_cast<std::size_t>(round_up(bytes, storage::alignment));
    while (at_.block < blocks_.size() && blocks_[at_.block].size() - at_.used < bytes) at_ = {at_.block + 1, 0};
    if (at_.block == blocks_.size()) {
      std::size_t all = 0;
      for (const storage& each : blocks_) all += each.size();
      add_block(std::max({bytes, least_block, std::min(all, most_block)}));
    }
    std::byte* const taken = blocks_[at_.block].data() + at_.used;
    at_.used += bytes;
    return taken;
  }

  std::vector<storage> blocks_;
  mark at_;
};

}  // namespace seen::inline v1::building
