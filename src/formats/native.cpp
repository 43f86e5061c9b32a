#include <seen/detail/checksum.hpp>
#include <seen/formats/native.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

// Offsets and names are those of docs/formats/native.md.

namespace seen {
inline namespace v1 {
namespace native {
namespace {

constexpr std::size_t identity_bytes = 104;  // up to the first entry
constexpr std::size_t trailer_bytes = 40;    // header checksum and seal
constexpr std::size_t max_header_bytes = std::size_t{256} << 10;
constexpr std::uint64_t max_body_bytes = std::uint64_t{1} << 44;  // 128 times the largest filter: room for chains
constexpr std::uint64_t smallest_page = std::uint64_t{64} << 10;
constexpr std::uint64_t most_pages = 1024;  // 8 KiB of checksums at most: opening takes the same time at any size
constexpr std::size_t line = storage::alignment;
constexpr std::size_t largest_alignment = 4096;

constexpr std::uint32_t hash_flag_keyed = 1;

enum class tag : std::uint16_t { segment = 1, metadata = 2, secret = 3 };
constexpr std::uint16_t must_understand = 1;

constexpr std::string_view sealed_word = "sealed!\n";
constexpr std::string_view unsealed_word = "unsealed";

std::uint64_t page_bytes_for(std::uint64_t body_bytes) noexcept {
  std::uint64_t page = smallest_page;
  while (ceil_div(body_bytes, page) > most_pages) page *= 2;
  return page;
}

std::uint64_t page_count(const header& h) noexcept {
  return ceil_div(h.body_bytes, h.page_bytes);
}

// --- writing

class writer {
 public:
  template <class UInt>
  void put(UInt x) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof x);
    store_le(bytes_.data() + at, x);
  }
  void put_bytes(bytes_view from) { bytes_.insert(bytes_.end(), from.begin(), from.end()); }
  void pad_to(std::size_t size) { bytes_.resize(std::max(size, bytes_.size())); }

  void begin_entry(tag what, std::uint16_t flags, std::size_t length) {
    put(static_cast<std::uint16_t>(what));
    put(flags);
    put(static_cast<std::uint32_t>(length));
  }
  void end_entry() { pad_to(round_up(bytes_.size(), 8)); }

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] bytes_view view() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

bytes_view bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::vector<std::byte> encode_entries(const header& h) {
  writer w;
  for (const segment& s : h.segments) {
    w.begin_entry(tag::segment, must_understand, 16 + 8 * s.fields.size());
    w.put(s.offset);
    w.put(s.length);
    for (const std::uint64_t field : s.fields) w.put(field);
    w.end_entry();
  }
  if (!h.metadata.empty()) {
    w.begin_entry(tag::metadata, 0, h.metadata.size());
    w.put_bytes(bytes_of(h.metadata));
    w.end_entry();
  }
  if (h.stored_secret) {
    w.begin_entry(tag::secret, 0, h.stored_secret->bytes.size());
    w.put_bytes(h.stored_secret->bytes);
    w.end_entry();
  }
  return {w.view().begin(), w.view().end()};
}

std::uint32_t entry_count(const header& h) {
  return static_cast<std::uint32_t>(h.segments.size() + !h.metadata.empty() + h.stored_secret.has_value());
}

// The last 32 bytes of a header: state, census, checksum of the table, and a checksum over these and the header's own.
std::vector<std::byte> encode_seal(std::uint64_t header_checksum, std::uint64_t census, std::uint64_t table_checksum) {
  writer w;
  w.put(header_checksum);
  w.put_bytes(bytes_of(sealed_word));
  w.put(census);
  w.put(table_checksum);
  w.put(detail::checksum::of(w.view()));
  return {w.view().begin() + 8, w.view().end()};
}

std::vector<std::byte> encode_header(const header& h) {
  writer w;
  w.put_bytes(std::as_bytes(std::span(magic)));
  w.put(major_version);
  w.put(minor_version);
  w.put(static_cast<std::uint32_t>(h.header_bytes));
  w.put(h.file_bytes);
  w.put(h.kind);
  w.put(h.index_rule);
  w.put(std::uint32_t{0});  // flags
  w.put(static_cast<std::uint16_t>(h.hash.id));
  w.put(static_cast<std::uint16_t>(h.hash.encoding));
  w.put(h.hash.keyed ? hash_flag_keyed : std::uint32_t{0});
  w.put(h.hash.seed);
  w.put(h.hash.check);
  w.put(h.asked.capacity);
  w.put(std::bit_cast<std::uint64_t>(h.asked.fpr));
  w.put(h.body_offset);
  w.put(h.body_bytes);
  w.put(h.page_bytes);
  w.put(entry_count(h));
  w.put(std::uint32_t{0});
  w.put_bytes(encode_entries(h));
  w.pad_to(static_cast<std::size_t>(h.header_bytes) - trailer_bytes);
  const std::uint64_t header_checksum = detail::checksum::of(w.view());
  w.put(header_checksum);
  w.put_bytes(encode_seal(header_checksum, h.census, h.table_checksum));
  return {w.view().begin(), w.view().end()};
}

// Page checksums of a body that comes in pieces.
class page_table {
 public:
  explicit page_table(const header& h) : page_bytes_(h.page_bytes) {
    table_.reserve(8 * static_cast<std::size_t>(page_count(h)));
  }
  void update(bytes_view bytes) {
    while (!bytes.empty()) {
      const auto take = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), page_bytes_ - in_page_));
      sum_.update(bytes.first(take));
      in_page_ += take;
      bytes = bytes.subspan(take);
      if (in_page_ == page_bytes_) end_page();
    }
  }
  const std::vector<std::byte>& finish() {
    if (in_page_ != 0) end_page();
    return table_;
  }

 private:
  void end_page() {
    const std::size_t at = table_.size();
    table_.resize(at + 8);
    store_le(table_.data() + at, sum_.value());
    sum_.restart();
    in_page_ = 0;
  }

  std::uint64_t page_bytes_;
  std::uint64_t in_page_ = 0;
  detail::checksum sum_;
  std::vector<std::byte> table_;
};

