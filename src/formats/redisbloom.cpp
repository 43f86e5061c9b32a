// RedisBloom's filters, as its server hands them out.
//
//   chunks   the replies of BF.SCANDUMP, each as  iterator u64le │ length u64le │ data
//            header: keys u64 │ links u32 │ options u32 │ growth u32, then of every link
//                    bytes u64 │ bits u64 │ keys u64 │ error f64 │ bits per entry f64 │ hashes u32 │ entries u64 │ n2 u8
//   rdb      the payload of DUMP: the same numbers and the arrays as values of type MBbloom--, with a CRC-64
//   cuckoo   the replies of CF.SCANDUMP, in the same wrapping
//
//   a = MurmurHash64A(key, 0xc6a4a7935bd1e995), b = MurmurHash64A(key, a);  position i = (a + i·b) mod m
//   m is all bits of the link, or 2^n2 where n2 is not 0; older files hash with MurmurHash2 of 32 bits
//
// A chain answers yes if one of its links does; a key that it answers yes to is not added again. The server defines the
// replies, not a file of them: the wrapping is ours. docs/formats/redisbloom.md.
#include <cmath>
#include <string>

#include "formats/encodings/redis_chunks.hpp"
#include "formats/encodings/redis_rdb.hpp"
#include "formats/evidence.hpp"
#include "formats/foreign.hpp"
#include "formats/redisbloom_chain.hpp"
#include "formats/redisbloom_cuckoo.hpp"

