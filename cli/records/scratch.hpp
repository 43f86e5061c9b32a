// Room for keys that are not bytes of their line as they stand: decoded, unquoted, lowered, hashed.
//
// It grows by blocks and never moves what it gave out, since keys are views. A batch is cut, used and forgotten at once, and
// the next one takes the same blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace seen::cli {

/// Bytes that stay where they are until clear().
class scratch {
 public:
  /// Room for `size` bytes. What keep() does not claim is given out again.
  std::byte* room(std::size_t size) {
    if (size > left_) next_block(size);
    return at_;
  }
  /// Claims the first bytes of the last room; returns where they end.
  void keep(std::size_t size) noexcept {
    at_ += size;
    left_ -= size;
  }
  void clear() noexcept {
    used_ = 0;
    left_ = 0;
  }

 private:
  struct block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };
  static constexpr std::size_t least = std::size_t{256} << 10;

  void next_block(std::size_t size) {
    while (used_ < blocks_.size() && blocks_[used_].size < size)
      blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(used_));
    if (used_ == blocks_.size()) {
      const std::size_t taken = size > least ? size : least;
      blocks_.push_back({std::unique_ptr<std::byte[]>(new std::byte[taken]), taken});
    }
    at_ = blocks_[used_].bytes.get();
    left_ = blocks_[used_].size;
    ++used_;
  }

  std::vector<block> blocks_;
  std::size_t used_ = 0;  // blocks of which something was given out
  std::byte* at_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace seen::cli
