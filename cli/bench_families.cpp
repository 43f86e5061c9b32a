// A contender is a kind by name with the shape that its peer has in `make bench`, so the figures of the two stand next to
// each other. The code that is measured is the library's, which this command and the bindings call: a batch is one indirect
// call, a single lookup is one for each key. `make bench` measures the types of C++ as well, concurrent ones and digests
// among them, which a compiler inlines.
#include "bench_families.hpp"

#include <seen/any_builder.hpp>
#include <seen/any_filter.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../bench/core/peer_names.hpp"

namespace seen::cli {
namespace {

using bench::units_for;

// The options of a filter for a number of keys.
using recipe_for = std::function<make_options(std::size_t keys)>;

// A filter that takes keys one after another.
struct filled {
  explicit filled(const make_options& options) : filter(any_filter::make(options).value()) {}

  void add_batch(std::span<const std::uint64_t> keys) {
    filter.add_many(keys).value();  // without all its keys it has no times worth printing
  }
  [[nodiscard]] bool contains(std::uint64_t key) const { return filter.may_contain(key); }
  std::size_t contains_batch(std::span<const std::uint64_t> keys, bool* out) const {
    return filter.may_contain_many(keys, {out, keys.size()});
  }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(filter.info().bytes); }

  any_filter filter;
};

// A filter of a static kind, built from all its keys at once.
struct built_once {
  explicit built_once(make_options chosen) : options(std::move(chosen)) {}

  void add_batch(std::span<const std::uint64_t> keys) {
    constexpr std::size_t most = 1024;
    std::array<std::array<std::byte, 8>, most> bytes;
    std::array<bytes_view, most> views;
    any_builder builder = any_builder::make(options).value();
    while (!keys.empty()) {
      const std::size_t count = std::min(most, keys.size());
      for (std::size_t i = 0; i < count; ++i) {
        store_le(bytes[i].data(), keys[i]);
        views[i] = bytes[i];
      }
      builder.add_many(std::span(views).first(count)).value();
      keys = keys.subspan(count);
    }
    filter = std::move(builder).finish().value();
  }
  [[nodiscard]] bool contains(std::uint64_t key) const { return filter->may_contain(key); }
  std::size_t contains_batch(std::span<const std::uint64_t> keys, bool* out) const {
    return filter->may_contain_many(keys, {out, keys.size()});
  }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(filter->info().bytes); }

  make_options options;
  std::optional<any_filter> filter;
};

template <class Contender>
bench::contender contends(std::string name, std::string peer, recipe_for recipe) {
  return {name, peer, [name, peer, recipe](const bench::workload& work) {
            return bench::enter<Contender>(name, peer, work,
                                           [recipe](std::size_t n) { return std::make_unique<Contender>(recipe(n)); });
          }};
}

// A filter of this kind whose shape depends on the number of keys.
recipe_for shaped(const char* kind, const char* unit, double bits_per_key, double bits_per_unit, std::uint64_t probes) {
  return [=](std::size_t n) {
    make_options made{.kind = kind, .shape = {{unit, units_for(n, bits_per_key, bits_per_unit)}}};
    if (probes != 0) made.shape.push_back({"probes", probes});
    return made;
  };
}

// The usual filter of this kind or format for the keys at a rate of one in so many.
recipe_for planned(const char* kind, double one_in, std::vector<named_field> wishes = {}) {
  return [=](std::size_t n) {
    return make_options{.kind = kind, .target = {.capacity = n, .fpr = 1 / one_in}, .shape = wishes};
  };
}
recipe_for planned_as(const char* format, double one_in) {
  return [=](std::size_t n) { return make_options{.target = {.capacity = n, .fpr = 1 / one_in}, .format = format}; };
}

// Fingerprints of 8 bits, and perhaps a field that chooses a variant.
bench::contender of_8_bits(const char* name, const char* peer, const char* kind, std::vector<named_field> shape = {}) {
  shape.push_back({"fingerprint-bits", 8});
  return contends<built_once>(name, peer, [=](std::size_t) {
    return make_options{.kind = kind, .target = {.fpr = 1.0 / 256}, .shape = shape};
  });
}

}  // namespace

std::vector<bench::family> bench_families() {
  namespace peers = bench::peers;
  return {
      {"block",
       12.18,
       {contends<filled>("blocked_bloom", peers::multiblock64, shaped("blocked-bloom", "blocks", 12.18, 512, 8)),
        contends<filled>("split_block", peers::multiblock32, shaped("split-block", "blocks", 12.84, 256, 0))}},
      {"classic",
       9.59,
       {contends<filled>("bloom", peers::classic, shaped("bloom", "bits", 9.585, 1, 7)),
        contends<filled>("partitioned_bloom", peers::classic, planned("partitioned-bloom", 100)),
        contends<filled>("bits-and-blooms", "", planned_as("bits-and-blooms", 100))}},
      {"growing",
       12,
       {contends<filled>("scalable_bloom", "", planned("scalable-bloom", 100)),
        contends<filled>("windowed_bloom", "", planned("windowed-bloom", 100))}},
      {"static",
       8.5,
       {of_8_bits("binary_fuse", peers::fuse, "binary-fuse"),
        of_8_bits("binary_fuse 4-wise", peers::fuse, "binary-fuse", {{"arity", 4}}),
        of_8_bits("ribbon fast", peers::fuse, "ribbon"),
        of_8_bits("ribbon compact", peers::rocksdb_ribbon, "ribbon", {{"setting", 1}}),
        of_8_bits("xor_filter", peers::xor8, "xor")}},
      {"cuckoo",
       16.9,
       {contends<filled>("cuckoo 16", "", planned("cuckoo", 100, {{"fingerprint-bits", 16}})),
        contends<filled>("cuckoo 12", "", planned("cuckoo", 100, {{"fingerprint-bits", 12}}))}},
      {"quotient", 11.5, {contends<filled>("quotient", "", planned("quotient", 227))}},
      {"counting",
       48,
       {contends<filled>("blocked_counting", "", planned("blocked-counting-bloom", 122)),
        contends<filled>("counting_bloom", "", planned("counting-bloom", 122))}},
  };
}

}  // namespace seen::cli
