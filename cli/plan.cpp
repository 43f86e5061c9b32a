// seen plan: what every kind of filter would cost for a number of keys and a rate, and which one to take.
//
// The advice knows no kind by name. Of the kinds that can do what is needed, those at most 30 % larger than the
// smallest come into question, and of these the one whose lookup touches the fewest cache lines is taken, since a cache
// miss costs more than anything else a lookup does; at equal lines the smaller. (30 %: a blocked filter passes at 1 %
// and 1e-4, where it is 4 % and 18 % larger than a classic one, and no longer at 1e-6, where it is 35 % larger.)
#include <seen/math/sizing.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "numbers.hpp"
#include "options.hpp"
#include "output.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

using nlohmann::ordered_json;

constexpr double size_worth_a_miss = 1.3;

struct plan_options {
  std::string capacity, fpr, kind;
  bool is_static = false, remove = false, merge = false;
  bool json = false;
};

// A kind with its plan, or the reason why it has none.
struct candidate {
  const kind_row* kind;
  result<plan_row> plan;
};

struct advice {
  std::string kind;
  std::string why;
};

bool suits(const plan_options& o, const plan_row& row) {
  return (row.can_add || o.is_static) && (row.can_remove || !o.remove) && (row.can_merge || !o.merge);
}

advice advise(const plan_options& o, const std::vector<candidate>& candidates) {
  std::vector<const plan_row*> rows;
  for (const candidate& each : candidates) {
    if (each.plan && suits(o, *each.plan)) rows.push_back(&*each.plan);
  }
  if (rows.empty()) return {"", "no kind can do all that was asked for"};
  const auto smaller = [](const plan_row* a, const plan_row* b) { return a->bytes < b->bytes; };
  const plan_row* const smallest = *std::min_element(rows.begin(), rows.end(), smaller);
  const auto affordable = [&](const plan_row* row) {
    return static_cast<double>(row->bytes) <= size_worth_a_miss * static_cast<double>(smallest->bytes);
  };
  const plan_row* best = smallest;
  for (const plan_row* row : rows) {
    if (affordable(row) && (row->lines < best->lines || (row->lines == best->lines && row->bytes < best->bytes))) {
      best = row;
    }
  }
  const std::string lines = fmt::format("a lookup touches {} cache line{}", best->lines, best->lines == 1 ? "" : "s");
  if (rows.size() == 1) return {best->kind, "the only one that suits; " + lines};
  if (best == smallest) return {best->kind, "the smallest that suits; " + lines};
  const double extra = static_cast<double>(best->bytes) / static_cast<double>(smallest->bytes) - 1;
  return {best->kind, fmt::format("{}, where the smallest, {}, needs {}; it is {:.0f} % larger", lines, smallest->kind,
                                  smallest->lines, 100 * extra)};
}

std::string collision_warning(const target& asked) {
  if (!math::digests_collide_noticeably(asked)) return "";
  return fmt::format("equal 64-bit digests alone make a rate of {}, {:.0f} % of what is asked",
                     short_number(math::equal_digest_fpr(asked.capacity)),
                     100 * math::equal_digest_fpr(asked.capacity) / asked.fpr);
}

std::string as_json(const target& asked, const std::vector<candidate>& candidates, const advice& best) {
  ordered_json rows = ordered_json::array();
  for (const candidate& each : candidates) {
    ordered_json row{{"kind", each.kind->kind.name}};
    if (!each.plan) {
      row["error"] = each.plan.error().detail;
    } else {
      for (const named_field& field : each.plan->fields) row[field.name] = field.value;
      row["bytes"] = each.plan->bytes;
      row["bits_per_key"] = each.plan->bits_per_key;
      row["expected_fpr"] = each.plan->expected_fpr;
      row["cache_lines"] = each.plan->lines;
      row["build_bytes"] = each.plan->build_bytes;
      row["can_add"] = each.plan->can_add;
      row["can_remove"] = each.plan->can_remove;
      row["can_merge"] = each.plan->can_merge;
    }
    rows.push_back(std::move(row));
  }
  ordered_json document{
      {"target", {{"capacity", asked.capacity}, {"fpr", asked.fpr}}},
      {"lower_bound_bits", math::lower_bound_bits(asked.capacity, asked.fpr)},
      {"kinds", std::move(rows)},
      {"advice", {{"kind", best.kind.empty() ? ordered_json() : ordered_json(best.kind)}, {"why", best.why}}},
      {"warnings", ordered_json::array()},
  };
  if (const std::string warning = collision_warning(asked); !warning.empty()) document["warnings"].push_back(warning);
  return document.dump(2) + '\n';
}

