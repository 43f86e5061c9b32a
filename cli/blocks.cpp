// Room is made as it is filled, so that a length that lies allocates no more than the block can make.
#include "blocks.hpp"

#include "formats/encodings/bytes.hpp"

namespace seen::cli {
namespace {

// What was unpacked so far.
class unpacked {
 public:
  explicit unpacked(std::size_t size) : size_(size) {}

  [[nodiscard]] bool literal(bytes_view& from, std::size_t count) {
    if (count > from.size() || count > size_ - bytes_.size()) return false;
    bytes_.insert(bytes_.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count));
    from = from.subspan(count);
    return true;
  }
  // A copy may run into what it writes.
  [[nodiscard]] bool copy(std::size_t back, std::size_t count) {
    if (back == 0 || back > bytes_.size() || count > size_ - bytes_.size()) return false;
    for (std::size_t at = bytes_.size() - back; count != 0; ++at, --count) bytes_.push_back(bytes_[at]);
    return true;
  }
  [[nodiscard]] std::optional<std::vector<std::byte>> take() {
    if (bytes_.size() != size_) return {};
    return std::move(bytes_);
  }

 private:
  std::size_t size_;
  std::vector<std::byte> bytes_;
};

// A little-endian number of a few bytes.
std::optional<std::size_t> take_number(bytes_view& from, std::size_t bytes) {
  if (bytes > from.size()) return {};
  std::size_t number = 0;
  for (std::size_t i = 0; i < bytes; ++i) number |= std::to_integer<std::size_t>(from[i]) << 8 * i;
  from = from.subspan(bytes);
  return number;
}

// One more than what the tag says, or than what the bytes after it say.
std::optional<std::size_t> snappy_literal(bytes_view& from, std::size_t tag) {
  constexpr std::size_t longest_in_tag = 60;
  const std::size_t length = tag >> 2;
  if (length < longest_in_tag) return length + 1;
  const auto given = take_number(from, length - longest_in_tag + 1);
  return given ? std::optional(*given + 1) : std::nullopt;
}

bool unpack_snappy_copy(bytes_view& from, std::size_t tag, unpacked& to) {
  if ((tag & 3) == 1) {
    const auto low = take_number(from, 1);
    return low && to.copy(tag >> 5 << 8 | *low, (tag >> 2 & 7) + 4);
  }
  const auto back = take_number(from, (tag & 3) == 2 ? 2 : 4);
  return back && to.copy(*back, (tag >> 2) + 1);
}

// Fifteen means that more bytes follow, up to one that is not 255.
std::optional<std::size_t> lz4_length(bytes_view& from, std::size_t length) {
  if (length != 15) return length;
  for (;;) {
    const auto more = take_number(from, 1);
    if (!more) return {};
    length += *more;
    if (*more != 255) return length;
  }
}

}  // namespace

std::optional<std::vector<std::byte>> unpack_snappy(bytes_view packed, std::size_t size) {
  const auto length = foreign::take_varint(packed);
  if (!length || *length != size) return {};
  unpacked to(size);
  while (!packed.empty()) {
    const std::size_t tag = *take_number(packed, 1);
    if ((tag & 3) != 0) {
      if (!unpack_snappy_copy(packed, tag, to)) return {};
      continue;
    }
    const auto count = snappy_literal(packed, tag);
    if (!count || !to.literal(packed, *count)) return {};
  }
  return to.take();
}

std::optional<std::vector<std::byte>> unpack_lz4(bytes_view packed, std::size_t size) {
  unpacked to(size);
  while (!packed.empty()) {
    const std::size_t token = *take_number(packed, 1);
    const auto literals = lz4_length(packed, token >> 4);
    if (!literals || !to.literal(packed, *literals)) return {};
    if (packed.empty()) break;  // the last sequence has no copy
    const auto back = take_number(packed, 2);
    const auto more = back ? lz4_length(packed, token & 15) : std::nullopt;
    if (!more || !to.copy(*back, *more + 4)) return {};
  }
  return to.take();
}

}  // namespace seen::cli
