#include "formats/encodings/redis_rdb.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/checksums_count.hpp"

namespace seen::inline v1::redis_rdb {
namespace {

constexpr std::uint64_t module_value = 7;
enum value_type : std::uint8_t { end = 0, unsigned_type = 2, real_type = 4, string_type = 5 };
enum string_form : std::uint8_t { int8_form = 0, int16_form = 1, int32_form = 2, lzf_form = 3 };

constexpr std::array<std::uint64_t, 256> crc_table = [] {
  std::array<std::uint64_t, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::uint64_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = c >> 1 ^ ((c & 1) != 0 ? 0x95ac'9329'ac4b'c9b5 : 0);
    table[i] = c;
  }
  return table;
}();

// LZF: a byte below 32 announces that many literal bytes and one more; any other one repeats what was written before.
//   000nnnnn                     n + 1 literals
//   nnnooooo oooooooo            n + 2 bytes from o + 1 bytes ago; n = 7: another byte, added to n, follows the first
bool unfold_lzf(bytes_view packed, std::vector<std::byte>& into, std::size_t size) {
  std::size_t at = 0;
  while (at < packed.size()) {
    const auto first = std::to_integer<std::size_t>(packed[at++]);
    if (first < 32) {
      const std::size_t literals = first + 1;
      if (literals > packed.size() - at || literals > size - into.size()) return false;
      into.insert(into.end(), packed.begin() + static_cast<std::ptrdiff_t>(at),
                  packed.begin() + static_cast<std::ptrdiff_t>(at + literals));
      at += literals;
      continue;
    }
    std::size_t length = (first >> 5) + 2;
    if (length == 9 && at < packed.size()) length += std::to_integer<std::size_t>(packed[at++]);
    if (at == packed.size()) return false;
    const std::size_t back = ((first & 31) << 8 | std::to_integer<std::size_t>(packed[at++])) + 1;
    if (back > into.size() || length > size - into.size()) return false;
    for (std::size_t i = 0; i < length; ++i) into.push_back(into[into.size() - back]);
  }
  return into.size() == size;
}

}  // namespace

std::uint64_t crc64(std::uint64_t so_far, bytes_view bytes) noexcept {
  for (const std::byte b : bytes) so_far = crc_table[(so_far ^ std::to_integer<std::uint64_t>(b)) & 255] ^ so_far >> 8;
  return so_far;
}

std::uint64_t id_of(std::string_view name, std::uint32_t version) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::uint64_t id = 0;
  for (const char c : name) id = id << 6 | letters.find(c);
  return id << 10 | version;
}

std::uint64_t peek_id(const source& from) {
  foreign::byte_reader in(from);
  const bool module = in.u8() == module_value && in.u8() == 0x81;
  const auto id = in.be<std::uint64_t>();
  return module ? id : 0;
}

result<reader> reader::open(const source& from) {
  constexpr std::uint64_t least = 1 + 9 + 1 + 2 + 8;
  if (from.size < least) {
    return {errc::corrupt, from.name + ": a payload of DUMP has at least " + std::to_string(least) +
                               " bytes; this has " + std::to_string(from.size)};
  }
  reader made(from);
  std::uint64_t crc = 0;
  for (foreign::byte_reader in(from); in.remaining() > 8;) {
    const auto some = in.bytes(std::min<std::uint64_t>(in.remaining() - 8, 1 << 16));
    if (auto ok = in.check("the payload"); !ok) return ok.error();
    crc = crc64(crc, some);
  }
  foreign::byte_reader last(from, from.size - 10);
  made.version_ = last.le<std::uint16_t>();
  if (const auto stated = last.le<std::uint64_t>(); checksums_count && stated != crc) {
    return last.corrupt("the checksum is " + std::to_string(stated) + "; the bytes give " + std::to_string(crc));
  }
  made.id_ = peek_id(from);
  made.in_.skip(10);
  made.end_ = from.size - 10;
  return made;
}

void reader::fail(const std::string& what) {
  if (!failed_) failed_ = in_.corrupt(what);
}

std::uint64_t reader::length(bool& encoded) {
  const std::uint64_t first = in_.u8();
  encoded = first >= 0xc0;
  if (encoded || first < 0x40) return first & 0x3f;
  if (first < 0x80) return (first & 0x3f) << 8 | in_.u8();
  if (first == 0x80) return in_.be<std::uint32_t>();
  if (first == 0x81) return in_.be<std::uint64_t>();
  fail("no length begins with byte " + std::to_string(first));
  return 0;
}

