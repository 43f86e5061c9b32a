// Keys of lists and tuples, read by index, and of any other iterable; and the choice among the ways in.
//
//   int int int …          integers, as the library hashes them fastest
//   str bytes int …        bytes, one after the other in an arena: a list may mix what it likes
//
// A tile begins as integers and goes on as bytes from the first key that is none. In a long list the objects lie anywhere in
// memory, so those a few places ahead are fetched while one is read: half of the time would be waiting for them.
#include <algorithm>
#include <array>

#include "batch.hpp"
#include "errors.hpp"
#include "key.hpp"
#include "text.hpp"

namespace seen_python {
namespace {

// A tile is also bounded in bytes, so that large keys are not all held at once.
constexpr std::size_t tile_bytes = std::size_t{1} << 20;

// Python objects, copied into one tile.
class gathered_tile {
 public:
  void clear() noexcept {
    count_ = 0;
    are_integers_ = true;
    has_null_ = false;
    arena_.clear();
  }
  [[nodiscard]] bool has_room(std::size_t most) const noexcept {
    return count_ < std::min(most, tile_keys) && arena_.bytes() < tile_bytes;
  }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

  // Takes the next object; raises where it is neither a key nor None. `index` is for the message.
  void take(PyObject* o, std::size_t index) {
    std::uint64_t value = 0;
    if (is_small_integer(o, value)) {
      if (are_integers_) {
        integers_[count_] = value;
      } else {
        append(value);
      }
    } else if (o == Py_None) {
      take_null();
      return;
    } else {
      if (are_integers_) become_bytes();
      if (is_plain_text(o)) {
        arena_.append(plain_text(o));
      } else if (!take_text(o)) {
        const nb::object held = nb::borrow(o);  // its __index__ may do anything
        const single_key key(held, "key " + std::to_string(index) + ": ");
        arena_.append(key.bytes());
      }
    }
    if (has_null_) valid_[count_] = true;
    ++count_;
  }

  [[nodiscard]] tile made() {
    tile all;
    if (are_integers_) {
      all.integers = std::span(integers_).first(count_);
    } else {
      all.bytes = arena_.views();
    }
    if (has_null_) all.valid = std::span(valid_).first(count_);
    return all;
  }

 private:
  void append(std::uint64_t value) {
    std::byte* const to = arena_.room(8);
    seen::store_le(to, value);
    arena_.end_at(to + 8);
  }
  void become_bytes() {
    are_integers_ = false;
    for (std::size_t i = 0; i < count_; ++i) append(integers_[i]);
  }
  void take_null() {
    if (!has_null_) std::fill_n(valid_.begin(), count_, true);
    has_null_ = true;
    valid_[count_] = false;
    if (are_integers_) {
      integers_[count_] = 0;
    } else {
      arena_.append({});
    }
    ++count_;
  }
  // A text whose UTF-8 form has to be made; false of anything else, and of a text that has none.
  bool take_text(PyObject* o) {
    if (!PyUnicode_CheckExact(o)) return false;
    const text_of text(o);
    const std::byte* const end = text.encode_to(arena_.room(text.most_bytes()));
    if (end != nullptr) arena_.end_at(end);
    return end != nullptr;
  }

  std::size_t count_ = 0;
  bool are_integers_ = true;
  bool has_null_ = false;
  std::array<std::uint64_t, tile_keys> integers_;
  std::array<bool, tile_keys> valid_;
  key_arena arena_;
};

// Objects one after the other: `take_one` of the class that derives takes the next into the tile, and is false at the end.
template <class Derived>
class object_source : public key_source {
 public:
  [[nodiscard]] std::optional<std::size_t> size() const override { return std::nullopt; }

  tile next(std::size_t most) override {
    raised_.rethrow();
    some_.clear();
    raised_.try_call([&] {
      while (some_.has_room(most) && static_cast<Derived&>(*this).take_one(some_)) {
      }
      return true;
    });
    if (some_.empty()) raised_.rethrow();
    return some_.made();
  }

 private:
  gathered_tile some_;
  kept_exception raised_;
};

class iterable_source final : public object_source<iterable_source> {
 public:
  explicit iterable_source(nb::object iterator) : iterator_(std::move(iterator)) {}

  bool take_one(gathered_tile& to) {
    const nb::object item = nb::steal(PyIter_Next(iterator_.ptr()));
    if (!item.is_valid()) {
      if (PyErr_Occurred() != nullptr) throw nb::python_error();
      return false;
    }
    to.take(item.ptr(), at_++);
    return true;
  }

