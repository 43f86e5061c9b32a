// From collected digests to a static engine: a kind's rule in front of the builder that all kinds share.
#pragma once

#include <seen/base/build_options.hpp>
#include <seen/base/result.hpp>
#include <seen/building/shard_build.hpp>
#include <seen/building/shards.hpp>
#include <seen/math/shards.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace seen::inline v1::building {

/// Asks a shard for every key it was made of: a filter that forgets is not handed out.
template <class Rule>
bool holds_all(const Rule& rule, std::span<const std::uint64_t> digests, std::uint64_t shard, std::uint8_t seed,
               const std::byte* tables) {
  const std::uint64_t multiplier = seed_multiplier(seed);
  const bool is_common = rule.is_common();
  return std::all_of(digests.begin(), digests.end(), [&](std::uint64_t d) {
    const auto place = rule.find({.shard = shard, .value = d, .multiplier = multiplier});
    return is_common ? rule.test_common(tables, place) : rule.test(tables, place);
  });
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

}  // namespace seen::inline v1::building
