// The table, and the three sorts of files that take more than a look at their first bytes.
#include "signature.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <zlib.h>

#include "records/cleaning.hpp"

namespace seen::cli {
namespace {

using namespace std::string_view_literals;

// How a file begins, and what it is. A bit that is set in `any` may have any value.
struct row {
  std::string_view bytes;
  signature is;
  std::string_view any = {};
};

constexpr std::array rows{
    // RFC 1952; reserved flags are zero
    row{"\x1f\x8b\x08\0"sv, {packing::gzip, "gzip data", "gzip -dc decompresses it"}, "\0\0\0\x1f"sv},
    // RFC 8878, 3.1.1, and a skippable frame, 3.1.2
    row{"\x28\xb5\x2f\xfd"sv, {packing::zstd, "zstd data", "zstd -dc decompresses it"}},
    row{"\x50\x2a\x4d\x18"sv, {packing::zstd, "zstd data", "zstd -dc decompresses it"}, "\x0f"sv},
    row{"\xfd\x37zXZ\0"sv, {packing::xz, "xz data", "xz -dc decompresses it"}},
    // a block of 100 to 900 kB; the second begins with the end of an empty stream
    row{"BZh\x30\x31\x41Y&SY"sv, {packing::bzip2, "bzip2 data", "bzip2 -dc decompresses it"}, "\0\0\0\x0f"sv},
    row{"BZh\x30\x17\x72\x45\x38\x50\x90"sv,
        {packing::bzip2, "bzip2 data", "bzip2 -dc decompresses it"},
        "\0\0\0\x0f"sv},
    row{"\x04\x22\x4d\x18"sv, {packing::none, "lz4 data", "lz4 -dc decompresses it"}},
    row{"\x02\x21\x4c\x18"sv, {packing::none, "lz4 data", "lz4 -dc decompresses it"}},  // as `lz4 -l` writes it
    row{"LZIP\x01"sv, {packing::none, "lzip data", "lzip -dc decompresses it"}},
    row{"\x89LZO\0\r\n\x1a\n"sv, {packing::none, "lzop data", "lzop -dc decompresses it"}},
    // properties, the size of the dictionary (a multiple of 64 KiB), and no size of the data
    row{"\x5d\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"sv,
        {packing::none, "lzma data", "xz -dc decompresses it"},
        "\0\0\0\xff\x0f"sv},
    row{"\xff\x06\0\0sNaPpY"sv, {packing::none, "snappy data", "snzip -dc decompresses it"}},
    // compress: flags, of which the upper three are for blocks and two that are reserved
    row{"\x1f\x9d\0"sv, {packing::none, "compress data", "gzip -dc decompresses it"}, "\0\0\x9f"sv},
    row{"PK\x03\x04"sv, {packing::none, "a zip archive", "unzip -p unpacks it"}},
    row{"PK\x05\x06"sv, {packing::none, "a zip archive", "it is empty"}},
    row{"\x37z\xbc\xaf\x27\x1c"sv, {packing::none, "a 7z archive", "7z x -so unpacks it"}},
    row{"Rar!\x1a\x07"sv, {packing::none, "a rar archive", "unrar p -inul unpacks it"}},
    row{"PAR1\x15"sv, {packing::none, "a Parquet file", "--parquet COLUMN reads a column of it"}},
    row{"PARE\x15"sv, {packing::none, "a Parquet file", "--parquet COLUMN reads a column of it"}},
    row{"Obj\x01"sv, {packing::none, "an Avro file", "write its field as text first"}},
    row{"ARROW1\0\0"sv, {packing::none, "an Arrow file", "--parquet COLUMN reads a column of it"}},
    row{"SQLite format 3\0"sv, {packing::none, "an SQLite database", "sqlite3 prints a column of it"}},
    row{"\x7f\x45LF"sv, {packing::none, "a program (ELF)", ""}},
    row{"\x8dSEN1\r\n\x1a"sv,
        {packing::none, "a filter", "seen merge puts filters together, and seen query -F asks several"}},
};

constexpr signature tar_archive{packing::none, "a tar archive", "tar -xO unpacks it"};
constexpr signature orc_file{packing::none, "an ORC file", "--parquet COLUMN reads a column of it"};
constexpr signature zlib_data{packing::none, "zlib data", "pigz -dc decompresses it"};

constexpr unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
}

bool begins_like(bytes_view bytes, const row& r) noexcept {
  const std::size_t known = std::min(bytes.size(), r.bytes.size());
  for (std::size_t i = 0; i < known; ++i) {
    const unsigned differ = std::to_integer<unsigned>(bytes[i]) ^ byte_at(r.bytes, i);
    if ((differ & ~byte_at(r.any, i)) != 0) return false;
  }
  return true;
}

// The magic of POSIX and of GNU tar, in the header of the first file.
bool is_tar(std::string_view text) noexcept {
  const std::string_view magic = text.substr(std::min<std::size_t>(257, text.size()), 8);
  return magic.starts_with("ustar\0"sv) || magic == "ustar  \0"sv;
}

// Three letters, and behind them what no line of text has.
bool is_orc(std::string_view text) noexcept {
  constexpr auto is_control = [](char c) { return (c >= 0 && c < '\t') || (c > '\r' && c < ' '); };
  const std::string_view behind = text.substr(0, 64);
  return text.starts_with("ORC"sv) && std::any_of(behind.begin(), behind.end(), is_control);
}

// A header of RFC 1950 with the usual window is two characters of text, so what follows has to inflate: to the end, or 64
// bytes of it, which no text does.
bool is_zlib(bytes_view bytes) {
  if (bytes.size() < 8 || bytes[0] != std::byte{0x78}) return false;
  const unsigned flags = std::to_integer<unsigned>(bytes[1]);
  if ((0x7800 + flags) % 31 != 0 || (flags & 0x20) != 0) return false;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return false;
  std::array<Bytef, 4096> out;
  int outcome = Z_OK;
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(std::min(bytes.size(), signature_room));
  do {
    stream.next_out = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    outcome = inflate(&stream, Z_NO_FLUSH);
  } while (outcome == Z_OK && stream.avail_out == 0);
  const bool whole = outcome == Z_STREAM_END;
  const bool some = (outcome == Z_OK || outcome == Z_BUF_ERROR) && stream.total_in >= 64;
  inflateEnd(&stream);
  return whole || some;
}

}  // namespace

bool may_become_signature(bytes_view beginning) noexcept {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const row& r) { return beginning.size() < r.bytes.size() && begins_like(beginning, r); });
}

const signature* find_signature(bytes_view beginning) {
  for (const row& r : rows) {
    if (beginning.size() >= r.bytes.size() && begins_like(beginning, r)) return &r.is;
  }
  const std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  if (is_tar(text)) return &tar_archive;
  if (is_orc(text)) return &orc_file;
  if (is_zlib(beginning)) return &zlib_data;
  return nullptr;
}

}  // namespace seen::cli
