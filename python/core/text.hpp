// The UTF-8 bytes of a text, made of its code points.
//
// CPython's own PyUnicode_AsUTF8AndSize leaves them in the str for as long as that lives: asking for a million texts that are
// not ASCII would make the caller's memory larger by as many copies. Here they go where the caller wants them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nanobind/nanobind.h>

namespace seen_python {

/// Writes the UTF-8 bytes of `count` code points, point(i) each, to `out`, which has room. Returns the end, or null where one is
/// no character: a surrogate, or beyond 0x10ffff.
template <class Point>
[[nodiscard]] std::byte* encode(Point point, std::size_t count, std::byte* out) noexcept {
  const auto put = [&](std::uint32_t byte) { *out++ = static_cast<std::byte>(byte); };
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t c = point(i);
    const auto tail = [&](unsigned shift) { put(0x80 | (c >> shift & 0x3f)); };
    if (c < 0x80) {
      put(c);
    } else if (c < 0x800) {
      put(0xc0 | c >> 6), tail(0);
    } else if (c < 0x10000) {
      if (c >= 0xd800 && c < 0xe000) return nullptr;
      put(0xe0 | c >> 12), tail(6), tail(0);
    } else {
      if (c > 0x10ffff) return nullptr;
      put(0xf0 | c >> 18), tail(12), tail(6), tail(0);
    }
  }
  return out;
}

/// A str that is read by its code points.
class text_of {
 public:
  /// `o` is a str. Raises where memory for it is not to be had.
  explicit text_of(PyObject* o) {
#if PY_VERSION_HEX < 0x030c0000
    if (PyUnicode_READY(o) != 0) throw nanobind::python_error();
#endif
    data_ = PyUnicode_DATA(o);
    length_ = static_cast<std::size_t>(PyUnicode_GET_LENGTH(o));
    unit_ = PyUnicode_KIND(o);
    is_ascii_ = PyUnicode_IS_ASCII(o) != 0;
  }

  /// Whether its bytes are its UTF-8 form already.
  [[nodiscard]] bool is_ascii() const noexcept {
    return is_ascii_;
  }
  [[nodiscard]] const std::byte* data() const noexcept {
    return static_cast<const std::byte*>(data_);
  }
  [[nodiscard]] std::size_t length() const noexcept {
    return length_;
  }
  /// At least as many bytes as it takes.
  [[nodiscard]] std::size_t most_bytes() const noexcept {
    return length_ * (unit_ == 1 ? 2 : unit_ == 2 ? 3 : 4);
  }
  /// Writes them to `out`; returns the end, or null.
  [[nodiscard]] std::byte* encode_to(std::byte* out) const noexcept {
    if (unit_ == 1)
      return encode([p = static_cast<const Py_UCS1*>(data_)](std::size_t i) { return p[i]; }, length_, out);
    if (unit_ == 2)
      return encode([p = static_cast<const Py_UCS2*>(data_)](std::size_t i) { return p[i]; }, length_, out);
    return encode([p = static_cast<const Py_UCS4*>(data_)](std::size_t i) { return p[i]; }, length_, out);
  }

 private:
  const void* data_;
  std::size_t length_;
  unsigned unit_;
  bool is_ascii_;
};

}  // namespace seen_python
