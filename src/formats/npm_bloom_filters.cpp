// The npm package bloom-filters, release 3: its BloomFilter as JSON.
//
//   {"type":"BloomFilter","_size":m,"_nbHashes":k,"_filter":{"size":m rounded up to 8,"content":base64},"_seed":s}
//
//   a = low half of XXH64(key, low half of s + 1),  b = the same with s + 2
//   position i = (a + i·b + (i³ - i)/6) mod m,  i = 0 .. k-1
//
// Older files have the bits as an array of 0 and 1. docs/formats/npm-bloom-filters.md.
#include <seen/hash/xxh64.hpp>

#include <charconv>
#include <cmath>

#include "formats/encodings/base64.hpp"
#include "formats/encodings/json.hpp"
#include "formats/foreign.hpp"

namespace seen::inline v1::npm_bloom_filters {

extern const format_row format;

namespace {

using namespace foreign;

constexpr std::array<std::string_view, 2> variants{"base64", "array"};
constexpr std::string_view type_name = "BloomFilter";
constexpr std::uint64_t usual_seed = 78187493520;
constexpr std::uint64_t most_seed = (std::uint64_t{1} << 53) - 3;  // a number of the peer's is a double

/// Enhanced double hashing: position i = (a + i·b + (i³ - i)/6) mod m.
class tetrahedral_rule : public shaped_rule<tetrahedral_rule> {
 public:
  using digest_type = digest_pair;
  struct state {
    std::uint64_t at, step, i;
  };

