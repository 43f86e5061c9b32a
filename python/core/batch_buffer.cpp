// Keys of numpy arrays, and of whatever else has the buffer protocol.
//
//   format         numpy       a key is
//   b B h H …      integers    the value, sign-extended where it has a sign; either byte order, any stride
//   5s             'S5'        the bytes without trailing NULs: numpy drops them from the element, so `in` never sees them
//   5w             'U5'        the UTF-8 bytes of the text without trailing NULs, for the same reason
//   5x             'V5'        all the bytes
//   O              object      left to the iterable way, as is what cannot be a buffer (dates)
//   ? f d T{…}                 refused, unless there is not one: an array of length 0 is no keys
//
// Items of 1 byte are integers in arrays only: a memoryview, a mapped file or whatever else owns bytes is not a batch.
// Of masked arrays only those are taken in which nothing is masked.
#include <seen/base/bits.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "batch.hpp"
#include "errors.hpp"
#include "text.hpp"

namespace seen_python {
namespace {

// Gives a buffer back.
struct release_buffer {
  void operator()(Py_buffer* buffer) const noexcept {
    PyBuffer_Release(buffer);
    delete buffer;
  }
};

// A buffer of 1 dimension. The struct stays where it was filled: shape and strides may point into it.
class held_buffer {
 public:
  explicit held_buffer(std::unique_ptr<Py_buffer, release_buffer> buffer) : buffer_(std::move(buffer)) {}

  [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(buffer_->shape[0]); }
  [[nodiscard]] std::size_t item_bytes() const noexcept { return static_cast<std::size_t>(buffer_->itemsize); }
  [[nodiscard]] bool is_dense() const noexcept { return stride() == buffer_->itemsize; }
  [[nodiscard]] const std::byte* at(std::size_t i) const noexcept {
    return static_cast<const std::byte*>(buffer_->buf) + static_cast<Py_ssize_t>(i) * stride();
  }

 private:
  // An owner may leave the strides out where items lie beside each other, as ctypes does.
  [[nodiscard]] Py_ssize_t stride() const noexcept {
    return buffer_->strides == nullptr ? buffer_->itemsize : buffer_->strides[0];
  }

  std::unique_ptr<Py_buffer, release_buffer> buffer_;
};

class buffer_source : public key_source {
 public:
  explicit buffer_source(held_buffer buffer) : buffer_(std::move(buffer)) {}
  [[nodiscard]] std::optional<std::size_t> size() const override { return buffer_.size(); }

 protected:
  // The next `most` keys, or what is left: where they begin, and how many.
  struct part {
    std::size_t first, count;
  };
  part advance(std::size_t most) {
    const part taken{done_, std::min(most, buffer_.size() - done_)};
    done_ += taken.count;
    return taken;
  }

  held_buffer buffer_;

 private:
  std::size_t done_ = 0;
};

// 64-bit integers beside each other in this machine's order: nothing to convert.
class dense_integers final : public buffer_source {
 public:
  using buffer_source::buffer_source;
  tile next(std::size_t most) override {
    const part taken = advance(most);
    return {.integers = {reinterpret_cast<const std::uint64_t*>(buffer_.at(taken.first)), taken.count}};
  }
};

template <class Integer>
class converted_integers final : public buffer_source {
 public:
  converted_integers(held_buffer buffer, bool swapped) : buffer_source(std::move(buffer)), swapped_(swapped) {}

  tile next(std::size_t most) override {
    const part taken = advance(std::min(most, tile_keys));
    values_.resize(taken.count);
    for (std::size_t i = 0; i < taken.count; ++i) {
      Integer value;
      std::memcpy(&value, buffer_.at(taken.first + i), sizeof value);
      if (swapped_) value = reversed(value);
      values_[i] = static_cast<std::uint64_t>(value);  // sign-extends signed types
    }
    return {.integers = values_};
  }

 private:
  static Integer reversed(Integer value) noexcept {
    auto bytes = std::bit_cast<std::array<std::byte, sizeof(Integer)>>(value);
    std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<Integer>(bytes);
  }

