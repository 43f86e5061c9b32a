// DUMP payloads of Redis that hold a value of a module, as RESTORE takes them.
//
//   07 │ module id │ values, each after its type: 2 unsigned, 4 double (f64le), 5 string │ 0 │ version u16le │ CRC-64 u64le
//
//   length    00xxxxxx    01xxxxxx + 1 byte    80 + 4 bytes    81 + 8 bytes      big-endian; unsigned values are lengths
//   string    a length and so many bytes; or 11000000 .. 2: an integer of 1, 2, 4 bytes for its digits; or
//             11000011: two lengths, and as many bytes as the first says, which LZF unfolds to the second
//   id        nine characters of 6 bits, then the encoding version in 10
//
// The CRC is of all bytes before it: polynomial 0xad93d23594c935a9, lowest bit first, from 0.
#pragma once

#include <seen/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/encodings/bytes.hpp"

namespace seen::inline v1::redis_rdb {

/// Goes on with the CRC-64 of more bytes.
[[nodiscard]] std::uint64_t crc64(std::uint64_t so_far, bytes_view bytes) noexcept;

/// The module id of a type's name and encoding version.
[[nodiscard]] std::uint64_t id_of(std::string_view name, std::uint32_t version);
/// The module id of a file that begins as such a payload does; 0 otherwise.
[[nodiscard]] std::uint64_t peek_id(const source& from);

/// Reads the values of a payload whose checksum is right.
class reader {
 public:
  /// Checks the checksum.
  static result<reader> open(const source& from);

  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }
  [[nodiscard]] std::uint16_t version() const noexcept { return version_; }

  [[nodiscard]] std::uint64_t number();
  [[nodiscard]] double real();
  /// At most `most` bytes.
  [[nodiscard]] std::vector<std::byte> string(std::uint64_t most);

  /// An error if a value was missing or of another type.
  [[nodiscard]] result<void> check() const;
  /// The same, and an error if values follow.
  [[nodiscard]] result<void> check_end();
  [[nodiscard]] error corrupt(const std::string& what) const { return in_.corrupt(what); }

 private:
  explicit reader(const source& from) : in_(from) {}
  std::uint64_t length(bool& encoded);
  void expect(std::uint64_t type);
  std::vector<std::byte> bytes(std::uint64_t size);
  void fail(const std::string& what);

  foreign::byte_reader in_;
  std::uint64_t end_ = 0;  // of the values
  std::uint64_t id_ = 0;
  std::uint16_t version_ = 0;
  std::optional<error> failed_;
};

/// Writes a payload; strings as they are.
class writer {
 public:
  writer(const sink& out, std::uint64_t id);
  writer(const writer&) = delete;
  writer& operator=(const writer&) = delete;
  ~writer() = default;

  writer& number(std::uint64_t value);
  writer& real(double value);
  writer& string(bytes_view bytes);
  [[nodiscard]] result<void> finish(std::uint16_t version);

 private:
  void length(std::uint64_t value);

  const sink& out_;
  std::uint64_t crc_ = 0;
  sink counted_;
  foreign::byte_writer to_;
};

}  // namespace seen::inline v1::redis_rdb
