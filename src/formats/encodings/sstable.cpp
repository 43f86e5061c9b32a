#include "formats/encodings/sstable.hpp"

#include <seen/base/text.hpp>
#include <seen/hash/xxh3.hpp>  // brings in <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "base/checksum.hpp"
#include "base/checksums_count.hpp"
#include "formats/encodings/bytes.hpp"

namespace seen::inline v1::foreign {
namespace {

constexpr std::uint64_t trailer_bytes = 5;
constexpr std::uint64_t old_footer_bytes = 48, footer_bytes = 53;
constexpr std::uint32_t newest_version = 7;

// CRC-32C (Castagnoli), reflected, a byte at a time.
constexpr std::array<std::uint32_t, 256> crc_table = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t x = i;
    for (int bit = 0; bit < 8; ++bit) x = x >> 1 ^ ((x & 1) != 0 ? 0x82f6'3b78 : 0);
    table[i] = x;
  }
  return table;
}();

std::uint32_t crc32c(bytes_view bytes) noexcept {
  std::uint32_t x = ~std::uint32_t{0};
  for (const std::byte b : bytes) x = x >> 8 ^ crc_table[(x ^ std::to_integer<std::uint32_t>(b)) & 0xff];
  return ~x;
}

// The checksum in a trailer of bytes whose last one is the compression; nothing if the kind of checksum is not known.
std::optional<std::uint32_t> checksum_of(std::uint8_t kind, bytes_view bytes) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  switch (kind) {
    case 1:
      return std::rotr(crc32c(bytes), 15) + 0xa282'ead8;  // masked: it may itself be summed
    case 2:
      return low(XXH32(bytes.data(), bytes.size(), 0));
    case 3:
      return low(XXH64(bytes.data(), bytes.size(), 0));
    case 4:  // the last byte apart
      return low(detail::checksum::of(bytes.first(bytes.size() - 1))) ^
             std::to_integer<std::uint32_t>(bytes.back()) * 0x6b90'83d9;
    default:
      return {};
  }
}

// Reads varints from memory; what is missing is remembered.
class varints {
 public:
  explicit varints(bytes_view bytes) : rest_(bytes) {}

  std::uint64_t next() {
    const auto value = take_varint(rest_);
    ended_ = ended_ || !value;
    return value.value_or(0);
  }
  bytes_view take(std::uint64_t count) {
    ended_ = ended_ || count > rest_.size();
    if (ended_) return {};
    const bytes_view taken = rest_.first(static_cast<std::size_t>(count));
    rest_ = rest_.subspan(taken.size());
    return taken;
  }
  [[nodiscard]] bool ended() const noexcept { return ended_; }
  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

 private:
  bytes_view rest_;
  bool ended_ = false;
};

std::string_view text_of(bytes_view bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Calls use(key, value) for every pair of a block, until it says false. False where the block is malformed.
template <class Use>
bool for_each_pair(bytes_view block, Use use) {
  if (block.size() < 4) return false;
  const std::uint64_t restarts = load_le<std::uint32_t>(block.data() + block.size() - 4);
  if (restarts > (block.size() - 4) / 4) return false;
  varints in(block.first(static_cast<std::size_t>(block.size() - 4 - 4 * restarts)));
  std::string key;
  while (!in.at_end()) {
    const std::uint64_t shared = in.next(), rest = in.next(), size = in.next();
    const bytes_view tail = in.take(rest), value = in.take(size);
    if (in.ended() || shared > key.size()) return false;
    key.resize(static_cast<std::size_t>(shared));
    key += text_of(tail);
    if (!use(std::string_view(key), value)) return true;
  }
  return true;
}

std::string compression_called(std::uint8_t type) {
  constexpr std::array<const char*, 8> names{"none", "snappy", "zlib", "bzip2", "lz4", "lz4hc", "xpress", "zstd"};
  return type < names.size() ? names[type] : "compression " + std::to_string(type);
}

}  // namespace

std::uint64_t table_magic(const source& from) {
  if (from.size < old_footer_bytes) return 0;
  return byte_reader(from, from.size - 8).le<std::uint64_t>();
}

result<std::uint64_t> filter_number(std::string_view part, std::uint64_t count, const std::string& file) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(part.data(), part.data() + part.size(), number);
  if (read.ec == std::errc() && read.ptr == part.data() + part.size() && number < count) return number;
  return {errc::invalid_argument,
          file + ": no filter " + std::string(part) + "; it has " + std::to_string(count) + ", and the first is 0"};
}

error table::corrupt(std::uint64_t offset, const std::string& what) const {
  return {errc::corrupt, from_->name + ": offset " + std::to_string(offset) + ": " + what};
}

