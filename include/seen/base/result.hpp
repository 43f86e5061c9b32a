// result<T>: a value, or the reason there is none.
//
// The member names are std::expected's (C++23), which clang 14 does not have; the error type is fixed.
//
//   auto f = seen::load<seen::bloom>("visited.seen");
//   if (!f) return f.error();          // an error converts to any result<U>
//   f->add("carol");
//   f.value();                         // throws bad_result instead
#pragma once

#include <seen/base/error.hpp>

#include <cassert>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace seen::inline v1 {

/// Thrown by result<T>::value() when there is no value; carries the error.
class bad_result : public std::exception {
 public:
  explicit bad_result(seen::error e) : error_(std::move(e)) {}
  [[nodiscard]] const char* what() const noexcept override { return error_.detail.c_str(); }
  [[nodiscard]] const seen::error& error() const noexcept { return error_; }

 private:
  seen::error error_;
};

[[noreturn]] void throw_bad_result(const error& e);

/// A value of type T, or the error that prevented it.
template <class T>
class [[nodiscard]] result {
 public:
  using value_type = T;

  result(T value) : value_(std::move(value)) {}
  result(seen::error e) : error_(std::move(e)) {}
  result(errc code, std::string detail, int system = 0) : result(seen::error{code, std::move(detail), system}) {}

  [[nodiscard]] bool has_value() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] T& operator*() & noexcept { return assert(value_), *value_; }
  [[nodiscard]] const T& operator*() const& noexcept { return assert(value_), *value_; }
  [[nodiscard]] T&& operator*() && noexcept { return assert(value_), std::move(*value_); }
  [[nodiscard]] T* operator->() noexcept { return assert(value_), &*value_; }
  [[nodiscard]] const T* operator->() const noexcept { return assert(value_), &*value_; }

  /// The value, or throws bad_result.
  [[nodiscard]] T& value() & { return check(), *value_; }
  [[nodiscard]] const T& value() const& { return check(), *value_; }
  [[nodiscard]] T&& value() && { return check(), std::move(*value_); }

  /// The error; only when there is no value.
  [[nodiscard]] const seen::error& error() const noexcept {
    assert(!has_value());
    return error_;
  }

 private:
  void check() const {
    if (!value_) throw_bad_result(error_);
  }

  // Side by side, not a variant: an empty error costs nothing to make, and a variant of every type takes long to compile.
  std::optional<T> value_;
  seen::error error_;
};

/// Success, or the error that prevented it.
template <>
class [[nodiscard]] result<void> {
 public:
  using value_type = void;

  result() = default;
  result(seen::error e) : error_(std::move(e)) {}
  result(errc code, std::string detail, int system = 0) : result(seen::error{code, std::move(detail), system}) {}

  [[nodiscard]] bool has_value() const noexcept { return !error_; }
  explicit operator bool() const noexcept { return has_value(); }
  void operator*() const noexcept { assert(has_value()); }

  /// Nothing, or throws bad_result.
  void value() const {
    if (error_) throw_bad_result(*error_);
  }
  [[nodiscard]] const seen::error& error() const noexcept {
    assert(error_);
    return *error_;
  }

 private:
  std::optional<seen::error> error_;
};

/// The value, or throws what a constructor throws for the error (throw_error).
template <class T>
[[nodiscard]] T or_throw(result<T> made) {
  if (!made) throw_error(made.error());
  return std::move(*made);
}

/// Calls a function that returns a result; memory that runs out inside it, or a kind that cannot grow any further, is an
/// error like any other. In a program without exceptions (-fno-exceptions) such a failure ends the program.
template <class Use>
auto or_no_memory(Use use) -> decltype(use()) {
#ifndef __cpp_exceptions
  return use();
#else
  try {
    return use();
  } catch (const std::bad_alloc&) {
    return current_error();
  } catch (const std::length_error&) {
    return current_error();
  }
#endif
}

}  // namespace seen::inline v1
