// Many Python keys, a tile at a time, in one of the two forms the library takes.
//
//   numpy arrays, buffers   integers of any width and byte order; fixed bytes ('S', 'V'); text ('U')      batch_buffer.cpp
//   Arrow arrays, streams   integers, strings, bytes, with nulls                                          batch_arrow.cpp
//   pandas without pyarrow  the same by numpy and lists                                                   batch_pandas.cpp
//   any other iterable      list, tuple, set, generator, object array …                                   batch_iterable.cpp
//
// The first two touch no Python object while they are read, so a whole batch runs without the GIL. Of an iterable the
// keys are copied with the GIL held, a tile at a time, and the library works on the copy without it.
//
// None, Arrow's null and what pandas calls missing are one thing: no key. Whoever asks is told False; adding it is refused.
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <nanobind/nanobind.h>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace seen_python {

namespace nb = nanobind;

/// Keys beside each other: integers, or bytes; the other span is empty.
struct tile {
  std::span<const std::uint64_t> integers = {};
  std::span<const seen::bytes_view> bytes = {};
  std::span<const bool> valid = {};  ///< false: this one is null. Empty: none is

  [[nodiscard]] std::size_t size() const noexcept { return integers.size() + bytes.size(); }
  /// The keys before the first null; all of them where there is none.
  [[nodiscard]] tile before_null() const;
};

/// Keys that are turned to bytes at a time: their views stay in a core's second-level cache.
inline constexpr std::size_t tile_keys = 4096;

class key_source;

/// Keys of a column that has each different one once, in a dictionary: in pieces, each with a dictionary of its own.
class coded_keys {
 public:
  virtual ~coded_keys() = default;
  [[nodiscard]] virtual std::size_t pieces() const = 0;
  /// The keys of a dictionary.
  [[nodiscard]] virtual std::unique_ptr<key_source> dictionary(std::size_t piece) = 0;
  /// Writes to `out` what the dictionary's answers say of the piece's keys; returns how many those are. Needs no GIL.
  virtual std::size_t take(std::size_t piece, std::span<const bool> answers, bool* out) = 0;
};

/// Keys that come tile after tile.
class key_source {
 public:
  virtual ~key_source() = default;

  /// The number of keys, where nothing can change it meanwhile; nothing for iterables.
  [[nodiscard]] virtual std::optional<std::size_t> size() const = 0;
  /// The next keys, at most `most` of them; none at the end. They stay until the next call. What is not a key raises once
  /// all keys before it were handed out. Needs the GIL where size() is nothing, and only there.
  virtual tile next(std::size_t most) = 0;
  /// The same keys as numbers in dictionaries, where they came so and asking the dictionaries is less work; else null.
  [[nodiscard]] virtual coded_keys* coded() { return nullptr; }
};

/// The keys of a Python object. Raises TypeError where it is one key, or none at all.
[[nodiscard]] std::unique_ptr<key_source> keys_of(nb::handle keys);

/// Each way in: null where the object is nothing of the sort.
[[nodiscard]] std::unique_ptr<key_source> buffer_keys(nb::handle keys);
[[nodiscard]] std::unique_ptr<key_source> arrow_keys(nb::handle keys);
[[nodiscard]] std::unique_ptr<key_source> pandas_keys(nb::handle keys);
[[nodiscard]] std::unique_ptr<key_source> iterable_keys(nb::handle keys);
/// Whether an object is a Series, an Index or an array of pandas.
[[nodiscard]] bool is_pandas(nb::handle object);
/// An array or column of length 0, whatever its type: no keys.
[[nodiscard]] std::unique_ptr<key_source> no_keys();
/// The TypeError of an array or column of something else. Floats are told apart: integers become some by one missing value.
[[noreturn]] void refuse_keys(const std::string& what, bool floats);

/// One of many that is not a key: a ValueError that says which.
class bad_key : public std::invalid_argument {
 public:
  bad_key(std::size_t index, const std::string& why)
      : std::invalid_argument("key " + std::to_string(index) + " " + why) {}
};

/// A null where keys are added: the TypeError that any other object has there which is no key.
[[noreturn]] void refuse_null(std::size_t index);

/// The bytes of several keys, one after the other, and the views of them.
class key_arena {
 public:
  void clear() noexcept { used_ = count_ = 0; }
  void append(seen::bytes_view key) {
    std::byte* const to = room(key.size());
    if (!key.empty()) std::memcpy(to, key.data(), key.size());
    end_at(to + key.size());
  }
  /// Where the next key may be written: room for so many bytes. Then end_at says where it ends.
  [[nodiscard]] std::byte* room(std::size_t most) {
    if (bytes_.size() - used_ < most) bytes_.resize(2 * (used_ + most));
    return bytes_.data() + used_;
  }
  void end_at(const std::byte* end) {
    used_ = static_cast<std::size_t>(end - bytes_.data());
    if (count_ == ends_.size()) ends_.resize(count_ == 0 ? tile_keys : 2 * count_);
    ends_[count_++] = used_;
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return used_; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  /// The keys so far; until the next append.
  [[nodiscard]] std::span<const seen::bytes_view> views();

 private:
  std::vector<std::byte> bytes_;
  std::vector<std::size_t> ends_;
  std::vector<seen::bytes_view> views_;
  std::size_t used_ = 0, count_ = 0;
};

}  // namespace seen_python
