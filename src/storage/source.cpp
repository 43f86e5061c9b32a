// Bytes to read from, in a file or in memory. Both refuse to read beyond their end.
#include <seen/storage/source.hpp>

#include <cstring>

namespace seen::inline v1 {

result<source> source::of(const file& opened) {
  auto size = opened.size();
  if (!size) return size.error();
  return source{opened.path(), *size,
                [&opened](std::uint64_t offset, std::span<std::byte> into) { return opened.read_at(offset, into); }};
}

source source::of(bytes_view bytes) {
  return {"bytes", bytes.size(), [bytes](std::uint64_t offset, std::span<std::byte> into) -> result<void> {
            if (offset > bytes.size() || into.size() > bytes.size() - offset) {
              return {errc::corrupt, "bytes: end at offset " + std::to_string(bytes.size()) + ", too early"};
            }
            if (!into.empty()) std::memcpy(into.data(), bytes.data() + offset, into.size());
            return {};
          }};
}

}  // namespace seen::inline v1
