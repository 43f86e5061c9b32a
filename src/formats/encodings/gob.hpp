// Go's gob, as far as files of filters need it: one value, with the definitions of its types before it.
//
//   stream      messages, each behind its length; all but the last define types, the last is the value
//   message     type, content; the number of a type is negative where the content defines it
//   natural     one byte below 128, else the negated number of bytes and those, big-endian
//   integer     natural x · 2, or ~x · 2 + 1 of a negative one
//   real        the bytes of its double reversed, as a natural
//   []byte      length, bytes; strings and what GobEncode returned likewise
//   list        length, elements
//   record      for every field that is not zero how far it lies beyond the last one, and its value; then 0
//
// A value that is not a record has a 0 before it. Numbers of types depend on what else the process wrote, so a stream that
// shall be written as it was read keeps its definitions. Maps, complex numbers and interfaces are refused.
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace seen::inline v1::foreign {
namespace gob {

enum class type : std::uint8_t { boolean, integer, natural, real, bytes, list, record };

/// A value. What it has of bytes and names lies in the stream that was parsed.
struct value {
  type kind = type::natural;
  std::uint64_t number = 0;             ///< of a boolean or natural; of an integer in two's complement
  double real = 0;                      ///< of a real
  bytes_view bytes;                     ///< of []byte, string or GobEncode
  std::vector<value> items;             ///< of a list; of a record, the fields that are there
  std::vector<std::string_view> names;  ///< of a record's items

  /// The field of this name, or null where it is not a record or has none; a field that is zero is not there.
  [[nodiscard]] const value* find(std::string_view name) const noexcept;
};

/// The type of a value as its stream defines it.
struct numbered_type {
  bytes_view definitions;   ///< the messages before the value's, as they are
  std::int64_t number = 0;  ///< of the value's type
};

struct stream {
  numbered_type as;
  value root;
};

/// Parses a stream of one value; the bytes must outlive what is returned.
[[nodiscard]] result<stream> parse(bytes_view content);

/// Where the bytes lie that a value encoded itself to (GobEncode): from `offset` to the end of the stream.
struct frame {
  numbered_type as;
  std::uint64_t offset = 0;
};

/// Enough of the beginning of a stream for all that comes before the bytes of a value that encodes itself.
inline constexpr std::size_t frame_bytes = 256;

/// Parses the beginning of a stream of `size` bytes whose one value encoded itself.
[[nodiscard]] result<frame> parse_frame(bytes_view beginning, std::uint64_t size);

/// Collects the parts of a value, and frames them.
class writer {
 public:
  writer& natural(std::uint64_t x);
  writer& integer(std::int64_t x) { return natural(encoded(x)); }
  writer& real(double x);
  writer& bytes(bytes_view x);
  /// A list is its length as a natural, then its elements; a record every field's distance, its value, and a 0.

  /// The whole stream. `is_record`: of the value itself.
  [[nodiscard]] std::vector<std::byte> finish(const numbered_type& as, bool is_record) const;
  /// The part of it before the `bytes` bytes of the value.
  [[nodiscard]] static std::vector<std::byte> before(const numbered_type& as, bool is_record, std::uint64_t bytes);
  /// The parts that were collected.
  [[nodiscard]] bytes_view body() const noexcept { return body_; }

 private:
  static std::uint64_t encoded(std::int64_t x) noexcept {
    const auto word = static_cast<std::uint64_t>(x);
    return x < 0 ? ~word << 1 | 1 : word << 1;
  }

  std::vector<std::byte> body_;
};

/// All of a stream that comes before the bytes that a value encoded itself to, which are so many.
[[nodiscard]] std::vector<std::byte> frame_before(const numbered_type& as, std::uint64_t bytes);

/// A pointer to a type that encodes itself, as a program defines it that has written little else.
[[nodiscard]] numbered_type self_encoding() noexcept;
/// The same of [][]byte.
[[nodiscard]] numbered_type list_of_bytes() noexcept;

}  // namespace gob
}  // namespace seen::inline v1::foreign
