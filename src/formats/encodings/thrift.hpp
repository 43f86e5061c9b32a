// Thrift's compact protocol, as far as reading needs it. What comes in is hostile.
//
//   struct   fields, each (step of the id << 4 | type), then its value; a byte 0 ends it
//   integer  a varint, zigzag          binary   length varint, bytes          list   (count << 4 | type), elements
//
// A reader that meets nonsense, or the end, fails for good: every call returns 0 or nothing from then on, so that a
// decoder asks `failed` once. Every element of a list takes a byte at least, so no count makes it work longer than the
// bytes are.
#pragma once

#include <seen/base/bits.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/encodings/bytes.hpp"

namespace seen::inline v1::foreign {

class thrift_reader {
 public:
  enum class type : std::uint8_t { stop, yes, no, byte, i16, i32, i64, real, binary, list, set, map, structure, uuid };

  explicit thrift_reader(bytes_view bytes) noexcept : bytes_(bytes) {}

  [[nodiscard]] bool failed() const noexcept { return failed_; }
  /// Bytes read so far.
  [[nodiscard]] std::size_t offset() const noexcept { return at_; }
  void fail() noexcept {
    failed_ = true;
    at_ = bytes_.size();
  }

  /// Calls use(id, type) for every field of a structure; where it returns false the field is skipped here.
  template <class Use>
  void fields(Use use) {
    const nesting here(*this);
    std::int64_t id = 0;
    while (!failed_) {
      const std::uint8_t head = u8();
      const auto kind = static_cast<type>(head & 15);
      if (kind == type::stop) return;
      id = head >> 4 == 0 ? integer() : id + (head >> 4);
      if (id != static_cast<std::int16_t>(id)) return fail();  // that is all a number of a field can be
      if (!use(id, kind)) skip(kind);
    }
  }
  /// Calls use(type) for every element of a list; it takes the element.
  template <class Use>
  void list(Use use) {
    const nesting here(*this);
    const std::uint8_t head = u8();
    const auto kind = static_cast<type>(head & 15);
    const std::uint64_t count = head >> 4 == 15 ? varint() : head >> 4;
    if (count > bytes_.size() - at_) fail();
    for (std::uint64_t i = 0; i < count && !failed_; ++i) use(kind);
  }

  [[nodiscard]] std::int64_t integer() noexcept {
    const std::uint64_t x = varint();
    return static_cast<std::int64_t>((x >> 1) ^ (std::uint64_t{0} - (x & 1)));
  }
  /// Points into the bytes that are read.
  [[nodiscard]] std::string_view text() noexcept {
    const std::uint64_t length = varint();
    if (length > bytes_.size() - at_) fail();
    if (failed_) return {};
    const bytes_view taken = bytes_.subspan(at_, static_cast<std::size_t>(length));
    at_ += taken.size();
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

  /// Passes over the value of a field.
  void skip(type kind) {
    if (kind == type::yes || kind == type::no) return;  // the type is the value
    skip_element(kind);
  }

 private:
  static constexpr int deepest = 64;

  struct nesting {
    explicit nesting(thrift_reader& r) noexcept : reader(r) {
      if (++reader.depth_ > deepest) reader.fail();
    }
    ~nesting() { --reader.depth_; }
    nesting(const nesting&) = delete;
    nesting& operator=(const nesting&) = delete;
    thrift_reader& reader;
  };

  void skip_element(type kind) {
    switch (kind) {
      case type::yes:
      case type::no:
      case type::byte:
        return pass(1);
      case type::i16:
      case type::i32:
      case type::i64:
        return void(varint());
      case type::real:
        return pass(8);
      case type::binary:
        return void(text());
      case type::uuid:
        return pass(16);
      case type::list:
      case type::set:
        return list([&](type each) { skip_element(each); });
      case type::structure:
        return fields([](std::int64_t, type) { return false; });
      case type::map:
        return skip_map();
      default:
        return fail();
    }
  }
  void skip_map() {
    const nesting here(*this);
    const std::uint64_t count = varint();
    if (count == 0) return;
    const std::uint8_t kinds = u8();
    if (count > bytes_.size() - at_) fail();
    for (std::uint64_t i = 0; i < count && !failed_; ++i) {
      skip_element(static_cast<type>(kinds >> 4));
      skip_element(static_cast<type>(kinds & 15));
    }
  }
  void pass(std::size_t count) noexcept {
    if (count > bytes_.size() - at_) return fail();
    at_ += count;
  }
  [[nodiscard]] std::uint8_t u8() noexcept {
    if (at_ >= bytes_.size()) {
      fail();
      return 0;
    }
    return std::to_integer<std::uint8_t>(bytes_[at_++]);
  }
  [[nodiscard]] std::uint64_t varint() noexcept {
    bytes_view rest = bytes_.subspan(at_);
    const auto x = take_varint(rest);
    at_ = bytes_.size() - rest.size();
    if (!x) fail();
    return failed_ ? 0 : *x;
  }

  bytes_view bytes_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace seen::inline v1::foreign