std::uint32_t table::context_of(std::uint64_t offset) const noexcept {
  return context_ == 0 ? 0 : context_ ^ static_cast<std::uint32_t>((offset & 0xffff'ffff) + (offset >> 32));
}

// From version 6 on the footer has a checksum of its own, made with that field zero.
result<table::place> table::read_new_footer(bytes_view footer) {
  std::vector<std::byte> zeroed(footer.begin(), footer.end());
  std::fill_n(zeroed.begin() + 5, 4, std::byte{0});
  const auto field = [&](std::size_t at) { return load_le<std::uint32_t>(footer.data() + at); };
  context_ = field(9);
  const std::uint64_t size = field(13);
  if (field(1) != 0x007a'003e || context_ == 0) return corrupt(end_, "the footer is not one of version 6 or 7");
  if (const auto sum = checksum_of(checksum_, zeroed); checksums_count && sum && *sum + context_of(end_) != field(5)) {
    return corrupt(end_, "the checksum of the footer is " + std::to_string(field(5)) + ", not " +
                             std::to_string(*sum + context_of(end_)));
  }
  if (load_le<std::uint64_t>(footer.data() + 33) != 0) {
    return {errc::newer_version, from_->name + ": the footer names a feature that is not known here"};
  }
  if (size + trailer_bytes > end_)
    return corrupt(end_, "a metaindex of " + std::to_string(size) + " bytes has no room");
  return place{end_ - trailer_bytes - size, size};
}

result<table::place> table::read_footer() {
  const bool is_old = table_magic(*from_) == leveldb_magic;
  if (!is_old && table_magic(*from_) != rocksdb_magic) return corrupt(from_->size, "no magic of a table ends the file");
  const std::uint64_t size = is_old ? old_footer_bytes : footer_bytes;
  if (from_->size < size) return corrupt(0, "the file is shorter than a footer");
  end_ = from_->size - size;
  byte_reader in(*from_, end_);
  const std::vector<std::byte> footer = in.bytes(size);
  if (auto ok = in.check("the footer"); !ok) return ok.error();
  if (!is_old) {
    version_ = load_le<std::uint32_t>(footer.data() + 41);
    checksum_ = std::to_integer<std::uint8_t>(footer[0]);
  }
  if (version_ > newest_version) {
    return {errc::newer_version, from_->name + ": format_version " + std::to_string(version_) +
                                     " of RocksDB is not known here; the newest that is, is " +
                                     std::to_string(newest_version)};
  }
  if (version_ >= 6) return read_new_footer(footer);
  varints places(bytes_view(footer).subspan(is_old ? 0 : 1, 40));
  const std::uint64_t offset = places.next(), length = places.next();
  if (places.ended()) return corrupt(end_, "the footer has no place of a metaindex");
  return place{offset, length};
}

result<std::vector<std::byte>> table::read(const place& where, const std::string& what) {
  if (where.offset > end_ || where.size > end_ - where.offset || trailer_bytes > end_ - where.offset - where.size) {
    return corrupt(where.offset, what + " of " + std::to_string(where.size) + " bytes leaves the " +
                                     std::to_string(end_) + " bytes before the footer");
  }
  byte_reader in(*from_, where.offset);
  std::vector<std::byte> block = in.bytes(where.size + 1);
  const auto stored = in.le<std::uint32_t>();
  if (auto ok = in.check(what.c_str()); !ok) return ok.error();
  const auto sum = checksum_of(checksum_, block);
  if (checksums_count && sum && *sum + context_of(where.offset) != stored) {
    return corrupt(where.offset, "the checksum of " + what + " is " + std::to_string(stored) + "; its bytes give " +
                                     std::to_string(*sum + context_of(where.offset)));
  }
  verified_ = verified_ && sum.has_value();
  const auto compression = std::to_integer<std::uint8_t>(block.back());
  block.pop_back();
  if (compression != 0) {
    return {errc::unsupported, from_->name + ": " + what + " is compressed (" + compression_called(compression) +
                                   "); it is read uncompressed only"};
  }
  return block;
}

result<table> table::open(const source& from) {
  table made(from);
  auto metaindex = made.read_footer();
  if (!metaindex) return metaindex.error();
  auto block = made.read(*metaindex, "the metaindex");
  if (!block) return block.error();
  if (!for_each_pair(*block, [](std::string_view, bytes_view) { return true; })) {
    return made.corrupt(metaindex->offset, "the metaindex is not a list of names and places");
  }
  made.metaindex_ = std::move(*block);
  return made;
}

result<std::optional<table::place>> table::find(std::string_view name) const {
  std::optional<place> found;
  bool ended = false;
  for_each_pair(metaindex_, [&](std::string_view key, bytes_view value) {
    if (key != name) return true;
    varints in(value);
    const std::uint64_t offset = in.next(), size = in.next();
    found = place{offset, size};
    ended = in.ended();
    return false;
  });
  if (ended) return corrupt(end_, "the place of " + std::string(name) + " does not end");
  return found;
}

std::string table::names() const {
  std::string all;
  for_each_pair(metaindex_, [&](std::string_view key, bytes_view) {
    append_name(all, key.substr(0, 100));
    return all.size() < 500;
  });
  return all.empty() ? "nothing" : all;
}

result<void> table::not_written() {
  return {errc::unsupported,
          "save: a table is read, not written; a filter of it, chosen by its number when the table is "
          "opened, can be saved"};
}

std::optional<std::string> table::value_of(bytes_view block, std::string_view key) {
  std::optional<std::string> found;
  for_each_pair(block, [&](std::string_view each, bytes_view value) {
    if (each == key) found = text_of(value);
    return !found;
  });
  return found;
}

}  // namespace seen::inline v1::foreign