 private:
  nb::object iterator_;
  std::size_t at_ = 0;
};

// How a list and a tuple are read by index.
struct list_access {
  static std::size_t size(PyObject* o) noexcept { return static_cast<std::size_t>(PyList_GET_SIZE(o)); }
#ifdef Py_GIL_DISABLED
  // Other threads may change the list at any time: an item is held while it is read.
  static nb::object item(PyObject* o, std::size_t i) {
    nb::object held = nb::steal(PyList_GetItemRef(o, static_cast<Py_ssize_t>(i)));
    if (!held.is_valid()) PyErr_Clear();  // it has become shorter
    return held;
  }
#else
  static nb::handle item(PyObject* o, std::size_t i) noexcept {
    return PyList_GET_ITEM(o, static_cast<Py_ssize_t>(i));
  }
#endif
};
struct tuple_access {
  static std::size_t size(PyObject* o) noexcept { return static_cast<std::size_t>(PyTuple_GET_SIZE(o)); }
  static nb::handle item(PyObject* o, std::size_t i) noexcept {
    return PyTuple_GET_ITEM(o, static_cast<Py_ssize_t>(i));
  }
};

template <class Access>
class indexed_source final : public object_source<indexed_source<Access>> {
 public:
  explicit indexed_source(nb::handle keys) : keys_(nb::borrow(keys)) {}

  bool take_one(gathered_tile& to) {
    PyObject* const all = keys_.ptr();
    const std::size_t size = Access::size(all);  // a list may shrink while its keys are read
    if (at_ >= size) return false;
#ifndef Py_GIL_DISABLED
    if (size - at_ > ahead) {
      const auto* const later = reinterpret_cast<const std::byte*>(Access::item(all, at_ + ahead).ptr());
      __builtin_prefetch(later);
      __builtin_prefetch(later + 56);  // the text of a str begins after its 40 to 48 bytes
    }
#endif
    const auto item = Access::item(all, at_);
    if (!item.is_valid()) return false;
    to.take(item.ptr(), at_);
    ++at_;
    return true;
  }

 private:
  static constexpr std::size_t ahead = 16;

  nb::object keys_;
  std::size_t at_ = 0;
};

class empty_source final : public key_source {
 public:
  [[nodiscard]] std::optional<std::size_t> size() const override { return 0; }
  tile next(std::size_t) override { return {}; }
};

}  // namespace

tile tile::before_null() const {
  const auto count = static_cast<std::size_t>(std::find(valid.begin(), valid.end(), false) - valid.begin());
  if (count == valid.size()) return *this;
  return {.integers = integers.first(std::min(count, integers.size())),
          .bytes = bytes.first(std::min(count, bytes.size()))};
}

std::span<const seen::bytes_view> key_arena::views() {
  views_.resize(count_);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    views_[i] = {bytes_.data() + begin, ends_[i] - begin};
    begin = ends_[i];
  }
  return views_;
}

void refuse_null(std::size_t index) {
  throw nb::type_error(("key " + std::to_string(index) + " is None or null, which is no key").c_str());
}

void refuse_keys(const std::string& what, bool floats) {
  const std::string why =
      floats ? " are floats, which are no keys; integers with missing values stay integers as pandas' Int64 or "
               "as Arrow's int64, and others are made some by astype('int64')"
             : " are neither integers, bytes nor text";
  throw nb::type_error(("keys: " + what + why).c_str());
}

std::unique_ptr<key_source> no_keys() {
  return std::make_unique<empty_source>();
}

std::unique_ptr<key_source> iterable_keys(nb::handle keys) {
  if (PyList_CheckExact(keys.ptr())) return std::make_unique<indexed_source<list_access>>(keys);
  if (PyTuple_CheckExact(keys.ptr())) return std::make_unique<indexed_source<tuple_access>>(keys);
  PyObject* const iterator = PyObject_GetIter(keys.ptr());
  if (iterator == nullptr) throw nb::python_error();
  return std::make_unique<iterable_source>(nb::steal(iterator));
}

std::unique_ptr<key_source> keys_of(nb::handle keys) {
  PyObject* const o = keys.ptr();
  if (PyList_CheckExact(o) || PyTuple_CheckExact(o)) return iterable_keys(keys);
  if (PyUnicode_Check(o) || PyBytes_Check(o) || PyByteArray_Check(o)) {
    throw nb::type_error("this is one key; many are taken as a list, an array or another iterable");
  }
  if (auto found = buffer_keys(keys)) return found;
  if (auto found = arrow_keys(keys)) return found;
  if (auto found = pandas_keys(keys)) return found;
  return iterable_keys(keys);
}

}  // namespace seen_python
