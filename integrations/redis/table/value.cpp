#include "table/value.hpp"

#include <seen/engines/growing_cuckoo_engine.hpp>
#include <seen/filters/growing_cuckoo.hpp>
#include <seen/filters/scalable_bloom.hpp>
#include <seen/filters/scalable_classic_bloom.hpp>
#include <seen/filters/windowed_bloom.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fold_alike.hpp"
#include "table/arrival.hpp"
#include "table/redisbloom_numbers.hpp"

namespace seen::redis {
namespace {

// The kinds that are asked for more than any_filter tells.
using growing_blooms = filter<scalable_bloom::engine_type, any_hash>;
using growing_classics = filter<scalable_classic_bloom::engine_type, any_hash>;
using growing_tables = filter<growing_cuckoo::engine_type, any_hash>;
using one_table = filter<cuckoo::engine_type, any_hash>;
using window = filter<windowed_bloom::engine_type, any_hash>;

// RedisBloom's cuckoo filters compare 2 · slots fingerprints of a byte, of 255 values, when they are full. Who asks for no rate is
// given no worse one; 1/32 is what the shortest fingerprints of the native kind give.
double cuckoo_rate(const terms& asked) {
  if (asked.error != 0) return asked.error;
  return std::min(0x1p-5, 2.0 * static_cast<double>(asked.bucket_size) / 255);
}

bool is_foreign(const terms& asked) {
  return asked.kind == redisbloom_format;
}

make_options foreign_options(family of, const terms& asked) {
  make_options options{.target = {asked.capacity, asked.error}};
  options.format = asked.kind;
  if (of == family::cuckoo) {
    options.kind = "cuckoo";
    options.target.fpr = 0;
    options.shape = {
        {"expansion", asked.expansion}, {"bucket-size", asked.bucket_size}, {"max-iterations", asked.iterations}};
  } else if (asked.expansion == 0) {
    options.variant = "nonscaling";
  } else {
    options.shape = {{"expansion", asked.expansion}};
  }
  return options;
}

std::string usual_kind(family of, const terms& asked) {
  if (of == family::cuckoo) return asked.expansion == 0 ? "cuckoo" : "growing-cuckoo";
  if (asked.window != 0) return "windowed-bloom";
  return asked.expansion == 0 ? "blocked-bloom" : "scalable-bloom";
}

make_options options_for(family of, const terms& asked) {
  if (is_foreign(asked)) return foreign_options(of, asked);
  make_options options{.target = {asked.capacity, of == family::cuckoo ? cuckoo_rate(asked) : asked.error}};
  options.kind = asked.kind.empty() ? usual_kind(of, asked) : asked.kind;
  if (asked.key) {
    options.hash = hash_id::siphash_1_3;
    options.secret = asked.key;
  }
  if (asked.window != 0) options.shape.push_back({"period", asked.window});
  if (options.kind.starts_with("scalable-") && asked.expansion != 0) {
    // Links of one size are what expansion 1 asks for, and a chain's growth is above 1.
    const double growth = std::max(static_cast<double>(asked.expansion), 1 + 0x1p-32);
    options.shape.push_back(named_field::real("growth", growth));
  }
  return options;
}

// A filter of a format is not planned by the registry. The bits of RedisBloom's first link, with a margin; a byte a slot, of as many slots
// as the next power of two.
std::uint64_t foreign_bytes(family of, const terms& asked) {
  const auto keys = static_cast<double>(asked.capacity);
  if (of == family::cuckoo) return static_cast<std::uint64_t>(2 * keys);
  constexpr double ln2_squared = 0.4804530139182014;
  return static_cast<std::uint64_t>(keys * -std::log(asked.error / 2) / ln2_squared / 8) + 8;
}

// What the registry says of a kind: nothing of a format's filter.
std::optional<plan_row> plan_of(const any_filter& filter) {
  if (filter.format() != native::format_name) return {};
  const auto kind = find_kind(filter.kind());
  if (!kind) return {};
  auto planned = (*kind)->plan({.capacity = 1000, .fpr = 0.01});
  if (!planned) return {};
  return std::move(*planned);
}

// Of a chain, whose first part has its own fields, and every other one those of a link: capacity, rate, items.
value_info info_of_links(const std::vector<engine_part>& parts) {
  value_info told{.filters = 0};
  for (const engine_part& link : std::span(parts).subspan(1)) {
    told.capacity += link.fields[0];
    told.bytes += link.bytes.size();
    ++told.filters;
  }
  return told;
}

bool is_full(const error& why) {
  return why.code == errc::full || why.code == errc::too_large;
}
error full() {
  return {errc::full, "the filter is full"};
}

}  // namespace

value::value(family of) noexcept : family_(of) {}
value::value(value&&) noexcept = default;
value& value::operator=(value&&) noexcept = default;
value::~value() = default;

result<value> value::make(family of, const terms& asked, const affording& affords) {
  make_options options = options_for(of, asked);
  std::uint64_t bytes = 0;
  if (is_foreign(asked)) {
    bytes = foreign_bytes(of, asked);
  } else {
    const auto kind = find_kind(options.kind);
    if (!kind) return kind.error();
    if ((*kind)->build != nullptr) {
      return {errc::unsupported, options.kind + " is built of all its keys at once: SF.LOAD takes it from a file"};
    }
    const auto planned = (*kind)->plan_as(options);
    if (!planned) return planned.error();
    if (of == family::cuckoo && !planned->can_remove) {
      return {errc::unsupported, "keys cannot be removed from a " + options.kind + " filter"};
    }
    bytes = planned->bytes;
    // Sizes of many divisors fold to a common one when they are merged. They are multiples of 5040 blocks, a sixteenth of this at most.
    constexpr std::uint64_t foldable_bytes = std::uint64_t{16} * 5040 * 64;
    if (options.kind == "blocked-bloom" && bytes >= foldable_bytes) {
      options.foldable = true;
      bytes += bytes / 16;
    }
  }
  if (!affords(bytes)) return error{errc::no_memory, "the server does not have the memory", 0, bytes};
  auto made = any_filter::make(options);
  if (!made) return made.error();
  return holding(of, std::move(*made), asked, {}, bytes);
}

value value::holding(family of, any_filter filter, terms asked, counts so_far, std::uint64_t bytes) {
  value made(of);
  if (const auto plan = plan_of(filter)) {
    const bool goes_on = plan->can_grow || plan->can_forget;
    if (!plan->can_grow) asked.expansion = 0;
    made.stops_ = of == family::bloom && !goes_on && !plan->can_be_full;
  }
  made.asked_ = std::move(asked);
  made.counts_ = so_far;
  made.first_bytes_ = bytes != 0 ? bytes : filter.info().bytes;
  made.filter_ = std::move(filter);
  return made;
}

value value::mapped(any_filter filter, outside_file file) {
  value made(family::lookup);
  made.asked_.expansion = 0;
  made.first_bytes_ = file.bytes;
  made.filter_ = std::move(filter);
  made.file_ = std::move(file);
  return made;
}

value value::lost(outside_file file) {
  value made(family::lookup);
  made.file_ = std::move(file);
  return made;
}

value value::awaiting(family of, std::unique_ptr<arrival> pieces) {
  value made(of);
  made.arriving_ = std::move(pieces);
  return made;
}

// --- items

result<bool> value::add(bytes_view item, std::uint64_t now) {
  if (forgets()) {
    if (auto told = filter_->advance(now); !told) return told.error();
  } else if (is_at_capacity()) {
    if (filter_->may_contain(item)) return false;
    return full();
  }
  auto before = filter_->test_and_add(item);
  if (!before) return is_full(before.error()) ? full() : before.error();
  counts_.items += *before ? 0 : 1;
  return !*before;
}

result<void> value::insert(bytes_view item, std::uint64_t most_expansions) {
  result<void> added;
  if (auto* const tables = filter_->get_if<growing_tables>()) {
    added = or_no_memory([&]() -> result<void> {
      const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(most_expansions, 254)) + 1;
      if (!tables->engine().add_within(tables->digest_of(item), most)) return full();
      return {};
    });
  } else {
    added = filter_->add(item);
  }
  if (!added) return is_full(added.error()) ? full() : added.error();
  ++counts_.items;
  return {};
}

