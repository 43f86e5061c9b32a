// The encoding of table_filter.hpp: what is behind the body, and the kinds' own rules over the body.
#include "table_filter.hpp"

#include <seen/building/build_functions.hpp>
#include <seen/building/workspace.hpp>
#include <seen/filters/binary_fuse.hpp>
#include <seen/filters/blocked_bloom.hpp>
#include <seen/filters/bloom.hpp>
#include <seen/filters/ribbon.hpp>
#include <seen/kernels/block.hpp>
#include <seen/kernels/bloom.hpp>
#include <seen/math/binary_fuse.hpp>
#include <seen/math/blocked_bloom.hpp>
#include <seen/math/ribbon.hpp>
#include <seen/math/sizing.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace seen::inline v1::table_filter {
namespace {

// --- the bytes behind the body

enum class kind : std::uint8_t { classic = 1, blocked = 2, ribbon = 3, binary_fuse = 4 };

constexpr std::size_t tail_bytes(kind k) noexcept {
  return k == kind::binary_fuse ? 4 : k == kind::ribbon ? 3 : 2;
}

struct tail {
  kind what = kind::classic;
  std::uint32_t parameter = 0;  // below 32
  std::uint8_t seed = 0;        // of ribbons and fuse filters
  std::uint8_t segment = 0;     // of fuse filters: log2 of its slots

  [[nodiscard]] std::uint8_t last() const noexcept {
    return static_cast<std::uint8_t>(static_cast<std::uint32_t>(what) << 5 | parameter);
  }
  [[nodiscard]] std::uint8_t check(std::size_t body) const noexcept {
    const std::uint64_t sum =
        version * 0x9dU + (body * 0x9e3779b97f4a7c15U >> 56) + last() * 0x1dU + seed * 0x47U + segment * 0x95U;
    return static_cast<std::uint8_t>(sum);
  }
};

void append_tail(const tail& t, std::size_t body, std::string& out) {
  if (t.what == kind::ribbon || t.what == kind::binary_fuse) out.push_back(static_cast<char>(t.seed));
  if (t.what == kind::binary_fuse) out.push_back(static_cast<char>(t.segment));
  out.push_back(static_cast<char>(t.check(body)));
  out.push_back(static_cast<char>(t.last()));
}

// Nothing where the bytes are not as append_tail writes them.
std::optional<tail> read_tail(bytes_view filter) noexcept {
  if (filter.size() < 3) return {};
  const auto at = [&](std::size_t from_end) { return std::to_integer<std::uint8_t>(filter[filter.size() - from_end]); };
  tail t{.what = static_cast<kind>(at(1) >> 5), .parameter = at(1) & 31U};
  if (t.what < kind::classic || t.what > kind::binary_fuse) return {};
  const std::size_t length = tail_bytes(t.what);
  if (filter.size() <= length) return {};
  if (length >= 3) t.seed = at(length);
  if (length == 4) t.segment = at(3);
  if (at(2) != t.check(filter.size() - length)) return {};
  return t;
}

// --- the rules that belong to a body

result<chain_rule> classic_rule(std::size_t body, const tail& t) {
  return chain_rule::make({.bits = std::uint64_t{body} * 8, .probes = t.parameter + 1});
}
result<block_rule> blocked_rule(std::size_t body, const tail& t) {
  return block_rule::make({.blocks = body / 64, .probes = std::uint32_t{1} << t.parameter});
}
std::uint64_t ribbon_slots(std::size_t body, const tail& t) noexcept {
  const std::uint64_t bits = std::uint64_t{body} * 8;
  // Nearly all filters are so small that the quick division does.
  if (bits >> 32 == 0) return static_cast<std::uint32_t>(bits) / (t.parameter + 1);
  return bits / (t.parameter + 1);
}
// Rules need not know how many keys there are; that there are some they must.
result<ribbon_rule> ribbon_rule_of(std::size_t body, const tail& t) {
  return ribbon_rule::make({.keys = 1,
                            .fingerprint_bits = t.parameter + 1,
                            .shards = 1,
                            .setting = ribbon_setting::fast,
                            .slots = {ribbon_slots(body, t), 0, 0}});
}
result<binary_fuse_rule> fuse_rule(std::size_t body, const tail& t) {
  const std::uint64_t length = std::uint64_t{1} << t.segment;
  return binary_fuse_rule::make({.keys = 1,
                                 .fingerprint_bits = 8U << t.parameter,
                                 .shards = 1,
                                 .arity = 3,
                                 .segment_length = length,
                                 .segments = (body >> t.parameter) >> t.segment});
}

// What the rules would refuse with a message, which takes memory that nobody here has.
bool is_sound(std::size_t body, const tail& t) noexcept {
  if (body > math::max_bits / 8) return false;
  switch (t.what) {
    case kind::classic:
      return t.parameter < math::max_probes;
    case kind::blocked:
      return body % 64 == 0 && t.parameter >= 2 && t.parameter <= 4;
    case kind::ribbon:
      return body * 8 > t.parameter;
    case kind::binary_fuse: {
      if (t.parameter > 2 || t.segment < 1 || t.segment > 18) return false;
      const std::size_t segment = std::size_t{1} << t.segment << t.parameter;
      return body % segment == 0 && body / segment >= 3;
    }
  }
  return false;
}

// --- asking

// Bits at any address, for the kernel of the classic filter.
struct byte_cells {
  const std::byte* bytes;

