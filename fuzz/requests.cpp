// What libFuzzer calls: bytes that a client of `seen serve` sends, in pieces.
//
// The first byte says how large the pieces are. Whatever they are, the same requests come out of the bytes, every word lies in what was read, and
// nothing is larger than the limits. A crash, a hang or a difference is a finding.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "serve/request_reader.hpp"

namespace {

using seen::redis::limits;
using seen::redis::request_reader;

struct heard {
  std::vector<std::vector<std::string>> requests;
  std::string wrong;
  friend bool operator==(const heard&, const heard&) = default;
};

heard hear(std::string_view bytes, std::size_t piece, const limits& bounds) {
  heard all;
  request_reader reader(bounds);
  std::size_t begin = 0, end = 0;
  while (end < bytes.size()) {
    end = std::min(end + piece, bytes.size());
    for (;;) {
      const auto outcome = reader.read(bytes.substr(begin, end - begin));
      if (outcome == request_reader::outcome::incomplete) break;
      if (outcome == request_reader::outcome::wrong) {
        all.wrong = reader.wrong();
        return all;
      }
      if (reader.size() == 0 || reader.size() > end - begin) std::abort();
      if (reader.words().size() > bounds.items && bytes[begin] == '*') std::abort();
      all.requests.emplace_back(reader.words().begin(), reader.words().end());
      begin += reader.size();
      reader.next();
    }
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const limits bounds{.line = 200, .item = 100, .items = 20, .request = 400};
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece = 1 + data[0] % 64;
  if (hear(bytes, piece, bounds) != hear(bytes, bytes.size() + 1, bounds)) std::abort();
  return 0;
}