result<bool> value::remove(bytes_view item) {
  auto removed = filter_->remove(item);
  if (removed && *removed) {
    counts_.items -= counts_.items != 0 ? 1 : 0;
    ++counts_.removed;
  }
  return removed;
}

bool value::may_contain(bytes_view item, std::uint64_t now) const {
  const auto* const ring = forgets() ? filter_->get_if<window>() : nullptr;
  if (ring == nullptr) return filter_->may_contain(item);
  return ring->engine().may_contain_at(ring->digest_of(item), now);
}

void value::may_contain_many(std::span<const bytes_view> items, std::uint64_t now, std::span<bool> out) const {
  if (!forgets()) {
    filter_->may_contain_many(items, out);
    return;
  }
  for (std::size_t i = 0; i < items.size(); ++i) out[i] = may_contain(items[i], now);
}

std::uint64_t value::items() const {
  if (filter_->get_if<window>() == nullptr) return counts_.items;
  return static_cast<std::uint64_t>(std::llround(filter_->info().keys));
}

// --- the whole filter

result<void> value::merge(value& other) {
  const std::uint64_t here = filter_->fold_unit(), there = other.filter_->fold_unit();
  if (auto alike = fold_alike(*filter_, *other.filter_); !alike) return alike;
  if (auto merged = filter_->merge(*other.filter_); !merged) return merged;
  const filter_info now = filter_->info();
  counts_.items = static_cast<std::uint64_t>(std::llround(now.keys));
  first_bytes_ = now.bytes;
  if (stops_) {
    // A filter folded to a third has room for a third of the keys.
    const auto left = [&](std::uint64_t capacity, std::uint64_t unit) {
      const double share = unit == 0 ? 1 : static_cast<double>(filter_->fold_unit()) / static_cast<double>(unit);
      return static_cast<std::uint64_t>(static_cast<double>(capacity) * share);
    };
    asked_.capacity = std::min(left(asked_.capacity, here), left(other.asked_.capacity, there));
    asked_.error = std::max(asked_.error, other.asked_.error);
  }
  return {};
}

