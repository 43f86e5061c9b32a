#include "formats/encodings/redis_chunks.hpp"

#include <algorithm>
#include <string>

namespace seen::inline v1::redisbloom {
namespace {

using foreign::byte_reader;
using foreign::byte_writer;

constexpr std::uint64_t most_of_a_chunk = std::uint64_t{1} << 24;
constexpr std::uint64_t most_of_a_header = std::uint64_t{1} << 20;  // of 19 000 links

}  // namespace

result<std::vector<std::byte>> read_header_chunk(byte_reader& in) {
  const auto iterator = in.le<std::uint64_t>(), length = in.le<std::uint64_t>();
  if (auto ok = in.check("the header chunk"); !ok) return ok.error();
  if (iterator != 1) return in.corrupt("the first chunk has iterator " + std::to_string(iterator) + ", not 1");
  if (length > in.remaining() || length > most_of_a_header) {
    return in.corrupt("the header chunk is said to have " + std::to_string(length) + " bytes; " +
                      std::to_string(in.remaining()) + " follow");
  }
  return in.bytes(length);
}

result<chunk_cuts> read_array_chunks(byte_reader& in, std::span<const std::span<std::byte>> arrays) {
  chunk_cuts cuts;
  std::uint64_t sent = 0;
  for (std::span<std::byte> array : arrays) {
    while (!array.empty()) {
      const auto iterator = in.le<std::uint64_t>(), length = in.le<std::uint64_t>();
      if (auto ok = in.check("a chunk"); !ok) return ok.error();
      if (length == 0 || length > array.size()) {
        return in.corrupt("a chunk has " + std::to_string(length) + " bytes; its array has " +
                          std::to_string(array.size()) + " more");
      }
      sent += length;
      if (iterator != sent + 1) {
        return in.corrupt("a chunk has iterator " + std::to_string(iterator) + "; " + std::to_string(sent) +
                          " bytes were sent with it");
      }
      in.read(array.first(static_cast<std::size_t>(length)));
      if (auto ok = in.check("a chunk"); !ok) return ok.error();
      array = array.subspan(static_cast<std::size_t>(length));
      cuts.lengths.push_back(length);
    }
  }
  if (in.remaining() != 0) {
    const auto iterator = in.le<std::uint64_t>(), length = in.le<std::uint64_t>();
    if (auto ok = in.check("the last chunk"); !ok) return ok.error();
    if (iterator != 0 || length != 0) return in.corrupt("a chunk follows the last array");
    cuts.has_end = true;
  }
  if (auto ok = in.check_end(); !ok) return ok.error();
  return cuts;
}

result<void> write_chunks(const sink& out, bytes_view header, std::span<const bytes_view> arrays,
                          const chunk_cuts& cuts) {
  byte_writer to(out);
  to.le(std::uint64_t{1}).le(std::uint64_t{header.size()}).bytes(header);
  std::uint64_t sent = 0;
  std::size_t next = 0;
  for (bytes_view array : arrays) {
    while (!array.empty()) {
      const std::uint64_t wish = next < cuts.lengths.size() ? cuts.lengths[next++] : most_of_a_chunk;
      const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(wish, array.size()));
      sent += length;
      to.le(sent + 1).le(std::uint64_t{length}).bits(array, length);
      array = array.subspan(length);
    }
  }
  if (cuts.has_end) to.le(std::uint64_t{0}).le(std::uint64_t{0});
  return to.finish();
}

bool begins_with_chunks(const source& from, std::uint64_t header_bytes) {
  byte_reader in(from);
  if (in.le<std::uint64_t>() != 1 || in.le<std::uint64_t>() != header_bytes) return false;
  in.skip(header_bytes);
  const auto iterator = in.le<std::uint64_t>(), length = in.le<std::uint64_t>();
  return in.check("a chunk") && length != 0 && length <= in.remaining() && iterator == length + 1;
}

}  // namespace seen::inline v1::redisbloom
