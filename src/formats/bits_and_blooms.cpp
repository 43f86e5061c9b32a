// Files of the Go package bits-and-blooms/bloom, version 3.
//
//   binary   m u64be │ k u64be │ L u64be │ ceil(L/64) words u64be, bit i in word i/64, mask 1 << (i % 64)
//   json     {"m":…,"k":…,"b":"…"}, b being base64 of all that the binary file has from L on
//   gob      the binary file in the frame of a value that encodes itself
//
//   (h0, h1) = MurmurHash3 x64 128 of the key, (h2, h3) = of the key and a byte 1
//   position i = (h[i mod 2] + i·h[2 or 3]) mod m, in 64 bits; the second in the order 2 3 3 2 2 3 3 2 …
//
// L, the length of the set of bits, is m unless the caller brought his own words; bits from L on are 0. Two switches of
// the process that wrote the file, neither recorded in it: bitset.LittleEndian() turns L and the words around (the length
// of the file tells), bitset.Base64StdEncoding() takes the other alphabet. No magic, no checksum.
// docs/formats/bits-and-blooms.md.
#include "formats/bits_and_blooms.hpp"

#include <seen/hash/fnv1a.hpp>
#include <seen/hash/murmur3.hpp>

#include <bit>
#include <charconv>
#include <memory>

#include "formats/encodings/base64.hpp"
#include "formats/encodings/gob.hpp"
#include "formats/encodings/json.hpp"
#include "formats/evidence.hpp"

