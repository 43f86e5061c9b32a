// Writing native files; docs/formats/native.md is the specification.
#include <array>
#include <bit>
#include <utility>

#include "layout.hpp"

namespace seen::inline v1::native {
namespace {

using namespace layout;

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
  void end_entry() { pad_to(static_cast<std::size_t>(round_up(bytes_.size(), 8))); }

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
  w.put(h.target.capacity);
  w.put(std::bit_cast<std::uint64_t>(h.target.fpr));
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

// A header that the reader would refuse is not written.
result<void> check_readable(const header& h) {
  const auto refused = [](const std::string& what) {
    return error{errc::invalid_argument, "save: no reader would take the file: " + what};
  };
  if (const auto wrong = impossible_length(h.header_bytes, h.file_bytes)) return refused(wrong->what);
  if (const auto wrong = impossible_number(h)) return refused(wrong->what);
  for (std::size_t i = 0; i < h.segments.size(); ++i) {
    if (const auto wrong = impossible_segment(h, i)) return refused(*wrong);
  }
  if (const auto wrong = impossible_cover(h)) return refused(*wrong);
  return {};
}

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

}  // namespace

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
  return check_readable(h);
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

result<void> unseal(const header& h, file& opened) {
  if (auto put = opened.write_at(h.header_bytes - 32, bytes_of(unsealed_word)); !put) return put;
  return opened.sync();
}

result<void> seal(header& h, file& opened, bytes_view body, std::uint64_t census) {
  page_table pages(h);
  pages.update(body);
  return seal(h, opened, pages.finish(), census);
}

// The body is on the device already. The table and the numbers go first, under the open seal; the seal's own word goes
// last, so that a crash anywhere before it leaves an unsealed file with every bit in it.
result<void> seal(header& h, file& opened, const std::vector<std::byte>& table, std::uint64_t census) {
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

}  // namespace seen::inline v1::native
