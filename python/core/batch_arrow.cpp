// Keys of Arrow arrays and streams: pyarrow's Array and ChunkedArray, a polars Series, …
//
//   format                       a key is
//   c C s S i I l L              the value, sign-extended where it has a sign
//   z Z vz w:N   u U vu          the bytes, of binary and of text
//   a dictionary                 what its number in the dictionary stands for
//   a null, n                    no key: answered False, refused where keys are added
//   anything else                TypeError, unless there is not one
//
// Objects hand over their data by __arrow_c_array__ or __arrow_c_stream__, in capsules that own it. A column with a dictionary,
// a categorical of pandas or polars, is asked by its dictionary, once for each piece of the column; keys are added one by one,
// as often as they are there, since there are kinds that count. What pandas cannot export is read in another way
// (batch_pandas.cpp).
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string_view>

#include "arrow_abi.hpp"
#include "batch.hpp"

namespace seen_python {
namespace {

// A struct that is moved out of where it was handed over, and released by us.
template <class Struct>
class owned {
 public:
  owned() = default;
  explicit owned(Struct& handed_over) : value_(handed_over) { handed_over.release = nullptr; }
  owned(owned&& other) noexcept : value_(other.value_) { other.value_.release = nullptr; }
  owned& operator=(owned&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~owned() {
    if (value_.release != nullptr) value_.release(&value_);
  }

  Struct* operator->() noexcept { return &value_; }
  const Struct* operator->() const noexcept { return &value_; }
  Struct* get() noexcept { return &value_; }

 private:
  Struct value_{};
};

enum class layout : std::uint8_t { integers, offsets, fixed, views, nulls };

// How the values of a format lie in memory.
struct value_type {
  layout how;
  std::size_t width;  // of an integer, an offset or a fixed value, in bytes
  bool is_signed = true;
};

// Nothing where the values are no keys.
std::optional<value_type> type_of(std::string_view format) {
  if (format.size() == 1) {
    constexpr std::string_view signed_letters = "csil", unsigned_letters = "CSIL";
    if (const auto at = signed_letters.find(format[0]); at != format.npos) {
      return value_type{layout::integers, std::size_t{1} << at};
    }
    if (const auto at = unsigned_letters.find(format[0]); at != format.npos) {
      return value_type{layout::integers, std::size_t{1} << at, false};
    }
    if (format == "u" || format == "z") return value_type{layout::offsets, 4};
    if (format == "U" || format == "Z") return value_type{layout::offsets, 8};
    if (format == "n") return value_type{layout::nulls, 0};
  }
  if (format == "vu" || format == "vz") return value_type{layout::views, 16};
  if (format.starts_with("w:")) {
    return value_type{layout::fixed, static_cast<std::size_t>(std::stoul(std::string(format.substr(2))))};
  }
  return std::nullopt;
}

template <class T>
T load(const void* base, std::int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(base) + index * static_cast<std::int64_t>(sizeof(T)), sizeof value);
  return value;
}

// The values of one array, by index.
class column {
 public:
  column(const value_type& type, const ArrowArray& array) : type_(type), array_(&array) {}

  [[nodiscard]] std::int64_t length() const noexcept { return array_->length; }
  [[nodiscard]] bool are_integers() const noexcept { return type_.how == layout::integers; }

  [[nodiscard]] bool is_null(std::int64_t i) const {
    if (type_.how == layout::nulls) return true;
    const auto* const bitmap = static_cast<const std::uint8_t*>(array_->buffers[0]);
    i += array_->offset;
    return bitmap != nullptr && (bitmap[i / 8] >> (i % 8) & 1) == 0;
  }

  [[nodiscard]] std::uint64_t integer(std::int64_t i) const {
    const void* const values = array_->buffers[1];
    i += array_->offset;
    switch (type_.width) {
      case 1:
        return type_.is_signed ? extended(load<std::int8_t>(values, i)) : load<std::uint8_t>(values, i);
      case 2:
        return type_.is_signed ? extended(load<std::int16_t>(values, i)) : load<std::uint16_t>(values, i);
      case 4:
        return type_.is_signed ? extended(load<std::int32_t>(values, i)) : load<std::uint32_t>(values, i);
      default:
        return load<std::uint64_t>(values, i);
    }
  }

  [[nodiscard]] seen::bytes_view bytes(std::int64_t i) const {
    i += array_->offset;
    switch (type_.how) {
      case layout::offsets:
        return type_.width == 4 ? between<std::int32_t>(i) : between<std::int64_t>(i);
      case layout::fixed:
        return piece(array_->buffers[1], i * static_cast<std::int64_t>(type_.width),
                     static_cast<std::int64_t>(type_.width));
      default:
        return view(i);
    }
  }