namespace seen::inline v1::bits_and_blooms {
namespace {

using namespace foreign;

// --- encodings

enum class container : std::uint8_t { binary, json, gob };

struct encoding {
  container in = container::binary;
  word_order order = word_order::big;
  base64_alphabet alphabet = base64_alphabet::url;
};

constexpr std::array<encoding, variants.size()> encodings{{
    {container::binary},
    {container::json},
    {container::gob},
    {container::binary, word_order::little},
    {container::gob, word_order::little},
    {container::json, word_order::big, base64_alphabet::standard},
    {container::json, word_order::little, base64_alphabet::standard},
    {container::json, word_order::little},
}};

encoding encoding_called(std::string_view variant) {
  const auto at = std::find(variants.begin(), variants.end(), variant);
  return at == variants.end() ? encodings[0] : encodings[static_cast<std::size_t>(at - variants.begin())];
}

std::string_view name_of(const encoding& e) {
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const encoding& each = encodings[i];
    if (each.in == e.in && each.order == e.order && each.alphabet == e.alphabet) return variants[i];
  }
  return variants[0];
}

// Those of JSON, one of which may be named when the file is opened.
constexpr std::array<std::string_view, 4> alphabets{"json", "json-std", "json-std-le", "json-le"};

// All that a file has beside the filter, for writing it as it was.
struct file_form {
  encoding as;
  std::uint64_t length = 0;            // of the set of bits
  bool tells_alphabet = true;          // of JSON; not where its text had none of the letters that differ
  std::vector<std::byte> definitions;  // of a gob
  std::int64_t type_number = 0;
};

file_form form_called(std::string_view variant, std::uint64_t length) {
  const gob::numbered_type usual = gob::self_encoding();
  return {.as = encoding_called(variant),
          .length = length,
          .definitions = {usual.definitions.begin(), usual.definitions.end()},
          .type_number = usual.number};
}

// --- hashes

using hash_type = foreign_hash<four_words>;

struct murmur {
  four_words operator()(bytes_view key) const noexcept { return {murmur3_x64_128_four_words(key)}; }
};
struct fnv {  // willf 2.0.0
  four_words operator()(bytes_view key) const noexcept {
    four_words d;
    for (std::size_t j = 0; j < 4; ++j) d.word[j] = fnv1a_64_word(key, fnv1a_64_offset_basis + j);
    return d;
  }
};

hash_type hash_called(std::string_view name) {
  if (name == seen::name_of(hash_id::fnv1a_64)) return {fnv(), named(hash_id::fnv1a_64)};
  return {murmur(), named(hash_id::murmur3_x64_128)};
}

// --- writing

// The set of bits grows to the highest that was set.
std::uint64_t length_now(const bloom_type& f, std::uint64_t length) {
  const bytes_view bytes = f.engine().bytes();
  for (std::uint64_t word = ceil_div(f.shape().array_bits(), 64); 64 * word > length; --word) {
    const auto bits = load_le<std::uint64_t>(bytes.data() + 8 * (word - 1));
    if (bits != 0) {
      return std::max(length, 64 * (word - 1) + static_cast<std::uint64_t>(std::bit_width(bits)));
    }
  }
  return length;
}

byte_writer& put_set(byte_writer& to, const bloom_type& f, std::uint64_t length, word_order order) {
  order == word_order::big ? to.be(length) : to.le(length);
  return to.bits(f.engine().bytes(), 8 * ceil_div(length, 64), order);
}

// The same text in either alphabet, or one that a program of the other could not read any more.
result<void> check_alphabet(const file_form& form, std::string_view text) {
  if (form.tells_alphabet || text.find_first_of("-_") == text.npos) return {};
  return {
      errc::unsupported,
      "save: the text that was read did not tell its base64 alphabet, and this one has letters that differ: name it "
      "when the file is opened (--variant json, or --variant json-std of a program that calls "
      "bitset.Base64StdEncoding)"};
}

result<void> write_json(const bloom_type& f, std::uint64_t length, const file_form& form, byte_writer& to) {
  std::vector<std::byte> set;
  const sink collect = [&](bytes_view some) -> result<void> {
    set.insert(set.end(), some.begin(), some.end());
    return {};
  };
  byte_writer into(collect);
  if (auto put = put_set(into, f, length, form.as.order).finish(); !put) return put;
  const std::string text = to_base64(set, form.as.alphabet);
  if (auto told = check_alphabet(form, text); !told) return told;
  return to.text(R"({"m":)" + std::to_string(f.shape().bits) + R"(,"k":)" + std::to_string(f.probes()) + R"(,"b":")")
      .text(text)
      .text("\"}")
      .finish();
}

result<void> write(const bloom_type& f, const file_form& form, const sink& out) {
  byte_writer to(out);
  const std::uint64_t length = length_now(f, form.length);
  if (form.as.in == container::json) return write_json(f, length, form, to);
  if (form.as.in == container::gob) {
    to.bytes(gob::frame_before({form.definitions, form.type_number}, 24 + 8 * ceil_div(length, 64)));
  }
  to.be(f.shape().bits).be(std::uint64_t{f.probes()});
  return put_set(to, f, length, form.as.order).finish();
}

any_filter wrapped(bloom_type f, file_form form, const format_row& row) {
  const std::string_view variant = name_of(form.as);
  const auto shared = std::make_shared<const file_form>(std::move(form));
  return any_filter(std::move(f), row.name, {.variant = std::string(variant)},
                    [shared](const bloom_type& f, const sink& out) { return write(f, *shared, out); });
}

// --- reading

// Which order of bytes gives the length that is there: `words` words.
std::optional<word_order> order_of(std::uint64_t big, std::uint64_t little, std::uint64_t bytes) {
  const auto fits = [&](std::uint64_t length) {
    return length <= 64 * math::max_bits && bytes == 8 * ceil_div(length, 64);
  };
  if (fits(big)) return word_order::big;
  if (fits(little)) return word_order::little;
  return {};
}

struct lengths {
  std::uint64_t big, little;
};
lengths read_lengths(byte_reader& in) {
  const auto big = in.be<std::uint64_t>();
  auto bytes = std::bit_cast<std::array<std::byte, 8>>(big);
  swap_words(bytes);
  return {big, std::bit_cast<std::uint64_t>(bytes)};
}

// The set of bits, which is all that `in` has left, and the filter of it.
result<any_filter> open_set(byte_reader& in, const probe_shape& wanted, file_form form, const format_row& row,
                            const source& file, const open_options& options) {
  const auto [big, little] = read_lengths(in);
  if (auto ok = in.check("the length of the bits"); !ok) return ok.error();
  const auto order = order_of(big, little, in.remaining());
  if (!order) {
    return in.corrupt("a length of " + std::to_string(big) + " bits is announced; " + std::to_string(in.remaining()) +
                      " bytes follow");
  }
  form.as.order = *order;
  form.length = *order == word_order::big ? big : little;
  auto shape = probe_shape::make(wanted.bits, wanted.probes, form.length);
  if (!shape) return in.about(shape.error());
  if (form.length < shape->bits && shape->bits / 8 > std::min(options.max_bytes, 1000 * file.size)) {
    return in.corrupt("m is " + std::to_string(shape->bits) + ", far beyond the " + std::to_string(form.length) +
                      " bits that are there");
  }
  auto bits = read_bits(in, in.remaining(), shape->array_bits(), *order);
  if (!bits) return bits.error();
  auto f = bloom_over<bloom_type>(*shape, std::move(*bits), hash_called(options.hash));
  if (!f) return in.about(f.error());
  if (length_now(*f, form.length) != form.length) {
    return in.corrupt("bits beyond the " + std::to_string(form.length) + " of the set are set");
  }
  return wrapped(std::move(*f), std::move(form), row);
}

result<any_filter> open_json(const source& from, const format_row& row, const open_options& options) {
  byte_reader in(from);
  const std::vector<std::byte> raw = in.bytes(from.size);
  if (auto ok = in.check("the text"); !ok) return ok.error();
  auto document = json::parse({reinterpret_cast<const char*>(raw.data()), raw.size()});
  if (!document) return in.about(document.error());
  const json::value *const m = document->find("m"), *const k = document->find("k"), *const b = document->find("b");
  if (m == nullptr || k == nullptr || b == nullptr || document->items.size() != 3) {
    return error{errc::corrupt, from.name + ": the members must be m, k and b"};
  }
  const auto bits = m->as_u64(), probes = k->as_u64();
  const auto text = b->as_text();
  const auto set = text ? from_base64(*text) : std::nullopt;
  if (!bits || !probes || !set) {
    return error{errc::corrupt, from.name + ": m and k must be whole numbers, and b base64"};
  }
  file_form form = form_called(options.variant, 0);
  if (options.variant.empty()) {
    form.as = {container::json};
    if (text->find_first_of("+/") != text->npos) form.as.alphabet = base64_alphabet::standard;
    form.tells_alphabet = text->find_first_of("+/-_") != text->npos;
  } else if (text->find_first_of(form.as.alphabet == base64_alphabet::url ? "+/" : "-_") != text->npos) {
    return error{errc::invalid_argument, from.name + ": its base64 is not in the alphabet of " + options.variant};
  }
  source decoded = source::of(*set);
  decoded.name = from.name + ": member b";
  byte_reader of_set(decoded);
  return open_set(of_set, {*bits, clamp_to_u32(*probes)}, std::move(form), row, from, options);
}

bool begins_as_json(const source& from) {
  return byte_reader(from).u8() == '{';
}

// The frame, where the file is a gob. A binary file begins with m, below 2^56: with a 0.
result<gob::frame> frame_of(const source& from, std::array<std::byte, gob::frame_bytes>& beginning) {
  const auto part =
      std::span(beginning).first(static_cast<std::size_t>(std::min<std::uint64_t>(from.size, beginning.size())));
  if (auto got = from.read(0, part); !got) return got.error();
  return gob::parse_frame(part, from.size);
}

// Whether m and k are little-endian and the bits follow at once, as descriptions of this library have it and no release of it ever
// wrote. Read big-endian, such a k is beyond 255: it is refused in any case, and this only finds the words.
bool is_as_described(const source& from) {
  byte_reader in(from);
  const auto m = in.le<std::uint64_t>(), k = in.le<std::uint64_t>();
  const std::uint64_t left = in.remaining();
  return in.check("the header") && probe_shape::make(m, k) && (left == 8 * ceil_div(m, 64) || left == ceil_div(m, 8));
}

// --- detection

// Likely at best: willf 2.0.0 wrote the same files with bits that another hash had chosen, and no file says which.

// {"m":1314,"k":7,"b":"…"} to the letter, and a set of bits of length m: its first eight bytes. Other text of these names may be
// anybody's.
detection detect_json(const source& from) {
  std::array<std::byte, 96> raw{};
  const auto part = std::span(raw).first(static_cast<std::size_t>(std::min<std::uint64_t>(from.size, raw.size())));
  if (!from.read(0, part)) return detection::no;
  std::string_view text(reinterpret_cast<const char*>(part.data()), part.size());
  const auto skip = [&](std::string_view expected) {
    const bool found = text.substr(0, expected.size()) == expected;
    text.remove_prefix(found ? expected.size() : text.size());
    return found;
  };
  std::uint64_t m = 0, k = 0;
  const auto skip_number = [&](std::uint64_t& number) {
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return wrong == std::errc();
  };
  const bool begins = skip(R"({"m":)") && skip_number(m) && skip(R"(,"k":)") && skip_number(k) && skip(R"(,"b":")");
  if (!begins) return detection::no;
  const auto set = from_base64(text.substr(0, 12));
  if (!set || set->size() < 8) return detection::fitting;
  const source beginning = source::of(*set);
  byte_reader in(beginning);
  const auto [big, little] = read_lengths(in);
  return big == m || little == m ? detection::likely : detection::fitting;
}

// m, k and L agree with the length of the file. Where m is L it is said twice; else it is three small numbers, as many a
// header has, and nothing tells which of them is m.
detection detect_binary(const source& from, std::uint64_t offset) {
  byte_reader in(from, offset);
  const auto m = in.be<std::uint64_t>(), k = in.be<std::uint64_t>();
  const auto [big, little] = read_lengths(in);
  if (!in.check("the header") || !probe_shape::make(m, k)) return detection::no;
  const auto order = order_of(big, little, in.remaining());
  if (!order) return detection::no;
  const std::uint64_t length = *order == word_order::big ? big : little;
  if (length % 64 != 0) {  // bits of the last word from L on are 0
    byte_reader last(from, from.size - 8);
    const auto word = *order == word_order::big ? last.be<std::uint64_t>() : last.le<std::uint64_t>();
    if (word >> (length % 64) != 0) return detection::no;
  }
  if (m != length) return detection::fitting;
  return evidence(from)
      .fixed(0, offset)
      .fixed(offset, 7)
      .fixed(offset + 8, 7)
      .fixed(offset + 16, 8)
      .weigh(detection::likely);
}

}  // namespace

