// Each sentence comes of one question, and is left out where the answer is of no use.
#include "report_advice.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "abilities.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

// A filter with less than half of its keys could be half as large.
constexpr double oversized = 0.5;

void about_health(const reported_filter& of, std::vector<std::string>& said) {
  const filter_info& info = of.info;
  const filter_health& health = info.health;
  if (!info.origin.sealed)
    said.push_back("It was not closed by its last writer: `seen verify --recover FILE` repairs it.");
  if (health.past_capacity && std::isfinite(health.keys)) {
    said.push_back(fmt::format(
        "It is too full: {} keys, planned for {}. Its rate is {} instead of {}. Build it anew with `-n {}` or more.",
        key_count(health.keys, info.keys_exact), grouped(info.target.capacity), short_number(health.fpr),
        short_number(info.target.fpr), static_cast<std::uint64_t>(std::llround(health.keys))));
  } else if (health.past_capacity) {
    said.push_back("It is so full that it says yes to every key: build it anew with a larger -n.");
  } else if (health.saturated && health.fpr > 0.5) {
    said.push_back("It is so full that it says yes to most keys: build it anew, larger.");
  } else if (health.saturated) {
    said.push_back("It is fuller than any plan makes it: the estimates are weak, and another key may find no room.");
  } else if (health.above_fpr) {
    said.push_back(fmt::format("Its rate is {}, above the {} that were asked for.", short_number(health.fpr),
                               short_number(info.target.fpr)));
  }
  if (const std::size_t odd = of.odd_regions(); odd != 0) {
    said.push_back(fmt::format(
        "{} fuller or emptier than chance explains: were bytes lost, or files joined, or keys chosen by someone "
        "who knows the hash? `seen verify` with the list of its keys tells whether keys are missing.",
        odd == 1 ? "One region is" : grouped(odd) + " regions are"));
  }
}

void about_size(const reported_filter& of, std::vector<std::string>& said) {
  const filter_info& info = of.info;
  if (info.keys == 0) {
    said.push_back("It is empty: it says no to every key.");
    return;
  }
  if (info.target.capacity == 0 || !info.health.healthy()) return;
  const double share = info.keys / static_cast<double>(info.target.capacity);
  if (!kind_can(info.kind, &plan_row::can_add)) return;
  if (kind_can(info.kind, &plan_row::can_grow)) {
    said.push_back("It grows as keys are added and keeps its rate.");
  } else if (share < oversized) {
    said.push_back(fmt::format("It holds {} % of the keys it was planned for.{}", short_number(100 * share),
                               kind_can(info.kind, &plan_row::can_shrink)
                                   ? " If no more come, `seen shrink FILE` folds it to what they need."
                                   : " If no more come, one built with a smaller -n takes less."));
  } else {
    const double room = static_cast<double>(info.target.capacity) - info.keys;
    said.push_back(room >= 0.5 ? fmt::format("It is as full as planned: room for about {} more keys.",
                                             grouped(static_cast<std::uint64_t>(std::llround(room))))
                               : "It is exactly as full as planned.");
  }
}

// The smallest of the kinds that pass; null where none is smaller than the filter by a twentieth.
template <class Pass>
const candidate* smaller(const reported_filter& of, const std::vector<candidate>& kinds, Pass pass) {
  const candidate* best = nullptr;
  for (const candidate& each : kinds) {
    if (!each.plan || !pass(*each.plan)) continue;
    if (best == nullptr || each.plan->bytes < best->plan->bytes) best = &each;
  }
  return best != nullptr && static_cast<double>(best->plan->bytes) < 0.95 * static_cast<double>(of.info.bytes)
             ? best
             : nullptr;
}

std::string saving(const reported_filter& of, const candidate& other) {
  const double share = static_cast<double>(other.plan->bytes) / static_cast<double>(of.info.bytes);
  return fmt::format("{} would take {}, {} % less", name_of(other), human_bytes(other.plan->bytes),
                     short_number(std::round(100 * (1 - share))));
}

void about_kinds(const reported_filter& of, const std::vector<candidate>& kinds, std::vector<std::string>& said) {
  const target asked = of.compared();
  const std::string keys = fmt::format("For {} at rate {}", keys_in_words(asked.capacity), short_number(asked.fpr));
  const bool adds = kind_can(of.info.kind, &plan_row::can_add);
  const auto as_able = [&](const plan_row& row) {
    return row.can_add && !row.can_forget && (row.can_remove || !kind_can(of.info.kind, &plan_row::can_remove)) &&
           (row.can_grow || !kind_can(of.info.kind, &plan_row::can_grow));
  };
  const candidate* const able = adds ? smaller(of, kinds, as_able) : nullptr;
  const candidate* const fixed = smaller(of, kinds, [](const plan_row& row) { return !row.can_add; });
  if (able != nullptr) said.push_back(fmt::format("{} {}, and can do as much.", keys, saving(of, *able)));
  if (fixed != nullptr) {
    said.push_back(
        fmt::format("{} {}{}.", keys, saving(of, *fixed), adds ? ", if all keys are known when it is built" : ""));
  }
  if (able == nullptr && fixed == nullptr) said.push_back(keys + " no kind is smaller by a twentieth.");
  said.push_back(
      fmt::format("`seen plan -n {} -p {}` compares the kinds.", exactly(asked.capacity), exactly(asked.fpr)));
}

}  // namespace

std::vector<std::string> advice_on(const reported_filter& of, const std::vector<candidate>& kinds) {
  std::vector<std::string> said;
  about_health(of, said);
  about_size(of, said);
  about_kinds(of, kinds, said);
  return said;
}

}  // namespace seen::cli
