// Scalable filters: what a plan may be, and its links. The formulas are explained in math/scalable_bloom.hpp.
#include <seen/base/text.hpp>
#include <seen/math/blocked_bloom.hpp>
#include <seen/math/bloom.hpp>
#include <seen/math/scalable_bloom.hpp>

#include <cstdint>
#include <optional>

#include "math/chain_rate.hpp"

namespace seen::inline v1::math {

result<void> check(const chain_growth& g) {
  if (!(g.growth >= 1 + 0x1p-32 && g.growth <= 65536)) {
    return {errc::invalid_argument, "growth " + exactly(g.growth) + " is not a factor above 1, up to 65536"};
  }
  if (!(g.tightening > 0 && g.tightening < 1)) {
    return {errc::invalid_argument,
            "tightening " + exactly(g.tightening) + " is not a factor strictly between 0 and 1"};
  }
  return {};
}

std::optional<std::uint64_t> scalable_capacity_after(std::uint64_t capacity, double growth) noexcept {
  const auto growth_q32 = static_cast<std::uint64_t>(growth * 0x1p32);
  const std::uint64_t high = mulhi(capacity, growth_q32), low = capacity * growth_q32;
  if (high >> 32 != 0 || (high << 32 | low >> 32) == ~std::uint64_t{0}) return {};
  return (high << 32 | low >> 32) + (low << 32 != 0);
}

result<target> scalable_link(const target& overall, const chain_growth& g, std::uint32_t index) {
  if (auto fine = check(overall); !fine) return fine.error();
  if (auto fine = check(g); !fine) return fine.error();
  target link{overall.capacity, scalable_first_fpr(overall.fpr, g.tightening)};
  for (std::uint32_t i = 0; i < index; ++i) {
    const auto next = scalable_capacity_after(link.capacity, g.growth);
    if (!next) {
      return error{errc::too_large, "link " + std::to_string(index) + " of a chain from " + exactly(overall.capacity) +
                                        " keys growing by " + exactly(g.growth) + " would hold more than 2^64 keys"};
    }
    link = {*next, link.fpr * g.tightening};
  }
  return link;
}

namespace {

/// chain_fpr of links that shape_for(target) plans.
template <class Shape, class ShapeFor>
double fpr_of(const target& overall, const chain_growth& g, std::uint32_t most, std::uint64_t keys,
              ShapeFor shape_for) {
  return chain_fpr<Shape>(keys, [&](std::uint32_t i) -> std::optional<chain_link<Shape>> {
    if (i >= most) return {};
    const auto link = scalable_link(overall, g, i);
    if (!link) return {};
    const auto planned = shape_for(*link);
    if (!planned) return {};
    return chain_link<Shape>{link->capacity, *planned};
  });
}

}  // namespace

double scalable_fpr(const target& overall, const chain_growth& g, chain_links links, std::uint32_t most,
                    std::uint64_t keys) {
  if (links == chain_links::classic) {
    return fpr_of<bloom_shape>(overall, g, most, keys, [](const target& t) { return bloom_shape_for(t); });
  }
  return fpr_of<blocked_shape>(overall, g, most, keys, [](const target& t) { return blocked_shape_for(t); });
}

}  // namespace seen::inline v1::math