detection detect_file(const source& from) {
  if (begins_as_json(from)) return detect_json(from);
  if (byte_reader(from).u8() == 0) return detect_binary(from, 0);
  std::array<std::byte, gob::frame_bytes> beginning;
  const auto frame = frame_of(from, beginning);
  return frame ? detect_binary(from, frame->offset) : detection::no;
}

result<any_filter> open_as(const format_row& row, const source& from, const open_options& options) {
  if (auto ok = check_options(row, options); !ok) return ok.error();
  const bool is_json = begins_as_json(from);
  if (!options.variant.empty() && !is_json) {
    return error{errc::invalid_argument, from.name + ": this is not JSON, and has no variant " + options.variant};
  }
  if (auto known = choose("variant (the alphabet of JSON)", row.name, alphabets, options.variant); !known)
    return known.error();
  if (is_json) return open_json(from, row, options);
  if (is_as_described(from)) {
    return byte_reader(from).corrupt(
        "two little-endian numbers, m and k, and then the bits: some descriptions have it so, but the library writes "
        "three "
        "big-endian ones");
  }
  file_form form = form_called("binary", 0);
  std::uint64_t offset = 0;
  if (byte_reader(from).u8() != 0) {
    std::array<std::byte, gob::frame_bytes> beginning;
    const auto frame = frame_of(from, beginning);
    if (!frame) return byte_reader(from).about(frame.error());
    form.as.in = container::gob;
    form.definitions.assign(frame->as.definitions.begin(), frame->as.definitions.end());
    form.type_number = frame->as.number;
    offset = frame->offset;
  }
  byte_reader in(from, offset);
  const auto bits = in.be<std::uint64_t>(), probes = in.be<std::uint64_t>();
  if (auto ok = in.check("the header"); !ok) return ok.error();
  return open_set(in, {bits, clamp_to_u32(probes)}, std::move(form), row, from, options);
}

