// Is a filter still what was asked for? Three findings, each with the numbers that say so, all from its bits.
//
//   saturated       fuller than any plan makes it: fill above 0.7, or no room for another key; a window whose slice is so
//   past capacity   more keys than it was made for
//   above the rate  past capacity, and errs more often than was asked: the reason why the first two matter
//
// A filter at its capacity never alarms by chance. Where keys are counted exactly (cuckoo, quotient) the bound is the
// capacity. Where they are judged by fill it is what the estimate gives six standard deviations above its mean (most_keys,
// math/estimate.hpp). Of a bloom at 1 % that is 5.1 % above a thousand keys, 0.5 % above 10^5, 0.02 % above 10^8. Twice the capacity
// is found from 6 keys on, and from 37 on at any rate up to 50 %. In blocks the rate is luck as much as fill, so the rate alone
// is no finding.
//
// A kind that cannot be past its capacity is not: one that grows alarms only when a merge made its links' rates exceed what
// was asked; a window that counts adds forgets as keys are added; a static one holds what it was built of, and never alarms. A
// filter of which only the shape is known (files of most other libraries) has no capacity, so it can be saturated only.
//
// It reads all bits, as estimated_fpr does: tens of milliseconds for 100 MiB. Beside threads that add it is as exact as
// estimated_count there.
#pragma once

#include <seen/base/target.hpp>
#include <seen/concepts.hpp>
#include <seen/math/estimate.hpp>

#include <algorithm>
#include <limits>

namespace seen::inline v1 {

/// What is wrong with a filter, if anything, and the numbers behind it.
struct filter_health {
  bool saturated = false;      ///< fuller than any plan makes it
  bool past_capacity = false;  ///< keys > most_keys
  bool above_fpr = false;      ///< fpr > most_fpr, and not by luck

  double fill = 0;  ///< share of its bits, counters or slots in use
  double keys = 0;  ///< how many it holds: exactly, or by its fill; infinite when every bit is set
  /// The most keys that a filter at its capacity may seem to hold; infinite where it was made for no number of keys.
  double most_keys = std::numeric_limits<double>::infinity();
  double fpr = 0;       ///< at its present fill
  double most_fpr = 1;  ///< what was asked; 1 where nothing was. Of a window at least what chance gives a full one

  /// Nothing is wrong.
  [[nodiscard]] bool healthy() const noexcept { return !saturated && !past_capacity && !above_fpr; }

  friend bool operator==(const filter_health&, const filter_health&) = default;
};

namespace detail {

/// The findings, from the numbers: fill, keys, fpr, and whether the engine calls itself saturated.
template <engine E>
[[nodiscard]] filter_health judged(const E& e, const target& asked, filter_health is) {
  if (static_engine<E> || asked.capacity == 0) return is;
  if constexpr (growing_engine<E>) {
    is.most_fpr = asked.fpr;
    is.above_fpr = is.saturated && is.fpr > is.most_fpr;
    return is;
  }
  if constexpr (requires { e.most_keys(asked.capacity); }) {
    is.most_keys = e.most_keys(asked.capacity);
  } else if constexpr (sized_engine<E>) {
    is.most_keys = static_cast<double>(asked.capacity);
  } else {
    return is;
  }
  is.most_fpr = asked.fpr;
  is.past_capacity = is.keys > is.most_keys;
  if constexpr (requires {
                  e.most_fpr();
                }) {  // parts that fill up apart: one may be too full among others that are not
    is.most_fpr = std::max(is.most_fpr, e.most_fpr());
    is.above_fpr = is.fpr > is.most_fpr;
  } else {
    is.above_fpr = is.past_capacity && is.fpr > is.most_fpr;
    is.saturated = is.saturated && is.past_capacity;  // a plan for a high rate is as full
  }
  return is;
}

/// The health of an engine that was made for this target; a capacity of 0: unknown.
template <engine E>
[[nodiscard]] filter_health health_of(const E& e, const target& asked) {
  if constexpr (requires { e.estimates_of(e.census()); }) {  // the bits are counted once
    const math::fill_estimates now = e.estimates_of(e.census());
    return judged(e, asked, {.saturated = now.saturated, .fill = now.fill, .keys = now.keys, .fpr = e.estimated_fpr()});
  } else {
    return judged(
        e, asked,
        {.saturated = e.saturated(), .fill = e.fill(), .keys = e.estimated_count(), .fpr = e.estimated_fpr()});
  }
}

}  // namespace detail

}  // namespace seen::inline v1
