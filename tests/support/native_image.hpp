// A second implementation of the native file, written from its layout and not from its code: it encodes any header,
// sensible or not, with checksums that are right. Golden tests compare it with the library; hostile tests lie with it.
//
//   offset  0  magic 8 │  8 major u16 │ 10 minor u16 │ 12 header bytes u32 │ 16 file bytes u64 │ 24 kind u16
//          26  index rule u16 │ 28 flags u32 │ 32 hash id u16 │ 34 key encoding u16 │ 36 hash flags u32 │ 40 seed u64
//          48  hash check u64 │ 56 capacity u64 │ 64 fpr f64 │ 72 body offset u64 │ 80 body bytes u64 │ 88 page bytes
//          u64 96  entry count u32 │ 100 zero u32 │ 104 entries: tag u16, flags u16, length u32, value, zeros to 8
//          zeros, then the last 40 bytes of the header:
//          -40 XXH3-64 of everything before │ -32 "sealed!\n" │ -24 census u64 │ -16 XXH3-64 of the page table u64
//          -8  XXH3-64 of the 32 bytes before
//          zeros to the body offset │ body │ XXH3-64 of each page of the body
#pragma once

#include <seen/base/bits.hpp>

#define XXH_INLINE_ALL
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>
#include <xxhash.h>

