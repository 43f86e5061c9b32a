// valkey-bloom's object, as BF.LOAD takes it.
//
//   1 u8 │ expansion u32le │ fpr f64le │ tightening f64le │ seed is random u8 │ filters u64le, then of every filter
//   length u64le │ an image of the Rust crate bloomfilter │ keys i64le │ capacity i64le
//
// A chain: yes if one filter says so; a key that it says yes to is not added again. The next filter is made when the last
// has as many keys as its capacity: `expansion` times larger, its rate multiplied by the tightening; expansion 0 never
// grows. Keys are hashed as Rust's [u8]. Not compatible with RedisBloom. docs/formats/valkey-bloom.md.
#include <cmath>

#include "formats/engines/chain.hpp"
#include "formats/engines/tally.hpp"
#include "formats/evidence.hpp"
#include "formats/foreign.hpp"
#include "formats/rust_bloomfilter.hpp"

namespace seen::inline v1::valkey_bloom {

extern const format_row format;

namespace {

using namespace foreign;
using rust_bloomfilter::seed_bytes;

constexpr std::array<std::string_view, 2> variants{"scaling", "nonscaling"};

using link_engine = tally_engine<rust_bloomfilter::engine, counts_new_keys>;
struct chain_link : link_engine {
  std::uint64_t capacity = 0;
};

constexpr std::uint64_t least_filter = 8 + rust_bloomfilter::header_bytes + 16;  // of the file, without its bits
constexpr std::uint64_t most_capacity = std::uint64_t{1} << 36;

// Every number of the file that is not a filter's own.
struct chain_growth {
  static constexpr bool skips_present = true;

  std::uint32_t expansion = 2;
  double fpr = 0;
  double tightening = 0.5;
  bool random_seed = false;

