// A page is unpacked whole, and its values go out one by one: what a dictionary repeats a million times takes no room here.
#include "parquet_list.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <string_view>
#include <utility>

#include "blocks.hpp"
#include "decoder.hpp"
#include "formats/encodings/parquet_footer.hpp"
#include "formats/encodings/thrift.hpp"
#include "parquet_page.hpp"

namespace seen::cli {
namespace {

using foreign::thrift_reader;
using parquet::physical_type;

constexpr std::uint64_t most_page_bytes = std::uint64_t{1} << 30;
constexpr std::array<std::string_view, 8> codecs{"none", "snappy", "gzip", "lzo", "brotli", "lz4", "zstd", "lz4_raw"};

// --- pages

struct page_header {
  std::int64_t kind = -1;  // 0 values, 2 dictionary, 3 values of the second version
  std::int64_t unpacked = -1, packed = -1;
  std::int64_t places = -1;  // where a value may stand
  std::int64_t encoding = -1;
  std::int64_t optional_bytes = 0, repeated_bytes = 0;  // of levels, in the second version
  bool is_packed = true;
};

page_header read_header(thrift_reader& in) {
  using type = thrift_reader::type;
  page_header h;
  const auto take = [&](type kind, std::int64_t& to) {
    if (kind != type::i32) return false;
    to = in.integer();
    return true;
  };
  in.fields([&](std::int64_t id, type kind) {
    if (id == 1) return take(kind, h.kind);
    if (id == 2) return take(kind, h.unpacked);
    if (id == 3) return take(kind, h.packed);
    if (kind != type::structure || (id != 5 && id != 7 && id != 8)) return false;
    in.fields([&](std::int64_t inner, type inner_kind) {
      const bool second = id == 8;
      if (inner == 1) return take(inner_kind, h.places);
      if (inner == (second ? 4 : 2)) return take(inner_kind, h.encoding);
      if (second && inner == 5) return take(inner_kind, h.optional_bytes);
      if (second && inner == 6) return take(inner_kind, h.repeated_bytes);
      if (second && inner == 7) h.is_packed = inner_kind != type::no;
      return false;
    });
    return true;
  });
  const auto is_size = [](std::int64_t n) { return n >= 0 && static_cast<std::uint64_t>(n) <= most_page_bytes; };
  if (!is_size(h.unpacked) || !is_size(h.packed) || !is_size(h.optional_bytes) || !is_size(h.repeated_bytes)) in.fail();
  return h;
}

result<std::vector<std::byte>> unpack_stream(packing how, bytes_view packed, std::size_t size) {
  constexpr std::size_t least = std::size_t{64} << 10;
  auto unpacker = make_decoder(how);
  if (!unpacker) return unpacker.error();
  std::vector<std::byte> all;
  while (all.size() < size) {  // room is made as it is filled
    const std::size_t before = all.size();
    all.resize(std::min(size, 2 * before + least));
    auto got = (*unpacker)->decode(packed, std::span(all).subspan(before));
    if (!got) return got.error();
    all.resize(before + *got);
    if (*got == 0 && packed.empty()) break;
  }
  return all;
}

// The bytes of a page; none if they are not as many as the header says.
std::vector<std::byte> unpack(std::int64_t codec, bytes_view packed, std::size_t size) {
  std::vector<std::byte> all;
  switch (codec) {
    case 0:
      all.assign(packed.begin(), packed.end());
      break;
    case 1:
      if (auto made = unpack_snappy(packed, size)) all = std::move(*made);
      break;
    case 7:
      if (auto made = unpack_lz4(packed, size)) all = std::move(*made);
      break;
    default:
      if (auto made = unpack_stream(codec == 2 ? packing::gzip : packing::zstd, packed, size)) all = std::move(*made);
  }
  if (all.size() != size) all.clear();
  return all;
}

bool is_unpacked_here(std::int64_t codec) {
  return codec == 0 || codec == 1 || codec == 2 || codec == 6 || codec == 7;
}

// --- columns

std::size_t length_of(const parquet::schema_node& node) {
  switch (node.type) {
    case physical_type::int32:
    case physical_type::float32:
      return 4;
    case physical_type::int64:
    case physical_type::float64:
      return 8;
    case physical_type::boolean:
      return 1;
    case physical_type::fixed_len_byte_array:
      return static_cast<std::size_t>(std::max<std::int64_t>(node.type_length, 0));
    default:
      return 0;
  }
}

parquet_column column_of(const parquet::footer& f, std::size_t index) {
  const parquet::schema_node& leaf = f.column(index);
  parquet_column column{leaf.type, length_of(leaf)};
  for (std::size_t node = f.columns[index]; node != 0; node = f.schema[node].parent) {
    column.optional += f.schema[node].repetition != 0;
    column.repeated += f.schema[node].repetition == 2;
  }
  return column;
}

const char* no_text(const parquet::schema_node& node) {
  constexpr std::int64_t longest_decimal = 8;
  const bool is_bytes = node.type == physical_type::byte_array || node.type == physical_type::fixed_len_byte_array;
  if (node.type == physical_type::int96) return "are INT96";
  if (node.type == physical_type::fixed_len_byte_array && node.type_length < 1) return "have no length";
  if (node.decimal && is_bytes && (node.type == physical_type::byte_array || node.type_length > longest_decimal)) {
    return "are decimals of more than 18 digits";
  }
  return nullptr;
}

std::string names_of(const parquet::footer& f) {
  constexpr std::size_t most = 20;
  std::string names;
  for (std::size_t i = 0; i < std::min(f.columns.size(), most); ++i) names += (i == 0 ? "" : ", ") + f.path_of(i);
  return f.columns.size() > most ? names + " and " + std::to_string(f.columns.size() - most) + " more" : names;
}

}  // namespace

// A value as text, in `room_` where it does not stand there.
class parquet_list::value_writer {
 public:
  value_writer(const parquet::schema_node& node)
      : type_(node.type), is_unsigned_(node.is_unsigned), decimal_(node.decimal) {}

