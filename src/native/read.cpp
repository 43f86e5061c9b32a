// Reading native files: the one decoder, for bytes from anywhere. docs/formats/native.md is the specification.
#include <bit>
#include <cstring>
#include <utility>

#include "base/checksums_count.hpp"
#include "layout.hpp"

namespace seen::inline v1::native {
namespace {

// Files of the draft had layouts that are gone. They are recognised, so that the message says what to do, but not read.
constexpr std::array<std::uint8_t, 8> draft_magic{0x8d, 'S', 'E', 'N', '0', 0x0d, 0x0a, 0x1a};

using namespace layout;

class reader {
 public:
  reader(const source& from, bytes_view bytes) : from_(from), bytes_(bytes) {}

  template <class UInt>
  UInt get(std::size_t at) const {
    return load_le<UInt>(bytes_.data() + at);
  }
  [[nodiscard]] bytes_view range(std::size_t at, std::size_t size) const { return bytes_.subspan(at, size); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

  [[nodiscard]] error corrupt(std::size_t at, const std::string& what) const {
    return {errc::corrupt, from_.name + ": offset " + std::to_string(at) + ": " + what};
  }
  [[nodiscard]] error newer(std::size_t at, const std::string& what) const {
    return {errc::newer_version, from_.name + ": offset " + std::to_string(at) + ": " + what + "; this release (" +
                                     std::to_string(major_version) + "." + std::to_string(minor_version) +
                                     ") does not know it"};
  }

 private:
  const source& from_;
  bytes_view bytes_;
};

bool all_zero(bytes_view bytes) noexcept {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

// The fields before the entries, and how they fit the file.
result<void> parse_identity(const reader& in, std::uint64_t file_bytes, header& h) {
  h.file_bytes = in.get<std::uint64_t>(16);
  if (h.file_bytes != file_bytes) {
    return in.corrupt(
        16, "the header says " + std::to_string(h.file_bytes) + " bytes, the file has " + std::to_string(file_bytes));
  }
  h.kind = in.get<std::uint16_t>(24);
  h.index_rule = in.get<std::uint16_t>(26);
  if (in.get<std::uint32_t>(28) != 0) return in.newer(28, "a flag that must be understood");
  h.hash.id = static_cast<hash_id>(in.get<std::uint16_t>(32));
  h.hash.encoding = static_cast<key_encoding>(in.get<std::uint16_t>(34));
  const auto hash_flags = in.get<std::uint32_t>(36);
  if ((hash_flags & ~hash_flag_keyed) != 0) return in.newer(36, "a hash flag that must be understood");
  h.hash.keyed = (hash_flags & hash_flag_keyed) != 0;
  h.hash.seed = in.get<std::uint64_t>(40);
  h.hash.check = in.get<std::uint64_t>(48);
  h.target.capacity = in.get<std::uint64_t>(56);
  h.target.fpr = std::bit_cast<double>(in.get<std::uint64_t>(64));
  h.body_offset = in.get<std::uint64_t>(72);
  h.body_bytes = in.get<std::uint64_t>(80);
  h.page_bytes = in.get<std::uint64_t>(88);
  if (const auto wrong = impossible_number(h)) return in.corrupt(wrong->at, wrong->what);
  if (in.get<std::uint32_t>(100) != 0) return in.corrupt(100, "a reserved field is not zero");
  return {};
}

result<void> parse_segment(const reader& in, std::size_t at, std::size_t length, header& h) {
  if (length < 16 || length % 8 != 0 || length > 16 + 8 * max_fields) {
    return in.corrupt(at, "a segment entry of " + std::to_string(length) + " bytes");
  }
  segment& s = h.segments.emplace_back();
  s.offset = in.get<std::uint64_t>(at);
  s.length = in.get<std::uint64_t>(at + 8);
  if (const auto wrong = impossible_segment(h, h.segments.size() - 1)) return in.corrupt(at, *wrong);
  for (std::size_t i = 16; i < length; i += 8) s.fields.push_back(in.get<std::uint64_t>(at + i));
  return {};
}

result<void> parse_entries(const reader& in, header& h) {
  const std::size_t end = in.size() - trailer_bytes;
  std::size_t at = identity_bytes;
  for (auto left = in.get<std::uint32_t>(96); left != 0; --left) {
    if (end - at < 8) return in.corrupt(at, "the header ends inside an entry");
    const auto what = static_cast<tag>(in.get<std::uint16_t>(at));
    const auto flags = in.get<std::uint16_t>(at + 2);
    const auto length = static_cast<std::size_t>(in.get<std::uint32_t>(at + 4));
    if (length > end - at - 8 || round_up(length, 8) > end - at - 8) {
      return in.corrupt(at + 4, "an entry of " + std::to_string(length) + " bytes does not fit the header");
    }
    const bytes_view value = in.range(at + 8, length);
    switch (what) {
      case tag::none:
        return in.corrupt(at, "padding where an entry is due");
      case tag::segment:
        if (auto parsed = parse_segment(in, at + 8, length, h); !parsed) return parsed;
        break;
      case tag::metadata:
        if (length > max_metadata) return in.corrupt(at + 4, "metadata of " + std::to_string(length) + " bytes");
        h.metadata.assign(reinterpret_cast<const char*>(value.data()), value.size());
        break;
      case tag::secret: {
        secret stored;
        if (length != stored.bytes.size())
          return in.corrupt(at + 4, "a secret of " + std::to_string(length) + " bytes");
        std::copy(value.begin(), value.end(), stored.bytes.begin());
        h.stored_secret = stored;
        break;
      }
      default:
        if ((flags & must_understand) != 0) {
          return in.newer(
              at, "an entry of type " + std::to_string(static_cast<std::uint16_t>(what)) + " that must be understood");
        }
    }
    const std::size_t padded = static_cast<std::size_t>(round_up(length, 8));
    if (!all_zero(in.range(at + 8 + length, padded - length))) return in.corrupt(at, "padding that is not zero");
    at += 8 + padded;
  }
  if (!all_zero(in.range(at, end - at))) return in.corrupt(at, "padding that is not zero");
  if (const auto wrong = impossible_cover(h)) return in.corrupt(identity_bytes, *wrong);
  return {};
}

result<void> parse_seal(const reader& in, bool accept_unsealed, header& h) {
  const std::size_t at = in.size() - 32;
  const bytes_view word = in.range(at, 8);
  const auto is = [&](std::string_view text) { return std::memcmp(word.data(), text.data(), word.size()) == 0; };
  if (is(unsealed_word)) {
    h.state = seal_state::unsealed;
    if (accept_unsealed) return {};
    return {errc::unsealed,
            in.corrupt(at, "").detail + "a writable map of this file was never sealed; open it with recover"};
  }
  if (!is(sealed_word)) return in.corrupt(at, "the seal is neither whole nor open");
  if (checksums_count && detail::checksum::of(in.range(at - 8, 32)) != in.get<std::uint64_t>(at + 24)) {
    return in.corrupt(at + 24, "the seal's checksum does not match");
  }
  h.state = seal_state::sealed;
  h.census = in.get<std::uint64_t>(at + 8);
  h.table_checksum = in.get<std::uint64_t>(at + 16);
  return {};
}

result<std::vector<std::byte>> read_range(const source& from, std::uint64_t offset, std::uint64_t size) {
  std::vector<std::byte> bytes;
  if (size > bytes.max_size()) {
    return {errc::no_memory, from.name + ": " + std::to_string(size) + " bytes have no room in memory"};
  }
  bytes.resize(static_cast<std::size_t>(size));
  if (auto read = from.read(offset, bytes); !read) return read.error();
  return bytes;
}

result<void> compare_with_table(const header& h, const source& from, bytes_view computed) {
  auto stored = read_page_table(h, from);
  if (!stored) return stored.error();
  const auto differ = std::mismatch(computed.begin(), computed.end(), stored->begin(), stored->end()).first;
  if (differ == computed.end() || !checksums_count) return {};
  const std::uint64_t begin = static_cast<std::uint64_t>(differ - computed.begin()) / 8 * h.page_bytes;
  return {errc::corrupt, from.name + ": offset " + std::to_string(h.body_offset + begin) + ": the " +
                             std::to_string(std::min(h.page_bytes, h.body_bytes - begin)) +
                             " bytes from here do not match their checksum"};
}

}  // namespace

result<std::vector<std::byte>> read_page_table(const header& h, const source& from) {
  auto table = read_range(from, h.table_offset(), 8 * page_count(h));
  if (!table) return table;
  if (checksums_count && h.state == seal_state::sealed && detail::checksum::of(*table) != h.table_checksum) {
    return {errc::corrupt, from.name + ": offset " + std::to_string(h.table_offset()) +
                               ": the checksum of the page table does not match"};
  }
  return table;
}

bool recognises(bytes_view beginning) noexcept {
  return beginning.size() >= magic.size() && (std::memcmp(beginning.data(), magic.data(), magic.size()) == 0 ||
                                              std::memcmp(beginning.data(), draft_magic.data(), magic.size()) == 0);
}

result<header> read_header(const source& from, bool accept_unsealed) {
  if (from.size < identity_bytes + trailer_bytes) {
    std::vector<std::byte> beginning(static_cast<std::size_t>(std::min<std::uint64_t>(from.size, magic.size())));
    if (auto read = from.read(0, beginning); !read) return read.error();
    const bool ours = !beginning.empty() && std::memcmp(beginning.data(), magic.data(), beginning.size()) == 0;
    return {ours ? errc::corrupt : errc::not_recognised,
            from.name + ": " + std::to_string(from.size) + " bytes are too few for a seen file"};
  }
  auto fixed = read_range(from, 0, identity_bytes);
  if (!fixed) return fixed.error();
  if (std::memcmp(fixed->data(), draft_magic.data(), draft_magic.size()) == 0) {
    return {errc::unsupported, from.name + ": a file of the draft before version 1 of the format; build it again"};
  }
  if (!recognises(*fixed)) return {errc::not_recognised, from.name + ": not a seen file"};
  const reader first(from, *fixed);
  header h;
  h.header_bytes = first.get<std::uint32_t>(12);
  if (const auto version = first.get<std::uint16_t>(8); version != major_version) {
    return first.newer(
        8, "format version " + std::to_string(version) + "." + std::to_string(first.get<std::uint16_t>(10)));
  }
  if (const auto wrong = impossible_length(h.header_bytes, from.size)) return first.corrupt(wrong->at, wrong->what);
  auto bytes = read_range(from, 0, h.header_bytes);
  if (!bytes) return bytes.error();
  const reader in(from, *bytes);
  const std::size_t covered = in.size() - trailer_bytes;
  h.header_checksum = in.get<std::uint64_t>(covered);
  if (checksums_count && detail::checksum::of(in.range(0, covered)) != h.header_checksum) {
    return in.corrupt(covered, "the header's checksum does not match");
  }
  if (auto parsed = parse_identity(in, from.size, h); !parsed) return parsed.error();
  if (auto parsed = parse_entries(in, h); !parsed) return parsed.error();
  if (auto parsed = parse_seal(in, accept_unsealed, h); !parsed) return parsed.error();
  auto gap = read_range(from, h.header_bytes, h.body_offset - h.header_bytes);
  if (!gap) return gap.error();
  if (!all_zero(*gap)) return in.corrupt(in.size(), "padding that is not zero");
  if (auto table = read_page_table(h, from); !table) return table.error();
  return h;
}

result<void> verify_pages(const header& h, const source& from) {
  page_table pages(h);
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(smallest_page, h.body_bytes)));
  for (std::uint64_t at = 0; at < h.body_bytes; at += buffer.size()) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), h.body_bytes - at));
    const auto piece = std::span(buffer).first(size);
    if (auto read = from.read(h.body_offset + at, piece); !read) return read;
    pages.update(piece);
  }
  return compare_with_table(h, from, pages.finish());
}