result<any_filter> make_as(const format_row& row, const make_options& options) {
  if (auto ok = check_options(row, options); !ok) return ok.error();
  auto shape = shape_for(row, options, rounded_up);
  if (!shape) return shape.error();
  auto f = bloom_type::make(*shape, hash_called(options.hash ? seen::name_of(*options.hash) : ""));
  if (!f) return f.error();
  return wrapped(std::move(*f), form_called(options.variant, shape->bits), row);
}

// Either library's filters, where the other one hashes so too.
conversion convert_to(const format_row& row, any_filter from, std::string_view variant) {
  bloom_type* const f = from.get_if<bloom_type>();
  if (f == nullptr) return std::nullopt;
  const std::string_view hash = seen::name_of(f->identity().id);
  if (std::find(row.hashes.begin(), row.hashes.end(), hash) == row.hashes.end()) {
    return error{errc::unsupported, std::string(row.name) + ": no filter of it hashes with " + std::string(hash)};
  }
  const probe_shape shape = f->shape();
  return wrapped(std::move(*f), form_called(variant, shape.stored_bits == 0 ? shape.bits : shape.stored_bits), row);
}

namespace {

constexpr std::array<std::string_view, 1> hashes{"murmur3-x64-128"};

}  // namespace

constinit const format_row format{
    .name = "bits-and-blooms",
    .summary = "the Go package bits-and-blooms/bloom, version 3: binary, JSON and gob",
    .can = {.adds = true, .layouts = true},
    .variants = variants,
    .hashes = hashes,
    .detect = detect_file,
    .open = [](const source& from, const open_options& options) { return open_as(format, from, options); },
    .make = [](const make_options& options) { return make_as(format, options); },
    .convert = [](any_filter from, std::string_view variant) { return convert_to(format, std::move(from), variant); },
};

}  // namespace seen::inline v1::bits_and_blooms
