// The Go package seiflotfy/cuckoofilter, as its Encode has it.
//
//   plain      buckets of four fingerprints of one byte, 0 where a slot is empty: no header at all
//   scalable   gob of struct Store { Bytes [][]byte; LoadFactor float32 }, every element of Bytes a plain one
//
//   h = MetroHash64(key, seed 1337);  f = h mod 255 + 1
//   buckets (h >> 32) and that xor MetroHash64(the byte f, 1337), modulo their number, which is a power of two
//
// A program can replace the hash, and no file says so: `hash` does. docs/formats/seiflotfy-cuckoo.md.
#include <seen/hash/any_hash.hpp>

#include <bit>

#include "formats/encodings/gob.hpp"
#include "formats/engines/bucket.hpp"
#include "formats/foreign.hpp"
#include "hash/metro64.hpp"

namespace seen::inline v1::seiflotfy_cuckoo {

extern const format_row format;

namespace {

using namespace foreign;

using cuckoo_engine = bucket_engine<xor_byte_rule>;
using cuckoo_filter = filter<cuckoo_engine, foreign_hash<digest_pair>>;

constexpr std::array<std::string_view, 2> variants{"plain", "scalable"};
// The peer's own first; any other with 64 bits and no secret may have been put in its place.
constexpr std::array<std::string_view, 6> hashes{"metro64",         "xxh3-64",  "xxh64",
                                                 "murmur3-x64-128", "fnv1a-64", "fnv1a-64-splitmix"};

constexpr std::uint64_t slots = 4, metro_seed = 1337;
// A table is left when it has more keys per bucket than this. Less than a key in 64 buckets would not be a filter, but a way
// to have memory asked for: the tables double.
constexpr double usual_load = 0.9, least_load = 1.0 / 64;

struct hashing {
  foreign_hash<digest_pair> hash;
  xor_byte_rule rule;
};

template <class Function>
hashing hashing_with(Function word, hash_identity identity) {
  const auto pair = [word](bytes_view key) noexcept {
    const std::uint64_t h = word(key);
    return digest_pair{h >> 32, h % 255 + 1};
  };
  hashing made{{pair, identity}, {}};
  for (std::size_t f = 0; f < made.rule.other.size(); ++f) {
    const std::array<std::byte, 1> byte{static_cast<std::byte>(f)};
    made.rule.other[f] = word(byte);
  }
  return made;
}

result<hashing> hashing_called(std::string_view name) {
  if (name.empty() || name == hashes[0]) {
    return hashing_with([](bytes_view key) noexcept { return metro64(key, metro_seed); },
                        named(hash_id::metro64, metro_seed));
  }
  auto id = hash_id_from(name);
  if (!id) return id.error();
  auto hash = any_hash::make(*id, 0, {});
  if (!hash) return hash.error();
  return hashing_with([h = *hash](bytes_view key) noexcept { return h(key).value; }, named(*id));
}

result<bucket_table> table_over(bytes_view bytes, const std::string& name) {
  if (bytes.size() < slots || !std::has_single_bit(bytes.size())) {
    return {errc::corrupt, name + ": a table of " + std::to_string(bytes.size()) +
                               " bytes; it must be four, or a larger power of two"};
  }
  auto own = storage::allocate(bytes.size());
  if (!own) return own.error();
  std::copy(bytes.begin(), bytes.end(), own->bytes().begin());
  return bucket_table{std::move(*own), bytes.size() / slots, 0};
}

// --- plain

result<void> write_plain(const cuckoo_filter& f, const sink& out) {
  const bytes_view bytes = f.engine().bytes_of(f.engine().tables().front());
  return byte_writer(out).bits(bytes, bytes.size()).finish();
}

any_filter wrapped_plain(cuckoo_engine engine, hashing h) {
  return any_filter(cuckoo_filter(std::move(engine), std::move(h.hash)), format.name,
                    {.variant = std::string(variants[0])}, write_plain);
}

// --- scalable

// Of a program that has written nothing else: Store is type 65, [][]byte type 66.
constexpr std::string_view usual_definitions(
    "\x2d\xff\x81\x03\x01\x01\x05Store\x01\xff\x82\x00\x01\x02\x01\x05"
    "Bytes\x01\xff\x84\x00\x01\x0aLoadFactor\x01\x08\x00\x00\x00"
    "\x17\xff\x83\x02\x01\x01\x09[][]uint8\x01\xff\x84\x00\x01\x0a\x00\x00",
    70);
constexpr std::int64_t usual_number = 65;

struct scalable_writer {
  std::vector<std::byte> definitions;
  std::int64_t number = 0;

