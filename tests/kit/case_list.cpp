// Which filters the kit makes. Every native kind with every set of keys and with none, one, a thousand and thousands of
// them; then what a kind's parameters can be; then every hash, metadata and alignment; then every other format that can
// be made, in each of its encodings.
//
// Kinds and hashes that are younger than the kit come last, found in the library's own lists: what one of them adds changes
// no row that is there. What the parameters of a younger kind can be is for add_younger to say.
#include <seen/hash/any_hash.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <utility>

#include "kit.hpp"

namespace seen::kit {
namespace {

constexpr std::uint64_t probe_count = 100'000;
constexpr const char* key_set_names[] = {"text", "integers", "bytes"};
// Those of the first release, in the order of their numbers.
constexpr const char* first_kinds[] = {"bloom",
                                       "partitioned-bloom",
                                       "blocked-bloom",
                                       "split-block",
                                       "counting-bloom",
                                       "blocked-counting-bloom",
                                       "scalable-bloom",
                                       "cuckoo",
                                       "growing-cuckoo",
                                       "quotient",
                                       "windowed-bloom",
                                       "scalable-classic-bloom",
                                       "xor",
                                       "binary-fuse",
                                       "ribbon"};
constexpr hash_id last_first_hash = hash_id::siphash_1_3;

bool is_static(const std::string& kind) {
  return need(find_kind(kind), kind)->build != nullptr;
}

std::string usual_hash(const std::string& kind) {
  return name_of(need(find_kind(kind), kind)->usual_hash);
}

named_field field(const char* name, std::uint64_t value) {
  return {name, value};
}

class list {
 public:
  std::vector<test_case> cases;