result<value> value::copy() const {
  value made(family_);
  if (arriving_ != nullptr) {
    auto pieces = arriving_->copy();
    if (!pieces) return pieces.error();
    made.arriving_ = std::move(*pieces);
  } else if (filter_) {
    auto same = filter_->copy();
    if (!same) return same.error();
    made.filter_ = std::move(*same);
  } else {
    made.file_ = file_;
  }
  made.asked_ = asked_;
  made.counts_ = counts_;
  made.first_bytes_ = first_bytes_;
  made.stops_ = stops_;
  return made;
}

// --- what it is

value_info value::info() const {
  if (arriving_ != nullptr) return {.capacity = 0, .bytes = arriving_->bytes(), .filters = 0};
  if (!filter_) return {.capacity = 0, .filters = 0};
  value_info told{.capacity = asked_.capacity, .bytes = first_bytes_};
  if (const auto* const chain = filter_->get_if<growing_blooms>()) {
    told = info_of_links(chain->engine().parts());
  } else if (const auto* const classic = filter_->get_if<growing_classics>()) {
    told = info_of_links(classic->engine().parts());
  } else if (const auto* const tables = filter_->get_if<growing_tables>()) {
    told.filters = tables->engine().link_count();
    told.buckets = tables->engine().slots() / 4;
    told.bytes = memory_of(tables->engine());
  } else if (is_chunked(*filter_)) {
    const std::string header = redisbloom_header(*filter_);
    if (const auto blooms = bloom_numbers::read(header)) {
      told = {.filters = blooms->links.size()};
      for (const bloom_numbers::link& each : blooms->links) {
        told.capacity += each.entries;
        told.bytes += each.bytes;
      }
    } else if (const auto buckets = cuckoo_numbers::read(header)) {
      told.filters = buckets->tables;
      told.buckets = buckets->buckets;  // of the first, as RedisBloom tells it
      told.bytes = buckets->body_bytes().value_or(0);
    }
  } else if (filter_->format() != native::format_name) {
    told = {.capacity = 0, .filters = 0};
    const filter_info about = filter_->info();
    told.bytes = about.bytes;
    for (const named_field& each : about.shape) {
      if (each.name == "links") told.filters = each.value;
    }
    std::uint64_t link = asked_.capacity;
    for (std::uint64_t i = 0; i < told.filters; ++i, link *= asked_.expansion) told.capacity += link;
  } else if (const auto* const table = filter_->get_if<one_table>()) {
    told.buckets = table->engine().shape().buckets;
  }
  return told;
}

}  // namespace seen::redis
