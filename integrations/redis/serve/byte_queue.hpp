// byte_queue: bytes that come in at the end and leave at the front, in one piece of memory that is charged to a budget.
//
//   room_ ─► [ gone | bytes() | free ]      it doubles when it is full, and is given back when it is empty
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "serve/limits.hpp"

namespace seen::redis {

class byte_queue {
 public:
  explicit byte_queue(budget& charged) noexcept : charged_(&charged) {}
  byte_queue(const byte_queue&) = delete;
  byte_queue& operator=(const byte_queue&) = delete;
  ~byte_queue() { charged_->give_back(capacity_); }

  [[nodiscard]] std::string_view bytes() const noexcept { return {room_.get() + begin_, end_ - begin_}; }
  [[nodiscard]] std::size_t size() const noexcept { return end_ - begin_; }
  [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }

  /// Room for at least so many more bytes; empty where the budget or the machine has none.
  [[nodiscard]] std::span<char> free_room(std::size_t least) noexcept {
    if (capacity_ - end_ < least && !make_room(least)) return {};
    return {room_.get() + end_, capacity_ - end_};
  }
  /// So many bytes of the free room have been written.
  void grow(std::size_t written) noexcept { end_ += written; }

  /// Drops bytes at the front.
  void drop(std::size_t count) noexcept {
    begin_ += count;
    if (begin_ == end_) begin_ = end_ = 0;
  }
  /// Drops all bytes but the first ones.
  void cut(std::size_t count) noexcept { end_ = begin_ + count; }
  /// Gives memory back, if there is nothing in it and it is much.
  void rest() noexcept {
    if (!empty() || capacity_ <= least_room) return;
    charged_->give_back(std::exchange(capacity_, 0));
    room_.reset();
    begin_ = end_ = 0;
  }

 private:
  static constexpr std::size_t least_room = std::size_t{16} << 10;

  bool make_room(std::size_t least) noexcept {
    const std::size_t count = size();
    if (begin_ >= count && capacity_ - count >= least && begin_ != 0) {  // moving it is cheap
      std::memmove(room_.get(), room_.get() + begin_, count);
    } else {
      const std::size_t wanted = std::max({least_room, 2 * count, count + least});
      // A client that needs little gets it, whatever others have taken; how many clients there are is limited, too.
      if (wanted <= least_room) {
        charged_->charge(wanted);
      } else if (!charged_->take(wanted)) {
        return false;
      }
      std::unique_ptr<char[]> bigger(new (std::nothrow) char[wanted]);
      if (bigger == nullptr) {
        charged_->give_back(wanted);
        return false;
      }
      if (count != 0) std::memcpy(bigger.get(), room_.get() + begin_, count);
      room_ = std::move(bigger);
      charged_->give_back(std::exchange(capacity_, wanted));
    }
    begin_ = 0;
    end_ = count;
    return true;
  }

  budget* charged_;
  std::unique_ptr<char[]> room_;
  std::size_t capacity_ = 0, begin_ = 0, end_ = 0;
};

}  // namespace seen::redis
