#include "table/value.hpp"

#include <seen/engines/growing_cuckoo_engine.hpp>
#include <seen/filters/growing_cuckoo.hpp>
#include <seen/filters/scalable_bloom.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <cmath>

namespace seen::redis {
namespace {

using growing_bloom = filter<engines::scalable_engine<blocked_links, plain_access>, any_hash>;
using growing_buckets = filter<growing_cuckoo::engine_type, any_hash>;

// RedisBloom's cuckoo filters compare 2 · slots fingerprints of a byte, of 255 values, when they are full. Nobody who asked for no rate
// is given a worse one; above 1/32 the native kind has no fingerprint that short.
double cuckoo_rate(const terms& asked) {
  if (asked.error != 0) return asked.error;
  return std::min(0x1p-5, 2.0 * static_cast<double>(asked.bucket_size) / 255);
}

bool is_foreign(const terms& asked) {
  return asked.kind == "redisbloom";
}

make_options options_for(family of, const terms& asked) {
  make_options options{.target = {asked.capacity, of == family::cuckoo ? cuckoo_rate(asked) : asked.error}};
  if (asked.key) {
    options.hash = hash_id::siphash_1_3;
    options.secret = asked.key;
  }
  const auto wish = [&](std::string_view name, std::uint64_t number) {
    options.shape.push_back({std::string(name), number});
  };
  if (is_foreign(asked)) {
    options.format = asked.kind;
    wish("expansion", asked.expansion);
    if (of == family::cuckoo) {
      options.kind = "cuckoo";
      options.target.fpr = 0;
      wish("bucket-size", asked.bucket_size);
      wish("max-iterations", asked.iterations);
    } else if (asked.expansion == 0) {
      options.variant = "nonscaling";
      options.shape.clear();
    }
  } else if (!asked.kind.empty()) {
    options.kind = asked.kind;
  } else if (of == family::cuckoo) {
    options.kind = asked.expansion == 0 ? "cuckoo" : "growing-cuckoo";
  } else if (asked.window != 0) {
    options.kind = "windowed-bloom";
    wish("period", asked.window);
  } else if (asked.expansion == 0) {
    options.kind = "blocked-bloom";
    options.foldable = true;
  } else {
    options.kind = "scalable-bloom";
    // Links of one size are what expansion 1 asks for, and a chain's growth is above 1.
    const double growth = std::max(static_cast<double>(asked.expansion), 1 + 0x1p-32);
    options.shape.push_back(named_field::real("growth", growth));
  }
  return options;
}

// A filter of a format is not planned by the registry: 11 bits an item at 1 %, as RedisBloom counts; and a byte a slot.
std::uint64_t foreign_bytes(family of, const terms& asked) {
  const auto keys = static_cast<double>(asked.capacity);
  if (of == family::cuckoo) return static_cast<std::uint64_t>(2 * keys);
  return static_cast<std::uint64_t>(keys * (1 - std::log2(std::min(asked.error, 0.25))) * 1.45 / 8) + 8;
}

}  // namespace

result<std::uint64_t> value::planned_bytes(family of, const terms& asked) {
  if (is_foreign(asked)) return foreign_bytes(of, asked);
  const make_options options = options_for(of, asked);
  auto kind = find_kind(options.kind);
  if (!kind) return kind.error();
  if ((*kind)->build != nullptr) {
    return {errc::unsupported, options.kind + " is built of all its keys at once, and loaded with SF.LOAD"};
  }
  auto planned = (*kind)->plan_as(options);
  if (!planned) return planned.error();
  return planned->bytes;
}

result<value> value::make_now(family of, const terms& asked) {
  auto made = any_filter::make(options_for(of, asked));
  if (!made) return made.error();
  value fresh(of, std::move(*made), asked);
  auto bytes = planned_bytes(of, asked);
  if (!bytes) return bytes.error();
  fresh.fixed_bytes_ = *bytes;
  return fresh;
}

result<bool> value::add(bytes_view item) {
  if (!grows() && !forgets() && items_ >= asked_.capacity && family_ == family::bloom) {
    if (filter_.may_contain(item)) return false;
    return error{errc::full, "the filter is full"};
  }
  auto before = filter_.test_and_add(item);
  if (!before) return before.error();
  items_ += *before ? 0 : 1;
  return !*before;
}

std::uint64_t value::items() const {
  if (!forgets()) return items_;
  return static_cast<std::uint64_t>(std::llround(filter_.info().keys));
}

value_info value::info() const {
  value_info told{.capacity = asked_.capacity, .bytes = fixed_bytes_};
  if (const auto* const chain = filter_.get_if<growing_bloom>()) {
    told = {.filters = 0};
    for (const engine_part& part : chain->engine().parts()) {
      if (part.bytes.empty()) continue;  // the chain's own fields
      told.capacity += part.fields[0];
      told.bytes += part.bytes.size();
      ++told.filters;
    }
  } else if (const auto* const tables = filter_.get_if<growing_buckets>()) {
    told.filters = tables->engine().link_count();
    told.buckets = tables->engine().slots() / 4;
    told.bytes = memory_of(tables->engine());
  }
  return told;
}

}  // namespace seen::redis
