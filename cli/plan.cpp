// seen plan: what every kind of filter would cost for a number of keys and a rate, and which one to take (advice.hpp).
#include <seen/math/sizing.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <memory>

#include "abilities.hpp"
#include "advice.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "output.hpp"
#include "shape.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

struct plan_options {
  std::string capacity, fpr = "0.01", memory, kind;
  needs needed;
  bool json = false;
};

struct named_ability {
  const char* word;  // in the table
  const char* name;  // in JSON
  ability can;
};

constexpr std::array abilities{
    named_ability{"add", "can_add", &plan_row::can_add},
    named_ability{"remove", "can_remove", &plan_row::can_remove},
    named_ability{"merge", "can_merge", &plan_row::can_merge},
    named_ability{"grow", "can_grow", &plan_row::can_grow},
    named_ability{"shrink", "can_shrink", &plan_row::can_shrink},
    named_ability{"forget", "can_forget", &plan_row::can_forget},
    named_ability{"threads", "can_share", &plan_row::can_share},
};

std::string collision_warning(const target& asked) {
  if (!math::digests_collide_noticeably(asked)) return "";
  return fmt::format("equal 64-bit digests alone make a rate of {}, {:.0f} % of what is asked",
                     short_number(math::equal_digest_fpr(asked.capacity)),
                     100 * math::equal_digest_fpr(asked.capacity) / asked.fpr);
}

json as_json(const advice& best) {
  json object = json::object().add("kind", best.kind.empty() ? json() : json(best.kind)).add("why", best.why);
  if (best.fits_at) {
    object.add("fits_at", json::object().add("kind", best.fits_at->kind).add("fpr", best.fits_at->fpr));
  }
  return object;
}

json as_json(const candidate& each) {
  json row = json::object().add("kind", each.kind->kind.name);
  if (each.variant != nullptr) row.add("variant", each.variant->name);
  if (!each.plan) return row.add("error", each.plan.error().detail);
  for (const named_field& field : each.plan->shape) row.add(field.name, json_value(field));
  row.add("bytes", each.plan->bytes)
      .add("bits_per_key", each.plan->bits_per_key)
      .add("expected_fpr", each.plan->expected_fpr)
      .add("cache_lines", each.plan->lines)
      .add("build_bytes", each.plan->build_bytes);
  for (const named_ability& each_ability : abilities) row.add(each_ability.name, (*each.plan).*each_ability.can);
  return row;
}

std::string as_json(const target& asked, const needs& needed, const std::vector<candidate>& candidates,
                    const advice& best) {
  json rows = json::array(), warnings = json::array();
  for (const candidate& each : candidates) rows.push(as_json(each));
  if (const std::string warning = collision_warning(asked); !warning.empty()) warnings.push(warning);
  return json::object()
             .add("target", json::object().add("capacity", asked.capacity).add("fpr", asked.fpr))
             .add("memory", needed.memory ? json(*needed.memory) : json())
             .add("lower_bound_bits", math::lower_bound_bits(asked.capacity, asked.fpr))
             .add("kinds", rows)
             .add("advice", as_json(best))
             .add("warnings", warnings)
             .text() +
         '\n';
}

std::string name_of(const candidate& each) {
  return std::string(each.kind->kind.name) + (each.variant != nullptr ? " " + std::string(each.variant->name) : "");
}

// At most 100 columns, as long as no kind can do everything.
std::string as_table(const target& asked, const std::vector<candidate>& candidates, const advice& best) {
  constexpr std::size_t width = 100, name_width = 22;
  std::string text =
      fmt::format("{} at rate {}; no filter can do with less than {:.2f} bits per key\n\n",
                  keys_in_words(asked.capacity), short_number(asked.fpr), math::lower_bound_bits(1, asked.fpr));
  text += fmt::format("{:<{}} {:>10} {:>8} {:>8} {:>5} {:>10}  {}\n", "kind", name_width, "size", "bits/key", "rate",
                      "lines", "to build", "can");
  for (const candidate& each : candidates) {
    if (!each.plan) {
      text += wrapped(fmt::format("{:<{}} ", name_of(each), name_width), each.plan.error().detail, width);
      continue;
    }
    const plan_row& row = *each.plan;
    std::string can = row.can_add ? "" : "(static)";
    for (const named_ability& each_ability : abilities) {
      if (row.*each_ability.can) can += (can.empty() ? "" : " ") + std::string(each_ability.word);
    }
    text += fmt::format("{:<{}} {:>10} {:>8.2f} {:>8} {:>5} {:>10}  {}\n", name_of(each), name_width,
                        human_bytes(row.bytes), row.bits_per_key, short_number(row.expected_fpr), row.lines,
                        human_bytes(row.build_bytes), can);
  }
  text += '\n';
  text += wrapped("advice: ", (best.kind.empty() ? "none" : best.kind) + ": " + best.why, width);
  return text;
}

