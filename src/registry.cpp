// Every kind and every format, by name. A new kind or format is one line here.
#include <seen/builder.hpp>
#include <seen/filters/binary_fuse.hpp>
#include <seen/filters/blocked_bloom.hpp>
#include <seen/filters/blocked_counting_bloom.hpp>
#include <seen/filters/bloom.hpp>
#include <seen/filters/counting_bloom.hpp>
#include <seen/filters/cuckoo.hpp>
#include <seen/filters/growing_cuckoo.hpp>
#include <seen/filters/partitioned_bloom.hpp>
#include <seen/filters/quotient.hpp>
#include <seen/filters/ribbon.hpp>
#include <seen/filters/scalable_bloom.hpp>
#include <seen/filters/scalable_classic_bloom.hpp>
#include <seen/filters/split_block.hpp>
#include <seen/filters/windowed_bloom.hpp>
#include <seen/filters/xor_filter.hpp>
#include <seen/math/shards.hpp>
#include <seen/math/sizing.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <array>
#include <utility>

#ifdef SEEN_WITH_FORMATS
#include <seen/formats/bbloom.hpp>
#include <seen/formats/bits_and_blooms.hpp>
#include <seen/formats/boomfilters.hpp>
#include <seen/formats/cassandra.hpp>
#include <seen/formats/datasketches.hpp>
#include <seen/formats/dcso.hpp>
#include <seen/formats/guava.hpp>
#include <seen/formats/hadoop.hpp>
#include <seen/formats/leveldb.hpp>
#include <seen/formats/libbloom.hpp>
#include <seen/formats/npm_bloom_filters.hpp>
#include <seen/formats/parquet.hpp>
#include <seen/formats/phrozen.hpp>
#include <seen/formats/portable.hpp>
#include <seen/formats/pybloom_live.hpp>
#include <seen/formats/pyprobables.hpp>
#include <seen/formats/redisbloom.hpp>
#include <seen/formats/rocksdb.hpp>
#include <seen/formats/rust_bloomfilter.hpp>
#include <seen/formats/seiflotfy_cuckoo.hpp>
#include <seen/formats/spark.hpp>
#include <seen/formats/valkey_bloom.hpp>
#include <seen/formats/willf.hpp>
#include <seen/formats/xor_singleheader.hpp>
#include <seen/formats/xorfilter_go.hpp>
#endif

