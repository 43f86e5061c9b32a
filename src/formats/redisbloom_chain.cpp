#include "formats/redisbloom_chain.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "formats/encodings/redis_rdb.hpp"
#include "formats/foreign.hpp"
#include "hash/murmur2_32.hpp"
#include "hash/murmur2_64a.hpp"

namespace seen::inline v1::redisbloom {
namespace {

using namespace foreign;

constexpr std::uint64_t seed_64 = 0xc6a4'a793'5bd1'e995;
constexpr std::uint32_t seed_32 = 0x9747'b28c;
constexpr std::uint64_t most_growth = 32768;  // of the server's configuration
// As the server writes them: ln 2 and its square.
constexpr double ln2 = 0.693147180559945, ln2_squared = 0.480453013918201;

struct hash_64 {
  digest_pair operator()(bytes_view key) const noexcept {
    const std::uint64_t a = murmur2_64a(key, seed_64);
    return {a, murmur2_64a(key, a)};
  }
};
// Sums of two 32-bit hashes; files from before FORCE64. That the server cuts the sum to 32 bits where the modulus is a
// power of two up to 2^31 changes nothing.
struct hash_32 {
  digest_pair operator()(bytes_view key) const noexcept {
    const std::uint32_t a = murmur2_32(key, seed_32);
    return {a, murmur2_32(key, a)};
  }
};

double probes_for(double bits_per_entry) {
  return std::ceil(ln2 * bits_per_entry);
}

std::string number(double x) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr};
}

}  // namespace

link_fields link_fields::planned(std::uint64_t entries, double error) {
  link_fields made{.error = error, .bits_per_entry = -std::log(error) / ln2_squared, .entries = entries};
  const double wanted = std::max(1.0, std::trunc(static_cast<double>(entries) * made.bits_per_entry));
  made.bytes = 8 * ceil_div(static_cast<std::uint64_t>(std::min(wanted, 0x1p50)), 64);
  made.bits = 8 * made.bytes;
  made.hashes = static_cast<std::uint32_t>(std::min(probes_for(made.bits_per_entry), 65535.0));
  return made;
}

result<void> link_fields::check(bool exact_bits) const {
  const auto wrong = [](const std::string& what) { return seen::error{errc::corrupt, what}; };
  if (!(error > 0 && error < 1)) return wrong("a link's error is " + number(error) + ", not between 0 and 1");
  if (bytes > math::max_bits / 8 || (exact_bits ? bits != 8 * bytes : bits > 8 * bytes)) {
    return wrong("a link has " + std::to_string(bits) + " bits in " + std::to_string(bytes) + " bytes");
  }
  if (!(probes_for(bits_per_entry) == static_cast<double>(hashes))) {
    return wrong("a link has " + std::to_string(hashes) + " hashes; " + number(bits_per_entry) +
                 " bits an entry make " + number(probes_for(bits_per_entry)));
  }
  if (n2 >= 64 || (n2 != 0 && modulus() > bits)) {
    return wrong("a link of " + std::to_string(bits) + " bits counts modulo 2^" + std::to_string(n2));
  }
  return {};
}

result<chain_link> chain_link::make(const link_fields& fields, storage bits) {
  auto shape = probe_shape::make(fields.modulus(), fields.hashes, 8 * fields.bytes);
  if (!shape) return shape.error();
  using plain = engines::bloom_engine<sum_rule<as_it_is>, plain_access>;
  auto engine = plain::over(*shape, std::move(bits));
  if (!engine) return engine.error();
  // Every key that was counted set at least one bit.
  if (const std::uint64_t set = engine->set_bits(); fields.size > set) {
    return {errc::corrupt,
            "a link counts " + std::to_string(fields.size) + " keys; it has " + std::to_string(set) + " bits set"};
  }
  return chain_link{link_engine(std::move(*engine), fields.size), fields};
}

result<chain_link> chain_link::empty(const link_fields& fields) {
  if (fields.bytes > math::max_bits / 8) {
    return {errc::too_large, "a link for " + std::to_string(fields.entries) + " keys would have more than 2^40 bits"};
  }
  auto bits = storage::allocate(engines::bit_array_bytes(8 * fields.bytes));
  if (!bits) return bits.error();
  return make(fields, std::move(*bits));
}

