// Many Python keys, a tile at a time, in one of the two forms the library takes.
//
//   numpy arrays, buffers   integers of any width and byte order; fixed bytes ('S', 'V'); text ('U')      batch_buffer.cpp
//   Arrow arrays, streams   integers, strings, bytes, with nulls                                          batch_arrow.cpp
//   any other iterable      list, tuple, set, generator, object array …                                   batch_iterable.cpp
//
// The first two touch no Python object while they are read, so a whole batch runs without the GIL. Of an iterable the
// keys are copied with the GIL held, a tile at a time, and the library works on the copy without it.
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>
#include <cstdint>
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

/// Keys that come tile after tile.
class key_source {
 public:
  virtual ~key_source() = default;

  /// The number of keys, where nothing can change it meanwhile; nothing for iterables.
  [[nodiscard]] virtual std::optional<std::size_t> size() const = 0;
  /// The next keys, at most `most` of them; none at the end. They stay until the next call. What is not a key raises once
  /// all keys before it were handed out. Needs the GIL where size() is nothing, and only there.
  virtual tile next(std::size_t most) = 0;
};

/// The keys of a Python object. Raises TypeError where it is one key, or none at all.
[[nodiscard]] std::unique_ptr<key_source> keys_of(nb::handle keys);

/// Each way in: null where the object is nothing of the sort.
[[nodiscard]] std::unique_ptr<key_source> buffer_keys(nb::handle keys);
[[nodiscard]] std::unique_ptr<key_source> arrow_keys(nb::handle keys);
[[nodiscard]] std::unique_ptr<key_source> iterable_keys(nb::handle keys);

/// One of many that is not a key: a ValueError that says which.
class bad_key : public std::invalid_argument {
 public:
  bad_key(std::size_t index, const std::string& why)
      : std::invalid_argument("key " + std::to_string(index) + " " + why) {}
};

/// A null where keys are added.
class null_key : public bad_key {
 public:
  explicit null_key(std::size_t index) : bad_key(index, "is null; it cannot be added") {}
};

/// The bytes of several keys, one after the other, and the views of them.
class key_arena {
 public:
  void clear() noexcept;
  void append(seen::bytes_view key);
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_.size(); }
  /// The keys so far; until the next append.
  [[nodiscard]] std::span<const seen::bytes_view> views();

 protected:
  std::vector<std::byte> bytes_;
  std::vector<std::size_t> ends_;
  std::vector<seen::bytes_view> views_;
};

}  // namespace seen_python
