// One Python object as the bytes of a key.
//
//   str                            its UTF-8 bytes (a lone surrogate: UnicodeEncodeError)
//   bytes, bytearray, memoryview   its bytes; numpy.void likewise
//   int, numpy integers            8 little-endian bytes of the 64-bit value; beyond [-2^63, 2^64): OverflowError
//   bool, float, None, …           TypeError: guessing would be wrong for somebody
//
// Python's hash() is nowhere: it differs between processes.
#pragma once

#include <seen/base/bits.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <nanobind/nanobind.h>

namespace seen_python {

namespace nb = nanobind;

/// A key's bytes. They live as long as both this and the Python object do, also while other Python code runs: what could
/// be resized meanwhile is held by its buffer.
class single_key {
 public:
  /// Raises TypeError or OverflowError for what is not a key. Needs the GIL, as the destructor does.
  explicit single_key(nb::handle key);
  ~single_key();
  single_key(const single_key&) = delete;
  single_key& operator=(const single_key&) = delete;

  [[nodiscard]] seen::bytes_view bytes() const noexcept { return bytes_; }

 private:
  void take_integer(nb::handle key);
  bool take_buffer(nb::handle key);

  seen::bytes_view bytes_;
  std::array<std::byte, 8> integer_;
  Py_buffer buffer_{};   // obj is null while there is none
  nb::object gathered_;  // the bytes of a memoryview in which they lie apart
};

}  // namespace seen_python