 private:
  static std::uint64_t extended(std::int64_t value) { return static_cast<std::uint64_t>(value); }
  static seen::bytes_view piece(const void* base, std::int64_t offset, std::int64_t length) {
    if (length == 0) return {};  // the buffer of an array of empty keys may be absent
    return {static_cast<const std::byte*>(base) + offset, static_cast<std::size_t>(length)};
  }
  template <class Offset>
  [[nodiscard]] seen::bytes_view between(std::int64_t i) const {
    const Offset begin = load<Offset>(array_->buffers[1], i);
    return piece(array_->buffers[2], begin, load<Offset>(array_->buffers[1], i + 1) - begin);
  }
  // 16 bytes: the length, then the value itself if it is no longer than 12, else a prefix, a buffer and an offset.
  [[nodiscard]] seen::bytes_view view(std::int64_t i) const {
    const void* const views = array_->buffers[1];
    const auto length = load<std::int32_t>(views, 4 * i);
    if (length <= 12) return piece(views, 16 * i + 4, length);
    return piece(array_->buffers[2 + load<std::int32_t>(views, 4 * i + 2)], load<std::int32_t>(views, 4 * i + 3),
                 length);
  }

  value_type type_;
  const ArrowArray* array_;
};

// What a column holds: values, or numbers of a dictionary's values.
struct column_type {
  value_type values;                  // of the column, or of the dictionary
  std::optional<value_type> numbers;  // into the dictionary, if there is one
};

// The values of an array that may have a dictionary, by index.
class rows {
 public:
  rows(const column_type& type, const ArrowArray& array)
      : values_(type.values, type.numbers ? *array.dictionary : array), numbers_(values_), coded_(type.numbers) {
    if (coded_) numbers_ = column(*type.numbers, array);
  }

  // The place of a row's value; none where it is null.
  [[nodiscard]] std::optional<std::int64_t> place(std::int64_t row) const {
    if (numbers_.is_null(row)) return std::nullopt;
    if (!coded_) return row;
    const auto at = static_cast<std::int64_t>(numbers_.integer(row));
    if (at < 0 || at >= values_.length()) {
      throw nb::value_error(("keys: the Arrow array has number " + std::to_string(at) + " in a dictionary of " +
                             std::to_string(values_.length()))
                                .c_str());
    }
    if (values_.is_null(at)) return std::nullopt;
    return at;
  }
  [[nodiscard]] const column& values() const noexcept { return values_; }

 private:
  column values_;
  column numbers_;
  bool coded_;
};

using held_arrays = std::vector<owned<ArrowArray>>;

// The arrays of a column, one after the other.
class arrow_source final : public key_source, private coded_keys {
 public:
  arrow_source(const column_type& type, std::shared_ptr<held_arrays> held, std::vector<const ArrowArray*> arrays)
      : type_(type), held_(std::move(held)), arrays_(std::move(arrays)) {
    for (const auto* each : arrays_) size_ += static_cast<std::size_t>(each->length);
  }

  [[nodiscard]] std::optional<std::size_t> size() const override { return size_; }

  tile next(std::size_t most) override {
    while (array_ < arrays_.size() && row_ == arrays_[array_]->length) ++array_, row_ = 0;
    if (array_ == arrays_.size()) return {};
    const ArrowArray& array = *arrays_[array_];
    const auto first = row_;
    row_ += std::min(array.length - row_, static_cast<std::int64_t>(most));
    if (is_ready(array)) {
      return {.integers = {static_cast<const std::uint64_t*>(array.buffers[1]) + array.offset + first,
                           static_cast<std::size_t>(row_ - first)}};
    }
    row_ = std::min(row_, first + static_cast<std::int64_t>(tile_keys));
    return converted(rows(type_, array), first, static_cast<std::size_t>(row_ - first));
  }

  [[nodiscard]] coded_keys* coded() override {
    if (!type_.numbers) return nullptr;
    std::int64_t different = 0;  // a slice of a column has all of its dictionary
    for (const auto* each : arrays_) different += each->dictionary->length;
    return static_cast<std::size_t>(different) < size_ ? this : nullptr;
  }

 private:
  [[nodiscard]] std::size_t pieces() const override { return arrays_.size(); }
  [[nodiscard]] std::unique_ptr<key_source> dictionary(std::size_t piece) override {
    return std::make_unique<arrow_source>(column_type{type_.values, {}}, held_,
                                          std::vector<const ArrowArray*>{arrays_[piece]->dictionary});
  }
  std::size_t take(std::size_t piece, std::span<const bool> answers, bool* out) override {
    const ArrowArray& array = *arrays_[piece];
    const rows all(type_, array);
    for (std::int64_t row = 0; row < array.length; ++row) {
      const auto at = all.place(row);
      out[row] = at && answers[static_cast<std::size_t>(*at)];
    }
    return static_cast<std::size_t>(array.length);
  }

  // 64-bit integers without nulls, as the library takes them.
  [[nodiscard]] bool is_ready(const ArrowArray& array) const {
    return !type_.numbers && type_.values.how == layout::integers && type_.values.width == 8 &&
           array.buffers[0] == nullptr &&
           reinterpret_cast<std::uintptr_t>(array.buffers[1]) % alignof(std::uint64_t) == 0;
  }

