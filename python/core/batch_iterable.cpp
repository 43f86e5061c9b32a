// Keys of any iterable, and the choice among the ways in.
#include <algorithm>

#include "batch.hpp"
#include "errors.hpp"
#include "key.hpp"

namespace seen_python {
namespace {

// A tile is also bounded in bytes, so that large keys are not all held at once.
constexpr std::size_t tile_bytes = std::size_t{1} << 20;

class iterable_source final : public key_source {
 public:
  explicit iterable_source(nb::object iterator) : iterator_(std::move(iterator)) {}

  [[nodiscard]] std::optional<std::size_t> size() const override { return std::nullopt; }

  tile next(std::size_t most) override {
    raised_.rethrow();
    arena_.clear();
    for (std::size_t n = 0; n < std::min(most, tile_keys) && arena_.bytes() < tile_bytes; ++n) {
      if (!raised_.try_call([&] { return take_one(); })) break;
    }
    const auto views = arena_.views();
    if (views.empty()) raised_.rethrow();
    return {.bytes = views};
  }

 private:
  // False at the end.
  bool take_one() {
    const nb::object item = nb::steal(PyIter_Next(iterator_.ptr()));
    if (!item.is_valid()) {
      if (PyErr_Occurred() != nullptr) throw nb::python_error();
      return false;
    }
    const single_key key(item);
    arena_.append(key.bytes());
    return true;
  }

  nb::object iterator_;
  key_arena arena_;
  kept_exception raised_;
};

}  // namespace

tile tile::before_null() const {
  const auto count = static_cast<std::size_t>(std::find(valid.begin(), valid.end(), false) - valid.begin());
  if (count == valid.size()) return *this;
  return {.integers = integers.first(std::min(count, integers.size())),
          .bytes = bytes.first(std::min(count, bytes.size()))};
}

void key_arena::clear() noexcept {
  bytes_.clear();
  ends_.clear();
}

void key_arena::append(seen::bytes_view key) {
  bytes_.insert(bytes_.end(), key.begin(), key.end());
  ends_.push_back(bytes_.size());
}

std::span<const seen::bytes_view> key_arena::views() {
  views_.clear();
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    views_.emplace_back(bytes_.data() + begin, end - begin);
    begin = end;
  }
  return views_;
}

std::unique_ptr<key_source> iterable_keys(nb::handle keys) {
  PyObject* const iterator = PyObject_GetIter(keys.ptr());
  if (iterator == nullptr) throw nb::python_error();
  return std::make_unique<iterable_source>(nb::steal(iterator));
}

std::unique_ptr<key_source> keys_of(nb::handle keys) {
  PyObject* const o = keys.ptr();
  if (PyUnicode_Check(o) || PyBytes_Check(o) || PyByteArray_Check(o)) {
    throw nb::type_error("this is one key; many are taken as a list, an array or another iterable");
  }
  if (auto found = buffer_keys(keys)) return found;
  if (auto found = arrow_keys(keys)) return found;
  return iterable_keys(keys);
}

}  // namespace seen_python
