// How a kind becomes a row of the registry: everything that is the same for all of them.
//
//   row<F>(summary)   F's engine with any hash, in the functions of a kind_row (registry.hpp)
//
// Functions that need a kind's type are templates here. Those that need only the names and types of its fields are compiled
// once, in row.cpp.
// src/kinds/<kind>.cpp is one call of row, so that an edit of one kind compiles that one.
#pragma once

#include <seen/builder.hpp>
#include <seen/math/shards.hpp>
#include <seen/math/sizing.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seen::inline v1::rows {

/// A kind as far as its fields go.
struct described_kind {
  std::string_view name;
  std::span<const std::string_view> field_names;
  field_type (*type_of_field)(std::size_t);
};

/// Fields that were named, in the order of the kind's own.
struct chosen_fields {
  std::vector<std::uint64_t> values;
  std::vector<bool> given;  ///< which of them were named

  /// As a shape takes them.
  template <class Shape>
  [[nodiscard]] auto as() const {
    std::array<std::uint64_t, Shape::field_names.size()> fields;
    std::copy(values.begin(), values.end(), fields.begin());
    return fields;
  }
};

/// Puts named fields in order; an error names one that the kind does not have, or that is of another type.
[[nodiscard]] result<chosen_fields> choose(const described_kind& kind, const std::vector<named_field>& fields);
/// Refuses a wish of 0, which would pass for none, unless 0 is what the kind plans itself.
[[nodiscard]] result<void> check_wishes(const described_kind& kind, const chosen_fields& chosen,
                                        std::span<const std::uint64_t> usual);
/// Refuses fields of which one is missing.
[[nodiscard]] result<void> check_complete(const described_kind& kind, const chosen_fields& chosen);
/// The error of a kind that takes a target or its fields, and was given both.
[[nodiscard]] error either_or(const described_kind& kind);
/// The error of a static kind that is to be made empty.
[[nodiscard]] error built_at_once(std::string_view kind);

template <class Shape>
[[nodiscard]] constexpr described_kind described(std::string_view name) {
  return {name, Shape::field_names, type_of_field<Shape>};
}

/// The shape of a filter: from a target, from all of its named fields, or from a target and wishes.
template <class Shape>
[[nodiscard]] result<Shape> shape_from(const make_options& options, std::string_view kind_name) {
  if (options.shape.empty()) return Shape::plan(options.target);
  constexpr auto fields_of = [](const chosen_fields& chosen) { return chosen.template as<Shape>(); };
  const described_kind kind = described<Shape>(kind_name);
  auto chosen = choose(kind, options.shape);
  if (!chosen) return chosen.error();
  if (options.target.capacity != 0) {
    if constexpr (requires { Shape::plan(options.target, Shape::from_wishes(fields_of(*chosen))); }) {
      if (const auto usual = Shape::plan(options.target)) {
        if (auto sensible = check_wishes(kind, *chosen, usual->fields()); !sensible) return sensible.error();
      }
      return Shape::plan(options.target, Shape::from_wishes(fields_of(*chosen)));
    } else {
      return either_or(kind);
    }
  }
  if (auto all = check_complete(kind, *chosen); !all) return all.error();
  return Shape::from_fields(fields_of(*chosen));
}

/// The shape for a number of keys that is not known yet: a thousand stand for them, or what was said.
template <class Shape>
[[nodiscard]] result<Shape> shape_to_try(make_options options, std::string_view kind) {
  if (options.target.capacity == 0) options.target.capacity = 1000;
  return shape_from<Shape>(options, kind);
}

/// A static filter is built beside its keys' digests and what solving a shard takes; the others are themselves.
template <class Engine>
[[nodiscard]] std::uint64_t build_bytes_of(const typename Engine::shape_type& shape, std::uint64_t keys) {
  if constexpr (static_engine<Engine>) {
    const std::uint64_t shard = math::expected_largest_shard(keys, shape.shards);
    const std::uint64_t copy = shape.shards > 1 ? shard * sizeof(digest) : 0;
    return shape.bytes() + keys * sizeof(digest) + copy + Engine::shape_type::workspace_bytes(shape, shard);
  } else {
    return shape.bytes();
  }
}

/// Describes a filter of the kind of F before it is made.
template <class F>
[[nodiscard]] result<plan_row> plan_row_of(const make_options& options) {
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
  if constexpr (requires { shape->add_steps(); }) planned.add_steps = shape->add_steps();
  planned.can_add = mutable_engine<engine_type>;
  planned.can_remove = removable_engine<engine_type>;
  planned.can_merge = mergeable_engine<engine_type>;
  planned.can_intersect = intersectable_engine<engine_type>;
  planned.can_grow = growing_engine<engine_type>;
  planned.can_shrink = foldable_engine<engine_type>;
  planned.can_forget = forgetting_engine<engine_type>;
  planned.can_share = accessible_engine<engine_type, atomic_access>;
  planned.can_be_full = fallible_engine<engine_type>;
  if constexpr (requires { engine_type::rule_type::is_fast_here(); }) {
    planned.is_fast_here = engine_type::rule_type::is_fast_here();
  }
  return planned;
}