  std::vector<std::uint64_t> values_;
  bool swapped_;
};

class fixed_bytes final : public buffer_source {
 public:
  fixed_bytes(held_buffer buffer, bool stripped) : buffer_source(std::move(buffer)), stripped_(stripped) {}

  tile next(std::size_t most) override {
    const part taken = advance(std::min(most, tile_keys));
    views_.resize(taken.count);
    for (std::size_t i = 0; i < taken.count; ++i) {
      const std::byte* const item = buffer_.at(taken.first + i);
      std::size_t length = buffer_.item_bytes();
      while (stripped_ && length > 0 && item[length - 1] == std::byte{0}) --length;
      views_[i] = {item, length};
    }
    return {.bytes = views_};
  }

 private:
  std::vector<seen::bytes_view> views_;
  bool stripped_;
};

class fixed_text final : public buffer_source {
 public:
  fixed_text(held_buffer buffer, bool swapped) : buffer_source(std::move(buffer)), swapped_(swapped) {}

  tile next(std::size_t most) override {
    raised_.rethrow();
    const part taken = advance(std::min(most, tile_keys));
    arena_.clear();
    raised_.try_call([&] {
      for (std::size_t i = 0; i < taken.count; ++i) take(taken.first + i);
      return true;
    });
    const auto views = arena_.views();
    if (views.empty()) raised_.rethrow();
    return {.bytes = views};
  }

