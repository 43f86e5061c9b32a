// Filters and standard streams. Apart from io.hpp, so that nobody else pays for <istream>.
#pragma once

#include <seen/io.hpp>

#include <istream>
#include <ostream>
#include <vector>

namespace seen::inline v1 {

/// Writes the bytes of the file that save would write. After an error the stream holds a part of them.
template <class F>
result<void> write_to(const F& f, std::ostream& out, const save_options& options = {}) {
  const auto put = [&out](bytes_view bytes) -> result<void> {
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!out) return {errc::io, "the stream does not take any more bytes"};
    return {};
  };
  return write_to(f, sink(put), options);
}

/// Reads a filter that goes to the end of the stream, checking everything.
template <class F>
[[nodiscard]] result<F> read_from(std::istream& in, const open_options& options = {}) {
  std::vector<std::byte> bytes;
  constexpr std::size_t piece = std::size_t{64} << 10;
  while (in) {
    const std::size_t have = bytes.size();
    bytes.resize(have + piece);
    in.read(reinterpret_cast<char*>(bytes.data() + have), static_cast<std::streamsize>(piece));
    bytes.resize(have + static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) return {errc::io, "the stream cannot be read to its end"};
  return from_bytes<F>(bytes, options);
}

}  // namespace seen::inline v1