  std::string_view write(bytes_view value) {
    switch (type_) {
      case physical_type::boolean:
        return value.front() != std::byte{0} ? "true" : "false";
      case physical_type::int32: {
        const auto bits = load_le<std::uint32_t>(value.data());
        return is_unsigned_ ? number(bits) : number(static_cast<std::int32_t>(bits));
      }
      case physical_type::int64: {
        const auto bits = load_le<std::uint64_t>(value.data());
        return is_unsigned_ ? number(bits) : number(static_cast<std::int64_t>(bits));
      }
      case physical_type::float32:
        return number(std::bit_cast<float>(load_le<std::uint32_t>(value.data())));
      case physical_type::float64:
        return number(std::bit_cast<double>(load_le<std::uint64_t>(value.data())));
      default:
        return decimal_ ? big_endian(value)
                        : std::string_view(reinterpret_cast<const char*>(value.data()), value.size());
    }
  }

 private:
  template <class Number>
  std::string_view number(Number value) {
    const char* const end = std::to_chars(room_.data(), room_.data() + room_.size(), value).ptr;
    return {room_.data(), static_cast<std::size_t>(end - room_.data())};
  }
  std::string_view big_endian(bytes_view value) {
    const bool negative = !value.empty() && (value.front() & std::byte{0x80}) != std::byte{0};
    std::uint64_t bits = negative ? ~std::uint64_t{0} : 0;
    for (const std::byte b : value) bits = bits << 8 | std::to_integer<std::uint64_t>(b);
    return number(static_cast<std::int64_t>(bits));
  }

  physical_type type_;
  bool is_unsigned_, decimal_;
  std::array<char, 32> room_{};
};

class parquet_list::body {
 public:
  body(source from, parquet::footer f, std::size_t column)
      : from_(std::move(from)),
        footer_(std::move(f)),
        index_(column),
        column_(column_of(footer_, column)),
        text_(footer_.column(column)) {}

  result<std::size_t> read(std::span<std::byte> into) {
    std::size_t made = 0;
    while (made != into.size()) {
      if (!waiting_.empty()) {
        const std::size_t taken = std::min(waiting_.size(), into.size() - made);
        std::memcpy(into.data() + made, waiting_.data(), taken);
        waiting_ = waiting_.subspan(taken);
        made += taken;
      } else if (!frame_.empty()) {
        waiting_ = std::as_bytes(std::span(std::exchange(frame_, {})));
      } else if (next_ != page_.values.size()) {
        begin_value(page_.values[next_++]);
      } else if (made != 0) {
        break;
      } else if (auto more = next_page(); !more || !*more) {
        if (!more) return more.error();
        break;
      }
    }
    return made;
  }

