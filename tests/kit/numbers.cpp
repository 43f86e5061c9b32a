// sizes.tsv, portable_sizes.tsv and hashes.tsv: the integers that a capacity and a rate give, and digests at every branch of every hash.
//
// Sizes are taken on a grid, at random, and on both sides of the rates at which a number flips: two neighbouring doubles
// between which probes, or bits, change. Where probes are clamped (docs/sizing.md, step 5) a logarithm of the platform is
// used, so flips are looked for only within 2^-30 to 2^-0.6.
#include <seen/hash/any_hash.hpp>
#include <seen/registry.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "kit.hpp"
#include "math/portable_bloom.hpp"
#include "support/key_shapes.hpp"

namespace seen::kit {
namespace {

// Those of the first kit whose size follows from the target: no chains, no static kinds. Younger ones of the sort come after them.
constexpr const char* first_planned_kinds[] = {"bloom",       "partitioned-bloom", "blocked-bloom",
                                               "split-block", "counting-bloom",    "blocked-counting-bloom",
                                               "cuckoo",      "quotient",          "windowed-bloom"};

class size_table {
 public:
  std::vector<row> rows;

  void add(const std::string& kind, std::uint64_t capacity, double fpr) {
    row cells{kind, std::to_string(capacity), real_text(fpr), fields_for(kind, capacity, fpr)};
    if (there_.insert(cells).second) rows.push_back(std::move(cells));
  }

  /// Two neighbouring rates between `low` and `high` at which what is planned changes, if it does.
  void add_flip(const std::string& kind, std::uint64_t capacity, double low, double high) {
    const std::string from = fields_for(kind, capacity, low);
    if (fields_for(kind, capacity, high) == from) return;
    auto below = std::bit_cast<std::uint64_t>(low);
    auto above = std::bit_cast<std::uint64_t>(high);
    while (above - below > 1) {
      const std::uint64_t middle = std::midpoint(below, above);
      (fields_for(kind, capacity, std::bit_cast<double>(middle)) == from ? below : above) = middle;
    }
    add(kind, capacity, std::bit_cast<double>(below));
    add(kind, capacity, std::bit_cast<double>(above));
  }

 private:
  static std::string fields_for(const std::string& kind, std::uint64_t capacity, double fpr) {
    const auto planned = need(find_kind(kind), kind)->plan({capacity, fpr});
    return planned ? fields_text(planned->shape) : "";
  }