 private:
  // Code points of this machine's order beside each other are read as they lie. Most texts are ASCII: four of their code points
  // are checked and narrowed at a time.
  void take(std::size_t index) {
    const std::byte* const item = buffer_.at(index);
    std::size_t length = buffer_.item_bytes() / 4;
    while (length > 0 && load<std::uint32_t>(item, length - 1) == 0) --length;
    std::byte* const to = arena_.room(4 * length);
    std::size_t plain = 0;
    if (!swapped_) {
      for (; plain + 4 <= length; plain += 4) {
        const auto low = load<std::uint64_t>(item, plain / 2), high = load<std::uint64_t>(item, plain / 2 + 1);
        if (((low | high) & 0xffff'ff80'ffff'ff80) != 0) break;
        const std::uint64_t both = low | high << 16;  // bytes 0, 2, 4 and 6 are the four, in the order 0 2 1 3
        to[plain] = static_cast<std::byte>(both);
        to[plain + 1] = static_cast<std::byte>(both >> 32);
        to[plain + 2] = static_cast<std::byte>(both >> 16);
        to[plain + 3] = static_cast<std::byte>(both >> 48);
      }
    }
    const auto point = [&](std::size_t i) {
      const auto there = load<std::uint32_t>(item, plain + i);
      return swapped_ ? __builtin_bswap32(there) : there;
    };
    const std::byte* const end = encode(point, length - plain, to + plain);
    if (end == nullptr) throw bad_key(index, "is not valid Unicode: it has no UTF-8 form");
    arena_.end_at(end);
  }

  // Number `i` of the units from here on, which may lie at any address.
  template <class Unit>
  static Unit load(const std::byte* from, std::size_t i) noexcept {
    Unit value;
    std::memcpy(&value, from + i * sizeof value, sizeof value);
    return value;
  }

  key_arena arena_;
  kept_exception raised_;
  bool swapped_;
};

template <class Signed, class Unsigned>
std::unique_ptr<key_source> integers(held_buffer buffer, bool is_signed, bool swapped) {
  const bool as_they_are = sizeof(Unsigned) == 8 && !swapped && buffer.is_dense() &&
                           reinterpret_cast<std::uintptr_t>(buffer.at(0)) % alignof(std::uint64_t) == 0;
  if (as_they_are) return std::make_unique<dense_integers>(std::move(buffer));
  if (is_signed) return std::make_unique<converted_integers<Signed>>(std::move(buffer), swapped);
  return std::make_unique<converted_integers<Unsigned>>(std::move(buffer), swapped);
}

std::unique_ptr<key_source> integers(held_buffer buffer, bool is_signed, bool swapped) {
  switch (buffer.item_bytes()) {
    case 1:
      return integers<std::int8_t, std::uint8_t>(std::move(buffer), is_signed, swapped);
    case 2:
      return integers<std::int16_t, std::uint16_t>(std::move(buffer), is_signed, swapped);
    case 4:
      return integers<std::int32_t, std::uint32_t>(std::move(buffer), is_signed, swapped);
    case 8:
      return integers<std::int64_t, std::uint64_t>(std::move(buffer), is_signed, swapped);
    default:
      return nullptr;
  }
}

// "<5w": byte order, a count, a letter.
struct item_format {
  bool swapped = false;
  char letter = 0;  // 0: something else
};

item_format format_of(const char* text) {
  std::string_view rest = text == nullptr ? "B" : text;
  item_format parsed;
  if (!rest.empty() && std::string_view("@=<>!").find(rest.front()) != rest.npos) {
    const bool big = rest.front() == '>' || rest.front() == '!';
    const bool native = rest.front() == '@' || rest.front() == '=';
    parsed.swapped = !native && big != (std::endian::native == std::endian::big);
    rest.remove_prefix(1);
  }
  const auto letter = std::min(rest.find_first_not_of("0123456789"), rest.size());
  const bool counted = letter > 0;
  if (rest.size() == letter + 1) parsed.letter = rest[letter];
  // A count belongs to bytes and text; "2i" would be two integers in one item.
  if (counted && std::string_view("swx").find(parsed.letter) == std::string_view::npos) parsed.letter = 0;
  return parsed;
}

// Whether an object is of a type of a module, which has been imported if there is one.
bool is_a(nb::handle object, const char* module, const char* type) {
  const nb::object there = nb::module_::import_("sys").attr("modules").attr("get")(module);
  return !there.is_none() && nb::isinstance(object, there.attr(type));
}

// A masked array's buffer has values where the mask says that there are none.
void refuse_masked(nb::handle array) {
  if (!nb::cast<bool>(nb::module_::import_("numpy.ma").attr("is_masked")(array))) return;
  throw nb::type_error("keys: some of this array are masked, and no keys; its compressed() holds the others");
}

}  // namespace

std::unique_ptr<key_source> buffer_keys(nb::handle keys) {
  if (PyObject_CheckBuffer(keys.ptr()) == 0) return nullptr;
  const bool is_numpy = is_a(keys, "numpy", "ndarray");
  if (is_numpy && !keys.type().is(nb::module_::import_("numpy").attr("ndarray"))) refuse_masked(keys);
  auto filled = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(keys.ptr(), filled.get(), PyBUF_FORMAT | PyBUF_STRIDES) != 0) {
    PyErr_Clear();  // an array of something that no buffer can hold: its elements say what is wrong with them
    return nullptr;
  }
  const Py_buffer& raw = *filled;
  held_buffer buffer(std::unique_ptr<Py_buffer, release_buffer>(filled.release()));
  const std::string format = raw.format == nullptr ? "B" : raw.format;
  const auto [swapped, letter] = format_of(raw.format);
  if (letter == 'O') return nullptr;
  if (raw.ndim != 1) {
    throw nb::value_error(("keys: an array of 1 dimension is wanted, not of " + std::to_string(raw.ndim)).c_str());
  }
  if (raw.shape[0] == 0 && is_numpy) return no_keys();
  if (raw.itemsize == 1 && !is_numpy && !is_a(keys, "array", "array")) {
    throw nb::type_error("the bytes of this are one key; many are taken as a list, an array or another iterable");
  }
  std::unique_ptr<key_source> found;
  if (letter == 's' || letter == 'x') found = std::make_unique<fixed_bytes>(std::move(buffer), letter == 's');
  if (letter == 'w') found = std::make_unique<fixed_text>(std::move(buffer), swapped);
  if (letter != 0 && std::string_view("bhilqn").find(letter) != std::string_view::npos) {
    found = integers(std::move(buffer), true, swapped);
  }
  if (letter != 0 && std::string_view("BHILQN").find(letter) != std::string_view::npos) {
    found = integers(std::move(buffer), false, swapped);
  }
  if (found == nullptr)
    refuse_keys("items of format '" + format + "'", letter == 'd' || letter == 'f' || letter == 'e');
  return found;
}

}  // namespace seen_python
