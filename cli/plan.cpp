// seen plan: what every kind of filter would cost for a number of keys and a rate, and which one to take (advice.hpp). Of keys, rate
// and memory any two give the third (solve.hpp).
#include <seen/math/sizing.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <fmt/core.h>
#include <memory>
#include <unistd.h>

#include "advice.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "output.hpp"
#include "plan_code.hpp"
#include "plan_text.hpp"
#include "shape.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

struct plan_options {
  std::string capacity, fpr, memory, kind;
  needs needed;
  bool json = false, plot = false;
};

std::string collision_warning(const target& asked) {
  if (asked.capacity == 0 || asked.fpr == 0 || !math::digests_collide_noticeably(asked)) return "";
  return fmt::format("equal 64-bit digests alone make a rate of {}, {:.0f} % of what is asked",
                     short_number(math::equal_digest_fpr(asked.capacity)),
                     100 * math::equal_digest_fpr(asked.capacity) / asked.fpr);
}

json as_json(const target& asked) {
  return json::object().add("capacity", asked.capacity).add("fpr", asked.fpr);
}

json as_json(const advice& best) {
  json object = json::object().add("kind", best.kind.empty() ? json() : json(best.kind)).add("why", best.why);
  if (best.fits_at) {
    object.add("fits_at", json::object().add("kind", best.fits_at->kind).add("fpr", best.fits_at->fpr));
  }
  if (best.best != nullptr) {
    json code = json::object();
    for (const auto& [language, line] : code_for(*best.best)) code.add(language, line);
    object.add("code", code);
  }
  return object;
}

json as_json(const candidate& each) {
  json row = json::object().add("kind", each.kind->kind.name);
  if (each.variant != nullptr) row.add("variant", each.variant->name);
  if (!each.plan) return row.add("error", each.plan.error().detail);
  for (const named_field& field : each.plan->shape) row.add(field.name, json_value(field));
  const auto known = [](std::optional<double> rate) { return rate ? json(*rate) : json(); };
  row.add("target", as_json(each.made_for))
      .add("bytes", each.plan->bytes)
      .add("bits_per_key", each.plan->bits_per_key)
      .add("expected_fpr", each.plan->expected_fpr)
      .add("fpr_at_2x", known(rate_at(each, 2)))
      .add("fpr_at_10x", known(rate_at(each, 10)))
      .add("cache_lines", each.plan->lines)
      .add("build_bytes", each.plan->build_bytes);
  for (const named_ability& each_ability : named_abilities())
    row.add(each_ability.name, (*each.plan).*each_ability.can);
  return row;
}

std::string as_json(const target& asked, unknown looked_for, const needs& needed,
                    const std::vector<candidate>& candidates, const advice& best) {
  json rows = json::array(), warnings = json::array();
  for (const candidate& each : candidates) rows.push(as_json(each));
  if (const std::string warning = collision_warning(asked); !warning.empty()) warnings.push(warning);
  const char* const solved = looked_for == unknown::rate ? "fpr" : "capacity";
  const bool is_whole = asked.capacity != 0 && asked.fpr != 0;
  return json::object()
             .add("target", is_whole ? as_json(asked) : json())
             .add("solved_for", looked_for == unknown::memory ? json() : json(solved))
             .add("memory", needed.memory ? json(*needed.memory) : json())
             .add("lower_bound_bits", is_whole ? json(math::lower_bound_bits(asked.capacity, asked.fpr)) : json())
             .add("kinds", rows)
             .add("advice", as_json(best))
             .add("warnings", warnings)
             .text() +
         '\n';
}

// What was given, and so what is looked for.
struct question {
  target wanted = {};
  needs needed = {};
  unknown looked_for = unknown::memory;
};

result<question> read_question(const plan_options& o) {
  question asked{.needed = o.needed};
  if (o.capacity.empty() && o.memory.empty() && !o.plot) {
    return {errc::invalid_argument,
            "--capacity is required, unless --memory says how much room there is (-n N, see seen plan --help)"};
  }
  if (!o.capacity.empty()) {
    auto capacity = parse_option("--capacity", o.capacity, parse_count);
    if (!capacity) return capacity.error();
    asked.wanted.capacity = *capacity;
  }
  if (!o.memory.empty()) {
    auto memory = parse_option("--memory", o.memory, parse_count);
    if (!memory) return memory.error();
    asked.needed.memory = *memory;
  }
  if (o.capacity.empty()) asked.looked_for = unknown::keys;
  if (o.fpr.empty() && !o.capacity.empty() && !o.memory.empty()) {
    asked.looked_for = unknown::rate;
    // Any rate does to tell whether the number of keys is one.
    if (auto sane = math::check({.capacity = asked.wanted.capacity, .fpr = 0.5}); !sane) return sane.error();
    asked.wanted.fpr = 0;
    return asked;
  }
  auto fpr = parse_option("--fpr", o.fpr.empty() ? "0.01" : o.fpr, parse_rate);
  if (!fpr) return fpr.error();
  asked.wanted.fpr = *fpr;
  return asked;
}