constexpr std::array<std::byte, largest_alignment> zeros{};

result<void> for_each_piece(const header& h, std::span<const bytes_view> bodies,
                            const std::function<result<void>(bytes_view)>& use) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (auto used = use(bodies[i]); !used) return used;
    const auto padding = static_cast<std::size_t>(h.segments[i].length - bodies[i].size());
    if (auto used = use(bytes_view(zeros).first(padding)); !used) return used;
  }
  return {};
}

// --- reading

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

// The fields before the entries, and how they fit the file. Sums cannot wrap: every term is bounded first.
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
  h.asked.capacity = in.get<std::uint64_t>(56);
  h.asked.fpr = std::bit_cast<double>(in.get<std::uint64_t>(64));
  if (!(h.asked.fpr >= 0 && h.asked.fpr < 1)) return in.corrupt(64, "the stored fpr is not a probability below 1");
  h.body_offset = in.get<std::uint64_t>(72);
  h.body_bytes = in.get<std::uint64_t>(80);
  h.page_bytes = in.get<std::uint64_t>(88);
  if (h.body_offset != round_up(h.header_bytes, line) && h.body_offset != round_up(h.header_bytes, largest_alignment)) {
    return in.corrupt(72, "the body begins at " + std::to_string(h.body_offset) + ", not right after the header");
  }
  if (h.body_bytes > max_body_bytes || h.body_bytes % line != 0) {
    return in.corrupt(80, "a body of " + std::to_string(h.body_bytes) + " bytes");
  }
  if (h.page_bytes != page_bytes_for(h.body_bytes)) {
    return in.corrupt(88, "pages of " + std::to_string(h.page_bytes) + " bytes, where a body of " +
                              std::to_string(h.body_bytes) + " has pages of " +
                              std::to_string(page_bytes_for(h.body_bytes)));
  }
  if (h.table_offset() + 8 * page_count(h) != h.file_bytes) {
    return in.corrupt(80, "header, body and page table make " + std::to_string(h.table_offset() + 8 * page_count(h)) +
                              " bytes, the file has " + std::to_string(h.file_bytes));
  }
  if (in.get<std::uint32_t>(100) != 0) return in.corrupt(100, "a reserved field is not zero");
  return {};
}

