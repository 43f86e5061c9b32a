// taken<T>: a value that becomes T{} when it is moved from.
//
// It lets an engine keep the rule of zero: the default move takes bytes and shape together, and what is left behind has
// no bytes and no probes, so that every call on a moved-from filter is harmless.
#pragma once

#include <utility>

namespace seen::inline v1::detail {

template <class T>
class taken {
 public:
  taken() = default;
  taken(const T& value) : value_(value) {}
  taken(const taken&) = default;
  taken(taken&& other) noexcept : value_(std::exchange(other.value_, T{})) {}
  taken& operator=(const taken&) = default;
  taken& operator=(taken&& other) noexcept {
    value_ = std::exchange(other.value_, T{});
    return *this;
  }
  ~taken() = default;

  const T& operator*() const noexcept { return value_; }
  const T* operator->() const noexcept { return &value_; }

 private:
  T value_{};
};

}  // namespace seen::inline v1::detail