  [[nodiscard]] static constexpr std::uint64_t bits(std::uint64_t count) noexcept { return count; }
  [[nodiscard]] bool test(std::uint64_t at) const noexcept {
    return (std::to_integer<unsigned>(bytes[at / 8]) >> at % 8 & 1) != 0;
  }
  template <std::size_t N>
  [[nodiscard, gnu::always_inline]] bool test_all(const std::array<std::uint64_t, N>& at) const noexcept {
    unsigned all = 1;
    for (std::size_t i = 0; i < N; ++i) all &= std::to_integer<unsigned>(bytes[at[i] / 8]) >> at[i] % 8;
    return all != 0;
  }
};

bool asks_block(const block_rule& rule, const std::byte* body, digest d) noexcept {
  alignas(64) std::array<std::uint64_t, block_rule::block_words> block;  // a copy: words want to be aligned
  std::memcpy(block.data(), body + rule.block_of(d) * sizeof block, sizeof block);
  return rule.with_pattern([&](auto pattern) {
    return kernels::block_covers<plain_access, decltype(pattern)>(block.data(), rule.pattern_of(d));
  });
}

// A digest in the only shard there is.
building::shard_digest in_shard(const tail& t, digest d) noexcept {
  return building::lone_shard{building::seed_multipliers[t.seed]}(d);
}

// --- making

// Appends the words of an engine that was filled with the digests, `bytes` of them.
template <class Engine>
void append_words(Engine engine, std::span<const digest> digests, std::size_t bytes, std::string& out) {
  engine.add_many(digests);
  const bytes_view body = std::as_const(engine).bytes().first(bytes);
  out.append(reinterpret_cast<const char*>(body.data()), body.size());
}

void append_classic(std::span<const digest> digests, std::size_t budget, double bits_per_key, std::string& out) {
  const std::size_t body = budget - tail_bytes(kind::classic);
  // Few keys in the least size have more bits than were asked for, but no more probes.
  const auto most = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::lround(bits_per_key * std::log(2.0))));
  const std::uint64_t keys = std::max<std::uint64_t>(1, digests.size());
  const std::uint64_t probes =
      std::clamp<std::uint64_t>(math::probes_for(body * 8, keys), 1, std::min<std::uint64_t>(most, math::max_probes));
  const tail t{.what = kind::classic, .parameter = static_cast<std::uint32_t>(probes - 1)};
  using engine = bloom::engine_type;
  append_words(or_throw(engine::make(classic_rule(body, t).value().shape())), digests, body, out);
  append_tail(t, body, out);
}

// False: so few blocks are far from what was asked for.
bool append_blocked(std::span<const digest> digests, double bits_per_key, std::string& out) {
  constexpr std::uint64_t fewest_blocks = 8;
  constexpr std::uint64_t many_blocks = 1 << 20;
  const double bits = static_cast<double>(digests.size()) * bits_per_key;
  const auto blocks = static_cast<std::uint64_t>(std::lround(bits / math::block_bits));
  if (blocks < fewest_blocks) return false;
  const auto keys = static_cast<std::uint64_t>(many_blocks * math::block_bits / bits_per_key);
  const std::uint32_t probes = math::best_block_probes(many_blocks, keys);
  const std::size_t body = clamp_to_size(blocks * 64);
  const tail t{.what = kind::blocked, .parameter = static_cast<std::uint32_t>(std::countr_zero(probes))};
  using engine = blocked_bloom::engine_type;
  append_words(or_throw(engine::make(blocked_rule(body, t).value().shape())), digests, body, out);
  append_tail(t, body, out);
  return true;
}

