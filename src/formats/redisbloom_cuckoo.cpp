#include "formats/redisbloom_cuckoo.hpp"

#include <bit>
#include <string>

#include "formats/foreign.hpp"
#include "hash/murmur2_64a.hpp"

namespace seen::inline v1::redisbloom {
namespace {

using namespace foreign;

using cuckoo_engine = bucket_engine<xor_byte_rule>;
using cuckoo_filter = filter<cuckoo_engine, foreign_hash<digest_pair>>;

struct hash_cuckoo {
  digest_pair operator()(bytes_view key) const noexcept {
    const std::uint64_t h = murmur2_64a(key, 0);
    return {h, h % 255 + 1};
  }
};

xor_byte_rule rule() {
  xor_byte_rule made;
  for (std::size_t f = 0; f < made.other.size(); ++f) made.other[f] = std::uint64_t{f} * 0x5bd1'e995;
  return made;
}

bucket_growth growth_of(std::uint16_t iterations, std::uint16_t expansion) {
  return {.most_kicks = iterations, .factor = expansion, .most_tables = 32, .fills_gaps = true};
}

// The part of the file that the filter does not keep.
struct writer {
  std::uint64_t items = 0;  // beyond the slots that are taken
  std::uint64_t deletes = 0;
  chunk_cuts cuts = {};

  result<void> operator()(const cuckoo_filter& f, const sink& out) const {
    const cuckoo_engine& engine = f.engine();
    std::vector<std::byte> header;
    const sink to_header = [&](bytes_view bytes) {
      header.insert(header.end(), bytes.begin(), bytes.end());
      return result<void>();
    };
    byte_writer to(to_header);
    to.le(items + engine.size()).le(engine.tables().front().buckets).le(deletes + engine.removed());
    to.le(std::uint64_t{engine.tables().size()});
    to.le(static_cast<std::uint16_t>(engine.slots())).le(static_cast<std::uint16_t>(engine.growth().most_kicks));
    to.le(static_cast<std::uint16_t>(engine.growth().factor));
    if (auto ok = to.finish(); !ok) return ok;
    std::vector<bytes_view> arrays;
    for (const bucket_table& t : engine.tables()) arrays.push_back(engine.bytes_of(t));
    return write_chunks(out, header, arrays, cuts);
  }
};

any_filter wrapped(cuckoo_engine engine, writer write) {
  using hash_type = cuckoo_filter::hash_type;
  return any_filter(cuckoo_filter(std::move(engine), hash_type(hash_cuckoo(), named(hash_id::murmur2_64a))),
                    format.name, {.variant = "cuckoo"}, std::move(write));
}

}  // namespace

result<any_filter> read_cuckoo_chunks(byte_reader& in, bytes_view header) {
  const source header_source = source::of(header);
  byte_reader from(header_source);
  const auto items = from.le<std::uint64_t>(), buckets = from.le<std::uint64_t>(), deletes = from.le<std::uint64_t>(),
             count = from.le<std::uint64_t>();
  const auto slots = from.le<std::uint16_t>(), iterations = from.le<std::uint16_t>(),
             expansion = from.le<std::uint16_t>();
  if (slots == 0 || slots > 255 || !std::has_single_bit(buckets) || (expansion & (expansion - 1)) != 0) {
    return in.corrupt(std::to_string(buckets) + " buckets of " + std::to_string(slots) + ", growing by " +
                      std::to_string(expansion) + ": a bucket has 1 to 255 slots, the others are powers of two");
  }
  // A table takes at least a chunk, so that the file's size bounds their number.
  const std::uint64_t room = in.remaining();
  if (count == 0 || count > room / 16 || (expansion == 0 && count > 1)) {
    return in.corrupt(std::to_string(count) + " tables, growing by " + std::to_string(expansion) + ", in " +
                      std::to_string(room) + " bytes");
  }
  std::vector<bucket_table> tables;
  std::vector<std::span<std::byte>> places;
  std::uint64_t next = buckets, all = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (next == 0 || next > (room - all) / slots) {
      return in.corrupt("table " + std::to_string(i) + " would have " + std::to_string(next) + " buckets; " +
                        std::to_string(room) + " bytes follow");
    }
    auto bytes = storage::allocate(clamp_to_size(next * slots));
    if (!bytes) return bytes.error();
    all += next * slots;
    tables.push_back({std::move(*bytes), next, 0});
    places.push_back(tables.back().bytes.bytes());
    next = next > room ? 0 : next * expansion;
  }
  auto cuts = read_array_chunks(in, places);
  if (!cuts) return cuts.error();
  auto engine = cuckoo_engine::over(std::move(tables), slots, rule(), growth_of(iterations, expansion));
  if (!engine) return in.about(engine.error());
  const std::uint64_t beyond = items - engine->size();
  return wrapped(std::move(*engine), {beyond, deletes, std::move(*cuts)});
}

result<any_filter> make_cuckoo(const make_options& options) {
  const auto wish = [&](std::string_view name, std::uint64_t usual) { return field_of(options, name).value_or(usual); };
  for (const named_field& each : options.shape) {
    if (each.name == "bucket-size" || each.name == "max-iterations" || each.name == "expansion") continue;
    return error{errc::invalid_argument, "redisbloom: a cuckoo filter has no field " + each.name};
  }
  const std::uint64_t slots = wish("bucket-size", 2), iterations = wish("max-iterations", 20),
                      expansion = wish("expansion", 1), capacity = options.target.capacity;
  if (slots < 1 || slots > 255 || iterations < 1 || iterations > 65535 || expansion > 32768) {
    return error{errc::invalid_argument,
                 "redisbloom: bucket-size is from 1 to 255, max-iterations from 1 to 65535, expansion from 0 to 32768"};
  }
  if (capacity < 2 * slots || capacity > std::uint64_t{1} << 30) {
    return error{errc::invalid_argument, "redisbloom: a cuckoo filter is for " + std::to_string(2 * slots) +
                                             " to 2^30 keys, not " + std::to_string(capacity)};
  }
  const std::uint64_t factor = expansion == 0 ? 0 : std::bit_ceil(expansion);
  auto engine =
      cuckoo_engine::make(std::bit_ceil(capacity / slots), slots, rule(),
                          growth_of(static_cast<std::uint16_t>(iterations), static_cast<std::uint16_t>(factor)));
  if (!engine) return engine.error();
  return wrapped(std::move(*engine), {});
}

}  // namespace seen::inline v1::redisbloom