result<void> parse_segment(const reader& in, std::size_t at, std::size_t length, header& h) {
  if (length < 16 || length % 8 != 0) return in.corrupt(at, "a segment entry of " + std::to_string(length) + " bytes");
  segment s;
  s.offset = in.get<std::uint64_t>(at);
  s.length = in.get<std::uint64_t>(at + 8);
  const std::uint64_t expected = h.segments.empty() ? 0 : h.segments.back().offset + h.segments.back().length;
  if (s.offset != expected || s.length % line != 0 || s.length > h.body_bytes - s.offset) {
    return in.corrupt(at, "segment " + std::to_string(h.segments.size()) + " does not follow the one before it");
  }
  for (std::size_t i = 16; i < length; i += 8) s.fields.push_back(in.get<std::uint64_t>(at + i));
  h.segments.push_back(std::move(s));
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
  const std::uint64_t covered = h.segments.empty() ? 0 : h.segments.back().offset + h.segments.back().length;
  if (h.segments.empty() || covered != h.body_bytes) {
    return in.corrupt(identity_bytes, "the segments cover " + std::to_string(covered) + " of " +
                                          std::to_string(h.body_bytes) + " bytes of body");
  }
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
  if (detail::checksum::of(in.range(at - 8, 32)) != in.get<std::uint64_t>(at + 24)) {
    return in.corrupt(at + 24, "the seal's checksum does not match");
  }
  h.state = seal_state::sealed;
  h.census = in.get<std::uint64_t>(at + 8);
  h.table_checksum = in.get<std::uint64_t>(at + 16);
  return {};
}

result<std::vector<std::byte>> read_range(const source& from, std::uint64_t offset, std::uint64_t size) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  if (auto read = from.read(offset, bytes); !read) return read.error();
  return bytes;
}

// The stored page checksums; nobody vouches for those of an unsealed file.
result<std::vector<std::byte>> read_table(const header& h, const source& from) {
  auto table = read_range(from, h.table_offset(), 8 * page_count(h));
  if (!table) return table;
  if (h.state == seal_state::sealed && detail::checksum::of(*table) != h.table_checksum) {
    return {errc::corrupt, from.name + ": offset " + std::to_string(h.table_offset()) +
                               ": the checksum of the page table does not match"};
  }
  return table;
}

result<void> compare_with_table(const header& h, const source& from, bytes_view computed) {
  auto stored = read_table(h, from);
  if (!stored) return stored.error();
  const auto differ = std::mismatch(computed.begin(), computed.end(), stored->begin(), stored->end()).first;
  if (differ == computed.end()) return {};
  const std::uint64_t begin = static_cast<std::uint64_t>(differ - computed.begin()) / 8 * h.page_bytes;
  return {errc::corrupt, from.name + ": offset " + std::to_string(h.body_offset + begin) + ": the " +
                             std::to_string(std::min(h.page_bytes, h.body_bytes - begin)) +
                             " bytes from here do not match their checksum"};
}

}  // namespace

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

result<void> lay_out(header& h, std::size_t alignment) {
  if (alignment != line && alignment != largest_alignment) {
    return {errc::invalid_argument, "alignment is " + std::to_string(alignment) + "; it must be 64 or 4096"};
  }
  if (h.metadata.size() > max_metadata) {
    return {errc::invalid_argument, "metadata has " + std::to_string(h.metadata.size()) + " bytes; the most is " +
                                        std::to_string(max_metadata)};
  }
  h.body_bytes = 0;
  for (segment& s : h.segments) {
    s.offset = h.body_bytes;
    h.body_bytes += s.length;
  }
  h.header_bytes = round_up(identity_bytes + encode_entries(h).size() + trailer_bytes, line);
  h.body_offset = round_up(h.header_bytes, alignment);
  h.page_bytes = page_bytes_for(h.body_bytes);
  h.file_bytes = h.table_offset() + 8 * page_count(h);
  return {};
}

result<void> write(header h, std::span<const bytes_view> bodies, const sink& out) {
  page_table pages(h);
  (void)for_each_piece(h, bodies, [&](bytes_view piece) -> result<void> {
    pages.update(piece);
    return {};
  });
  const auto& table = pages.finish();
  h.table_checksum = detail::checksum::of(table);
  if (auto put = out(encode_header(h)); !put) return put;
  if (auto put = out(bytes_view(zeros).first(static_cast<std::size_t>(h.body_offset - h.header_bytes))); !put)
    return put;
  if (auto put = for_each_piece(h, bodies, out); !put) return put;
  return out(table);
}