  /// A case of a kind with its usual hash; the probes begin with the keys.
  test_case& add(const std::string& kind, const std::string& suffix, const std::string& set, std::uint64_t keys) {
    return cases.emplace_back(test_case{.name = kind + "-" + suffix,
                                        .kind = kind,
                                        .hash = usual_hash(kind),
                                        .keys = {set, 0, keys},
                                        .probes = {set, 0, probe_count}});
  }
  /// For a capacity and a rate. Static kinds count their keys themselves.
  test_case& planned(const std::string& kind, const std::string& suffix, const std::string& set, std::uint64_t keys,
                     std::uint64_t capacity, double fpr, std::vector<named_field> wishes = {}) {
    test_case& c = add(kind, suffix, set, keys);
    c.target = {is_static(kind) ? 0 : capacity, fpr};
    c.fields = std::move(wishes);
    return c;
  }
  /// By parameters alone.
  test_case& shaped(const std::string& kind, const std::string& suffix, std::uint64_t keys,
                    std::vector<named_field> fields) {
    test_case& c = add(kind, suffix, key_set_names[cases.size() % 3], keys);
    c.fields = std::move(fields);
    return c;
  }
};

void add_kind(list& all, const std::string& kind) {
  for (const std::string set : key_set_names) {
    for (const std::uint64_t keys : {0u, 1u, 20u, 1000u}) {
      if (keys == 20 && set != "text") continue;  // the small files that hostile.tsv begins with
      all.planned(kind, set + "-" + std::to_string(keys), set, keys, std::max<std::uint64_t>(keys, 1), 0.01);
    }
  }
  all.planned(kind, "text-5000", "text", 5000, 5000, 0.02);
  all.planned(kind, "integers-strict", "integers", 700, 700, 1e-5);
}

void add_bits(list& all) {
  for (const std::uint64_t bits : {1u, 2u, 63u, 64u, 65u, 509u, 513u, 9586u, 40961u}) {
    all.shaped("bloom", "bits-" + std::to_string(bits), bits / 10, {field("bits", bits), field("probes", 7)});
  }
  for (const std::uint64_t probes : {1u, 2u, 3u, 29u, 30u}) {
    const std::string suffix = "probes-" + std::to_string(probes);
    all.shaped("bloom", suffix, 200, {field("bits", 6007), field("probes", probes)});
    all.shaped("partitioned-bloom", suffix, 200, {field("bits", 199 * probes), field("probes", probes)});
  }
  all.planned("bloom", "overfull", "text", 3000, 500, 0.05);
  all.planned("bloom", "tiny-rate", "bytes", 100, 100, 1e-12);
  all.planned("bloom", "large-rate", "bytes", 2000, 2000, 0.9);
  all.planned("bloom", "two-pages", "integers", 1000, 60'000, 0.01);
  for (const std::uint64_t probes : {4u, 8u, 16u}) {
    const std::string suffix = "probes-" + std::to_string(probes);
    all.planned("blocked-bloom", "wish-" + suffix, "text", 300, 300, 0.02, {field("probes", probes)});
    for (const std::uint64_t blocks : {1u, 3u, 64u}) {
      all.shaped("blocked-bloom", suffix + "-blocks-" + std::to_string(blocks), 20 * blocks,
                 {field("blocks", blocks), field("probes", probes)});
    }
    for (const std::uint64_t width : {4u, 8u}) {
      all.shaped("blocked-counting-bloom", suffix + "-width-" + std::to_string(width), 150,
                 {field("blocks", 17), field("probes", probes), field("counter-bits", width)});
    }
  }
  for (const std::uint64_t blocks : {1u, 2u, 3u, 101u}) {
    all.shaped("split-block", "blocks-" + std::to_string(blocks), 10 * blocks, {field("blocks", blocks)});
  }
  for (const std::uint64_t width : {2u, 4u, 8u, 16u}) {
    // Few counters for many keys: those of two bits stay at their largest.
    all.shaped("counting-bloom", "width-" + std::to_string(width), 400,
               {field("counters", 1009), field("probes", 3), field("counter-bits", width)});
    all.planned("counting-bloom", "wish-width-" + std::to_string(width), "bytes", 150, 150, 0.03,
                {field("counter-bits", width)});
  }
}

void add_tables(list& all) {
  for (const std::uint64_t width : {8u, 10u, 12u, 13u, 14u, 16u, 17u, 24u, 32u}) {
    all.shaped("cuckoo", "width-" + std::to_string(width), 230,
               {field("buckets", 66), field("fingerprint-bits", width), field("chunks", 1)});
  }
  all.shaped("cuckoo", "crowded", 1215, {field("buckets", 320), field("fingerprint-bits", 12), field("chunks", 1)});
  all.shaped("cuckoo", "two-chunks", 500, {field("buckets", 160), field("fingerprint-bits", 13), field("chunks", 2)});
  all.shaped("cuckoo", "many-chunks", 600, {field("buckets", 208), field("fingerprint-bits", 16), field("chunks", 13)});
  all.planned("cuckoo", "wish-width", "text", 200, 200, 0.01, {field("fingerprint-bits", 17)});
  all.planned("growing-cuckoo", "grown", "text", 6000, 1000, 0.01);
  all.planned("growing-cuckoo", "grown-strict", "integers", 3000, 100, 1e-6);
  for (const auto& [blocks, r] : {std::pair{1u, 1u}, {1u, 56u}, {2u, 8u}, {3u, 56u}, {5u, 13u}, {16u, 5u}}) {
    all.shaped("quotient", "b" + std::to_string(blocks) + "-r" + std::to_string(r), 576 * std::uint64_t{blocks} / 10,
               {field("blocks", blocks), field("remainder-bits", r)});
  }
}

void add_chains(list& all) {
  for (const std::string kind : {"scalable-bloom", "scalable-classic-bloom"}) {
    all.planned(kind, "grown", "text", 3000, 100, 0.01);
    all.planned(kind, "grown-bytes", "bytes", 2000, 64, 0.003);
    all.planned(kind, "slow", "integers", 400, 50, 0.02,
                {named_field::real("growth", 1.25), named_field::real("tightening", 0.8)});
    all.planned(kind, "fast", "integers", 2000, 10, 0.02,
                {named_field::real("growth", 8), named_field::real("tightening", 0.25)});
    all.shaped(kind, "by-parameters", 700,
               {field("first-capacity", 33), named_field::real("fpr", 0.05), named_field::real("growth", 2),
                named_field::real("tightening", 0.9)});
    all.planned(kind, "one-key-links", "text", 20, 1, 0.1, {named_field::real("growth", 1.5)});
  }
  all.planned("windowed-bloom", "turned", "text", 2500, 300, 0.01);
  all.planned("windowed-bloom", "turned-often", "bytes", 3000, 40, 0.05, {field("slices", 3)});
  all.planned("windowed-bloom", "one-slice", "integers", 450, 100, 0.05, {field("slices", 1)});
  all.planned("windowed-bloom", "many-slices", "integers", 800, 500, 0.05, {field("slices", 63)});
  all.planned("windowed-bloom", "timed", "text", 200, 200, 0.05, {field("period", 3600)});
  all.shaped(
      "windowed-bloom", "by-parameters", 100,
      {field("window", 64), field("slices", 7), field("period", 0), field("slice-bits", 501), field("probes", 3)});
}

void add_static(list& all) {
  for (const std::uint64_t width : {8u, 16u, 32u}) {
    const std::string suffix = "width-" + std::to_string(width);
    all.shaped("xor", suffix, 500, {field("fingerprint-bits", width)});
    for (const std::uint64_t arity : {3u, 4u}) {
      all.shaped("binary-fuse", suffix + "-arity-" + std::to_string(arity), 700,
                 {field("fingerprint-bits", width), field("arity", arity)});
    }
  }
  for (const std::uint64_t keys : {2u, 3u, 4u, 7u, 64u, 150u}) {
    const std::string suffix = "keys-" + std::to_string(keys);
    all.planned("xor", suffix, "text", keys, keys, 0.01);
    all.planned("binary-fuse", suffix, "text", keys, keys, 0.01);
    all.planned("binary-fuse", suffix + "-arity-4", "text", keys, keys, 0.01, {field("arity", 4)});
    all.planned("ribbon", suffix, "text", keys, keys, 0.01);
  }
  all.planned("binary-fuse", "thousands-arity-4", "integers", 20'000, 0, 0.01, {field("arity", 4)});
  all.planned("binary-fuse", "thousands", "integers", 20'000, 0, 0.01);
  all.planned("xor", "thousands", "integers", 20'000, 0, 0.01);
  for (const std::uint64_t shards : {2u, 8u, 64u}) {
    const std::string suffix = "shards-" + std::to_string(shards);
    for (const std::string kind : {"xor", "binary-fuse", "ribbon"}) {
      all.planned(kind, suffix, "text", 1500, 0, 0.01, {field("shards", shards)});
    }
  }
  // More shards than keys: some have none.
  for (const std::string kind : {"xor", "binary-fuse", "ribbon"}) {
    all.planned(kind, "empty-shards", "text", 5, 0, 0.01, {field("shards", 16)});
  }
  for (const std::uint64_t setting : {1u, 2u, 3u}) {
    for (const std::uint64_t keys : {1023u, 1024u, 4000u, 20'000u}) {
      all.planned("ribbon", "setting-" + std::to_string(setting) + "-" + std::to_string(keys), "text", keys, 0, 0.02,
                  {field("setting", setting)});
    }
  }
  for (const std::uint64_t bits : {1u, 2u, 5u, 8u, 13u, 31u, 32u}) {
    for (const std::uint64_t setting : {1u, 3u}) {
      all.shaped("ribbon", "width-" + std::to_string(bits) + "-setting-" + std::to_string(setting), 1100,
                 {field("fingerprint-bits", bits), field("setting", setting)});
    }
  }
  all.planned("ribbon", "compact-shards", "integers", 9000, 0, 0.05, {field("shards", 4), field("setting", 1)});
}

secret secret_of(unsigned first) {
  secret made;
  for (std::size_t i = 0; i < made.bytes.size(); ++i) made.bytes[i] = static_cast<std::byte>(first + 17 * i);
  return made;
}

void add_hashes(list& all) {
  // FNV-1a alone spreads numbered keys badly: the blocks that this fills are part of the answer.
  for (const std::string hash : {"xxh3-64", "xxh64", "murmur3-x64-128", "fnv1a-64", "fnv1a-64-splitmix"}) {
    for (const std::string set : key_set_names) {
      all.planned("bloom", hash + "-" + set, set, 300, 300, 0.01).hash = hash;
    }
    all.planned("blocked-bloom", hash, "text", 300, 300, 0.01).hash = hash;
    all.planned("split-block", hash, "text", 300, 300, 0.01).hash = hash;
  }
  for (const auto& [hash, seed] : {std::pair{"xxh3-64", std::uint64_t{1}},
                                   {"xxh3-64", 0x8000'0000'0000'0003},
                                   {"xxh64", std::uint64_t{42}},
                                   {"xxh64", ~std::uint64_t{0}},
                                   {"murmur3-x64-128", std::uint64_t{0x9747b28c}}}) {
    test_case& c = all.planned("bloom", std::string(hash) + "-seed-" + std::to_string(seed), "bytes", 400, 400, 0.01);
    c.hash = hash;
    c.seed = seed;
  }
  all.planned("blocked-bloom", "seeded", "integers", 400, 400, 0.01).seed = 7;
  all.planned("cuckoo", "seeded", "integers", 400, 400, 0.01).seed = 8;
  all.planned("ribbon", "seeded", "integers", 400, 0, 0.01).seed = 9;
  for (const std::string hash : {"siphash-2-4", "siphash-1-3"}) {
    for (const bool stored : {true, false}) {
      for (const std::string kind : {"bloom", "blocked-bloom", "xor"}) {
        test_case& c = all.planned(kind, hash + (stored ? "-stored" : ""), "bytes", 250, 250, 0.01);
        c.hash = hash;
        c.key = secret_of(stored ? 0 : 0x80);
        c.store_secret = stored;
      }
    }
  }
}

void add_files(list& all) {
  std::string every_byte;
  for (int i = 0; i < 256; ++i) every_byte += static_cast<char>(i);
  const std::pair<const char*, std::string> metadata[] = {
      {"one", "m"}, {"eight", "12345678"}, {"every-byte", every_byte}, {"text", "{\"made\":\"by the kit\"}"}};
  for (const auto& [name, bytes] : metadata) {
    all.planned("bloom", std::string("metadata-") + name, "text", 60, 60, 0.01).metadata = bytes;
  }
  all.planned("scalable-bloom", "metadata", "text", 60, 20, 0.01).metadata = "chain";
  all.planned("ribbon", "metadata", "text", 60, 0, 0.01).metadata = "static";
  for (const std::string kind : {"bloom", "blocked-bloom", "scalable-classic-bloom", "binary-fuse"}) {
    all.planned(kind, "aligned", "text", 100, 100, 0.01).alignment = 4096;
  }
  test_case& c = all.planned("split-block", "everything", "bytes", 99, 99, 0.01);
  c.hash = "siphash-1-3";
  c.key = secret_of(3);
  c.store_secret = true;
  c.metadata = every_byte;
  c.alignment = 4096;
}

// The formats that every language has.
bool is_everywhere(std::string_view format) {
  return format == "bits-and-blooms" || format == "phrozen" || format == "portable";
}

// Files of other libraries: their own sizing and hash, bytes as keys.
void add_formats(list& all) {
  for (const format_row* format : formats()) {
    if (format->name == "native" || format->make == nullptr) continue;
    std::vector<std::string> variants(format->variants.begin(), format->variants.end());
    if (variants.empty()) variants.emplace_back();
    for (const std::string& variant : variants) {
      if (variant.starts_with("stable") || variant.starts_with("inverse")) continue;  // they forget, at random
      // Key 0 of `bytes` is empty, which not every library takes.
      std::vector<key_set> sets{{"text", 0, 137}, {"text", 0, 0}, {"bytes", 1, 300}};
      if (is_everywhere(format->name)) sets.insert(sets.end(), {{"bytes", 0, 800}, {"integers", 0, 500}});
      for (const key_set& keys : sets) {
        test_case& c = all.cases.emplace_back();
        c.name = std::string(format->name) + (variant.empty() ? "" : "-" + variant) + "-" + keys.name + "-" +
                 std::to_string(keys.count);
        c.format = format->name;
        c.variant = variant;
        c.target = {std::max<std::uint64_t>(keys.count, format->name == "libbloom" ? 1000 : 4), 0.01};
        c.keys = keys;
        c.probes = {keys.name, 0, probe_count};
      }
    }
  }
}

// The same of every kind and every hash that came later.
void add_younger(list& all) {
  for (const std::string& kind : younger_kinds()) add_kind(all, kind);
  for (const std::string& hash : younger_hashes()) {
    for (const std::string set : key_set_names) {
      test_case& c = all.planned("bloom", hash + "-" + set, set, 300, 300, 0.01);
      c.hash = hash;
      if (is_keyed(hash)) c.key = secret_of(0);
    }
  }
}

}  // namespace

std::vector<std::string> younger_kinds() {
  std::map<std::uint16_t, std::string> by_number;
  for (const kind_row& each : kinds()) {
    const bool is_first = std::ranges::find(first_kinds, each.kind.name) != std::end(first_kinds);
    if (!is_first) by_number.emplace(each.kind.id, each.kind.name);
  }
  std::vector<std::string> names;
  for (const auto& [number, name] : by_number) names.push_back(name);
  return names;
}

std::vector<std::string> younger_hashes() {
  std::vector<std::string> names;
  for (const auto& each : detail::hash_names) {
    if (each.id > last_first_hash) names.emplace_back(each.name);
  }
  return names;
}

bool is_keyed(const std::string& hash) {
  return !any_hash::make(need(hash_id_from(hash), hash));  // for want of a secret
}

std::vector<test_case> case_list() {
  list all;
  for (const std::string kind : first_kinds) add_kind(all, kind);
  add_bits(all);
  add_tables(all);
  add_chains(all);
  add_static(all);
  add_hashes(all);
  add_files(all);
  add_formats(all);
  add_younger(all);
  return std::move(all.cases);
}

}  // namespace seen::kit