  [[nodiscard]] std::uint64_t consumed() const noexcept { return consumed_; }

 private:
  void begin_value(bytes_view value) {
    frame_ = text_.write(value);
    store_le(length_.data(), static_cast<std::uint32_t>(frame_.size()));
    waiting_ = length_;
  }

  error damaged(const std::string& what) const {
    return {errc::corrupt, from_.name + ": offset " + std::to_string(at_) + ": " + what};
  }

  result<bool> next_page() {
    page_.values.clear();
    page_.room.clear();
    next_ = 0;
    for (;;) {
      while (at_ == end_) {
        if (places_left_ != 0) return damaged("the pages of the column end before its values");
        if (group_ == footer_.rows.size()) return false;
        if (auto begun = begin_group(group_++); !begun) return begun.error();
      }
      if (auto read = read_page(); !read) return read.error();
      if (places_left_ == 0) at_ = end_;
      if (!page_.values.empty()) return true;
    }
  }

  result<void> begin_group(std::size_t group) {
    const parquet::column_chunk& chunk = footer_.chunks[group * footer_.columns.size() + index_];
    dictionary_.values.clear();
    dictionary_.room.clear();
    if (chunk.values == 0) return {};
    if (chunk.elsewhere) return {errc::unsupported, from_.name + ": the column is in another file, or encrypted"};
    codec_ = chunk.codec;
    if (!is_unpacked_here(codec_)) {
      const auto known = codec_ >= 0 && codec_ < static_cast<std::int64_t>(codecs.size());
      return {errc::unsupported,
              from_.name + ": the column is packed by " +
                  (known ? std::string(codecs[static_cast<std::size_t>(codec_)]) : "a codec unknown here") +
                  "; what is read is " + "snappy, gzip, zstd and lz4_raw"};
    }
    const std::int64_t first = chunk.dictionary > 0 ? std::min(chunk.dictionary, chunk.data) : chunk.data;
    const auto size = static_cast<std::int64_t>(from_.size);
    if (chunk.values < 0 || first < 0 || first > size || chunk.bytes < 0 || chunk.bytes > size - first) {
      return {errc::corrupt,
              from_.name + ": the pages of row group " + std::to_string(group) + " lie outside the file"};
    }
    at_ = static_cast<std::uint64_t>(first);
    end_ = at_ + static_cast<std::uint64_t>(chunk.bytes);
    places_left_ = static_cast<std::uint64_t>(chunk.values);
    return {};
  }

  result<std::vector<std::byte>> bytes(std::uint64_t offset, std::uint64_t count) {
    std::vector<std::byte> read(static_cast<std::size_t>(count));
    if (auto done = from_.read(offset, read); !done) return done.error();
    consumed_ += count;
    return read;
  }

  // Statistics in a header may be as long as values are.
  result<page_header> read_page_header(std::uint64_t& length) {
    for (std::uint64_t room = 4096;; room *= 16) {
      auto beginning = bytes(at_, std::min(room, end_ - at_));
      if (!beginning) return beginning.error();
      thrift_reader in(*beginning);
      const page_header header = read_header(in);
      length = in.offset();
      if (!in.failed()) return header;
      if (beginning->size() == end_ - at_ || room > most_page_bytes) return damaged("no header of a page");
    }
  }

  result<void> read_page() {
    std::uint64_t length = 0;
    auto header = read_page_header(length);
    if (!header) return header.error();
    const auto packed = static_cast<std::uint64_t>(header->packed);
    if (packed > end_ - at_ - length) return damaged("a page reaches beyond its column");
    auto raw = bytes(at_ + length, packed);
    if (!raw) return raw.error();
    const bool sound = header->kind == 2   ? read_dictionary(*header, *raw)
                       : header->kind == 0 ? read_values(*header, *raw)
                       : header->kind == 3 ? read_values_2(*header, *raw)
                                           : true;
    if (!sound) return damaged("a page that is damaged, or written in a way unknown here");
    at_ += length + packed;
    return {};
  }