namespace seen::inline v1::redisbloom {
namespace {

using namespace foreign;

// How it is written, and whether it stops at its capacity.
constexpr std::array<std::string_view, 5> variants{"chunks", "nonscaling", "rdb", "rdb-nonscaling", "cuckoo"};

bool is_fixed(const bloom_filter& f) {
  return (f.engine().growth().options & no_scaling) != 0;
}
bool is_dump(std::string_view variant) {
  return variant.starts_with("rdb");
}

any_filter wrapped(bloom_filter f, chunk_writer write) {
  const std::string variant(variants[is_fixed(f) ? 1 : 0]);
  return any_filter(std::move(f), format.name, {.variant = variant}, std::move(write));
}
any_filter wrapped(bloom_filter f, dump_writer write, bool verified) {
  const std::string variant(variants[is_fixed(f) ? 3 : 2]);
  return any_filter(std::move(f), format.name, {.variant = variant, .verified = verified}, write);
}

// The type of a DUMP payload, without its encoding version.
bool is_of_type(std::uint64_t id, std::string_view type) {
  return id >> 10 == redis_rdb::id_of(type, 0) >> 10;
}
constexpr std::string_view cuckoo_dump_type = "MBbloomCF";

result<any_filter> open_chunks(const source& from) {
  byte_reader in(from);
  auto header = read_header_chunk(in);
  if (!header) return header.error();
  if (header->size() == cuckoo_header_bytes) return read_cuckoo_chunks(in, *header);
  auto chain = read_bloom_chunks(in, *header);
  if (!chain) return chain.error();
  return wrapped(std::move(chain->filter), std::move(chain->writer));
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  const std::uint64_t id = redis_rdb::peek_id(from);
  if (is_of_type(id, cuckoo_dump_type)) {
    return error{errc::unsupported, from.name + ": the payload of DUMP of a cuckoo filter (" +
                                        std::string(cuckoo_dump_type) + ") is not read here: take CF.SCANDUMP"};
  }
  if (!is_of_type(id, dump_type)) return open_chunks(from);
  auto chain = read_bloom_dump(from, options.max_bytes);
  if (!chain) return chain.error();
  return wrapped(std::move(chain->filter), chain->writer, true);
}

// As BF.RESERVE makes it: rates above a quarter are a quarter, and the links of a chain begin with half of it.
result<any_filter> make_bloom(const make_options& options) {
  constexpr std::uint64_t most_keys = std::uint64_t{1} << 30;
  const auto expansion = field_of(options, "expansion");
  for (const named_field& each : options.shape) {
    if (each.name != "expansion") return error{errc::invalid_argument, "redisbloom: there is no field " + each.name};
  }
  const bool fixed = options.variant.ends_with("nonscaling") || expansion == 0u;
  const auto& [capacity, fpr] = options.target;
  if (capacity < 1 || capacity > most_keys) {
    return error{errc::invalid_argument,
                 "redisbloom: a filter is for 1 to 2^30 keys at first, not " + std::to_string(capacity)};
  }
  if (!(fpr > 0 && fpr < 1)) return error{errc::invalid_argument, "redisbloom: the rate is between 0 and 1"};
  if (expansion.value_or(0) > 32768 || (fixed && expansion.value_or(0) != 0)) {
    return error{errc::invalid_argument,
                 "redisbloom: expansion is from 0 to 32768, and a filter that does not scale has none"};
  }
  chain_growth growth{.options = static_cast<std::uint32_t>(no_round) | force_64 |
                                 (fixed ? static_cast<std::uint32_t>(no_scaling) : 0)};
  if (!fixed) growth.growth = static_cast<std::uint32_t>(expansion.value_or(2));
  const double error = std::min(fpr, 0.25) * (fixed ? 1 : 0.5);
  auto first = chain_link::empty(link_fields::planned(capacity, error));
  if (!first) return first.error().prefixed("redisbloom: ");
  std::vector<chain_link> links;
  links.push_back(std::move(*first));
  bloom_filter f = chain_of(std::move(links), growth, options.target);
  return is_dump(options.variant) ? wrapped(std::move(f), dump_writer{}, false) : wrapped(std::move(f), chunk_writer{});
}

result<any_filter> make(const make_options& options) {
  const bool cuckoo = options.kind == "cuckoo" || options.variant == "cuckoo";
  if (auto ok = check_options(format, options, cuckoo ? "cuckoo" : bloom_filter::kind.name); !ok) return ok.error();
  if (!cuckoo) return make_bloom(options);
  if (!options.variant.empty() && options.variant != "cuckoo") {
    return error{errc::unsupported, "redisbloom: a cuckoo filter is written as variant cuckoo"};
  }
  return make_cuckoo(options);
}

// Chunks and payload hold the same filter.
conversion convert(any_filter from, std::string_view variant) {
  if (from.format() != format.name) return std::nullopt;
  auto* const f = from.get_if<bloom_filter>();
  if (f == nullptr) {
    if (variant.empty() || variant == "cuckoo") return from;
    return error{errc::unsupported, "convert: a cuckoo filter of redisbloom is written in chunks only"};
  }
  if (variant == "cuckoo" || (variant.ends_with("nonscaling") && !is_fixed(*f))) {
    return error{errc::unsupported, "convert: this filter scales, or is not a cuckoo filter; that stays as it is"};
  }
  if (is_dump(variant)) return wrapped(std::move(*f), dump_writer{}, false);
  const auto links = f->engine().links();
  const bool loads =
      std::all_of(links.begin(), links.end(), [](const chain_link& l) { return l.said.check(true).has_value(); });
  if (!loads || f->engine().growth().unaccounted != 0) {
    return error{errc::unsupported, "convert: LOADCHUNK would refuse a filter with such old numbers in its header"};
  }
  return wrapped(std::move(*f), chunk_writer{});
}

// A payload of DUMP begins with the name of its type, and ends with a checksum. A header chunk's length is that of its links,
// and the second chunk repeats its own length in its iterator.
detection detect(const source& from) {
  const std::uint64_t id = redis_rdb::peek_id(from);
  if (is_of_type(id, dump_type) || is_of_type(id, cuckoo_dump_type)) return detection::certain;
  constexpr std::uint64_t header = 16;  // its offset
  const auto number = [&](std::uint64_t offset) { return byte_reader(from, offset).le<std::uint64_t>(); };
  evidence proof(from);
  proof.fixed(0, header);
  if (begins_with_chunks(from, cuckoo_header_bytes)) {
    byte_reader in(from, header + 32);
    const std::uint64_t slots = in.le<std::uint16_t>(), iterations = in.le<std::uint16_t>(),
                        expansion = in.le<std::uint16_t>();
    const std::uint64_t chunk = header + cuckoo_header_bytes;
    proof.fixed(chunk, 8);
    if (number(chunk + 8) == slots * number(header + 8)) proof.fixed(chunk + 8, 8);
    // What CF.RESERVE takes unless it is told.
    if (slots == 2 && iterations == 20 && expansion == 1) proof.fixed(header + 32, 6).odds(-3);
    return proof.weigh();
  }
  const std::uint64_t links = byte_reader(from, header + 8).le<std::uint32_t>();
  const std::uint64_t header_bytes = chain_header_bytes + link_header_bytes * links;
  if (links == 0 || !begins_with_chunks(from, header_bytes)) return detection::no;
  // Of the first link: bytes, bits, keys, rate, bits an entry, hashes.
  constexpr std::uint64_t first = header + chain_header_bytes;
  const auto error = byte_reader(from, first + 24).le<double>(), per_entry = byte_reader(from, first + 32).le<double>();
  proof.fixed(header + header_bytes, 8).rate(first + 24, error);
  if (number(first + 8) == 8 * number(first)) proof.fixed(first + 8, 8);
  // The bits an entry are computed of the rate. Five bytes of them are the same whoever computes.
  if (std::abs(per_entry - link_fields::planned(1, error).bits_per_entry) < 1e-9 * per_entry) {
    proof.fixed(first + 35, 5);
  }
  return proof.weigh();
}

}  // namespace

constinit const format_row format{
    .name = "redisbloom",
    .summary = "RedisBloom: chunks of BF.SCANDUMP and CF.SCANDUMP, payloads of DUMP",
    .can = {.verifies = true, .adds = true},
    .variants = variants,
    .detect = detect,
    .open = open,
    .make = make,
    .convert = convert,
};

}  // namespace seen::inline v1::redisbloom