namespace seen::testing {

using byte_vector = std::vector<std::byte>;

/// Where the fields of a native file are.
namespace at {
inline constexpr std::size_t major = 8, minor = 10, header_bytes = 12, file_bytes = 16, kind = 24, index_rule = 26,
                             flags = 28, hash_id = 32, encoding = 34, hash_flags = 36, seed = 40, check = 48,
                             capacity = 56, fpr = 64, body_offset = 72, body_bytes = 80, page_bytes = 88,
                             entry_count = 96, reserved = 100, entries = 104;
// From the end of the header.
inline constexpr std::size_t trailer = 40, seal_word = 32, census = 24, table_checksum = 16, seal_checksum = 8;
}  // namespace at

/// A number in a file, and what its readers say to another one in its place.
struct number_field {
  enum class others : std::uint8_t { refused, some_taken, taken };
  const char* name;
  std::size_t offset;
  std::size_t width;
  others values = others::refused;
};

/// The numbers of a header, and of the first segment's entry.
inline constexpr number_field header_fields[] = {
    {"magic", 0, 8},
    {"major", at::major, 2},
    {"minor", at::minor, 2, number_field::others::taken},
    {"header bytes", at::header_bytes, 4},
    {"file bytes", at::file_bytes, 8},
    {"kind", at::kind, 2},
    {"index rule", at::index_rule, 2},
    {"flags", at::flags, 4},
    {"hash id", at::hash_id, 2},
    {"encoding", at::encoding, 2},
    {"hash flags", at::hash_flags, 4},
    {"seed", at::seed, 8},
    {"hash check", at::check, 8},
    {"capacity", at::capacity, 8, number_field::others::taken},
    {"fpr", at::fpr, 8, number_field::others::some_taken},
    {"body offset", at::body_offset, 8},
    {"body bytes", at::body_bytes, 8},
    {"page bytes", at::page_bytes, 8},
    {"entry count", at::entry_count, 4},
    {"reserved", at::reserved, 4},
    {"entry tag", at::entries, 2},
    {"entry flags", at::entries + 2, 2, number_field::others::taken},
    {"entry length", at::entries + 4, 4},
    {"segment offset", at::entries + 8, 8},
    {"segment length", at::entries + 16, 8},
};

[[nodiscard]] inline std::uint64_t get(bytes_view bytes, const number_field& f) {
  std::uint64_t x = 0;
  for (std::size_t i = 0; i < f.width; ++i) x |= static_cast<std::uint64_t>(bytes[f.offset + i]) << (8 * i);
  return x;
}

inline void set(byte_vector& bytes, const number_field& f, std::uint64_t x) {
  for (std::size_t i = 0; i < f.width; ++i) bytes[f.offset + i] = static_cast<std::byte>(x >> (8 * i) & 0xff);
}

template <class UInt>
[[nodiscard]] UInt get(bytes_view bytes, std::size_t offset) {
  UInt x = 0;
  for (std::size_t i = 0; i < sizeof x; ++i) {
    x = static_cast<UInt>(x | static_cast<UInt>(static_cast<UInt>(bytes[offset + i]) << (8 * i)));
  }
  return x;
}

template <class UInt>
void set(byte_vector& bytes, std::size_t offset, UInt x) {
  for (std::size_t i = 0; i < sizeof x; ++i) bytes[offset + i] = static_cast<std::byte>((x >> (8 * i)) & 0xff);
}

template <class UInt>
void append(byte_vector& bytes, UInt x) {
  bytes.resize(bytes.size() + sizeof x);
  set(bytes, bytes.size() - sizeof x, x);
}

inline void append(byte_vector& bytes, bytes_view more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

[[nodiscard]] inline std::uint64_t xxh3_of(bytes_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

/// An entry of the header.
struct image_entry {
  std::uint16_t tag = 0;
  std::uint16_t flags = 0;
  byte_vector value;
};

/// What goes into a native file; encode() makes the file of it.
struct native_image {
  std::uint16_t major = 1, minor = 0;
  std::uint16_t kind = 0, index_rule = 0;
  std::uint32_t flags = 0;
  std::uint16_t hash_id = 1, encoding = 1;
  std::uint32_t hash_flags = 0;
  std::uint64_t seed = 0, check = 0;
  std::uint64_t capacity = 0;
  double fpr = 0;
  std::vector<image_entry> entries;
  byte_vector body;
  std::uint64_t census = 0;
  std::size_t alignment = 64;

  /// A segment entry: tag 1, must be understood.
  static image_entry segment(std::uint64_t offset, std::uint64_t length, const std::vector<std::uint64_t>& fields) {
    byte_vector value;
    append(value, offset);
    append(value, length);
    for (const std::uint64_t field : fields) append(value, field);
    return {1, 1, value};
  }

  static std::uint64_t page_bytes_of(std::uint64_t body_bytes) {
    std::uint64_t page = 65536;
    while (body_bytes > page * 1024) page *= 2;
    return page;
  }

  [[nodiscard]] byte_vector encode() const;
  /// The image of a good file whose body follows its header: encode() gives the same bytes.
  [[nodiscard]] static native_image of(const byte_vector& file);
};

/// Makes every checksum of a file right for what the file says of itself, as far as that can be followed. Returns false
/// where the file does not hold together enough to have checksums.
inline bool repair(byte_vector& bytes) {
  if (bytes.size() < 144) return false;
  const std::uint64_t header_bytes = get<std::uint32_t>(bytes, at::header_bytes);
  if (header_bytes < 144 || header_bytes > bytes.size()) return false;
  const auto end = static_cast<std::size_t>(header_bytes);
  const auto body_offset = get<std::uint64_t>(bytes, at::body_offset);
  const auto body_bytes = get<std::uint64_t>(bytes, at::body_bytes);
  const auto page_bytes = get<std::uint64_t>(bytes, at::page_bytes);
  if (body_offset <= bytes.size() && body_bytes <= bytes.size() - body_offset && page_bytes >= 4096) {
    byte_vector table;
    for (std::uint64_t page = 0; page < body_bytes; page += std::min(page_bytes, body_bytes - page)) {
      const auto size = static_cast<std::size_t>(std::min(page_bytes, body_bytes - page));
      append(table, xxh3_of(bytes_view(bytes).subspan(static_cast<std::size_t>(body_offset + page), size)));
    }
    const auto table_offset = static_cast<std::size_t>(body_offset + body_bytes);
    if (bytes.size() - table_offset >= table.size()) {
      std::copy(table.begin(), table.end(), bytes.begin() + static_cast<std::ptrdiff_t>(table_offset));
      set(bytes, end - at::table_checksum, xxh3_of(table));
    }
  }
  set(bytes, end - at::trailer, xxh3_of(bytes_view(bytes).first(end - at::trailer)));
  set(bytes, end - at::seal_checksum, xxh3_of(bytes_view(bytes).subspan(end - at::trailer, 32)));
  return true;
}

inline byte_vector native_image::encode() const {
  byte_vector list;
  for (const image_entry& each : entries) {
    append(list, each.tag);
    append(list, each.flags);
    append(list, static_cast<std::uint32_t>(each.value.size()));
    append(list, bytes_view(each.value));
    list.resize((list.size() + 7) / 8 * 8);
  }
  const std::uint64_t header_bytes = (at::entries + list.size() + at::trailer + 63) / 64 * 64;
  const std::uint64_t body_offset = (header_bytes + alignment - 1) / alignment * alignment;
  const std::uint64_t page_bytes = page_bytes_of(body.size());
  const std::uint64_t pages = (body.size() + page_bytes - 1) / page_bytes;

  byte_vector file;
  for (const int each : {0x8d, 0x53, 0x45, 0x4e, 0x31, 0x0d, 0x0a, 0x1a}) file.push_back(static_cast<std::byte>(each));
  append(file, major);
  append(file, minor);
  append(file, static_cast<std::uint32_t>(header_bytes));
  append(file, body_offset + body.size() + 8 * pages);
  append(file, kind);
  append(file, index_rule);
  append(file, flags);
  append(file, hash_id);
  append(file, encoding);
  append(file, hash_flags);
  append(file, seed);
  append(file, check);
  append(file, capacity);
  append(file, std::bit_cast<std::uint64_t>(fpr));
  append(file, body_offset);
  append(file, static_cast<std::uint64_t>(body.size()));
  append(file, page_bytes);
  append(file, static_cast<std::uint32_t>(entries.size()));
  append(file, std::uint32_t{0});
  append(file, bytes_view(list));
  file.resize(static_cast<std::size_t>(header_bytes) - at::seal_word);
  const std::string_view word = "sealed!\n";
  append(file, std::as_bytes(std::span(word)));
  append(file, census);
  file.resize(static_cast<std::size_t>(body_offset));
  append(file, bytes_view(body));
  file.resize(file.size() + 8 * static_cast<std::size_t>(pages));
  repair(file);
  return file;
}

inline native_image native_image::of(const byte_vector& file) {
  native_image image;
  image.major = get<std::uint16_t>(file, at::major);
  image.minor = get<std::uint16_t>(file, at::minor);
  image.kind = get<std::uint16_t>(file, at::kind);
  image.index_rule = get<std::uint16_t>(file, at::index_rule);
  image.flags = get<std::uint32_t>(file, at::flags);
  image.hash_id = get<std::uint16_t>(file, at::hash_id);
  image.encoding = get<std::uint16_t>(file, at::encoding);
  image.hash_flags = get<std::uint32_t>(file, at::hash_flags);
  image.seed = get<std::uint64_t>(file, at::seed);
  image.check = get<std::uint64_t>(file, at::check);
  image.capacity = get<std::uint64_t>(file, at::capacity);
  image.fpr = std::bit_cast<double>(get<std::uint64_t>(file, at::fpr));
  const auto slice = [&](std::uint64_t offset, std::uint64_t size) {
    const auto begin = file.begin() + static_cast<std::ptrdiff_t>(offset);
    return byte_vector(begin, begin + static_cast<std::ptrdiff_t>(size));
  };
  std::size_t next = at::entries;
  for (std::uint32_t i = get<std::uint32_t>(file, at::entry_count); i != 0; --i) {
    const std::uint32_t length = get<std::uint32_t>(file, next + 4);
    image.entries.push_back(
        {get<std::uint16_t>(file, next), get<std::uint16_t>(file, next + 2), slice(next + 8, length)});
    next += 8 + (length + 7) / 8 * 8;
  }
  image.body = slice(get<std::uint64_t>(file, at::body_offset), get<std::uint64_t>(file, at::body_bytes));
  image.census = get<std::uint64_t>(file, get<std::uint32_t>(file, at::header_bytes) - at::census);
  return image;
}

/// The image of a filter of any native kind: what the second implementation needs to write the same file.
template <class F>
[[nodiscard]] native_image image_of(const F& f) {
  native_image image;
  image.kind = F::kind.id;
  image.index_rule = F::engine_type::index_rule;
  const auto identity = f.identity();
  image.hash_id = static_cast<std::uint16_t>(identity.id);
  image.encoding = static_cast<std::uint16_t>(identity.encoding);
  image.hash_flags = identity.keyed ? 1 : 0;
  image.seed = identity.seed;
  image.check = identity.check;
  image.capacity = f.target().capacity;
  image.fpr = f.target().fpr;
  image.census = f.engine().census();
  for (const auto& part : parts_of(f.engine())) {
    const std::size_t begin = image.body.size();
    append(image.body, part.bytes);
    image.body.resize((image.body.size() + 63) / 64 * 64);
    image.entries.push_back(native_image::segment(begin, image.body.size() - begin, part.fields));
  }
  return image;
}

}  // namespace seen::testing
