// A descriptor of the system that closes itself.
#pragma once

#include <unistd.h>
#include <utility>

namespace seen::redis {

class handle {
 public:
  handle() = default;
  explicit handle(int number) noexcept : number_(number) {}
  handle(handle&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  handle& operator=(handle&& other) noexcept {
    if (this != &other) {
      close();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  ~handle() { close(); }

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
  void close() noexcept {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

}  // namespace seen::redis