namespace seen::inline v1 {
namespace {

// --- kinds

// Named fields in the order of the kind's parameters, and which of them were named.
template <class Shape>
struct chosen_fields {
  std::array<std::uint64_t, Shape::field_names.size()> values{};
  std::array<bool, Shape::field_names.size()> given{};
};

template <class Shape>
result<chosen_fields<Shape>> choose(const std::vector<named_field>& fields, std::string_view kind) {
  chosen_fields<Shape> chosen;
  for (const named_field& field : fields) {
    const auto at = std::find(Shape::field_names.begin(), Shape::field_names.end(), field.name);
    if (at == Shape::field_names.end()) {
      return {errc::invalid_argument, std::string(kind) + " has no parameter " + field.name};
    }
    const auto i = static_cast<std::size_t>(at - Shape::field_names.begin());
    if (field.type != type_of_field<Shape>(i)) {
      return {errc::invalid_argument, std::string(kind) + ": " + field.name + " is " +
                                          (field.type == field_type::integer ? "a real number" : "an integer")};
    }
    chosen.values[i] = field.value;
    chosen.given[i] = true;
  }
  return chosen;
}

// A wish of 0 would pass for none: refused, unless 0 is what the kind plans itself.
template <class Shape>
result<void> check_wishes(const chosen_fields<Shape>& chosen, const target& asked, std::string_view kind) {
  const auto usual = Shape::plan(asked);
  for (std::size_t i = 0; usual && i < chosen.values.size(); ++i) {
    if (!chosen.given[i] || chosen.values[i] != 0 || usual->fields()[i] == 0) continue;
    const std::string name(Shape::field_names[i]);
    return {errc::invalid_argument, std::string(kind) + ": " + name + " is 0; leave it out for the usual one"};
  }
  return {};
}

// The parameters of a kind: from a target, from all of its named fields, or from a target and wishes.
template <class Shape>
result<Shape> shape_from(const make_options& options, std::string_view kind) {
  if (options.shape.empty()) return Shape::plan(options.target);
  auto chosen = choose<Shape>(options.shape, kind);
  if (!chosen) return chosen.error();
  if (options.target.capacity != 0) {
    if constexpr (requires { Shape::plan(options.target, Shape::from_wishes(chosen->values)); }) {
      if (auto sensible = check_wishes<Shape>(*chosen, options.target, kind); !sensible) return sensible.error();
      return Shape::plan(options.target, Shape::from_wishes(chosen->values));
    } else {
      std::string names;
      for (const std::string_view name : Shape::field_names) names += (names.empty() ? "" : ", ") + std::string(name);
      return {errc::invalid_argument,
              std::string(kind) + " takes either a capacity and a rate or all of its parameters: " + names};
    }
  }
  const auto missing = std::find(chosen->given.begin(), chosen->given.end(), false);
  if (missing != chosen->given.end()) {
    return {errc::invalid_argument,
            std::string(kind) + " needs " +
                std::string(Shape::field_names[static_cast<std::size_t>(missing - chosen->given.begin())]) + " too"};
  }
  return Shape::from_fields(chosen->values);
}

template <class Engine>
concept can_shrink = requires(Engine& e) {
  e.shrink_to_fpr(0.5);
};

// A static filter is built beside its keys' digests and what solving a shard takes; the others are themselves.
template <class Engine>
std::uint64_t build_bytes_of(const typename Engine::shape_type& shape, std::uint64_t keys) {
  if constexpr (static_engine<Engine>) {
    const std::uint64_t shard = math::expected_largest_shard(keys, shape.shards);
    const std::uint64_t copy = shape.shards > 1 ? shard * sizeof(digest) : 0;
    return shape.bytes() + keys * sizeof(digest) + copy + Engine::shape_type::workspace_bytes(shape, shard);
  } else {
    return shape.bytes();
  }
}

// The parameters for a number of keys that is not known yet: a thousand stand for them, or what was said.
template <class Shape>
result<Shape> shape_to_try(make_options options, std::string_view kind) {
  if (options.target.capacity == 0) options.target.capacity = 1000;
  return shape_from<Shape>(options, kind);
}

using build_pointer = decltype(kind_row::build);

template <class F>
constexpr build_pointer build_function() {
  if constexpr (static_engine<typename F::engine_type>) {
    return [](const make_options& options, const build_options& how, any_hash hash,
              building::digest_collector digests) -> result<any_filter> {
      using shape_type = typename F::shape_type;
      shape_type wishes;
      if (!options.shape.empty()) {
        auto chosen = choose<shape_type>(options.shape, F::kind.name);
        if (!chosen) return chosen.error();
        wishes = shape_type::from_wishes(chosen->values);
      }
      auto made = filter<typename F::engine_type, any_hash>::build(std::move(digests), wishes, how, std::move(hash));
      if (!made) return made.error();
      return any_filter(std::move(*made));
    };
  } else {
    return nullptr;
  }
}

// What a filter of the kind of F would be.
template <class F>
result<plan_row> plan_row_of(const make_options& options) {
  using engine_type = typename F::engine_type;
  using shape_type = typename F::shape_type;
  const target& asked = options.target;
  auto shape = shape_from<shape_type>(options, F::kind.name);
  if (!shape) return shape.error();
  plan_row planned;
  planned.kind = std::string(F::kind.name);
  planned.shape = detail::named_fields(*shape);
  planned.bytes = shape->bytes();
  planned.bits_per_key = 8.0 * static_cast<double>(shape->bytes()) / static_cast<double>(asked.capacity);
  planned.expected_fpr = shape->expected_fpr(asked.capacity);
  planned.lines = shape->lines();
  planned.build_bytes = build_bytes_of<engine_type>(*shape, asked.capacity);
  planned.can_add = mutable_engine<engine_type>;
  planned.can_remove = removable_engine<engine_type>;
  planned.can_merge = mergeable_engine<engine_type>;
  planned.can_intersect = requires(engine_type & e) {
    e.intersect(e);
  };
  planned.can_grow = growing_engine<engine_type>;
  planned.can_shrink = can_shrink<engine_type>;
  planned.can_forget = forgetting_engine<engine_type>;
  planned.can_share = requires(engine_type && e) {
    std::move(e).template with_access<atomic_access>();
  };
  if constexpr (requires { engine_type::rule_type::is_fast_here(); }) {
    planned.is_fast_here = engine_type::rule_type::is_fast_here();
  }
  return planned;
}

template <class Shape>
constexpr std::span<const kind_variant> variants_of() {
  if constexpr (requires { Shape::variants.size(); }) {
    return Shape::variants;
  } else {
    return {};
  }
}

// A row for the kind of F, with any hash in place of F's own, which is the default.
template <class F>
constexpr kind_row row(std::string_view summary) {
  using engine_type = typename F::engine_type;
  using shape_type = typename F::shape_type;
  using any = filter<engine_type, any_hash>;
  return {
      .kind = F::kind,
      .summary = summary,
      .index_rule = engine_type::index_rule,
      .field_names = shape_type::field_names,
      .type_of_field = [](std::size_t i) { return type_of_field<shape_type>(i); },
      .plan = [](const target& asked) { return plan_row_of<F>({.target = asked}); },
      .plan_as = plan_row_of<F>,
      .variants = variants_of<shape_type>(),
      .make = [](const make_options& options) -> result<any_filter> {
        if constexpr (static_engine<engine_type>) {
          return error{errc::unsupported,
                       "a " + std::string(F::kind.name) + " filter is built from all its keys at once"};
        } else {
          auto hash = any_hash::make(options.hash.value_or(F::hash_type::id), options.seed, options.secret);
          if (!hash) return hash.error();
          auto shape = shape_from<shape_type>(options, F::kind.name);
          if (shape && options.foldable && can_shrink<engine_type>) shape = foldable_shape(*shape);
          if (!shape) return shape.error();
          auto engine = engine_type::make(*shape);
          if (!engine && options.target.capacity != 0) return math::about_target(options.target, engine.error());
          if (!engine) return engine.error();
          return any_filter(any(std::move(*engine), *hash, options.target.capacity != 0 ? options.target : target{}));
        }
      },
      .assemble = [](const native::header& h, std::vector<storage> body, const open_options& options,
                     const std::string& name) -> result<any_filter> {
        auto made = detail::assemble<any>(h, std::move(body), options, name);
        if (!made) return made.error();
        return any_filter(std::move(*made));
      },
      .inspect = [](const native::header& h, std::vector<storage> body,
                    const std::string& name) -> result<filter_info> {
        auto engine = detail::assemble_engine<engine_type>(h, std::move(body), name);
        if (!engine) return engine.error();
        if (auto same = detail::check_body(h, *engine, name); !same) return same.error();
        filter_info info;
        detail::describe_filter(any(std::move(*engine), any_hash(), h.target), info);
        info.format = seen::native_format::name;
        info.hash = h.hash;
        return info;
      },
      .usual_hash = F::hash_type::id,
      .check = [](const make_options& options) -> result<void> {
        auto shape = shape_to_try<shape_type>(options, F::kind.name);
        if (!shape) return shape.error();
        return {};
      },
      .build = build_function<F>(),
  };
}

constexpr std::array kind_table{
    row<blocked_bloom>("Bloom filter in blocks of 64 bytes: one cache miss a key"),
    row<bloom>("classic Bloom filter: smallest of the mutable kinds, one cache miss a probe"),
    row<partitioned_bloom>("Bloom filter with one slice a probe: probes never coincide"),
    row<split_block>("Apache Parquet's Bloom filter: blocks of 32 bytes, hashed with XXH64"),
    row<counting_bloom>("Bloom filter of counters: keys can be removed and counted"),
    row<blocked_counting_bloom>("counting filter with one cache line a key: faster, a fifth more space"),
    row<cuckoo>("fingerprints in buckets: removes and counts, two cache misses a lookup, says when it is full"),
    row<quotient>("sorted fingerprints: counts, removes, merges and doubles without the keys"),
    row<scalable_bloom>("grows with its keys: a chain of blocked Bloom filters, one cache miss a link"),
    row<scalable_classic_bloom>("grows with its keys: a chain of classic Bloom filters, smaller at strict rates"),
    row<growing_cuckoo>("chain of cuckoo tables: removes and counts, and grows with its keys"),
    row<windowed_bloom>("forgets: a Bloom filter of the last keys added, or of a period of time"),
    row<binary_fuse>("static: built once, three or four cache misses a lookup, an eighth above the least there can be"),
    row<ribbon>("static: the smallest there is, 0.5 to 5 % above the least there can be, two cache misses a lookup"),
    row<xor_filter>("static: the simplest, three cache misses a lookup, a quarter above the least there can be"),
};

// --- formats

result<const kind_row*> kind_of(const native::header& h, const std::string& name) {
  for (const kind_row& each : kind_table) {
    if (each.kind.id == h.kind) return &each;
  }
  return {errc::newer_version, name + ": kind " + std::to_string(h.kind) + " is not known to this release"};
}

file_origin origin_of(const native::header& h) {
  const bool sealed = h.state == native::seal_state::sealed;
  return {.file_bytes = h.file_bytes,
          .verified = sealed,
          .sealed = sealed,
          .alignment = h.body_offset % 4096 == 0 ? std::size_t{4096} : std::size_t{64},
          .secret_stored = h.stored_secret.has_value(),
          .metadata = h.metadata};
}

// Reads header and body, checks all of it, and hands both to the kind.
template <class Use>
auto with_native(const source& from, const open_options& options, Use use)
    -> decltype(use(kind_table[0], std::declval<native::header&>(), std::vector<storage>())) {
  auto h = native::read_header(from, options.recover);
  if (!h) return h.error();
  auto kind = kind_of(*h, from.name);
  if (!kind) return kind.error();
  auto body = native::read_body(*h, from);
  if (!body) return body.error();
  return use(**kind, *h, std::move(*body));
}

result<void> refuse_foreign_options(const open_options& options, const std::string& name) {
  if (options.hash.empty() && options.key_type.empty() && options.part.empty()) return {};
  return {errc::invalid_argument,
          name + ": a native file says itself what its hash and keys are: leave the option out"};
}

// A static kind's plan: the hash and the shards are the options', the rest is the kind's.
result<build_plan> plan_native(const make_options& options) {
  auto kind = find_kind(options.kind);
  if (!kind) return kind.error();
  if ((*kind)->build == nullptr) {
    return {errc::unsupported, "build: a " + options.kind + " filter is made empty and added to, not built at once"};
  }
  auto hash = any_hash::make(options.hash.value_or((*kind)->usual_hash), options.seed, options.secret);
  if (!hash) return hash.error();
  if (auto tried = (*kind)->check(options); !tried) return tried.error();
  build_plan plan;
  for (const named_field& field : options.shape) {
    if (field.name == "shards") plan.shards = field.value;
  }
  plan.hash = [h = *hash](std::span<const bytes_view> keys, std::span<digest> digests) { h.hash_many(keys, digests); };
  plan.finish = [row = *kind, options, h = *hash](building::digest_collector digests, const build_options& how) {
    return row->build(options, how, h, std::move(digests));
  };
  return plan;
}

constexpr format_row native_format{
    .name = "native",
    .summary = "seen's own: mapped, checksummed, every kind and hash",
    .can = {.verifies = true, .adds = true, .seeds = true},
    .detect =
        [](const source& from) {
          std::array<std::byte, native::magic.size()> beginning{};
          if (from.size < beginning.size() || !from.read(0, beginning)) return detection::no;
          return native::recognises(beginning) ? detection::certain : detection::no;
        },
    .open = [](const source& from, const open_options& options) -> result<any_filter> {
      if (auto none = refuse_foreign_options(options, from.name); !none) return none.error();
      return with_native(from, options,
                         [&](const kind_row& kind, native::header& h, std::vector<storage> body) -> result<any_filter> {
                           auto made = kind.assemble(h, std::move(body), options, from.name);
                           if (!made) return made;
                           if (auto same = made->check(h, from.name); !same) return same.error();
                           made->set_origin(origin_of(h));
                           return made;
                         });
    },
    .map = [](storage whole, const std::string& name, const open_options& options) -> result<any_filter> {
      if (auto none = refuse_foreign_options(options, name); !none) return none.error();
      source from = source::of(std::as_const(whole).bytes());
      from.name = name;
      auto h = native::read_header(from, options.recover);
      if (!h) return h.error();
      auto kind = kind_of(*h, name);
      if (!kind) return kind.error();
      auto made = (*kind)->assemble(*h, detail::body_in_place(*h, whole.bytes()), options, name);
      if (!made) return made;
      file_origin origin = origin_of(*h);
      origin.verified = false;
      origin.mapped = true;
      made->set_origin(std::move(origin));
      made->set_mapped({std::move(whole), std::move(*h), name});
      return made;
    },
    .make = [](const make_options& options) -> result<any_filter> {
      auto kind = find_kind(options.kind.empty() ? kind_table[0].kind.name : std::string_view(options.kind));
      if (!kind) return kind.error();
      return (*kind)->make(options);
    },
    .build = plan_native,
    .convert = [](any_filter from, std::string_view) -> result<any_filter> {
      if (from.format() == seen::native_format::name) return from;
      const auto row = find_format(from.format());
      if (!row || (*row)->to_native == nullptr) return error{errc::unsupported, ""};
      return (*row)->to_native(std::move(from));
    },
    .inspect = [](const source& from, const open_options& options) -> result<filter_info> {
      open_options any_state = options;
      any_state.recover = true;
      return with_native(
          from, any_state,
          [&](const kind_row& kind, native::header& h, std::vector<storage> body) -> result<filter_info> {
            auto info = kind.inspect(h, std::move(body), from.name);
            if (!info) return info;
            info->origin = origin_of(h);
            return info;
          });
    },
};

// One line a format, in the order of their names.
// A line each, also where several would fit.
// One line a format, in the order of their names.
// clang-format off
constexpr std::array format_table{
    &native_format,
#ifdef SEEN_WITH_FORMATS
    &bbloom::format,
    &bits_and_blooms::format,
    &boomfilters::format,
    &cassandra::format,
    &datasketches::format,
    &dcso::format,
    &guava::format,
    &hadoop::format,
    &leveldb::format,
    &libbloom::format,
    &npm_bloom_filters::format,
    &parquet::format,
    &phrozen::format,
    &portable::format,
    &pybloom_live::format,
    &pyprobables::format,
    &redisbloom::format,
    &rocksdb::format,
    &rust_bloomfilter::format,
    &seiflotfy_cuckoo::format,
    &spark::format,
    &valkey_bloom::format,
    &willf::format,
    &xor_singleheader::format,
    &xorfilter_go::format,
#endif
};
// clang-format on

std::string_view name_of(const kind_row& each) {
  return each.kind.name;
}
std::string_view name_of(const format_row& each) {
  return each.name;
}

template <class Rows, class RowOf>
auto find_row(const Rows& rows, std::string_view name, const char* what, RowOf row_of)
    -> result<decltype(row_of(rows[0]))> {
  std::string known;
  for (const auto& each : rows) {
    const auto* const row = row_of(each);
    if (name_of(*row) == name) return row;
    known += (known.empty() ? "" : ", ") + std::string(name_of(*row));
  }
  return {errc::invalid_argument, "no " + std::string(what) + " " + std::string(name) + "; there are " + known};
}

}  // namespace

std::span<const kind_row> kinds() {
  return kind_table;
}
std::span<const format_row* const> formats() {
  return format_table;
}

result<const kind_row*> find_kind(std::string_view name) {
  return find_row(kind_table, name, "kind", [](const kind_row& each) { return &each; });
}

result<const format_row*> find_format(std::string_view name) {
  return find_row(format_table, name, "format", [](const format_row* each) { return each; });
}

std::string kind_name(std::uint16_t id) {
  for (const kind_row& each : kind_table) {
    if (each.kind.id == id) return std::string(each.kind.name);
  }
  return "kind " + std::to_string(id);
}

}  // namespace seen::inline v1