/// An empty filter of the kind of F, with the hash that the options name or F's own.
template <class F>
[[nodiscard]] result<any_filter> make_empty(const make_options& options) {
  using engine_type = typename F::engine_type;
  if constexpr (static_engine<engine_type>) {
    return built_at_once(F::kind.name);
  } else {
    auto hash = any_hash::make(options.hash.value_or(F::hash_type::id), options.seed, options.secret);
    if (!hash) return hash.error();
    auto shape = shape_from<typename F::shape_type>(options, F::kind.name);
    if (shape && options.foldable && foldable_engine<engine_type>) shape = foldable_shape(*shape);
    if (!shape) return shape.error();
    auto engine = engine_type::make(*shape);
    if (!engine && options.target.capacity != 0) return math::about_target(options.target, engine.error());
    if (!engine) return engine.error();
    const target asked = options.target.capacity != 0 ? options.target : target{};
    return any_filter(filter<engine_type, any_hash>(std::move(*engine), *hash, asked));
  }
}

/// The function that builds a static kind of all its digests; null for the others.
template <class F>
[[nodiscard]] constexpr auto build_function() -> decltype(kind_row::build) {
  if constexpr (static_engine<typename F::engine_type>) {
    return [](const make_options& options, const build_options& how, any_hash hash,
              building::digest_collector digests) -> result<any_filter> {
      using shape_type = typename F::shape_type;
      shape_type wishes;
      if (!options.shape.empty()) {
        auto chosen = choose(described<shape_type>(F::kind.name), options.shape);
        if (!chosen) return chosen.error();
        wishes = shape_type::from_wishes(chosen->template as<shape_type>());
      }
      auto made = filter<typename F::engine_type, any_hash>::build(std::move(digests), wishes, how, std::move(hash));
      if (!made) return made.error();
      return any_filter(std::move(*made));
    };
  } else {
    return nullptr;
  }
}

/// Describes the filter in a file. Its hash is the one that the header names, and need not be one that can be computed.
template <class F>
[[nodiscard]] result<filter_info> inspect_file(const native::header& h, const source& from) {
  auto body = native::read_body(h, from);
  if (!body) return body.error();
  auto engine = detail::assemble_engine<typename F::engine_type>(h, std::move(*body), from.name);
  if (!engine) return engine.error();
  if (auto same = detail::check_body(h, *engine, from.name); !same) return same.error();
  filter_info info;
  detail::describe_filter(F(std::move(*engine), any_hash(), h.target), info);
  info.format = native::format_name;
  info.hash = h.hash;
  return info;
}

/// The function that opens a file of the kind of F for adding where it lies.
template <class F>
[[nodiscard]] constexpr auto map_writable_function() -> decltype(kind_row::map_writable) {
  if constexpr (located_engine<typename F::engine_type>) {
    return [](native::in_place file, const open_options& options, file_origin origin) -> result<any_filter> {
      auto made = detail::assemble<F>(file.pages(), options);
      if (!made) return made.error();
      return any_filter(std::move(*made), std::move(origin), std::move(file));
    };
  } else {
    return nullptr;
  }
}

/// The same from the header alone, over a map of the file.
template <class F>
[[nodiscard]] result<filter_info> glance_at(native::mapped_file pages) {
  const native::header& h = pages.about;
  auto engine = detail::assemble_engine<typename F::engine_type>(h, pages.body(), pages.name);
  if (!engine) return engine.error();
  filter_info info;
  const bool vouched = h.state == native::seal_state::sealed;
  detail::describe_by_census(F(std::move(*engine), any_hash(), h.target), vouched ? &h.census : nullptr, info);
  info.format = native::format_name;
  info.hash = h.hash;
  return info;
}

template <class Shape>
[[nodiscard]] constexpr std::span<const kind_variant> variants_of() {
  if constexpr (requires { Shape::variants.size(); }) {
    return Shape::variants;
  } else {
    return {};
  }
}

/// The row of the kind of F, with any hash in place of F's own, which is the default.
template <class F>
[[nodiscard]] constexpr kind_row row(std::string_view summary) {
  using engine_type = typename F::engine_type;
  using shape_type = typename F::shape_type;
  using any = filter<engine_type, any_hash>;
  return {
      .kind = F::kind,
      .summary = summary,
      .index_rule = engine_type::index_rule,
      .field_names = shape_type::field_names,
      .type_of_field = type_of_field<shape_type>,
      .plan = [](const target& asked) { return plan_row_of<F>({.target = asked}); },
      .plan_as = plan_row_of<F>,
      .expected_fpr = [](const make_options& options, std::uint64_t keys) -> result<double> {
        auto shape = shape_from<shape_type>(options, F::kind.name);
        if (!shape) return shape.error();
        return shape->expected_fpr(keys);
      },
      .variants = variants_of<shape_type>(),
      .make = make_empty<F>,
      .open = [](const native::header& h, const source& from, const open_options& options,
                 file_origin origin) -> result<any_filter> {
        auto made = detail::load_after<any>(h, from, options);
        if (!made) return made.error();
        return any_filter(std::move(*made), std::move(origin));
      },
      .map = [](native::mapped_file pages, const open_options& options, file_origin origin) -> result<any_filter> {
        auto made = detail::assemble<any>(pages, options);
        if (!made) return made.error();
        return any_filter(std::move(*made), std::move(origin), std::move(pages));
      },
      .map_writable = map_writable_function<any>(),
      .inspect = inspect_file<any>,
      .glance = glance_at<any>,
      .usual_hash = F::hash_type::id,
      .check = [](const make_options& options) -> result<void> {
        auto shape = shape_to_try<shape_type>(options, F::kind.name);
        if (!shape) return shape.error();
        return {};
      },
      .build = build_function<F>(),
  };
}

}  // namespace seen::inline v1::rows