result<void> chain_growth::make_room(std::vector<chain_link>& links) const {
  const chain_link& last = links.back();
  if (last.size() < last.said.entries) return {};
  if ((options & no_scaling) != 0) return {errc::full, "a filter that does not scale is full"};
  const std::uint64_t before = std::max<std::uint64_t>(1, last.said.entries);
  if (growth == 0 || growth > most_growth || before > math::max_bits) {
    return {errc::full, "a filter that grows by " + std::to_string(growth) + " is full"};
  }
  const link_fields wanted = link_fields::planned(before * growth, last.said.error * 0.5);
  if (wanted.bytes > most_of_next_link(links)) return {errc::full, "the next link would be too large"};
  auto next = chain_link::empty(wanted);
  if (!next) return next.error();
  links.push_back(std::move(*next));
  return {};
}

bloom_filter chain_of(std::vector<chain_link> links, const chain_growth& growth, const target& asked) {
  using hash_type = bloom_filter::hash_type;
  hash_type hash = (growth.options & force_64) != 0 ? hash_type(hash_64(), named(hash_id::murmur2_64a, seed_64))
                                                    : hash_type(hash_32(), named(hash_id::murmur2_32, seed_32));
  return {bloom_filter::engine_type(std::move(links), growth), std::move(hash), asked};
}

// --- chunks

namespace {

struct chain_header {
  chain_growth growth;
  std::vector<link_fields> links;
};

// The header of a chain, whose arrays come next in `in`: they must be there before memory is taken for them.
result<chain_header> read_chain_header(const byte_reader& in, bytes_view header) {
  const source header_source = source::of(header);
  byte_reader from(header_source);
  const auto size = from.le<std::uint64_t>();
  const std::uint64_t count = from.le<std::uint32_t>();
  chain_header read{.growth = {.options = from.le<std::uint32_t>(), .growth = from.le<std::uint32_t>()}, .links = {}};
  if (count == 0 || header.size() != chain_header_bytes + link_header_bytes * count) {
    return in.corrupt("a header of " + std::to_string(header.size()) + " bytes is not one of " + std::to_string(count) +
                      " links");
  }
  if ((read.growth.options & ~all_options) != 0) {
    return in.corrupt("options " + std::to_string(read.growth.options) + " are not known");
  }
  read.links.resize(static_cast<std::size_t>(count));
  std::uint64_t keys = 0, bytes = 0;
  for (link_fields& link : read.links) {
    link.bytes = from.le<std::uint64_t>();
    link.bits = from.le<std::uint64_t>();
    link.size = from.le<std::uint64_t>();
    link.error = from.le<double>();
    link.bits_per_entry = from.le<double>();
    link.hashes = from.le<std::uint32_t>();
    link.entries = from.le<std::uint64_t>();
    link.n2 = from.u8();
    if (auto ok = link.check(true); !ok) return in.about(ok.error());
    keys += link.size;
    bytes += link.bytes;  // at most 2^37 each: no overflow
    if (bytes > in.remaining()) {
      return in.corrupt("links of " + std::to_string(bytes) + " bytes are announced; " +
                        std::to_string(in.remaining()) + " bytes follow");
    }
  }
  if (keys != size) {
    return in.corrupt("the chain counts " + std::to_string(size) + " keys, its links " + std::to_string(keys));
  }
  return read;
}

}  // namespace

result<read_chain<chunk_writer>> read_bloom_chunks(byte_reader& in, bytes_view header) {
  auto said = read_chain_header(in, header);
  if (!said) return said.error();
  std::vector<storage> arrays;
  std::vector<std::span<std::byte>> places;
  for (const link_fields& link : said->links) {
    auto array = storage::allocate(engines::bit_array_bytes(8 * link.bytes));
    if (!array) return array.error();
    arrays.push_back(std::move(*array));
    places.push_back(arrays.back().bytes().first(static_cast<std::size_t>(link.bytes)));
  }
  auto cuts = read_array_chunks(in, places);
  if (!cuts) return cuts.error();
  std::vector<chain_link> links;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    auto link = chain_link::make(said->links[i], std::move(arrays[i]));
    if (!link) return in.about(link.error());
    links.push_back(std::move(*link));
  }
  return read_chain<chunk_writer>{chain_of(std::move(links), said->growth), {std::move(*cuts)}};
}

result<void> chunk_writer::operator()(const bloom_filter& f, const sink& out) const {
  const auto& chain = f.engine();
  std::vector<std::byte> header;
  const sink to_header = [&](bytes_view bytes) {
    header.insert(header.end(), bytes.begin(), bytes.end());
    return result<void>();
  };
  byte_writer to(to_header);
  to.le(chain.size() + chain.growth().unaccounted)
      .le(static_cast<std::uint32_t>(chain.links().size()))
      .le(chain.growth().options)
      .le(chain.growth().growth);
  std::vector<bytes_view> arrays;
  for (const chain_link& link : chain.links()) {
    const link_fields& said = link.said;
    to.le(said.bytes).le(said.bits).le(link.size()).le(said.error).le(said.bits_per_entry);
    to.le(said.hashes).le(said.entries).le(said.n2);
    arrays.push_back(link.bytes().first(static_cast<std::size_t>(said.bytes)));
  }
  if (auto ok = to.finish(); !ok) return ok;
  return write_chunks(out, header, arrays, cuts);
}

