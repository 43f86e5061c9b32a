// The table behind any_filter, generated for any filter type from what its engine can do.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/base/bits.hpp>
#include <seen/kernels/answers.hpp>
#include <seen/kernels/tiles.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace seen::inline v1 {
namespace detail {

template <class F>
[[nodiscard]] error cannot(const char* what) {
  const char* const of =
      F::engine_type::index_rule == 0 ? " filter of this format cannot do that" : " filter cannot do that";
  return {errc::unsupported, std::string(what) + ": a " + std::string(F::kind.name) + of};
}

template <class F>
concept takes_digests = std::same_as<typename F::digest_type, digest>;

/// Filters of other libraries' formats have no number in native files.
template <class F>
concept has_native_file = F::engine_type::index_rule != 0;

[[nodiscard]] inline error no_room() {
  return {errc::full, "add: the filter is full; it is unchanged"};
}

/// Refuses keys that an engine says its format has no place for, before any of them is added.
template <class F>
result<void> check_keys(std::span<const bytes_view> keys) {
  if constexpr (requires { requires F::engine_type::refuses_empty_keys; }) {
    if (std::any_of(keys.begin(), keys.end(), [](bytes_view key) { return key.empty(); })) {
      return {errc::invalid_argument, "add: a filter of this format takes no empty key"};
    }
  }
  return {};
}

/// add of every kind as a result: a kind that can be full says so, and so does one that cannot grow for want of memory.
template <class F, class Key>
result<void> add_or_say_why(F& f, const Key& key) {
  if constexpr (!mutable_engine<typename F::engine_type>) {
    return cannot<F>("add");
  } else if constexpr (fallible_engine<typename F::engine_type>) {
    if (!f.add(key)) return no_room();
    return {};
  } else if constexpr (growing_engine<typename F::engine_type>) {
    return or_no_memory([&]() -> result<void> { return f.add(key), result<void>(); });
  } else {
    f.add(key);
    return {};
  }
}

/// add_many; on threads only where there is a native file of the kind, and where keys are still to be hashed: it is too much
/// code for the others.
template <class F, class Key>
auto add_all(F& f, std::span<const Key> keys, parallel how) {
  if constexpr (has_native_file<F> && !std::same_as<Key, digest>) {
    if (how.threads != 1) return f.add_many(keys, how);
  }
  return f.add_many(keys);
}

template <class F, class Key>
result<void> add_all_or_say_why(F& f, std::span<const Key> keys, parallel how) {
  if constexpr (!mutable_engine<typename F::engine_type>) {
    return cannot<F>("add");
  } else if constexpr (fallible_engine<typename F::engine_type>) {
    return or_no_memory([&]() -> result<void> {
      const std::size_t added = add_all(f, keys, how);
      if (added == keys.size()) return {};
      error full{errc::full, "add: the filter is full: there was room for " + std::to_string(added) + " of " +
                                 std::to_string(keys.size()) + " keys"};
      full.done = added;
      return full;
    });
  } else {
    return or_no_memory([&]() -> result<void> { return add_all(f, keys, how), result<void>(); });
  }
}

template <class F>
result<bool> test_and_add_or_say_why(F& f, bytes_view key) {
  if constexpr (requires { f.test_and_add(key); }) {
    return or_no_memory([&]() -> result<bool> { return f.test_and_add(key); });
  } else {
    const bool before = f.may_contain(key);
    if (auto added = add_or_say_why(f, key); !added) return added.error();
    return before;
  }
}

/// The fields of a shape by their names.
template <class Shape>
std::vector<named_field> named_fields(const Shape& shape) {
  std::vector<named_field> fields;
  const auto values = shape.fields();
  for (std::size_t i = 0; i < values.size(); ++i) {
    fields.push_back({std::string(Shape::field_names[i]), values[i], type_of_field<Shape>(i)});
  }
  return fields;
}

/// What there is to say of a filter without a look at its bits.
template <class F>
void describe_shape(const F& f, filter_info& info) {
  const auto shape = f.shape();
  info.kind = std::string(F::kind.name);
  info.shape = named_fields(shape);
  info.hash = f.identity();
  info.target = f.target();
  info.bytes = memory_of(f.engine());
  if (info.target.capacity != 0) info.fpr_at_capacity = shape.expected_fpr(info.target.capacity);
  info.keys_exact = sized_engine<typename F::engine_type>;
  if constexpr (requires { shape.period, f.engine().clock(); }) {
    if (shape.period != 0) info.clock = f.engine().clock();
  }
}

inline void add_findings(const filter_health& health, filter_info& info) {
  info.health = health;
  info.keys = health.keys;
  info.fill = health.fill;
  info.fpr_now = health.fpr;
}

template <class F>
void describe_filter(const F& f, filter_info& info) {
  describe_shape(f, info);
  info.huge_page_bytes = huge_page_bytes_of(f.engine());
  add_findings(f.health(), info);
  if constexpr (requires { f.engine().estimates_of(0); }) {
    info.saturated = math::count_is_weak(info.health.fill);
  } else {
    info.saturated = f.saturated();
  }
}

/// The same from the count in its header; a census that nobody vouches for is null.
template <class F>
void describe_by_census(const F& f, const std::uint64_t* census, filter_info& info) {
  using engine_type = typename F::engine_type;
  describe_shape(f, info);
  info.counted = false;
  if constexpr (static_engine<engine_type>) {  // all of it is in the shape
    add_findings(f.health(), info);
    info.saturated = f.saturated();
    return;
  }
  info.keys = info.fpr_now = std::numeric_limits<double>::quiet_NaN();
  if (census == nullptr) return;
  if constexpr (requires { f.engine().estimates_of(*census); }) {
    const math::fill_estimates now = f.engine().estimates_of(*census);
    info.saturated = now.saturated;
    add_findings(judged(f.engine(), f.target(),
                        {.saturated = now.saturated, .fill = now.fill, .keys = now.keys, .fpr = now.fpr}),
                 info);
  } else if constexpr (sized_engine<engine_type>) {
    info.keys = static_cast<double>(*census);
    info.fpr_now = *census == 0 ? 0 : f.shape().expected_fpr(*census);
  }
}

/// The function that writes a filter as a native file; null for those of another format.
template <class F>
constexpr auto native_write_of() -> result<void> (*)(const void*, const sink&, const save_options&) {
  if constexpr (has_native_file<F>) {
    return [](const void* p, const sink& out, const save_options& options) {
      return write_to(*static_cast<const F*>(p), out, options);
    };
  } else {
    return nullptr;
  }
}

template <class F, class Key>
[[nodiscard]] typename F::digest_type digest_for(const F& f, const Key& key) {
  if constexpr (std::same_as<Key, typename F::digest_type>) {
    return key;
  } else {
    return f.digest_of(key);
  }
}

/// The function that adds keys to a file: marks what they touch before a bit changes. Null where bits go down too.
template <class F, class Keys>
constexpr auto add_in_place_of() -> result<void> (*)(void*, const Keys&, native::in_place&) {
  if constexpr (has_native_file<F> && located_engine<typename F::engine_type>) {
    return [](void* p, const Keys& added, native::in_place& to) -> result<void> {
      F& f = *static_cast<F*>(p);
      const auto mark_all = [&](const auto& keys) {
        for (const auto& key : keys) {
          f.engine().for_each_place(digest_for(f, key), [&](std::uint64_t at) { to.mark(at); });
        }
      };
      mark_all(added.keys);
      mark_all(added.integers);
      mark_all(added.digests);
      if (auto ready = to.prepare(); !ready) return ready;
      f.add_many(added.keys);
      f.add_many(added.integers);
      f.add_many(added.digests);
      return {};
    };
  } else {
    return nullptr;
  }
}

}  // namespace detail