result<std::vector<storage>> read_body(const header& h, const source& from) {
  std::vector<storage> body;
  page_table pages(h);
  for (const segment& s : h.segments) {
    auto bytes = storage::allocate(clamp_to_size(s.length));
    if (!bytes) return bytes.error();
    if (auto read = from.read(h.body_offset + s.offset, bytes->bytes()); !read) return read.error();
    pages.update(bytes->bytes());
    body.push_back(std::move(*bytes));
  }
  if (h.state == seal_state::sealed) {
    if (auto same = compare_with_table(h, from, pages.finish()); !same) return same.error();
  }
  return body;
}

std::vector<storage> mapped_file::body() {
  std::vector<storage> segments;
  for (const segment& s : about.segments) {
    segments.push_back(storage::borrow(whole.bytes().subspan(static_cast<std::size_t>(about.body_offset + s.offset),
                                                             static_cast<std::size_t>(s.length))));
  }
  return segments;
}

result<void> mapped_file::verify() const {
  if (about.state == seal_state::unsealed) return {errc::unsealed, name + ": unsealed: no checksum speaks for it"};
  source from = source::of(whole.bytes());
  from.name = name;
  return verify_pages(about, from);
}

result<mapped_file> read_in_place(storage whole, std::string name, bool accept_unsealed) {
  source from = source::of(std::as_const(whole).bytes());
  from.name = name;
  auto h = read_header(from, accept_unsealed);
  if (!h) return h.error();
  return mapped_file{std::move(whole), std::move(*h), std::move(name)};
}

}  // namespace seen::inline v1::native