std::string as_table(const target& asked, const std::vector<candidate>& candidates, const advice& best) {
  std::string text =
      fmt::format("{} at rate {}; no filter can do with less than {:.2f} bits a key\n\n", keys_in_words(asked.capacity),
                  short_number(asked.fpr), math::lower_bound_bits(1, asked.fpr));
  text += fmt::format("{:<18} {:>10} {:>8} {:>9} {:>6} {:>10}  {:<4} {:<7} {}\n", "kind", "size", "bits/key", "rate",
                      "lines", "to build", "add", "remove", "merge");
  const auto yes = [](bool can) { return can ? "yes" : "-"; };
  for (const candidate& each : candidates) {
    if (!each.plan) {
      text += fmt::format("{:<18} {}\n", each.kind->kind.name, each.plan.error().detail);
      continue;
    }
    const plan_row& row = *each.plan;
    text += fmt::format("{:<18} {:>10} {:>8.2f} {:>9} {:>6} {:>10}  {:<4} {:<7} {}\n", row.kind, human_bytes(row.bytes),
                        row.bits_per_key, short_number(row.expected_fpr), row.lines, human_bytes(row.build_bytes),
                        yes(row.can_add), yes(row.can_remove), yes(row.can_merge));
  }
  text += '\n';
  text += best.kind.empty() ? "advice: none: " + best.why : "advice: " + best.kind + ": " + best.why;
  return text + '\n';
}

result<exit_status> plan(const plan_options& o) {
  auto capacity = parse_option("--capacity", o.capacity, parse_count);
  if (!capacity) return capacity.error();
  auto fpr = parse_option("--fpr", o.fpr, parse_rate);
  if (!fpr) return fpr.error();
  const target asked{.capacity = *capacity, .fpr = *fpr};
  std::vector<candidate> candidates;
  if (!o.kind.empty()) {
    auto named = find_kind(o.kind);
    if (!named) return error{named.error().code, "--kind: " + named.error().detail};
    candidates.push_back({*named, (*named)->plan(asked)});
  } else {
    for (const kind_row& each : kinds()) candidates.push_back({&each, each.plan(asked)});
  }
  const auto feasible = [](const candidate& each) { return each.plan.has_value(); };
  if (std::none_of(candidates.begin(), candidates.end(), feasible)) return candidates.front().plan.error();

  const advice best = advise(o, candidates);
  if (auto printed = print(o.json ? as_json(asked, candidates, best) : as_table(asked, candidates, best)); !printed) {
    return printed.error();
  }
  if (const std::string warning = collision_warning(asked); !warning.empty()) remark(false, "seen: " + warning);
  return exit_status::yes;
}

}  // namespace

action define_plan(CLI::App& app) {
  auto o = std::make_shared<plan_options>();
  app.add_option("-n,--capacity", o->capacity, "number of keys: 1e9, 1G, 10k")->type_name("N")->required();
  app.add_option("-p,--fpr", o->fpr, "false-positive rate: 0.001, 0.1%, 1/1000, 2^-10 (default 0.01)")
      ->type_name("RATE")
      ->default_str("0.01");
  o->fpr = "0.01";
  app.add_option("--kind", o->kind, "this kind only")->type_name("KIND");
  app.add_flag("--static", o->is_static, "all keys are known when it is built: kinds without add will do");
  app.add_flag("--remove", o->remove, "keys will be removed");
  app.add_flag("--merge", o->merge, "filters will be merged");
  app.add_flag("--json", o->json, "one JSON document");
  app.footer(
      "lines: cache lines a lookup of a present key touches. to build: memory while it is built.\n"
      "\n"
      "Examples:\n"
      "  seen plan -n 1e9 -p 0.001\n"
      "  seen plan -n 10M -p 1/256 --static\n"
      "  seen plan -n 1e6 --json | jq '.kinds[0].bits'");
  return [o] { return plan(*o); };
}

}  // namespace seen::cli
