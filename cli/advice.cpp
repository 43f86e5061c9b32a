// The kinds that suit are narrowed step by step, and each step that dropped some leaves a word in the reason.
#include "advice.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

#include "words.hpp"

namespace seen::cli {
namespace {

using rows = std::vector<const candidate*>;

// What is never changed may be asked by any number of threads, and is built for the keys that come.
bool suits(const needs& needed, const plan_row& row) {
  if (!row.can_add && !needed.is_static) return false;
  return (row.can_remove || !needed.remove) && (row.can_merge || !needed.merge) && row.can_forget == needed.window &&
         (row.can_grow || row.can_shrink || !row.can_add || !needed.unknown_n) &&
         (row.can_share || !row.can_add || !needed.threads);
}

bool is_usual(const candidate& each) {
  return each.variant == nullptr || each.variant == each.kind->variants.data();
}

// Leaves those that pass, if any does. True if some were dropped.
template <class Pass>
bool prefer(rows& chosen, Pass pass) {
  const auto passes = [&](const candidate* each) { return pass(*each->plan); };
  if (std::none_of(chosen.begin(), chosen.end(), passes) || std::all_of(chosen.begin(), chosen.end(), passes))
    return false;
  chosen.erase(std::remove_if(chosen.begin(), chosen.end(), std::not_fn(passes)), chosen.end());
  return true;
}

bool is_plain(const needs& needed, const plan_row& row) {
  return (!row.can_remove || needed.remove) && (!row.can_grow || needed.unknown_n);
}

bool fits(const needs& needed, const plan_row& row) {
  return !needed.memory || need_of(row) <= *needed.memory;
}

template <class Size>
const candidate& least_of(const rows& some, Size size) {
  return **std::min_element(some.begin(), some.end(),
                            [&](const candidate* a, const candidate* b) { return size(*a) < size(*b); });
}

// What the kinds are compared by, and how much more of it a cache miss is worth.
double cost_of(const candidate& each, unknown looked_for) {
  if (looked_for == unknown::rate) return each.made_for.fpr;
  return looked_for == unknown::keys ? each.plan->bits_per_key : static_cast<double>(each.plan->bytes);
}
double worth_a_miss(unknown looked_for) {
  return looked_for == unknown::rate ? 3 : 1.3;
}

advice nothing_fits(const needs& needed, const target& wanted, const std::vector<candidate>& candidates,
                    const rows& suitable) {
  advice none;
  for (const candidate& each : candidates) {
    if (!each.plan || !is_usual(each) || !suits(needed, *each.plan)) continue;
    const auto rate = lowest_fitting(each, wanted.capacity, *needed.memory, wanted.fpr);
    if (rate && (!none.fits_at || *rate < none.fits_at->fpr)) none.fits_at = {std::string(each.kind->kind.name), *rate};
  }
  const plan_row& smallest = *least_of(suitable, [](const candidate& each) { return need_of(*each.plan); }).plan;
  none.why = fmt::format("nothing that suits fits in {}: the smallest, {}, needs {}; ", human_bytes(*needed.memory),
                         smallest.kind, human_bytes(need_of(smallest)));
  none.why += none.fits_at ? fmt::format("at rate {} {} would fit", short_number(none.fits_at->fpr), none.fits_at->kind)
                           : "no rate makes one fit";
  return none;
}

std::string about_size(const needs& needed, const plan_row& row) {
  if (!needed.unknown_n) return "";
  if (!row.can_add) return "; it counts its keys as they come";
  return row.can_grow ? "; it grows with its keys" : "; built with --at-most it folds to what its keys need";
}

// "; where threads mostly add, split-block takes 2 locked instructions per new key instead of 4, and 7 % more memory": of
// the kinds with as few lines and of nearly the size, the one whose adds disturb others least.
std::string about_threads(const needs& needed, const plan_row& best, const rows& chosen) {
  const plan_row* least = &best;
  for (const candidate* each : chosen) {
    const plan_row& row = *each->plan;
    const bool near = row.lines <= best.lines &&
                      static_cast<double>(row.bytes) <= worth_a_miss(unknown::memory) * static_cast<double>(best.bytes);
    if (near && row.add_steps != 0 && row.add_steps < least->add_steps) least = &row;
  }
  if (!needed.threads || least == &best) return "";
  const double extra = static_cast<double>(least->bytes) / static_cast<double>(best.bytes) - 1;
  return fmt::format("; where threads mostly add, {} takes {} locked instructions per new key instead of {}{}",
                     least->kind, least->add_steps, best.add_steps,
                     extra < 0.01 ? "" : fmt::format(", and {:.0f} % more memory", 100 * extra));
}

// "; --variant compact takes 4 % less", of the smallest variant.
std::string about_variants(const plan_row& best, const std::vector<candidate>& candidates) {
  const candidate* least = nullptr;
  for (const candidate& each : candidates) {
    if (!each.plan || each.variant == nullptr || each.plan->kind != best.kind) continue;
    if (least == nullptr || each.plan->bytes < least->plan->bytes) least = &each;
  }
  if (least == nullptr) return "";
  const double saved = 1 - static_cast<double>(least->plan->bytes) / static_cast<double>(best.bytes);
  return saved < 0.01 ? "" : fmt::format("; --variant {} takes {:.0f} % less", least->variant->name, 100 * saved);
}

// "it is 10 % larger"; "its rate is 0.002 instead of 0.0012"; "it holds 900,000 keys instead of 950,000".
std::string beside_the_least(const candidate& best, const candidate& least, unknown looked_for) {
  if (looked_for == unknown::rate) {
    return fmt::format("its rate is {} instead of {}", short_number(best.made_for.fpr),
                       short_number(least.made_for.fpr));
  }
  if (looked_for == unknown::keys) {
    return fmt::format("it holds {} instead of {}", keys_in_words(best.made_for.capacity),
                       grouped(least.made_for.capacity));
  }
  const double extra = static_cast<double>(best.plan->bytes) / static_cast<double>(least.plan->bytes) - 1;
  return fmt::format("it is {} % larger", extra < 0.01 ? "less than 1" : fmt::format("{:.0f}", 100 * extra));
}

// "smallest plain one", "plain one of the lowest rate"
std::string least_one(std::string_view one, unknown looked_for) {
  if (looked_for == unknown::rate) return fmt::format("{} of the lowest rate", one);
  return looked_for == unknown::keys ? fmt::format("{} for the most keys", one) : fmt::format("smallest {}", one);
}

}  // namespace

advice advise(const needs& needed, const target& wanted, unknown looked_for, const std::vector<candidate>& candidates) {
  rows suitable;
  for (const candidate& each : candidates) {
    if (each.plan && is_usual(each) && suits(needed, *each.plan)) suitable.push_back(&each);
  }
  if (suitable.empty()) {
    const bool none_can = std::none_of(candidates.begin(), candidates.end(), [&](const candidate& each) {
      const auto plan = each.kind->plan({.capacity = 1000, .fpr = 0.01});
      return plan && suits(needed, *plan);
    });
    if (none_can || looked_for == unknown::memory) return {.why = "no kind can do all that was asked for"};
    return {.why = fmt::format("nothing that suits fits in {}; {}", human_bytes(*needed.memory),
                               looked_for == unknown::rate ? "no rate makes one fit" : "not even one key does")};
  }
  rows chosen;
  std::copy_if(suitable.begin(), suitable.end(), std::back_inserter(chosen),
               [&](const candidate* each) { return fits(needed, *each->plan); });
  if (chosen.empty()) return nothing_fits(needed, wanted, candidates, suitable);
  std::string_view one = "one";
  std::string about_machine;
  if (needed.is_static && prefer(chosen, [](const plan_row& row) { return !row.can_add; })) one = "static one";
  if (const rows before = chosen; prefer(chosen, [](const plan_row& row) { return row.is_fast_here; })) {
    const auto slow =
        std::find_if(before.begin(), before.end(), [](const candidate* each) { return !each->plan->is_fast_here; });
    about_machine = fmt::format("; {} is made for instructions that this processor does not have", (*slow)->plan->kind);
  }
  if (prefer(chosen, [&](const plan_row& row) { return is_plain(needed, row); })) one = "plain one";

  // All of them fit while they are built; what they take afterwards is what they are compared by. Of two that take as much,
  // the faster is the smallest, so that whatever is preferred to it is larger.
  const auto cost = [&](const candidate& each) { return cost_of(each, looked_for); };
  const candidate& least =
      least_of(chosen, [&](const candidate& each) { return std::pair(cost(each), each.plan->lines); });
  const candidate* best = &least;
  for (const candidate* each : chosen) {
    if (cost(*each) > worth_a_miss(looked_for) * cost(least)) continue;
    const auto rank = [&](const candidate& of) { return std::pair(of.plan->lines, cost(of)); };
    if (rank(*each) < rank(*best)) best = each;
  }
  const plan_row& row = *best->plan;
  const std::string lines = fmt::format("a lookup touches {} cache line{}", row.lines, row.lines == 1 ? "" : "s");
  const bool sizes_differ = looked_for == unknown::memory;
  const std::string more = about_size(needed, row) + (sizes_differ ? about_variants(row, candidates) : "") +
                           (sizes_differ ? about_threads(needed, row, chosen) : "") + about_machine;
  const auto because = [&](std::string why) { return advice{best, row.kind, std::move(why)}; };
  if (chosen.size() == 1) return because(fmt::format("the only {} that suits; {}{}", one, lines, more));
  if (best == &least) return because(fmt::format("the {} that suits; {}{}", least_one(one, looked_for), lines, more));
  return because(fmt::format("{}, where the {} that suits, {}, needs {}; {}{}", lines, least_one(one, looked_for),
                             least.plan->kind, least.plan->lines, beside_the_least(*best, least, looked_for), more));
}

}  // namespace seen::cli