// A kind that offers a choice is listed with each.
void add_candidates(std::vector<candidate>& candidates, const kind_row& kind, const target& asked) {
  if (kind.variants.empty()) candidates.push_back({&kind, kind.plan(asked)});
  for (const kind_variant& each : kind.variants) {
    const named_field choice{std::string(each.field), each.value};
    candidates.push_back({&kind, kind.plan_as({.target = asked, .shape = {choice}}), &each});
  }
}

result<exit_status> plan(const plan_options& o) {
  auto capacity = parse_option("--capacity", o.capacity, parse_count);
  if (!capacity) return capacity.error();
  auto fpr = parse_option("--fpr", o.fpr, parse_rate);
  if (!fpr) return fpr.error();
  const target asked{.capacity = *capacity, .fpr = *fpr};
  needs needed = o.needed;
  if (!o.memory.empty()) {
    auto memory = parse_option("--memory", o.memory, parse_count);
    if (!memory) return memory.error();
    needed.memory = *memory;
  }
  std::vector<candidate> candidates;
  if (!o.kind.empty()) {
    auto named = find_kind(o.kind);
    if (!named) return named.error().prefixed("--kind: ");
    add_candidates(candidates, **named, asked);
  } else {
    for (const kind_row& each : kinds()) add_candidates(candidates, each, asked);
  }
  const auto feasible = [](const candidate& each) { return each.plan.has_value(); };
  if (std::none_of(candidates.begin(), candidates.end(), feasible)) return candidates.front().plan.error();

  const advice best = advise(needed, asked, candidates);
  auto printed = print(o.json ? as_json(asked, needed, candidates, best) : as_table(asked, candidates, best));
  if (!printed) return printed.error();
  if (const std::string warning = collision_warning(asked); !warning.empty()) warn(false, warning);
  return exit_status::yes;
}

}  // namespace

action define_plan(option_list& app) {
  auto o = std::make_shared<plan_options>();
  app.value({"-n,--capacity", "number of keys: 1e9, 1G, 10k", "N", need::required}, o->capacity);
  app.value({"-p,--fpr", "false-positive rate: 0.001, 0.1%, 1/1000, 2^-10 (default 0.01)", "RATE"}, o->fpr);
  app.value({"--kind", "this kind only", "KIND"}, o->kind);
  app.flag({"--json", "one JSON document"}, o->json);

  option_list needed = app.in_group("Needs (the advice is for what is named here)");
  needed.flag({"--static", "all keys are known when it is built: kinds without add will do"}, o->needed.is_static);
  needed.flag({"--remove", "keys will be removed"}, o->needed.remove);
  needed.flag({"--unknown-n", "the number of keys is a guess: kinds that grow, or fold afterwards"},
              o->needed.unknown_n);
  needed.flag({"--window", "old keys are to be forgotten"}, o->needed.window);
  needed.flag({"--merge", "filters will be merged"}, o->needed.merge);
  needed.flag({"--threads", "many threads will use it at once"}, o->needed.threads);
  needed.value({"--memory", "no more than this, while it is built too: 64MiB, 2G", "BYTES"}, o->memory);
  app.footer(
      "lines: cache lines that the lookup of a present key touches. to build: memory while it is built.\n"
      "\n"
      "Examples:\n"
      "  seen plan -n 1e9 -p 0.001\n"
      "  seen plan -n 1e6 --remove --memory 2MiB\n"
      "  seen plan -n 1e6 --json | jq '.kinds[0].bytes'");
  return [o] { return plan(*o); };
}

}  // namespace seen::cli