bool recognises(bytes_view beginning) noexcept {
  return beginning.size() >= magic.size() && std::memcmp(beginning.data(), magic.data(), magic.size()) == 0;
}

result<header> read_header(const source& from, bool accept_unsealed) {
  if (from.size < identity_bytes + trailer_bytes) {
    std::vector<std::byte> beginning(static_cast<std::size_t>(std::min<std::uint64_t>(from.size, magic.size())));
    if (auto read = from.read(0, beginning); !read) return read.error();
    const bool ours = std::memcmp(beginning.data(), magic.data(), beginning.size()) == 0 && !beginning.empty();
    return {ours ? errc::corrupt : errc::not_recognised,
            from.name + ": " + std::to_string(from.size) + " bytes are too few for a seen file"};
  }
  auto fixed = read_range(from, 0, identity_bytes);
  if (!fixed) return fixed.error();
  if (!recognises(*fixed)) return {errc::not_recognised, from.name + ": not a seen file"};
  const reader first(from, *fixed);
  header h;
  h.header_bytes = first.get<std::uint32_t>(12);
  if (const auto version = first.get<std::uint16_t>(8); version != major_version) {
    return first.newer(
        8, "format version " + std::to_string(version) + "." + std::to_string(first.get<std::uint16_t>(10)));
  }
  if (h.header_bytes < identity_bytes + trailer_bytes || h.header_bytes % line != 0 ||
      h.header_bytes > std::min<std::uint64_t>(max_header_bytes, from.size)) {
    return first.corrupt(
        12, "a header of " + std::to_string(h.header_bytes) + " bytes in a file of " + std::to_string(from.size));
  }
  auto bytes = read_range(from, 0, h.header_bytes);
  if (!bytes) return bytes.error();
  const reader in(from, *bytes);
  const std::size_t covered = in.size() - trailer_bytes;
  h.header_checksum = in.get<std::uint64_t>(covered);
  if (detail::checksum::of(in.range(0, covered)) != h.header_checksum) {
    return in.corrupt(covered, "the header's checksum does not match");
  }
  if (auto parsed = parse_identity(in, from.size, h); !parsed) return parsed.error();
  if (auto parsed = parse_entries(in, h); !parsed) return parsed.error();
  if (auto parsed = parse_seal(in, accept_unsealed, h); !parsed) return parsed.error();
  auto gap = read_range(from, h.header_bytes, h.body_offset - h.header_bytes);
  if (!gap) return gap.error();
  if (!all_zero(*gap)) return in.corrupt(in.size(), "padding that is not zero");
  if (auto table = read_table(h, from); !table) return table.error();
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
    auto bytes = storage::allocate(static_cast<std::size_t>(s.length));
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

result<void> unseal(const header& h, file& opened) {
  if (auto put = opened.write_at(h.header_bytes - 32, bytes_of(unsealed_word)); !put) return put;
  return opened.sync();
}

// The body is on the device already. The table and the numbers go first, under the open seal; the seal's own word goes
// last, so that a crash anywhere before it leaves an unsealed file with every bit in it.
result<void> seal(header& h, file& opened, bytes_view body, std::uint64_t census) {
  page_table pages(h);
  pages.update(body);
  const auto& table = pages.finish();
  h.state = seal_state::sealed;
  h.census = census;
  h.table_checksum = detail::checksum::of(table);
  const auto encoded = encode_seal(h.header_checksum, census, h.table_checksum);
  const std::uint64_t seal_at = h.header_bytes - encoded.size();
  if (auto put = opened.write_at(h.table_offset(), table); !put) return put;
  if (auto put = opened.write_at(seal_at + 8, bytes_view(encoded).subspan(8)); !put) return put;
  if (auto synced = opened.sync(); !synced) return synced;
  if (auto put = opened.write_at(seal_at, bytes_view(encoded).first(8)); !put) return put;
  return opened.sync();
}

}  // namespace native
}  // namespace v1
}  // namespace seen