template <class F>
constinit const any_filter::table any_filter::table_for{
    .kind = F::kind.name,
    .add = [](void* p, bytes_view key) -> result<void> {
      if (auto ok = detail::check_keys<F>({&key, 1}); !ok) return ok;
      return detail::add_or_say_why(*static_cast<F*>(p), key);
    },
    .may_contain = [](const void* p, bytes_view key) noexcept -> bool {
      return static_cast<const F*>(p)->may_contain(key);
    },
    .test_and_add = [](void* p, bytes_view key) -> result<bool> {
      if (auto ok = detail::check_keys<F>({&key, 1}); !ok) return ok.error();
      return detail::test_and_add_or_say_why(*static_cast<F*>(p), key);
    },
    .remove = [](void* p, bytes_view key) -> result<bool> {
      F& f = *static_cast<F*>(p);
      if constexpr (requires { f.remove(key); }) {
        return f.remove(key);
      } else {
        return detail::cannot<F>("remove");
      }
    },
    .count = [](const void* p, bytes_view key) -> result<std::uint64_t> {
      const F& f = *static_cast<const F*>(p);
      if constexpr (requires { f.count(key); }) {
        return f.count(key);
      } else {
        return detail::cannot<F>("count");
      }
    },
    .add_many = [](void* p, std::span<const bytes_view> keys, parallel how) -> result<void> {
      if (auto ok = detail::check_keys<F>(keys); !ok) return ok;
      return detail::add_all_or_say_why(*static_cast<F*>(p), keys, how);
    },
    .may_contain_many = [](const void* p, std::span<const bytes_view> keys, std::span<bool> out) -> std::size_t {
      return static_cast<const F*>(p)->may_contain_many(keys, out);
    },
    .add_integers = [](void* p, std::span<const std::uint64_t> keys, parallel how) -> result<void> {
      return detail::add_all_or_say_why(*static_cast<F*>(p), keys, how);
    },
    .may_contain_integers = [](const void* p, std::span<const std::uint64_t> keys, std::span<bool> out) -> std::size_t {
      return static_cast<const F*>(p)->may_contain_many(keys, out);
    },
    .add_digest = [](void* p, digest d) -> result<void> {
      if constexpr (detail::takes_digests<F>) {
        return detail::add_or_say_why(*static_cast<F*>(p), d);
      } else {
        return detail::cannot<F>("add by digest");
      }
    },
    .add_digests = [](void* p, std::span<const digest> digests) -> result<void> {
      if constexpr (detail::takes_digests<F>) {
        return detail::add_all_or_say_why(*static_cast<F*>(p), digests, {.threads = 1});
      } else {
        return detail::cannot<F>("add by digest");
      }
    },
    .digests_of = [](const void* p, std::span<const bytes_view> keys, std::span<digest> out) -> result<void> {
      if constexpr (detail::takes_digests<F>) {
        if (auto ok = detail::check_keys<F>(keys); !ok) return ok;
        kernels::check_room("digests_of", out.size(), keys.size());
        kernels::hash_some(static_cast<const F*>(p)->hash(), keys, 0, out.first(keys.size()));
        return {};
      } else {
        return detail::cannot<F>("digests");
      }
    },
    .may_contain_digest = [](const void* p, digest d) -> result<bool> {
      if constexpr (detail::takes_digests<F>) {
        return static_cast<const F*>(p)->may_contain(d);
      } else {
        return detail::cannot<F>("query by digest");
      }
    },
    .clear = [](void* p) -> result<void> {
      F& f = *static_cast<F*>(p);
      if constexpr (requires { f.clear(); }) {
        f.clear();
        return {};
      } else {
        return detail::cannot<F>("clear");
      }
    },
    .advance = [](void* p, std::uint64_t now) -> result<void> {
      F& f = *static_cast<F*>(p);
      if constexpr (requires { f.advance(now); }) {
        f.advance(now);
        return {};
      } else {
        return detail::cannot<F>("advance");
      }
    },
    .merge = [](void* p, const void* other) -> result<void> {
      F& f = *static_cast<F*>(p);
      if constexpr (requires { f.merge(f); }) {
        return f.merge(*static_cast<const F*>(other));
      } else {
        return detail::cannot<F>("merge");
      }
    },
    .intersect = [](void* p, const void* other) -> result<void> {
      F& f = *static_cast<F*>(p);
      if constexpr (requires { f.intersect(f); }) {
        return f.intersect(*static_cast<const F*>(other));
      } else {
        return detail::cannot<F>("intersect");
      }
    },
    .shrink = [](void* p, double fpr) -> result<void> {
      F& f = *static_cast<F*>(p);
      if constexpr (requires { f.shrink_to_fpr(fpr); }) {
        return f.shrink_to_fpr(fpr);
      } else {
        return detail::cannot<F>("shrink");
      }
    },
    .fold_unit = [](const void* p) noexcept -> std::uint64_t {
      if constexpr (detail::has_native_file<F> && requires(const F& f) { f.fold_unit(); }) {
        return static_cast<const F*>(p)->fold_unit();
      } else {
        return 0;
      }
    },
    .fold = [](void* p, std::uint64_t divisor) -> result<void> {
      F& f = *static_cast<F*>(p);
      if constexpr (detail::has_native_file<F> && requires { f.fold_by(divisor); }) {
        return f.fold_by(divisor);
      } else {
        return detail::cannot<F>("fold");
      }
    },
    .copy = [](const void* p) -> result<owned> {
      if constexpr (std::copy_constructible<F>) {
        return owned(new F(*static_cast<const F*>(p)), [](void* f) noexcept { delete static_cast<F*>(f); });
      } else {
        return detail::cannot<F>("copy");
      }
    },
    .check = [](const void* p, const native::header& header, const std::string& name) -> result<void> {
      if constexpr (detail::has_native_file<F>) {
        return detail::check_body(header, static_cast<const F*>(p)->engine(), name);
      } else {
        return detail::cannot<F>("check");
      }
    },
    .describe = [](const void* p, filter_info& info) { detail::describe_filter(*static_cast<const F*>(p), info); },
    .describe_shape = [](const void* p, filter_info& info) { detail::describe_shape(*static_cast<const F*>(p), info); },
    .expected_fpr = [](const void* p, std::uint64_t keys) -> double {
      return static_cast<const F*>(p)->shape().expected_fpr(keys);
    },
    .survey = [](const void* p, std::size_t regions) -> result<filter_survey> {
      if constexpr (detail::can_be_surveyed<typename F::engine_type>) {
        return detail::survey_of(static_cast<const F*>(p)->engine(), regions);
      } else {
        return detail::cannot<F>("survey");
      }
    },
    .add_in_place = detail::add_in_place_of<F, added_keys>(),
    .write = detail::native_write_of<F>(),
};

}  // namespace seen::inline v1