std::vector<std::uint64_t> sorted(std::span<const digest> digests) {
  std::vector<std::uint64_t> values;
  values.reserve(digests.size());
  for (const digest d : digests) values.push_back(d.value);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Appends the tables that hold the digests, which ascend and differ. False: no seed does it.
template <class Rule>
bool append_tables(const Rule& rule, std::span<const std::uint64_t> digests, tail t, std::string& out) {
  constexpr unsigned seeds_tried = 32;
  std::vector<std::byte> tables(clamp_to_size(rule.table_bytes()));
  building::workspace memory;
  for (unsigned seed = 0; seed < seeds_tried; ++seed) {
    t.seed = static_cast<std::uint8_t>(seed);
    memory.release({});
    if (!rule.solve(digests, 0, t.seed, tables.data(), memory)) continue;
    if (!building::holds_all(rule, digests, 0, t.seed, tables.data())) continue;
    out.append(reinterpret_cast<const char*>(tables.data()), tables.size());
    append_tail(t, tables.size(), out);
    return true;
  }
  return false;
}

// The most bits of fingerprint that fit; false if there is not one.
bool append_ribbon(std::span<const std::uint64_t> digests, std::size_t budget, std::string& out) {
  if (digests.empty() || budget <= tail_bytes(kind::ribbon)) return false;
  const std::size_t room = budget - tail_bytes(kind::ribbon);
  const std::uint64_t least = math::ribbon_least_slots(digests.size());
  const auto widest = static_cast<std::uint32_t>(std::min<std::uint64_t>(room * 8 / least, math::ribbon_max_bits));
  for (std::uint32_t bits = widest; bits != 0; --bits) {
    // Whole blocks are read as words, and are taken where there is room for them.
    std::uint64_t body = math::ribbon_layer_bytes(round_up(least, 64), bits);
    if (least < 65 || body > room) body = math::ribbon_layer_bytes(least, bits);
    const tail t{.what = kind::ribbon, .parameter = bits - 1};
    if (append_tables(ribbon_rule_of(clamp_to_size(body), t).value(), digests, t, out)) return true;
  }
  return false;
}

bool append_fuse(std::span<const std::uint64_t> digests, std::size_t budget, std::string& out) {
  if (digests.empty() || budget <= tail_bytes(kind::binary_fuse)) return false;
  const math::binary_fuse_shape shape = math::binary_fuse_shape_for(3, digests.size());
  const std::uint64_t slots = shape.segment_length * shape.segments;
  for (std::uint32_t width = 3; width-- != 0;) {
    const std::size_t body = clamp_to_size(slots << width);
    if (body > budget - tail_bytes(kind::binary_fuse)) continue;
    const tail t{.what = kind::binary_fuse,
                 .parameter = width,
                 .segment = static_cast<std::uint8_t>(std::countr_zero(shape.segment_length))};
    if (append_tables(fuse_rule(body, t).value(), digests, t, out)) return true;
  }
  return false;
}

}  // namespace

void append(const leveldb_options& options, std::span<const digest> digests, std::string& out) {
  if (options.kind == leveldb_kind::blocked && append_blocked(digests, options.bits_per_key, out)) return;
  const bool is_static = options.kind == leveldb_kind::ribbon || options.kind == leveldb_kind::binary_fuse;
  const std::vector<std::uint64_t> values = is_static ? sorted(digests) : std::vector<std::uint64_t>();
  const auto keys = static_cast<double>(is_static ? values.size() : digests.size());
  const auto budget = static_cast<std::size_t>(std::ceil(std::max(64.0, keys * options.bits_per_key) / 8)) + 1;
  if (options.kind == leveldb_kind::binary_fuse && append_fuse(values, budget, out)) return;
  if (is_static && append_ribbon(values, budget, out)) return;
  append_classic(digests, budget, options.bits_per_key, out);
}

bool may_contain(digest d, bytes_view filter) noexcept {
  const std::optional<tail> t = read_tail(filter);
  if (!t) return true;
  const std::size_t body = filter.size() - tail_bytes(t->what);
  if (!is_sound(body, *t)) return true;
  switch (t->what) {
    case kind::classic: {
      const auto rule = classic_rule(body, *t);
      return !rule || kernels::bloom_lookup(byte_cells{filter.data()}, *rule, rule->start(d), rule->probes());
    }
    case kind::blocked: {
      const auto rule = blocked_rule(body, *t);
      return !rule || asks_block(*rule, filter.data(), d);
    }
    case kind::ribbon:
      return ribbon_layer_holds(filter.data(), ribbon_slots(body, *t), t->parameter + 1, in_shard(*t, d));
    case kind::binary_fuse: {
      const auto rule = fuse_rule(body, *t);
      return !rule || rule->test(filter.data(), rule->find(in_shard(*t, d)));
    }
  }
  return true;
}

}  // namespace seen::inline v1::table_filter
