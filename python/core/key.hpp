// One Python object as the bytes of a key.
//
//   str                            its UTF-8 bytes (a lone surrogate: UnicodeEncodeError)
//   bytes, bytearray, memoryview   its bytes; numpy.void likewise
//   int, numpy integers            8 little-endian bytes of the 64-bit value; beyond [-2^63, 2^64): OverflowError
//   bool, float, None, …           TypeError: guessing would be wrong for somebody
//
// Python's hash() is nowhere: it differs between processes. Nothing is left behind in the object (text.hpp).
#pragma once

#include <seen/base/bits.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nanobind/nanobind.h>
#include <string>

namespace seen_python {

namespace nb = nanobind;

/// A key's bytes. They live as long as both this and the Python object do, also while other Python code runs: what could
/// be resized meanwhile is held by its buffer.
class single_key {
 public:
  /// Raises TypeError or OverflowError for what is not a key. `which` begins the message: "key 7: " of many, nothing of one.
  /// Needs the GIL, as the destructor does.
  explicit single_key(nb::handle key, const std::string& which = "");
  ~single_key();
  single_key(const single_key&) = delete;
  single_key& operator=(const single_key&) = delete;

  [[nodiscard]] seen::bytes_view bytes() const noexcept { return bytes_; }

 private:
  void take_text(nb::handle key, const std::string& which);
  void take_integer(nb::handle key, const std::string& which);
  bool take_buffer(nb::handle key, const std::string& which);

  seen::bytes_view bytes_;
  std::array<std::byte, 8> integer_;
  std::array<std::byte, 192> encoded_;  // of a text that is not ASCII, or
  std::unique_ptr<std::byte[]> long_encoded_;
  bool has_buffer_ = false;
  Py_buffer buffer_;     // if so
  nb::object gathered_;  // the bytes of a memoryview in which they lie apart
};

/// The value of an int, where it is one of exactly that type and has 64 bits, signed.
[[nodiscard]] inline bool is_small_integer(PyObject* o, std::uint64_t& value) noexcept {
  if (!PyLong_CheckExact(o)) return false;
  int overflow = 0;
  value = static_cast<std::uint64_t>(PyLong_AsLongLongAndOverflow(o, &overflow));
  return overflow == 0;
}

/// Whether a str is one of exactly that type whose bytes are ASCII, so that they are its UTF-8 form.
[[nodiscard]] inline bool is_plain_text(PyObject* o) noexcept {
  return PyUnicode_CheckExact(o) && PyUnicode_IS_COMPACT_ASCII(o);
}
[[nodiscard]] inline seen::bytes_view plain_text(PyObject* o) noexcept {
  return {static_cast<const std::byte*>(PyUnicode_DATA(o)), static_cast<std::size_t>(PyUnicode_GET_LENGTH(o))};
}

/// use(bytes) of a key. Most keys are text in ASCII or small integers, and nothing has to be made of those.
template <class Use>
auto with_key(nb::handle key, Use use) {
  PyObject* const o = key.ptr();
  if (is_plain_text(o)) return use(plain_text(o));
  if (std::uint64_t value = 0; is_small_integer(o, value)) {
    std::array<std::byte, 8> bytes;
    seen::store_le(bytes.data(), value);
    return use(seen::bytes_view(bytes));
  }
  const single_key held(key);
  return use(held.bytes());
}

}  // namespace seen_python