  bool read_dictionary(const page_header& h, bytes_view raw) {
    dictionary_.values.clear();
    dictionary_bytes_ = unpack(codec_, raw, static_cast<std::size_t>(h.unpacked));
    return h.places >= 0 && static_cast<std::uint64_t>(h.places) <= most_page_values &&
           decode_values(dictionary_bytes_, parquet_encoding::plain, column_, static_cast<std::uint64_t>(h.places), {},
                         dictionary_);
  }

  // Places that are left after so many; false where there are not so many.
  bool take_places(std::int64_t places) {
    if (places < 0 || static_cast<std::uint64_t>(places) > std::min(places_left_, most_page_values)) return false;
    places_left_ -= static_cast<std::uint64_t>(places);
    return true;
  }

  bool read_values(const page_header& h, bytes_view raw) {
    page_bytes_ = unpack(codec_, raw, static_cast<std::size_t>(h.unpacked));
    bytes_view page = page_bytes_;
    std::uint64_t present = 0;
    return take_places(h.places) && take_levels(page, column_, static_cast<std::uint64_t>(h.places), present) &&
           decode_values(page, parquet_encoding{h.encoding}, column_, present, dictionary_.values, page_);
  }

  // Levels stand before what is packed.
  bool read_values_2(const page_header& h, bytes_view raw) {
    const auto repeated = static_cast<std::uint64_t>(h.repeated_bytes),
               optional = static_cast<std::uint64_t>(h.optional_bytes);
    const auto unpacked = static_cast<std::uint64_t>(h.unpacked);
    if (repeated + optional > raw.size() || repeated + optional > unpacked || !take_places(h.places)) return false;
    const auto levels = static_cast<std::size_t>(repeated + optional);
    const bytes_view rest = raw.subspan(levels);
    page_bytes_ = unpack(h.is_packed ? codec_ : 0, rest, static_cast<std::size_t>(unpacked) - levels);
    auto present = static_cast<std::uint64_t>(h.places);
    if (column_.optional != 0 &&
        !count_present(raw.subspan(static_cast<std::size_t>(repeated), static_cast<std::size_t>(optional)), column_,
                       present, present)) {
      return false;
    }
    return decode_values(page_bytes_, parquet_encoding{h.encoding}, column_, present, dictionary_.values, page_);
  }

  source from_;
  parquet::footer footer_;
  std::size_t index_;  // of the column
  parquet_column column_;
  value_writer text_;

  std::size_t group_ = 0;                    // that comes next
  std::int64_t codec_ = 0;                   // of this one
  std::uint64_t at_ = 0, end_ = 0;           // of the pages that are left of it
  std::uint64_t places_left_ = 0;            // in them
  std::vector<std::byte> dictionary_bytes_;  // into which values point
  std::vector<std::byte> page_bytes_;
  parquet_values dictionary_, page_;
  std::size_t next_ = 0;  // value of the page
  std::array<std::byte, frame_bytes> length_{};
  std::string_view frame_;  // a value whose length is on its way
  bytes_view waiting_;
  std::uint64_t consumed_ = 0;
};

parquet_list::parquet_list(std::unique_ptr<body> all) : body_(std::move(all)) {}
parquet_list::parquet_list(parquet_list&&) noexcept = default;
parquet_list& parquet_list::operator=(parquet_list&&) noexcept = default;
parquet_list::~parquet_list() = default;

result<parquet_list> parquet_list::open(source from, const std::string& column) {
  auto footer = parquet::footer::read(from);
  if (!footer) return footer.error();
  const auto index = footer->find(column);
  if (!index) {
    return error{errc::invalid_argument,
                 from.name + ": " + footer->no_such(column) + "; there are " + names_of(*footer)};
  }
  if (const char* const why = no_text(footer->column(*index))) {
    return error{errc::unsupported, from.name + ": the values of " + footer->path_of(*index) + ' ' + why +
                                        ", which cannot be keys: write them as text first"};
  }
  return parquet_list(std::make_unique<body>(std::move(from), std::move(*footer), *index));
}

result<std::size_t> parquet_list::read(std::span<std::byte> into) {
  return body_->read(into);
}

std::uint64_t parquet_list::consumed() const noexcept {
  return body_->consumed();
}

}  // namespace seen::cli