result<exit_status> plot(const question& asked, const plan_options& o, const kind_row* only) {
  if (o.json) return {errc::invalid_argument, "--plot: is a picture of characters; leave --json out"};
  std::vector<const kind_row*> shown;
  for (const kind_row& each : kinds()) {
    if (only == nullptr || only == &each) shown.push_back(&each);
  }
  const std::size_t columns = columns_of(STDOUT_FILENO);
  const std::uint64_t keys = asked.wanted.capacity == 0 ? 1'000'000 : asked.wanted.capacity;
  if (auto printed = print(plan_plot(keys, shown, columns != 0 ? columns : 80)); !printed) return printed.error();
  return exit_status::yes;
}

result<exit_status> plan(const plan_options& o) {
  auto read = read_question(o);
  if (!read) return read.error();
  question asked = std::move(*read);
  std::vector<candidate> candidates;
  // Where something is looked for, whatever can be planned stands for it until it is found.
  const target trial{.capacity = std::max<std::uint64_t>(asked.wanted.capacity, 1),
                     .fpr = asked.looked_for == unknown::rate ? 0.5 : asked.wanted.fpr};
  const target first = asked.looked_for == unknown::memory ? asked.wanted : trial;
  const kind_row* only = nullptr;
  if (!o.kind.empty()) {
    auto named = find_kind(o.kind);
    if (!named) return named.error().prefixed("--kind: ");
    only = *named;
    asked.needed.is_static = asked.needed.is_static || only->build != nullptr;  // who names it knows what it is
    add_candidates(candidates, *only, first);
  } else {
    candidates = candidates_for(first);
  }
  if (o.plot) return plot(asked, o, only);
  if (asked.looked_for != unknown::memory) solve(candidates, asked.wanted, asked.looked_for, *asked.needed.memory);
  const auto feasible = [](const candidate& each) { return each.plan.has_value(); };
  if (asked.looked_for == unknown::memory && std::none_of(candidates.begin(), candidates.end(), feasible)) {
    return candidates.front().plan.error();
  }
  const advice best = advise(asked.needed, asked.wanted, asked.looked_for, candidates);
  target shown = asked.wanted;  // what was found for the kind advised is the answer
  if (asked.looked_for != unknown::memory && best.best != nullptr) shown = best.best->made_for;
  auto printed = print(o.json ? as_json(shown, asked.looked_for, asked.needed, candidates, best)
                              : plan_table(asked.wanted, asked.looked_for, asked.needed, candidates, best));
  if (!printed) return printed.error();
  if (const std::string warning = collision_warning(shown); !warning.empty()) warn(false, warning);
  return best.best != nullptr ? exit_status::yes : exit_status::no;
}

}  // namespace

action define_plan(option_list& app) {
  auto o = std::make_shared<plan_options>();
  app.value({"-n,--capacity", "number of keys: 1e9, 1G, 10k", "N"}, o->capacity);
  app.value({"-p,--fpr", "false-positive rate: 0.001, 0.1%, 1/1000, 2^-10 (default 0.01)", "RATE"}, o->fpr);
  app.value(
      {"--memory",
       "no more than this, while it is built too: 64MiB, 2G. Without -n: the most keys; without -p: the lowest rate",
       "BYTES"},
      o->memory);
  app.value({"--kind", "this kind only", "KIND"}, o->kind);
  app.flag({"--plot", "draw bits per key over the rate, a letter per kind, as wide as the terminal"}, o->plot);
  app.flag({"--json", "one JSON document"}, o->json);

  option_list needed = app.in_group("Needs (the advice is for what is named here)");
  needed.flag({"--static", "all keys are known when it is built: kinds without add will do"}, o->needed.is_static);
  needed.flag({"--remove", "keys will be removed"}, o->needed.remove);
  needed.flag({"--unknown-n", "the number of keys is a guess: kinds that grow, or fold afterwards"},
              o->needed.unknown_n);
  needed.flag({"--window", "old keys are to be forgotten"}, o->needed.window);
  needed.flag({"--merge", "filters will be merged"}, o->needed.merge);
  needed.flag({"--threads", "many threads will use it at once"}, o->needed.threads);
  app.footer(
      "k: bits set per key. lines: cache lines that the lookup of a present key touches. to build: memory while it\n"
      "is built. fuller: what becomes of the rate beyond N keys.\n"
      "Status 1 if no kind suits.\n"
      "\n"
      "Examples:\n"
      "  seen plan -n 1e9 -p 0.001\n"
      "  seen plan -n 1e9 --memory 1G                    which rate can be had?\n"
      "  seen plan -p 1% --memory 64MiB                  how many keys can it hold?\n"
      "  seen plan -n 1e6 --plot\n"
      "  seen plan -n 1e6 --json | jq '.kinds[0].bytes'");
  return [o] { return plan(*o); };
}

}  // namespace seen::cli