  [[nodiscard]] static result<chain_link> link_for(std::uint64_t capacity, double rate) {
    if (capacity < 1 || capacity > most_capacity || !(rate > 0 && rate < 1)) {
      return {errc::full, "a filter cannot be made for " + std::to_string(capacity) + " keys more"};
    }
    auto made = rust_bloomfilter::engine::make(rust_bloomfilter::sizing({.capacity = capacity, .fpr = rate}));
    if (!made) return made.error();
    return chain_link{link_engine(std::move(*made), 0), capacity};
  }
  result<void> make_room(std::vector<chain_link>& links) const {
    const chain_link& last = links.back();
    if (last.size() < last.capacity) return {};
    if (expansion == 0 || last.capacity > most_capacity / expansion) return {errc::full, "the filter is full"};
    const target asked{last.capacity * expansion, fpr * std::pow(tightening, static_cast<double>(links.size()))};
    if (asked.capacity != 0 && rust_bloomfilter::sizing(asked).bits / 8 > most_of_next_link(links)) {
      return {errc::full, "the next filter would be too large"};
    }
    auto next = link_for(asked.capacity, asked.fpr);
    if (!next) return next.error();
    links.push_back(std::move(*next));
    return {};
  }
};

using chain_type = filter<bounded_chain_engine<chain_link, chain_growth>, rust_bloomfilter::hash_type>;

// The seed of a server that is told to take no random one.
constexpr std::array<unsigned char, 32> fixed_seed{89,  15,  245, 34,  234, 120, 17,  218, 167, 20, 216,
                                                   9,   59,  62,  123, 217, 29,  137, 138, 115, 62, 152,
                                                   136, 135, 48,  127, 151, 205, 40,  7,   51,  131};

any_filter wrapped(std::vector<chain_link> links, const chain_growth& growth, const seed_bytes& seed,
                   const target& asked = {}) {
  const auto write = [seed](const chain_type& f, const sink& out) {
    const chain_growth& said = f.engine().growth();
    byte_writer to(out);
    to.u8(1).le(said.expansion).le(said.fpr).le(said.tightening).u8(said.random_seed ? 1 : 0);
    to.le(std::uint64_t{f.engine().links().size()});
    for (const chain_link& link : f.engine().links()) {
      to.le(rust_bloomfilter::header_bytes + link.bits() / 8);
      rust_bloomfilter::write_image(to, link, seed);
      to.le(link.size()).le(link.capacity);
    }
    return to.finish();
  };
  return any_filter(chain_type({std::move(links), growth}, rust_bloomfilter::hash_with(seed), asked), format.name,
                    {.variant = std::string(variants[growth.expansion == 0 ? 1 : 0])}, write);
}

result<chain_link> read_link(byte_reader& in, seed_bytes& seed, bool first) {
  auto read = rust_bloomfilter::read_image(in, in.le<std::uint64_t>());
  if (!read) return read.error();
  const auto keys = in.le<std::uint64_t>(), capacity = in.le<std::uint64_t>();
  if (auto ok = in.check("a filter"); !ok) return ok.error();
  // Every key that was counted set at least one bit.
  if (const std::uint64_t set = read->filter.set_bits(); keys > set || capacity > ~std::uint64_t{0} >> 1) {
    return in.corrupt("a filter of capacity " + std::to_string(capacity) + " counts " + std::to_string(keys) +
                      " keys; it has " + std::to_string(set) + " bits set");
  }
  if (!first && read->seed != seed) return in.corrupt("the filters of a chain have different seeds");
  seed = read->seed;
  return chain_link{link_engine(std::move(read->filter), keys), capacity};
}

result<any_filter> open(const source& from, const open_options& options) {
  if (auto ok = check_options(format, options); !ok) return ok.error();
  byte_reader in(from);
  const std::uint64_t version = in.u8();
  chain_growth growth{.expansion = in.le<std::uint32_t>(), .fpr = in.le<double>(), .tightening = in.le<double>()};
  const std::uint64_t random = in.u8(), count = in.le<std::uint64_t>();
  if (auto ok = in.check("the header"); !ok) return ok.error();
  if (version != 1 || random > 1) {
    return error{errc::corrupt, from.name + ": version " + std::to_string(version) + ", random seed " +
                                    std::to_string(random) + ": 1, and 0 or 1, are known here"};
  }
  if (!(growth.fpr > 0 && growth.fpr < 1) || !(growth.tightening > 0 && growth.tightening < 1)) {
    return in.corrupt("a rate and its tightening lie between 0 and 1");
  }
  if (count == 0 || count > in.remaining() / least_filter) {
    return in.corrupt(std::to_string(count) + " filters are announced; " + std::to_string(in.remaining()) +
                      " bytes follow");
  }
  growth.random_seed = random == 1;
  std::vector<chain_link> links;
  seed_bytes seed{};
  for (std::uint64_t i = 0; i < count; ++i) {
    auto link = read_link(in, seed, i == 0);
    if (!link) return link.error();
    links.push_back(std::move(*link));
  }
  if (auto ok = in.check_end(); !ok) return ok.error();
  return wrapped(std::move(links), growth, seed);
}

// As BF.RESERVE makes one on a server whose seed is fixed.
result<any_filter> make(const make_options& options) {
  if (auto ok = check_options(format, options, chain_type::kind.name); !ok) return ok.error();
  for (const named_field& each : options.shape) {
    if (each.name != "expansion") return error{errc::invalid_argument, "valkey-bloom: there is no field " + each.name};
  }
  const std::uint64_t expansion = field_of(options, "expansion").value_or(options.variant == variants[1] ? 0 : 2);
  if (expansion > 0xffff'ffff || (options.variant == variants[1] && expansion != 0)) {
    return error{errc::invalid_argument,
                 "valkey-bloom: expansion has 32 bits, and a filter that does not scale has none"};
  }
  chain_growth growth{.expansion = static_cast<std::uint32_t>(expansion), .fpr = options.target.fpr};
  auto first = chain_growth::link_for(options.target.capacity, growth.fpr);
  if (!first) {
    const bool wrong = first.error().code == errc::full;
    return error{wrong ? errc::invalid_argument : first.error().code, "valkey-bloom: " + first.error().detail,
                 first.error().system};
  }
  std::vector<chain_link> links;
  links.push_back(std::move(*first));
  return wrapped(std::move(links), growth, std::bit_cast<seed_bytes>(fixed_seed), options.target);
}

// The first image says its length twice, in 64 bits each; before it are two rates, and within it random seeds.
detection detect(const source& from) {
  byte_reader in(from);
  const std::uint64_t version = in.u8();
  in.skip(4);
  const auto fpr = in.le<double>(), tightening = in.le<double>();
  const std::uint64_t random = in.u8(), count = in.le<std::uint64_t>(), length = in.le<std::uint64_t>();
  const std::uint64_t image_version = in.u8(), bytes = in.le<std::uint64_t>();
  const bool fits = version == 1 && random <= 1 && count != 0 && image_version == 1 && bytes != 0 &&
                    length <= from.size && length > rust_bloomfilter::header_bytes &&
                    bytes == length - rust_bloomfilter::header_bytes;
  if (!fits) return detection::no;
  return evidence(from).fixed(0, 1).rate(5, fpr).rate(13, tightening).fixed(38, 9).random(51, 32).weigh();
}

}  // namespace

constinit const format_row format{
    .name = "valkey-bloom",
    .summary = "valkey-bloom's objects, as BF.LOAD takes them",
    .can = {.adds = true},
    .variants = variants,
    .detect = detect,
    .open = open,
    .make = make,
};

}  // namespace seen::inline v1::valkey_bloom