  result<void> operator()(const cuckoo_filter& f, const sink& out) const {
    gob::writer value;
    value.natural(1).natural(f.engine().tables().size());
    for (const bucket_table& t : f.engine().tables()) value.bytes(f.engine().bytes_of(t));
    value.natural(1).real(f.engine().growth().most_load).natural(0);
    return out(value.finish({definitions, number}, true));
  }
};

any_filter wrapped_scalable(cuckoo_engine engine, hashing h, gob::numbered_type as) {
  return any_filter(cuckoo_filter(std::move(engine), std::move(h.hash)), format.name,
                    {.variant = std::string(variants[1])},
                    scalable_writer{{as.definitions.begin(), as.definitions.end()}, as.number});
}

bucket_growth growing(double load) {
  return {.factor = 2, .most_tables = 40, .most_load = load};
}

bool begins_as_store(bytes_view beginning) {
  const std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  return text.find("\x05Store") < 16 &&
         text.find(
             "\x05"
             "Bytes") != text.npos &&
         text.find("\x0aLoadFactor") != text.npos;
}

bool is_scalable(const source& from) {
  byte_reader in(from);
  return begins_as_store(in.bytes(std::min<std::uint64_t>(from.size, 96)));
}

result<any_filter> open_scalable(const source& from, hashing h) {
  byte_reader in(from);
  const auto content = in.bytes(from.size);
  if (auto ok = in.check("the stream"); !ok) return ok.error();
  auto parsed = gob::parse(content);
  if (!parsed) return in.about(parsed.error());
  const gob::value *const bytes = parsed->root.find("Bytes"), *const load = parsed->root.find("LoadFactor");
  if (bytes == nullptr || load == nullptr || bytes->kind != gob::type::list || load->kind != gob::type::real) {
    return error{errc::corrupt, from.name + ": no Store with Bytes and LoadFactor"};
  }
  if (!(load->real >= least_load && load->real <= slots)) {
    return error{errc::corrupt, from.name + ": LoadFactor lies outside 1/64 to 4"};
  }
  std::vector<bucket_table> tables;
  for (const gob::value& each : bytes->items) {
    if (each.kind != gob::type::bytes) return error{errc::corrupt, from.name + ": Bytes holds no bytes"};
    auto table = table_over(each.bytes, from.name);
    if (!table) return table.error();
    tables.push_back(std::move(*table));
  }
  auto engine = cuckoo_engine::over(std::move(tables), slots, h.rule, growing(load->real));
  if (!engine) return in.about(engine.error());
  return wrapped_scalable(std::move(*engine), std::move(h), parsed->as);
}

// --- the format

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  auto h = hashing_called(options.hash);
  if (!h) return h.error();
  if (is_scalable(from)) return open_scalable(from, std::move(*h));
  byte_reader in(from);
  const auto content = in.bytes(from.size);
  if (auto ok = in.check("the table"); !ok) return ok.error();
  auto table = table_over(content, from.name);
  if (!table) return table.error();
  std::vector<bucket_table> tables;
  tables.push_back(std::move(*table));
  auto engine = cuckoo_engine::over(std::move(tables), slots, h->rule, {});
  if (!engine) return in.about(engine.error());
  return wrapped_plain(std::move(*engine), std::move(*h));
}

// As many slots as keys, rounded up to a power of two. The rate is what one byte gives.
result<any_filter> make(const make_options& options) {
  if (auto ok = check_options(format, options, cuckoo_filter::kind.name); !ok) return ok.error();
  const std::uint64_t capacity = options.target.capacity;
  if (!options.shape.empty() || capacity < 1 || capacity > std::uint64_t{1} << 34) {
    return error{errc::invalid_argument, "seiflotfy-cuckoo: takes a capacity from 1 to 2^34, and nothing else"};
  }
  auto h = hashing_called(options.hash ? name_of(*options.hash) : std::string_view());
  if (!h) return h.error();
  const bool scalable = options.variant == variants[1];
  const std::uint64_t buckets = std::max<std::uint64_t>(1, std::bit_ceil(capacity) / slots);
  const auto load = static_cast<double>(static_cast<float>(usual_load));
  auto engine = cuckoo_engine::make(buckets, slots, h->rule, scalable ? growing(load) : bucket_growth{});
  if (!engine) return engine.error();
  if (!scalable) return wrapped_plain(std::move(*engine), std::move(*h));
  return wrapped_scalable(std::move(*engine), std::move(*h),
                          {std::as_bytes(std::span(usual_definitions)), usual_number});
}

// A chain's gob names its fields. A plain table is nothing but fingerprints.
detection detect(const source& from) {
  if (is_scalable(from)) return detection::certain;
  return from.size >= slots && std::has_single_bit(from.size) ? detection::possible : detection::no;
}

}  // namespace

constinit const format_row format{
    .name = "seiflotfy-cuckoo",
    .summary = "the Go package seiflotfy/cuckoofilter, plain and scalable",
    .can = {.adds = true},
    .variants = variants,
    .hashes = hashes,
    .detect = detect,
    .open = open,
    .make = make,
};

}  // namespace seen::inline v1::seiflotfy_cuckoo