  std::set<row> there_;
};

std::vector<std::string> planned_kinds() {
  std::vector<std::string> names(std::begin(first_planned_kinds), std::end(first_planned_kinds));
  for (const std::string& each : younger_kinds()) {
    const auto planned = need(find_kind(each), each)->plan({1000, 0.01});
    if (planned && planned->can_add && !planned->can_grow) names.push_back(each);
  }
  return names;
}

}  // namespace

std::vector<row> size_rows() {
  size_table table;
  constexpr double not_a_rate[] = {
      0.0, 1.0, 1.5, -0.01, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()};
  for (const std::string& kind : planned_kinds()) {
    for (const std::uint64_t n :
         {1ull, 2ull, 3ull, 7ull, 10ull, 20ull, 137ull, 1000ull, 4096ull, 65'537ull, 1'000'000ull, 123'456'789ull,
          1'000'000'000ull, 40'000'000'000ull, 1'000'000'000'000ull}) {
      for (const double p : {1e-12, 1e-9, 1e-6, 1e-4, 0.001, 0.01, 0.1, 0.3, 0.5, 0.99}) table.add(kind, n, p);
    }
    testing::rng random(42);
    for (int i = 0; i < 60; ++i) {
      const auto n = static_cast<std::uint64_t>(std::exp2(static_cast<double>(random.below(3600)) / 100)) + 1;
      const double p = static_cast<double>(random.below(std::uint64_t{1} << 53)) /
                       std::exp2(53 + static_cast<double>(random.below(28)));
      table.add(kind, n, p);
    }
    for (const std::uint64_t n : {1ull, 20ull, 1000ull, 1'000'003ull}) {
      for (const double p : {1e-8, 1e-5, 1e-3, 0.01, 0.02, 0.25}) {
        table.add_flip(kind, n, p, 1.05 * p);
        table.add_flip(kind, n, p, 2 * p);
      }
    }
    for (const double p :
         {std::numeric_limits<double>::denorm_min(), 1e-310, std::numeric_limits<double>::min(), 1e-300, 1e-100, 1e-30,
          0x1p-30, 0x1p-31, 0x1p-52, 0x1p-64, 0x1p-63, 1 - 0x1p-53, 0.999, 0.75}) {
      table.add(kind, 1, p);
      table.add(kind, 1000, p);
    }
    for (const std::uint64_t n : {std::uint64_t{1} << 31, (std::uint64_t{1} << 32) + 1, std::uint64_t{1} << 37,
                                  std::uint64_t{1} << 40, (std::uint64_t{1} << 40) + 1, std::uint64_t{1} << 41,
                                  std::uint64_t{1} << 53, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
      for (const double p : {1e-6, 0.01, 0.5, 0.99}) table.add(kind, n, p);
    }
    for (const double p : not_a_rate) table.add(kind, 1000, p);
    table.add(kind, 0, 0.01);
  }
  return std::move(table.rows);
}

std::vector<row> portable_size_rows() {
  std::vector<row> rows;
  const auto add = [&](std::uint64_t n, double p) {
    const auto shape = math::portable_shape_for({n, p});
    rows.push_back({std::to_string(n), real_text(p), shape ? std::to_string(shape->bits) : "",
                    shape ? std::to_string(shape->probes) : ""});
  };
  for (const std::uint64_t n : {0ull, 1ull, 3ull, 40ull, 137ull, 1000ull, 65'537ull, 1'000'000ull, 60'000'000ull,
                                123'456'789ull, 1ull << 32, 1ull << 53, ~0ull}) {
    for (const double p : {0.0,         std::numeric_limits<double>::denorm_min(),
                           1e-310,      1e-300,
                           1e-12,       0x1p-31,
                           0x1p-30,     1e-9,
                           1e-6,        0.001,
                           0.01,        0.1,
                           0.5,         0.5 + 0x1p-53,
                           0.7,         0.75,
                           0.8,         0.99,
                           1 - 0x1p-30, 1 - 0x1p-53,
                           1.0}) {
      add(n, p);
    }
  }
  testing::rng random(43);
  for (int i = 0; i < 300; ++i) {
    const auto n = static_cast<std::uint64_t>(std::exp2(static_cast<double>(random.below(3200)) / 100)) + 1;
    const double p = static_cast<double>(random.below(std::uint64_t{1} << 53)) /
                     std::exp2(53 + static_cast<double>(random.below(40)));
    add(n, p);
  }
  return rows;
}

bool is_addressable(const std::map<std::string, std::string>& sizes) {
  std::map<std::string, std::uint64_t> is;
  for (const std::string& field : split(sizes.at("fields"), ',')) {
    const auto sign = field.find('=');
    if (sign != std::string::npos) is[field.substr(0, sign)] = std::stoull(field.substr(sign + 1));
  }
  std::uint64_t bits = is["bits"] + is["counters"] * is["counter-bits"];
  const std::uint64_t block_bits = sizes.at("kind") == "split-block" ? 256
                                   : sizes.at("kind") == "quotient"
                                       ? 64 * (is["remainder-bits"] + 2)  // two, and a little more
                                       : 512;
  bits += is["blocks"] * block_bits;
  bits += is["buckets"] * is["fingerprint-bits"] * 4;
  bits += (is["slices"] + 1) * is["slice-bits"];
  return bits / 8 <= std::numeric_limits<std::size_t>::max() / 2;
}

std::vector<row> hash_rows() {
  std::vector<row> rows;
  const auto key_of = [](std::uint64_t length) {
    byte_vector key;  // the rule of the set `bytes`, for any length
    for (std::uint64_t j = 0; j < length; ++j) {
      key.push_back(static_cast<std::byte>((length * 1024 + j + 1) * 0x9e37'79b9'7f4a'7c15 >> 56));
    }
    return key;
  };
  const auto add = [&](const std::string& name, std::uint64_t seed, const secret* given, bytes_view bytes) {
    const auto id = need(hash_id_from(name), name);
    const any_hash hash = need(any_hash::make(id, seed, given == nullptr ? std::optional<secret>() : *given), name);
    rows.push_back({name, seed == 0 ? "" : std::to_string(seed),
                    given == nullptr ? "" : in_hex(bytes_view(given->bytes)), in_hex(bytes),
                    in_hex(hash(bytes).value)});
  };
  // 41 to 600: the ends of the words, stripes and blocks in which the hashes take their input.
  std::vector<std::uint64_t> boundaries;
  for (std::uint64_t length :
       {48u, 56u, 64u, 72u, 80u, 96u, 112u, 128u, 144u, 160u, 192u, 240u, 256u, 320u, 512u, 576u}) {
    for (const std::uint64_t near : {length - 1, length, length + 1}) boundaries.push_back(near);
  }
  const auto with = [&](const std::string& name, std::uint64_t seed, const secret* given, bool all) {
    for (std::uint64_t length = 0; length <= 40; ++length) add(name, seed, given, key_of(length));
    for (const std::uint64_t length : boundaries) {
      if (all || length % 8 == 0) add(name, seed, given, key_of(length));
    }
    for (const std::size_t length : {1u, 8u, 17u, 33u}) add(name, seed, given, byte_vector(length, std::byte{0xff}));
    for (const std::uint64_t length : {600u, 1024u, 1025u}) {
      if (all) add(name, seed, given, key_of(length));
    }
    add(name, seed, given, key_of(all ? 5000 : 1100));
  };
  for (const std::string name : {"xxh3-64", "xxh64", "murmur3-x64-128", "fnv1a-64", "fnv1a-64-splitmix"}) {
    with(name, 0, nullptr, true);
  }
  for (const std::string name : {"xxh3-64", "xxh64", "murmur3-x64-128"}) {
    with(name, 1, nullptr, false);
    with(name, name == "murmur3-x64-128" ? 0xdead'beef : 0x8000'0000'0000'002a, nullptr, name == "xxh3-64");
  }
  secret counted, other;
  for (std::size_t i = 0; i < 16; ++i) {
    counted.bytes[i] = static_cast<std::byte>(i);
    other.bytes[i] = static_cast<std::byte>(0xf0 - 13 * i);
  }
  for (const std::string name : {"siphash-2-4", "siphash-1-3"}) {
    with(name, 0, &counted, true);
    with(name, 0, &other, false);
  }
  for (const std::string& name : younger_hashes()) {
    const bool keyed = is_keyed(name);
    with(name, 0, keyed ? &counted : nullptr, true);
    if (keyed) with(name, 0, &other, false);
    if (any_hash::make(need(hash_id_from(name), name), 1)) with(name, 1, nullptr, false);  // it takes a seed
  }
  return rows;
}

}  // namespace seen::kit
