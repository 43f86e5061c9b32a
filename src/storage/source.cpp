// Bytes to read from, in a file or in memory, both of which refuse to read beyond their end; and the same two to write to.
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

result<void> write_file(const std::string& path, bool overwrite, const writer& write) {
  auto file = replacement::begin(path, overwrite);
  if (!file) return file.error();
  if (auto put = write([&](bytes_view bytes) { return file->write(bytes); }); !put) return put;
  return file->commit();
}

result<std::vector<std::byte>> collect(const writer& write) {
  std::vector<std::byte> bytes;
  const auto put = write([&](bytes_view piece) -> result<void> {
    bytes.insert(bytes.end(), piece.begin(), piece.end());
    return {};
  });
  if (!put) return put.error();
  return bytes;
}

}  // namespace seen::inline v1