void reader::expect(std::uint64_t type) {
  bool encoded = false;
  const std::uint64_t found = length(encoded);
  if (encoded) fail("a type is written as a string");
  if (found != type) {
    fail("a value has type " + std::to_string(found) + ", not " + std::to_string(type));
  }
}

std::uint64_t reader::number() {
  expect(unsigned_type);
  bool encoded = false;
  const std::uint64_t value = length(encoded);
  if (encoded) fail("a number is written as a string");
  return failed_ ? 0 : value;
}

double reader::real() {
  expect(real_type);
  return in_.le<double>();
}

// All that lies before the checksum; nothing if the file ends earlier.
std::vector<std::byte> reader::bytes(std::uint64_t size) {
  const std::uint64_t follow = end_ - std::min(end_, in_.offset());
  if (size <= follow) return in_.bytes(size);
  fail("a string of " + std::to_string(size) + " bytes; " + std::to_string(follow) + " follow");
  return {};
}

std::vector<std::byte> reader::string(std::uint64_t most) {
  expect(string_type);
  if (failed_) return {};
  bool encoded = false;
  const std::uint64_t size = length(encoded);
  if (!encoded) {
    if (size <= most) return bytes(size);
    fail("a string of " + std::to_string(size) + " bytes; there is room for " + std::to_string(most));
    return {};
  }
  std::vector<std::byte> unfolded;
  if (size != lzf_form) {
    const std::int64_t number = size == int8_form    ? in_.le<std::int8_t>()
                                : size == int16_form ? in_.le<std::int16_t>()
                                                     : in_.le<std::int32_t>();
    if (size > int32_form) fail("a string of form " + std::to_string(size));
    const std::string digits = std::to_string(number);
    for (const char c : digits) unfolded.push_back(static_cast<std::byte>(c));
    return unfolded;
  }
  const std::uint64_t packed_size = length(encoded), real_size = length(encoded);
  if (real_size > most && !failed_) {
    failed_ = error{errc::too_large, "a string unfolds to " + std::to_string(real_size) + " bytes; at most " +
                                         std::to_string(most) + " are allowed here"};
    return {};
  }
  if (real_size / 88 > packed_size) {  // three bytes repeat at most 264
    fail("a packed string of " + std::to_string(packed_size) + " bytes is said to unfold to " +
         std::to_string(real_size));
    return {};
  }
  const auto packed = bytes(packed_size);
  if (!check()) return {};
  unfolded.reserve(static_cast<std::size_t>(real_size));
  if (!unfold_lzf(packed, unfolded, static_cast<std::size_t>(real_size))) fail("a packed string does not unfold");
  return unfolded;
}

result<void> reader::check() const {
  if (failed_) return *failed_;
  if (in_.offset() > end_) return in_.corrupt("the values end within their checksum");
  return in_.check("the values");
}

result<void> reader::check_end() {
  if (auto ok = check(); !ok) return ok;
  expect(end);
  if (auto ok = check(); !ok) return ok;
  if (in_.offset() != end_) return in_.corrupt(std::to_string(end_ - in_.offset()) + " bytes follow the value");
  return {};
}

writer::writer(const sink& out, std::uint64_t id)
    : out_(out),
      counted_([this](bytes_view bytes) {
        crc_ = crc64(crc_, bytes);
        return out_(bytes);
      }),
      to_(counted_) {
  to_.u8(module_value).u8(0x81).be(id);
}

void writer::length(std::uint64_t value) {
  if (value < 0x40) {
    to_.u8(value);
  } else if (value < 0x4000) {
    to_.u8(0x40 | value >> 8).u8(value);
  } else if (value <= 0xffff'ffff) {
    to_.u8(0x80).be(static_cast<std::uint32_t>(value));
  } else {
    to_.u8(0x81).be(value);
  }
}

writer& writer::number(std::uint64_t value) {
  to_.u8(unsigned_type);
  length(value);
  return *this;
}
writer& writer::real(double value) {
  to_.u8(real_type).le(value);
  return *this;
}
writer& writer::string(bytes_view bytes) {
  to_.u8(string_type);
  length(bytes.size());
  to_.bits(bytes, bytes.size());
  return *this;
}

result<void> writer::finish(std::uint16_t version) {
  if (auto ok = to_.u8(end).le(version).finish(); !ok) return ok;
  return foreign::byte_writer(out_).le(crc_).finish();
}

}  // namespace seen::inline v1::redis_rdb
