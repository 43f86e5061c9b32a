// The native file: everything about a filter, checksummed, with its bits laid out as they are in memory.
//
//   ┌────────────┬──────────────────┬──────────┬─────────────────────┬─────────────┐
//   │ identity   │ entries          │ seal     │ body                │ page table  │
//   │ magic …    │ segments, user   │ census,  │ the bits, aligned   │ XXH3-64 of  │
//   │ kind, hash │ metadata         │ state    │ to 64 (or 4096)     │ each page   │
//   └────────────┴──────────────────┴──────────┴─────────────────────┴─────────────┘
//    └─ header checksum ────────────┘└ its own ┘
//
// docs/formats/native.md specifies it byte by byte, for people who write it in another language. This header is the
// only decoder: it sees shapes and bytes, never keys. Everything a file says is checked against the file's true
// length before anything is allocated.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/hash/identity.hpp>
#include <seen/hash/secret.hpp>
#include <seen/storage/file.hpp>
#include <seen/storage/source.hpp>
#include <seen/storage/storage.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seen::inline v1::native {

/// What the format is called beside the others.
inline constexpr std::string_view format_name = "native";

/// The first eight bytes. Not text, and larger than 2^56 in either byte order, so that no other library's header can
/// look like it. Version 1: what this release writes, every later one reads.
inline constexpr std::array<std::uint8_t, 8> magic{0x8d, 'S', 'E', 'N', '1', 0x0d, 0x0a, 0x1a};
inline constexpr std::uint16_t major_version = 1;
inline constexpr std::uint16_t minor_version = 0;

/// The most user metadata a file takes.
inline constexpr std::size_t max_metadata = std::size_t{64} << 10;

/// One part of the body with the shape of its engine; most kinds have one, chains one per link.
struct segment {
  std::vector<std::uint64_t> fields;
  std::uint64_t offset = 0;  ///< from the beginning of the body
  std::uint64_t length = 0;  ///< a multiple of 64
};

/// Whether the page checksums speak for the body.
enum class seal_state { sealed, unsealed };

/// All that a file says about its filter beside the bits.
struct header {
  std::uint16_t kind = 0;
  std::uint16_t index_rule = 0;
  hash_identity hash;
  seen::target target;
  std::vector<segment> segments;
  std::string metadata;
  std::optional<secret> stored_secret;

  std::uint64_t body_offset = 0;
  std::uint64_t body_bytes = 0;
  std::uint64_t page_bytes = 0;
  std::uint64_t header_bytes = 0;
  std::uint64_t file_bytes = 0;

  seal_state state = seal_state::sealed;
  std::uint64_t census = 0;  ///< set bits of the Bloom kinds, exact count of the others
  std::uint64_t table_checksum = 0;
  std::uint64_t header_checksum = 0;

  [[nodiscard]] std::uint64_t table_offset() const noexcept { return body_offset + body_bytes; }
};

/// Computes offsets and lengths once kind, hash, segments (fields and length) and metadata are set. `alignment` of the
/// body is 64 or 4096.
result<void> lay_out(header& h, std::size_t alignment = 64);

/// Writes a whole sealed file; bodies[i] are the bytes of segment i, padded here to its length.
result<void> write(header h, std::span<const bytes_view> bodies, const sink& out);

/// True if bytes begin like a native file.
[[nodiscard]] bool recognises(bytes_view beginning) noexcept;

/// Reads and checks the header, the file's length and the checksum of the page table: all that can be checked in time
/// independent of the size. With `accept_unsealed` a file whose writer did not seal it passes.
result<header> read_header(const source& from, bool accept_unsealed = false);

/// The checksums of the pages as they are stored, eight bytes each; those of an unsealed file speak for nothing.
result<std::vector<std::byte>> read_page_table(const header& h, const source& from);

/// Checks every page of the body against the table.
result<void> verify_pages(const header& h, const source& from);

/// Reads the segments into memory of their own and checks the pages of that copy.
result<std::vector<storage>> read_body(const header& h, const source& from);

/// A file where it lies, in pages of its own or in bytes that a caller keeps, and what they are checked against.
struct mapped_file {
  storage whole;
  header about;
  std::string name;  ///< for messages

  /// The segments of the body, borrowed from `whole`.
  [[nodiscard]] std::vector<storage> body();
  /// Checks every page of the body against the table.
  [[nodiscard]] result<void> verify() const;
};

/// read_header of a file that stays where it lies.
result<mapped_file> read_in_place(storage whole, std::string name, bool accept_unsealed = false);

/// Marks a file as being written to, on the device, before the first bit changes.
result<void> unseal(const header& h, file& opened);

/// Recomputes the page table from the body and marks the file whole again, on the device.
result<void> seal(header& h, file& opened, bytes_view body, std::uint64_t census);
/// The same with a page table that was computed already.
result<void> seal(header& h, file& opened, const std::vector<std::byte>& table, std::uint64_t census);

}  // namespace seen::inline v1::native
