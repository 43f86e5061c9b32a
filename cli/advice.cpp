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

constexpr double size_worth_a_miss = 1.3;

using rows = std::vector<const plan_row*>;

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
  if (std::none_of(chosen.begin(), chosen.end(), pass) || std::all_of(chosen.begin(), chosen.end(), pass)) return false;
  chosen.erase(std::remove_if(chosen.begin(), chosen.end(), std::not_fn(pass)), chosen.end());
  return true;
}

bool is_plain(const needs& needed, const plan_row& row) {
  return (!row.can_remove || needed.remove) && (!row.can_grow || needed.unknown_n);
}

std::uint64_t need_of(const plan_row& row) {
  return std::max(row.bytes, row.build_bytes);
}

bool fits(const needs& needed, const plan_row& row) {
  return !needed.memory || need_of(row) <= *needed.memory;
}

template <class Size>
const plan_row& least_of(const rows& some, Size size) {
  return **std::min_element(some.begin(), some.end(),
                            [&](const plan_row* a, const plan_row* b) { return size(*a) < size(*b); });
}

// Rates of two digits from 1e-20 up: 1.0e-20, 1.1e-20, … 9.9e-20, 1.0e-19, … 0.99.
constexpr int rate_steps = 20 * 90;
double rate_at(int step) {
  double unit = 10;
  for (int i = step / 90; i < 20; ++i) unit *= 10;
  return (10 + step % 90) / unit;
}

// The lowest rate of two digits, above the one asked for, at which the kind fits; nothing where it never does.
std::optional<double> lowest_fitting(const needs& needed, const target& asked, const kind_row& kind) {
  const auto fits_at = [&](int step) {
    const auto plan = kind.plan({.capacity = asked.capacity, .fpr = rate_at(step)});
    return plan && fits(needed, *plan);
  };
  int low = 0, high = rate_steps - 1;
  while (low < high && rate_at(low) <= asked.fpr) ++low;
  if (!fits_at(high)) return std::nullopt;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (fits_at(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return rate_at(high);
}

advice nothing_fits(const needs& needed, const target& asked, const std::vector<candidate>& candidates,
                    const rows& suitable) {
  advice none;
  for (const candidate& each : candidates) {
    if (!each.plan || !is_usual(each) || !suits(needed, *each.plan)) continue;
    const auto rate = lowest_fitting(needed, asked, *each.kind);
    if (rate && (!none.fits_at || *rate < none.fits_at->fpr)) none.fits_at = {std::string(each.kind->kind.name), *rate};
  }
  const plan_row& smallest = least_of(suitable, need_of);
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
  for (const plan_row* row : chosen) {
    const bool near = row->lines <= best.lines &&
                      static_cast<double>(row->bytes) <= size_worth_a_miss * static_cast<double>(best.bytes);
    if (near && row->add_steps != 0 && row->add_steps < least->add_steps) least = row;
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

}  // namespace

advice advise(const needs& needed, const target& asked, const std::vector<candidate>& candidates) {
  rows suitable;
  for (const candidate& each : candidates) {
    if (each.plan && is_usual(each) && suits(needed, *each.plan)) suitable.push_back(&*each.plan);
  }
  if (suitable.empty()) return {.why = "no kind can do all that was asked for"};
  rows chosen;
  std::copy_if(suitable.begin(), suitable.end(), std::back_inserter(chosen),
               [&](const plan_row* row) { return fits(needed, *row); });
  if (chosen.empty()) return nothing_fits(needed, asked, candidates, suitable);
  std::string_view one = "one";
  std::string about_machine;
  if (needed.is_static && prefer(chosen, [](const plan_row* row) { return !row->can_add; })) one = "static one";
  if (const rows before = chosen; prefer(chosen, [](const plan_row* row) { return row->is_fast_here; })) {
    const auto slow =
        std::find_if(before.begin(), before.end(), [](const plan_row* row) { return !row->is_fast_here; });
    about_machine = fmt::format("; {} is made for instructions that this processor does not have", (*slow)->kind);
  }
  if (prefer(chosen, [&](const plan_row* row) { return is_plain(needed, *row); })) one = "plain one";

  // All of them fit while they are built; what they take afterwards is what they are compared by. Of two that take as much,
  // the faster is the smallest, so that whatever is preferred to it is larger.
  const plan_row& smallest = least_of(chosen, [](const plan_row& row) { return std::pair(row.bytes, row.lines); });
  const plan_row* best = &smallest;
  for (const plan_row* row : chosen) {
    const bool affordable = static_cast<double>(row->bytes) <= size_worth_a_miss * static_cast<double>(smallest.bytes);
    if (affordable && (row->lines < best->lines || (row->lines == best->lines && row->bytes < best->bytes))) best = row;
  }
  const std::string lines = fmt::format("a lookup touches {} cache line{}", best->lines, best->lines == 1 ? "" : "s");
  const std::string more = about_size(needed, *best) + about_variants(*best, candidates) +
                           about_threads(needed, *best, chosen) + about_machine;
  if (chosen.size() == 1) return {best->kind, fmt::format("the only {} that suits; {}{}", one, lines, more)};
  if (best == &smallest) return {best->kind, fmt::format("the smallest {} that suits; {}{}", one, lines, more)};
  const double extra = static_cast<double>(best->bytes) / static_cast<double>(smallest.bytes) - 1;
  const std::string larger = extra < 0.01 ? "less than 1" : fmt::format("{:.0f}", 100 * extra);
  return {best->kind, fmt::format("{}, where the smallest {} that suits, {}, needs {}; it is {} % larger{}", lines, one,
                                  smallest.kind, smallest.lines, larger, more)};
}

}  // namespace seen::cli
