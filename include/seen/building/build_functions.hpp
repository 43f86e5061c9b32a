// filter::build: from keys to a static filter. What every filter over a sharded engine has, and no other compiles.
//
//   keys ──hash──► tiles of digests ──► digest_collector ──► build_engine ──► filter
#pragma once

#include <seen/base/build_options.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/building/shard_build.hpp>
#include <seen/building/shards.hpp>
#include <seen/hash/key.hpp>
#include <seen/kernels/tiles.hpp>
#include <seen/math/fingerprints.hpp>
#include <seen/math/shards.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace seen::inline v1::building {

/// Asks a shard for every key it was made of: a filter that forgets is not handed out.
template <class Rule>
bool holds_all(const Rule& rule, std::span<const std::uint64_t> digests, std::uint64_t shard, std::uint8_t seed,
               const std::byte* tables) {
  const own_shard locate{.shard = shard, .multiplier = seed_multiplier(seed)};
  kernels::tile<digest> tile;
  std::array<bool, kernels::tile<digest>::size()> answers;
  while (!digests.empty()) {
    const std::span<digest> some = tile.first(std::min(digests.size(), tile.size()));
    std::transform(digests.begin(), digests.begin() + static_cast<std::ptrdiff_t>(some.size()), some.begin(),
                   [](std::uint64_t value) { return digest(value); });
    if (rule.test_many(tables, locate, some, answers.data()) != some.size()) return false;
    digests = digests.subspan(some.size());
  }
  return true;
}

/// An engine of all digests that were collected. Choices that `wishes` leaves open are planned for the rate in the
/// options.
template <class Engine>
result<Engine> build_engine(digest_collector digests, const typename Engine::shape_type& wishes,
                            const sharded_options& options) {
  using rule_type = typename Engine::rule_type;
  using shape_type = typename Engine::shape_type;
  // The choices are made for the digests there are; the shape is fitted when those that are equal have been dropped.
  const auto chosen = shape_type::plan({std::max<std::uint64_t>(1, digests.size()), options.fpr}, wishes);
  if (!chosen) return chosen.error();
  shape_type shape;
  rule_type rule;
  const shard_kind kind{
      .fit = [&](const math::shard_counts& counts, unsigned growth) -> result<shard_kind::fitting> {
        auto fitted = shape_type::fit(*chosen, counts, growth);
        if (!fitted) return fitted.error();
        auto made = rule_type::make(*fitted);
        if (!made) return made.error();
        shape = *fitted;
        rule = *made;
        shard_kind::fitting numbers{{Engine::kind.id}, rule.table_bytes()};
        for (const std::uint64_t field : shape.fields()) numbers.identity.push_back(field);
        return numbers;
      },
      .workspace_bytes = [&](std::uint64_t keys) { return shape_type::workspace_bytes(*chosen, keys); },
      .solve = [&](std::span<const std::uint64_t> own, std::uint64_t shard, std::uint8_t seed, std::byte* tables,
                   workspace& memory) { return rule.solve(own, shard, seed, tables, memory); },
      .holds = [&](std::span<const std::uint64_t> own, std::uint64_t shard, std::uint8_t seed,
                   const std::byte* tables) { return holds_all(rule, own, shard, seed, tables); },
      .pieces = [&](std::uint64_t shard) { return rule.pieces(shard); },
  };
  auto body = build_body(std::move(digests), kind, options);
  if (!body) return body.error();
  return Engine::over(shape, std::move(*body));
}

/// The functions that make a Filter, which is Hash in front of Engine.
template <class Filter, class Engine, class Hash>
class build_functions {
  using digest_type = typename Engine::digest_type;
  using shape_type = typename Engine::shape_type;

 public:
  /// A static kind from all its keys, or digests, at once; equal ones count once. The keys are read, never changed.
  template <range_of_keys<digest_type> Range>
  static result<Filter> build(Range&& keys, const build_options& options = {}, Hash hash = Hash()) {
    return build(std::forward<Range>(keys), shape_type{}, options, std::move(hash));
  }
  /// The same with what `wishes` says of the shape (a field of 0 is free).
  template <range_of_keys<digest_type> Range>
  static result<Filter> build(Range&& keys, const shape_type& wishes, const build_options& options = {},
                              Hash hash = Hash()) {
    return or_no_memory([&]() -> result<Filter> {
      auto digests = digest_collector::make(options_for(wishes, options));
      if (!digests) return digests.error();
      if (auto kept = collect_all(keys, hash, options, *digests); !kept) return kept.error();
      return build(std::move(*digests), wishes, options, std::move(hash));
    });
  }
  /// The same from digests that were collected, as a builder does.
  static result<Filter> build(digest_collector digests, const shape_type& wishes, const build_options& options,
                              Hash hash) {
    auto engine = build_engine<Engine>(std::move(digests), wishes, options_for(wishes, options));
    if (!engine) return engine.error();
    // Bits that were asked for are a rate that was asked for.
    const target asked{engine->size(),
                       wishes.fingerprint_bits == 0 ? options.fpr : math::fingerprint_fpr(wishes.fingerprint_bits)};
    return Filter(std::move(*engine), std::move(hash), asked);
  }
  /// The options with the shards that were wished for.
  [[nodiscard]] static sharded_options options_for(const shape_type& wishes, const build_options& options) {
    return {options, wishes.shards};
  }
  /// Hashes a range, and keeps the digests.
  template <class Range>
  static result<void> collect(const Hash& hash, Range& keys, digest_collector& digests) {
    result<void> kept;
    kernels::for_each_tile(hash, keys, [&](std::span<const digest_type> tile) {
      kept = digests.add(tile);
      return kept.has_value();
    });
    return kept;
  }

 private:
  // Hashes all keys; those that lie side by side on several threads, if there are to be several.
  template <class Range>
  static result<void> collect_all(Range& keys, const Hash& hash, const build_options& options,
                                  digest_collector& digests) {
    if constexpr (kernels::side_by_side<Range>) {
      const auto all = std::span(std::ranges::data(keys), std::ranges::size(keys));
      if (digests.adds_in_parallel(all.size())) {
        return digests.add_parallel(all.size(), options.threads, [&](std::uint64_t first, std::span<digest> out) {
          auto tile = all.subspan(static_cast<std::size_t>(first), out.size());
          std::size_t at = 0;
          kernels::for_each_tile(hash, tile, [&](std::span<const digest_type> some) {
            std::copy(some.begin(), some.end(), out.begin() + static_cast<std::ptrdiff_t>(at));
            at += some.size();
            return true;
          });
        });
      }
    }
    if constexpr (std::ranges::sized_range<Range>) digests.expect(std::ranges::size(keys));
    return collect(hash, keys, digests);
  }
};

}  // namespace seen::inline v1::building