// --- payloads of DUMP

namespace {

// Version 0 does not say the bits.
std::uint64_t bits_of_version_0(const link_fields& link) {
  const double bits = static_cast<double>(link.entries) * link.bits_per_entry;
  return bits >= 1 && bits <= 0x1p50 ? static_cast<std::uint64_t>(bits) : 0;
}

result<chain_link> read_link(redis_rdb::reader& in, std::uint32_t encoding, std::uint64_t max_bytes) {
  link_fields said;
  said.entries = in.number();
  said.error = in.real();
  said.hashes = clamp_to_u32(in.number());
  said.bits_per_entry = in.real();
  said.bits = encoding == 0 ? bits_of_version_0(said) : in.number();
  const std::uint64_t n2 = encoding == 0 ? 0 : in.number();
  said.n2 = static_cast<std::uint8_t>(std::min<std::uint64_t>(n2, 255));
  const auto raw = in.string(max_bytes);
  said.bytes = raw.size();
  said.size = in.number();
  if (auto ok = in.check(); !ok) return ok.error();
  if (auto ok = said.check(false); !ok) return in.corrupt(ok.error().detail);
  auto bits = storage::allocate(engines::bit_array_bytes(8 * said.bytes));
  if (!bits) return bits.error();
  std::copy(raw.begin(), raw.end(), bits->bytes().begin());
  auto link = chain_link::make(said, std::move(*bits));
  if (!link) return in.corrupt(link.error().detail);
  return link;
}

}  // namespace

result<read_chain<dump_writer>> read_bloom_dump(const source& from, std::uint64_t max_bytes) {
  auto in = redis_rdb::reader::open(from);
  if (!in) return in.error();
  const std::uint32_t encoding = in->id() & 1023;
  if (encoding > 4) {
    return {errc::newer_version, from.name + ": encoding " + std::to_string(encoding) + " of " +
                                     std::string(dump_type) + "; up to 4 is known here"};
  }
  const std::uint64_t size = in->number(), count = in->number();
  chain_growth growth;
  growth.options = encoding < 2 ? 0 : clamp_to_u32(in->number());
  growth.growth = encoding < 4 ? 2 : clamp_to_u32(in->number());
  if (auto ok = in->check(); !ok) return ok.error();
  if (count == 0 || (growth.options & ~all_options) != 0) {
    return in->corrupt(std::to_string(count) + " links with options " + std::to_string(growth.options));
  }
  std::vector<chain_link> links;
  for (std::uint64_t i = 0; i < count; ++i) {
    auto link = read_link(*in, encoding, max_bytes);
    if (!link) return link.error().prefixed(from.name + ": link " + std::to_string(i) + ": ");
    max_bytes -= link->said.bytes;
    growth.unaccounted -= link->size();
    links.push_back(std::move(*link));
  }
  growth.unaccounted += size;
  if (auto ok = in->check_end(); !ok) return ok.error();
  return read_chain<dump_writer>{chain_of(std::move(links), growth), {encoding, in->version()}};
}

result<void> dump_writer::operator()(const bloom_filter& f, const sink& out) const {
  const auto& chain = f.engine();
  // A link of ours may have bits that version 0 has no words for.
  const bool fits = std::all_of(chain.links().begin(), chain.links().end(), [](const chain_link& link) {
    return link.said.bits == bits_of_version_0(link.said) && link.said.n2 == 0;
  });
  const std::uint32_t written = encoding == 0 && !fits ? 4 : encoding;
  redis_rdb::writer to(out, redis_rdb::id_of(dump_type, written));
  to.number(chain.size() + chain.growth().unaccounted).number(chain.links().size());
  if (written >= 2) to.number(chain.growth().options);
  if (written >= 4) to.number(chain.growth().growth);
  for (const chain_link& link : chain.links()) {
    const link_fields& said = link.said;
    to.number(said.entries).real(said.error).number(said.hashes).real(said.bits_per_entry);
    if (written >= 1) to.number(said.bits).number(said.n2);
    to.string(link.bytes().first(static_cast<std::size_t>(said.bytes))).number(link.size());
  }
  return to.finish(rdb_version);
}

}  // namespace seen::inline v1::redisbloom
