#include "formats/encodings/gob.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace seen::inline v1::foreign {
namespace gob {
namespace {

constexpr int deepest = 32;

struct field {
  std::string_view name;
  std::int64_t type_number;
};

struct definition {
  type kind = type::bytes;
  std::int64_t element = 0;        // of a list
  std::vector<field> fields = {};  // of a record
};

using definitions = std::map<std::int64_t, definition>;

// The numbers that every stream knows: simple types, and those of which definitions are made.
constexpr std::int64_t wire_type = 16;

definitions built_in() {
  return {{1, {type::boolean}},
          {2, {type::integer}},
          {3, {type::natural}},
          {4, {type::real}},
          {5, {type::bytes}},
          {6, {type::bytes}},
          {wire_type,
           {type::record,
            0,
            {{"array", 17}, {"slice", 19}, {"struct", 20}, {"map", 23}, {"gob", 19}, {"binary", 19}, {"text", 19}}}},
          {17, {type::record, 0, {{"common", 18}, {"element", 2}, {"length", 2}}}},
          {18, {type::record, 0, {{"name", 6}, {"id", 2}}}},
          {19, {type::record, 0, {{"common", 18}, {"element", 2}}}},
          {20, {type::record, 0, {{"common", 18}, {"fields", 22}}}},
          {21, {type::record, 0, {{"name", 6}, {"id", 2}}}},
          {22, {type::list, 21}},
          {23, {type::record, 0, {{"common", 18}, {"key", 2}, {"element", 2}}}}};
}

std::string_view as_text(bytes_view bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint64_t reversed(std::uint64_t x) noexcept {
  auto bytes = std::bit_cast<std::array<std::byte, 8>>(x);
  std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<std::uint64_t>(bytes);
}

// A field that is a number; 0 where it is not there.
std::int64_t number_of(const value& record, std::string_view name) noexcept {
  const value* const found = record.find(name);
  return found == nullptr ? 0 : static_cast<std::int64_t>(found->number);
}

class parser {
 public:
  // `content` is the beginning of `size` bytes, or all of them.
  explicit parser(bytes_view content, std::uint64_t size) : content_(content), size_(size), end_(content.size()) {}

  result<stream> whole() {
    stream read;
    if (begin(read.as)) read.root = take(read.as.number, 0);
    if (ok() && left() != 0) fail(std::to_string(left()) + " bytes follow in the message");
    if (!ok()) return error_here();
    return read;
  }

  result<frame> self_encoded() {
    frame read;
    if (begin(read.as)) {
      const std::uint64_t length = natural();
      if (types_.at(read.as.number).kind != type::bytes) fail("a value that is not one of bytes");
      if (length != size_ - at_) {
        fail(std::to_string(length) + " bytes are announced, and " + std::to_string(size_ - at_) + " follow");
      }
      read.offset = at_;
    }
    if (!ok()) return error_here();
    return read;
  }

 private:
  [[nodiscard]] bool ok() const noexcept { return complaint_.empty(); }
  void fail(const std::string& complaint) {
    if (ok()) complaint_ = complaint;
  }
  [[nodiscard]] error error_here() const {
    return {errc::corrupt, "gob: offset " + std::to_string(at_) + ": " + complaint_};
  }
  [[nodiscard]] std::size_t left() const noexcept { return end_ - at_; }

  // Reads all definitions, and goes to where the value begins.
  bool begin(numbered_type& as) {
    while (ok()) {
      end_ = content_.size();
      const std::size_t first = at_;
      const std::uint64_t length = natural();
      if (ok() && length > size_ - at_) {
        fail("a message of " + std::to_string(length) + " bytes, and " + std::to_string(size_ - at_) + " are left");
      }
      const std::uint64_t end = at_ + length;
      end_ = static_cast<std::size_t>(std::min<std::uint64_t>(end, content_.size()));
      const std::int64_t number = ok() ? integer() : 0;
      if (!ok()) break;
      if (number < 0) {
        define(number);
        continue;
      }
      as = {content_.first(first), number};
      const definition* const known = find(number);
      if (known != nullptr && known->kind != type::record && natural() != 0) fail("a value that does not begin with 0");
      if (end != size_) fail(std::to_string(size_ - end) + " bytes follow the value");
      break;
    }
    return ok();
  }

  std::uint64_t natural() {
    if (left() == 0) return fail("ends within a number"), 0;
    const auto first = static_cast<std::uint64_t>(content_[at_++]);
    if (first < 128) return first;
    const std::size_t bytes = static_cast<std::size_t>(256 - first);
    if (bytes > 8 || bytes > left()) return fail("a number of " + std::to_string(bytes) + " bytes"), 0;
    std::uint64_t x = 0;
    for (std::size_t i = 0; i < bytes; ++i) x = x << 8 | static_cast<std::uint64_t>(content_[at_++]);
    return x;
  }
  std::int64_t integer() {
    const std::uint64_t x = natural();
    return static_cast<std::int64_t>((x & 1) != 0 ? ~(x >> 1) : x >> 1);
  }
  // A length of things that take at least a byte each.
  std::size_t length() {
    const std::uint64_t count = natural();
    if (count > left()) {
      return fail("a length of " + std::to_string(count) + ", and " + std::to_string(left()) + " bytes are left"), 0;
    }
    return static_cast<std::size_t>(count);
  }

  const definition* find(std::int64_t number) {
    const auto found = types_.find(number);
    if (found != types_.end()) return &found->second;
    fail("type " + std::to_string(number) + " is not defined, or none that is read here");
    return nullptr;
  }

  value take(std::int64_t number, int depth) {
    value v;
    const definition* const known = find(number);
    if (known == nullptr) return v;
    if (depth > deepest) return fail("nested too deep"), v;
    v.kind = known->kind;
    switch (known->kind) {
      case type::boolean:
      case type::natural:
        v.number = natural();
        break;
      case type::integer:
        v.number = static_cast<std::uint64_t>(integer());
        break;
      case type::real:
        v.real = std::bit_cast<double>(reversed(natural()));
        break;
      case type::bytes: {
        const std::size_t count = length();
        v.bytes = content_.subspan(at_, count);
        at_ += count;
        break;
      }
      case type::list:
        for (std::size_t count = length(); count != 0 && ok(); --count) {
          v.items.push_back(take(known->element, depth + 1));
        }
        break;
      case type::record:
        take_fields(*known, v, depth);
        break;
    }
    return v;
  }

  void take_fields(const definition& known, value& v, int depth) {
    std::uint64_t next = 0;
    while (ok()) {
      const std::uint64_t distance = natural();
      if (distance == 0) return;
      if (distance > known.fields.size() - next) return fail("a record has no field " + std::to_string(distance));
      next += distance;
      const field& f = known.fields[static_cast<std::size_t>(next - 1)];
      v.names.push_back(f.name);
      v.items.push_back(take(f.type_number, depth + 1));
    }
  }

  void define(std::int64_t number) {
    if (number == std::numeric_limits<std::int64_t>::min()) return fail("a type beyond all numbers");
    const value wire = take(wire_type, 0);
    if (ok() && (left() != 0 || wire.items.size() != 1)) fail("a definition that is not one");
    if (!ok()) return;
    const std::int64_t defined = -number;
    definition made;
    const std::string_view form = wire.names[0];
    if (form == "array" || form == "slice") {
      made.kind = type::list;
      made.element = number_of(wire.items[0], "element");
    } else if (form == "struct") {
      made.kind = type::record;
      if (const value* const fields = wire.items[0].find("fields")) {
        for (const value& each : fields->items) {
          const value* const name = each.find("name");
          made.fields.push_back({name == nullptr ? std::string_view() : as_text(name->bytes), number_of(each, "id")});
        }
      }
    } else if (form == "map") {
      return fail("a map");
    }
    if (!types_.emplace(defined, std::move(made)).second) fail("type " + std::to_string(defined) + " is defined twice");
  }

  bytes_view content_;
  std::uint64_t size_;
  std::size_t at_ = 0;
  std::size_t end_;  // of the message
  definitions types_ = built_in();
  std::string complaint_;
};

}  // namespace

const value* value::find(std::string_view name) const noexcept {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return &items[i];
  }
  return nullptr;
}

result<stream> parse(bytes_view content) {
  return parser(content, content.size()).whole();
}

writer& writer::natural(std::uint64_t x) {
  if (x >= 128) {
    const unsigned bytes = (static_cast<unsigned>(std::bit_width(x)) + 7) / 8;
    body_.push_back(static_cast<std::byte>(256 - bytes));
    for (unsigned i = bytes; i > 1; --i) body_.push_back(static_cast<std::byte>(x >> 8 * (i - 1)));
  }
  body_.push_back(static_cast<std::byte>(x));
  return *this;
}

writer& writer::real(double x) {
  return natural(reversed(std::bit_cast<std::uint64_t>(x)));
}

writer& writer::bytes(bytes_view x) {
  natural(x.size());
  body_.insert(body_.end(), x.begin(), x.end());
  return *this;
}

std::vector<std::byte> writer::before(const numbered_type& as, bool is_record, std::uint64_t bytes) {
  writer number;
  number.integer(as.number);
  if (!is_record) number.natural(0);
  writer length;
  length.natural(number.body_.size() + bytes);
  std::vector<std::byte> all(as.definitions.begin(), as.definitions.end());
  all.insert(all.end(), length.body_.begin(), length.body_.end());
  all.insert(all.end(), number.body_.begin(), number.body_.end());
  return all;
}

std::vector<std::byte> writer::finish(const numbered_type& as, bool is_record) const {
  std::vector<std::byte> all = before(as, is_record, body_.size());
  all.insert(all.end(), body_.begin(), body_.end());
  return all;
}

result<frame> parse_frame(bytes_view beginning, std::uint64_t size) {
  return parser(beginning, size).self_encoded();
}

std::vector<std::byte> frame_before(const numbered_type& as, std::uint64_t bytes) {
  writer length;
  length.natural(bytes);
  std::vector<std::byte> all = writer::before(as, false, length.body().size() + bytes);
  all.insert(all.end(), length.body().begin(), length.body().end());
  return all;
}

namespace {

template <class... Byte>
constexpr std::array<std::byte, sizeof...(Byte)> bytes_of(Byte... b) {
  return {static_cast<std::byte>(b)...};
}

}  // namespace

numbered_type self_encoding() noexcept {
  static constexpr auto definition = bytes_of(0x0a, 0xff, 0x81, 0x05, 0x01, 0x02, 0xff, 0x84, 0x00, 0x00, 0x00);
  return {definition, 65};
}

numbered_type list_of_bytes() noexcept {
  static constexpr auto definition = bytes_of(0x0b, 0x7f, 0x02, 0x01, 0x02, 0xff, 0x80, 0x00, 0x01, 0x0a, 0x00, 0x00);
  return {definition, 64};
}

}  // namespace gob
}  // namespace seen::inline v1::foreign