  [[nodiscard]] state start(digest_pair d) const noexcept { return {d.a, d.b, 1}; }
  // (i³ - i)/6 grows by i(i + 1)/2 from i to i + 1, and that by i + 1. All stays far below 2^64: a, b < 2^32, i < 256.
  template <std::size_t N>
  [[nodiscard]] std::array<std::uint64_t, N> take(state& from) const noexcept {
    std::array<std::uint64_t, N> at;
    for (std::size_t i = 0; i < N; ++i) {
      at[i] = this->mod_(from.at);
      from.at += from.step;
      from.step += from.i++;
    }
    return at;
  }
};
using bloom_type = filter<engines::bloom_engine<tetrahedral_rule, plain_access>, foreign_hash<digest_pair>>;

foreign_hash<digest_pair> hash_for(std::uint64_t seed) {
  // The peer's numbers of 64 bits are cut to 32, going in and coming out.
  const auto low = [](std::uint64_t x) { return x & 0xffff'ffff; };
  return {[low, first = xxh64(low(seed + 1)), second = xxh64(low(seed + 2))](bytes_view key) noexcept {
            return digest_pair{low(first(key).value), low(second(key).value)};
          },
          named(hash_id::xxh64, seed)};
}

// --- writing, as JSON.stringify does

result<void> write_base64(const bloom_type& f, const sink& out) {
  const std::uint64_t bits = f.shape().bits, bytes = ceil_div(bits, 8);
  return byte_writer(out)
      .text(R"({"type":"BloomFilter","_size":)" + std::to_string(bits) + R"(,"_nbHashes":)" +
            std::to_string(f.probes()) + R"(,"_filter":{"size":)" + std::to_string(8 * bytes) + R"(,"content":")")
      .text(to_base64(f.engine().bytes().first(static_cast<std::size_t>(bytes))))
      .text(R"("},"_seed":)" + std::to_string(f.hash().seed()) + "}")
      .finish();
}

result<void> write_array(const bloom_type& f, const sink& out) {
  const std::uint64_t bits = f.shape().bits;
  std::string digits;
  for (std::uint64_t i = 0; i < bits; ++i) {
    const auto byte = std::to_integer<unsigned>(f.engine().bytes()[static_cast<std::size_t>(i / 8)]);
    digits += i == 0 ? "" : ",";
    digits += (byte >> (i % 8) & 1) != 0 ? '1' : '0';
  }
  return byte_writer(out)
      .text(R"({"type":"BloomFilter","_size":)" + std::to_string(bits) + R"(,"_nbHashes":)" +
            std::to_string(f.probes()) + R"(,"_filter":[)")
      .text(digits)
      .text(R"(],"_seed":)" + std::to_string(f.hash().seed()) + "}")
      .finish();
}

any_filter wrapped(bloom_type f, std::string_view variant) {
  const bool array = variant == variants[1];
  return any_filter(std::move(f), format.name, {.variant = std::string(array ? variants[1] : variants[0])},
                    array ? write_array : write_base64);
}

// --- reading

// The bits as an array of 0 and 1, or as base64; in bytes of their own, or an error.
result<storage> bits_of(const json::value& member, std::uint64_t bits, const std::string& file) {
  const auto corrupt = [&](const std::string& what) { return error{errc::corrupt, file + ": _filter: " + what}; };
  auto made = storage::allocate(engines::bit_array_bytes(bits));
  if (!made) return made.error();
  const std::span<std::byte> to = made->bytes();
  if (member.kind == json::type::array) {
    for (std::size_t i = 0; i < member.text.size(); ++i) {
      if (member.text[i] > '1') return corrupt("item " + std::to_string(i) + " is neither 0 nor 1");
      to[i / 8] |= static_cast<std::byte>((member.text[i] - '0') << (i % 8));
    }
    return made;
  }
  const auto bytes = from_base64(*member.find("content")->as_text());
  if (!bytes || bytes->size() != ceil_div(bits, 8)) {
    return corrupt("the content is not base64 of " + std::to_string(ceil_div(bits, 8)) + " bytes");
  }
  std::copy(bytes->begin(), bytes->end(), to.begin());
  return made;
}

// Whether a filter of so many bits can be in a member of its size, before anything is allocated.
bool has_bits(const json::value& member, std::uint64_t bits) {
  if (member.kind == json::type::array) return member.text.size() == bits;
  const json::value* const size = member.find("size");
  const json::value* const content = member.find("content");
  if (size == nullptr || content == nullptr || !content->as_text()) return false;
  return size->as_u64() == 8 * ceil_div(bits, 8) && content->as_text()->size() == ceil_div(ceil_div(bits, 8), 3) * 4;
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  byte_reader in(from);
  const std::vector<std::byte> text = in.bytes(from.size);
  if (auto ok = in.check("the text"); !ok) return ok.error();
  const auto document = json::parse({reinterpret_cast<const char*>(text.data()), text.size()});
  if (!document) return error{errc::corrupt, from.name + ": " + document.error().detail};
  const auto corrupt = [&](const std::string& what) { return error{errc::corrupt, from.name + ": " + what}; };
  const json::value* const type = document->find("type");
  if (type == nullptr || type->as_text() != type_name) return corrupt("\"type\" is not \"BloomFilter\"");
  const auto number = [&](const char* name) {
    const json::value* const member = document->find(name);
    return member == nullptr ? std::optional<std::uint64_t>() : member->as_u64();
  };
  const auto bits = number("_size"), probes = number("_nbHashes"), seed = number("_seed");
  const json::value* const member = document->find("_filter");
  if (!bits || !probes || !seed || member == nullptr) return corrupt("_size, _nbHashes, _filter or _seed is missing");
  auto shape = probe_shape::make(*bits, *probes);
  if (!shape) return in.about(shape.error());
  if (*seed > most_seed) return corrupt("_seed is " + std::to_string(*seed) + "; a number there is below 2^53");
  if (!has_bits(*member, *bits))
    return corrupt("_filter does not hold the " + std::to_string(*bits) + " bits of _size");
  auto storage = bits_of(*member, *bits, from.name);
  if (!storage) return storage.error();
  auto f = bloom_over<bloom_type>(*shape, std::move(*storage), hash_for(*seed));
  if (!f) return in.about(f.error());
  return wrapped(std::move(*f), variants[member->kind == json::type::array ? 1 : 0]);
}

// --- new ones

// m and k rounded up.
probe_shape sizing(const target& asked) {
  const double ln2 = std::log(2.0), n = static_cast<double>(asked.capacity);
  const double bits = std::ceil(-n * std::log(asked.fpr) / std::pow(ln2, 2));
  return {.bits = static_cast<std::uint64_t>(bits), .probes = static_cast<std::uint32_t>(std::ceil(bits / n * ln2))};
}

result<any_filter> make(const make_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  auto shape = shape_for(format, options, sizing);
  if (!shape) return shape.error();
  if (options.seed > most_seed) return error{errc::invalid_argument, "npm-bloom-filters: the seed is below 2^53"};
  auto f = bloom_type::make(*shape, hash_for(options.seed == 0 ? usual_seed : options.seed));
  if (!f) return f.error();
  return wrapped(std::move(*f), options.variant);
}

conversion convert(any_filter from, std::string_view variant) {
  if (bloom_type* const f = from.get_if<bloom_type>()) return wrapped(std::move(*f), variant);
  return std::nullopt;
}

// As the peer writes it, or the same members in another order.
detection detect(const source& from) {
  std::array<char, 256> beginning{};
  const std::span some = std::span(beginning).first(static_cast<std::size_t>(std::min<std::uint64_t>(256, from.size)));
  if (!from.read(0, std::as_writable_bytes(some))) return detection::no;
  const std::string_view text(some.data(), some.size());
  if (text.starts_with(R"({"type":"BloomFilter","_size":)")) return detection::certain;
  const bool looks_so = text.starts_with('{') && text.find("\"BloomFilter\"") != text.npos;
  return looks_so ? detection::possible : detection::no;
}

}  // namespace

constinit const format_row format{
    .name = "npm-bloom-filters",
    .summary = "the npm package bloom-filters, release 3: its BloomFilter as JSON",
    .can = {.adds = true, .seeds = true},
    .variants = variants,
    .detect = detect,
    .open = open,
    .make = make,
    .convert = convert,
};

}  // namespace seen::inline v1::npm_bloom_filters