  tile converted(const rows& from, std::int64_t first, std::size_t count) {
    bool any_null = false;
    const column& values = from.values();
    for (std::size_t i = 0; i < count; ++i) {
      const auto at = from.place(first + static_cast<std::int64_t>(i));
      valid_[i] = at.has_value();
      any_null |= !valid_[i];
      if (values.are_integers()) {
        integers_[i] = at ? values.integer(*at) : 0;
      } else {
        views_[i] = at ? values.bytes(*at) : seen::bytes_view{};
      }
    }
    tile made;
    if (values.are_integers()) {
      made.integers = std::span(integers_).first(count);
    } else {
      made.bytes = std::span(views_).first(count);
    }
    if (any_null) made.valid = std::span(valid_).first(count);
    return made;
  }

  column_type type_;
  std::shared_ptr<held_arrays> held_;
  std::vector<const ArrowArray*> arrays_;
  std::size_t size_ = 0;
  std::size_t array_ = 0;  // the one that is read, and
  std::int64_t row_ = 0;   // where in it
  std::array<std::uint64_t, tile_keys> integers_;
  std::array<seen::bytes_view, tile_keys> views_;
  std::array<bool, tile_keys> valid_;
};

std::unique_ptr<key_source> source_of(const ArrowSchema& schema, held_arrays arrays) {
  const ArrowSchema& values = schema.dictionary == nullptr ? schema : *schema.dictionary;
  const auto type = type_of(values.format);
  if (!type || values.dictionary != nullptr) {
    const bool is_empty = std::all_of(arrays.begin(), arrays.end(), [](const auto& each) { return each->length == 0; });
    if (is_empty) return no_keys();
    const std::string_view format = values.format;
    refuse_keys("values of an Arrow array of format '" + std::string(format) + "'",
                format == "e" || format == "f" || format == "g");
  }
  const column_type all{*type, schema.dictionary == nullptr ? std::nullopt : type_of(schema.format)};
  auto held = std::make_shared<held_arrays>(std::move(arrays));
  std::vector<const ArrowArray*> each;
  for (auto& array : *held) each.push_back(array.get());
  return std::make_unique<arrow_source>(all, std::move(held), std::move(each));
}

template <class Struct>
Struct& in_capsule(nb::handle capsule, const char* name) {
  void* const pointer = PyCapsule_GetPointer(capsule.ptr(), name);
  if (pointer == nullptr) throw nb::python_error();
  auto& found = *static_cast<Struct*>(pointer);
  // Whoever takes the data out leaves a struct behind whose pointers may lead nowhere.
  if (found.release == nullptr) {
    throw nb::value_error((std::string("keys: the Arrow capsule '") + name + "' was consumed already").c_str());
  }
  return found;
}

std::unique_ptr<key_source> from_array(nb::handle keys) {
  const nb::object pair = keys.attr("__arrow_c_array__")();
  if (PySequence_Check(pair.ptr()) == 0 || nb::len(pair) != 2) {
    throw nb::type_error("keys: __arrow_c_array__ returned no pair of capsules");
  }
  const owned<ArrowSchema> schema(in_capsule<ArrowSchema>(nb::object(pair[0]), "arrow_schema"));
  held_arrays arrays;
  arrays.emplace_back(in_capsule<ArrowArray>(nb::object(pair[1]), "arrow_array"));
  return source_of(*schema.operator->(), std::move(arrays));
}

std::unique_ptr<key_source> from_capsule(nb::handle capsule) {
  owned<ArrowArrayStream> stream(in_capsule<ArrowArrayStream>(capsule, "arrow_array_stream"));
  const auto check = [&](int status) {
    if (status == 0) return;
    const char* const why = stream->get_last_error(stream.get());
    throw nb::value_error((std::string("keys: the Arrow stream failed: ") + (why == nullptr ? "" : why)).c_str());
  };
  owned<ArrowSchema> schema;
  check(stream->get_schema(stream.get(), schema.get()));
  if (schema->release == nullptr) throw nb::value_error("keys: the Arrow stream has no schema");
  held_arrays arrays;
  while (true) {
    owned<ArrowArray> array;
    check(stream->get_next(stream.get(), array.get()));
    if (array->release == nullptr) break;
    arrays.push_back(std::move(array));
  }
  return source_of(*schema.get(), std::move(arrays));
}

std::unique_ptr<key_source> from_stream(nb::handle keys) {
  return from_capsule(nb::object(keys.attr("__arrow_c_stream__")()));
}

}  // namespace

std::unique_ptr<key_source> arrow_keys(nb::handle keys) {
  if (nb::hasattr(keys, "__arrow_c_array__")) return from_array(keys);
  if (!nb::hasattr(keys, "__arrow_c_stream__")) return nullptr;
  if (!is_pandas(keys)) return from_stream(keys);
  // A Series says that it can be exported, and finds out by trying: not without pyarrow, nor with keys of several types.
  nb::object capsule;
  try {
    capsule = keys.attr("__arrow_c_stream__")();
  } catch (const nb::python_error& failed) {
    if (!failed.matches(PyExc_Exception)) throw;  // Ctrl-C
    return nullptr;
  }
  return from_capsule(capsule);
}

}  // namespace seen_python
