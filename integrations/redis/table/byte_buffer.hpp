// byte_buffer: bytes that come piece by piece. Its memory is the library's, which the server counts, and is never more than twice what has
// come: what a client announces takes none.
#pragma once

#include <seen/base/result.hpp>
#include <seen/storage/storage.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace seen::redis {

class byte_buffer {
 public:
  result<void> append(bytes_view more) {
    if (more.size() > memory_.size() - used_) {
      auto larger = storage::allocate(std::max(2 * memory_.size(), used_ + more.size()));
      if (!larger) return larger.error();
      if (used_ != 0) std::memcpy(larger->data(), memory_.data(), used_);
      memory_ = std::move(*larger);
    }
    if (!more.empty()) std::memcpy(memory_.data() + used_, more.data(), more.size());
    used_ += more.size();
    return {};
  }
  /// Forgets what came after so many bytes.
  void cut(std::size_t size) noexcept { used_ = std::min(used_, size); }
  [[nodiscard]] bytes_view bytes() const noexcept { return memory_.bytes().first(used_); }
  [[nodiscard]] std::size_t size() const noexcept { return used_; }
  [[nodiscard]] std::size_t memory() const noexcept { return memory_.size(); }

 private:
  storage memory_;
  std::size_t used_ = 0;
};

}  // namespace seen::redis
