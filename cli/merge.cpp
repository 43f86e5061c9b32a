// seen merge, seen intersect: one filter from several of one kind and hash.
//
// Where sizes differ and the kind folds, merge folds all of them to the largest size that divides each: the union is then as
// full as it would be in a filter made so small, which is refused where it is saturated.
#include <seen/any_filter.hpp>

#include <algorithm>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <vector>

#include "abilities.hpp"
#include "filter_file.hpp"
#include "fold_alike.hpp"
#include "options.hpp"
#include "outcome.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

struct merge_options {
  output_options output;
  std::vector<std::string> files;
  filter_options filter;
  outcome_options outcome;
};

using operation = result<void> (any_filter::*)(const any_filter&);

std::string with_last(std::string text, std::string_view word, const std::string& instead) {
  const auto at = text.rfind(word);
  return at == text.npos ? text : text.replace(at, word.size(), instead);
}

// "merge: blocks differ: 989 here, 1187 there" of two files: each side by its name.
error between(const error& why, const std::string& here, const std::string& there) {
  const std::string named = with_last(with_last(why.detail, " there", " in " + there), " here", " in " + here);
  const char* const advice =
      why.code == errc::incompatible ? " (make the parts with the same -n, -p, --hash and --seed)" : "";
  return {why.code, there + ": " + named + advice, why.system};
}

// What the sizes of a kind are counted in: "blocks", "bits".
std::string unit_of(const any_filter& filter) {
  const auto kind = find_kind(filter.kind());
  return kind && !(*kind)->field_names.empty() ? std::string((*kind)->field_names[0]) : "cells";
}

// A file of those that are merged, and the size it had.
struct part {
  std::string path;
  std::uint64_t size = 0;
};

// "folded to 252 blocks: mon.seen from 1,008, tue.seen from 1,260"
std::string folds(const std::vector<part>& parts, std::uint64_t size, const std::string& unit) {
  std::string text = "folded to " + grouped(size) + ' ' + unit + ':';
  const char* before = " ";
  for (const part& each : parts) {
    if (each.size == size) continue;
    text += before + each.path + " from " + grouped(each.size);
    before = ", ";
  }
  return text;
}

result<exit_status> combine(const merge_options& o, operation apply) {
  auto open = o.filter.read();
  if (!open) return open.error();
  if (auto apart = o.outcome.check(o.output.path); !apart) return apart.error();
  if (auto writable = o.output.check(o.filter.secrets(), o.files); !writable) return writable.error();
  const bool merging = apply == &any_filter::merge;
  const auto opened = [&](const std::string& path) -> result<any_filter> {
    auto filter = open_filter(path, *open, opening::checked, o.outcome.quiet);
    if (!filter) return filter;
    if (auto known = filter->check_change(merging ? "merge" : "intersect"); !known) return about(path, known.error());
    return filter;
  };
  auto all = opened(o.files[0]);
  if (!all) return all.error();
  std::vector<part> parts{{o.files[0], all->fold_unit()}};
  bool folded = false;
  for (std::size_t i = 1; i < o.files.size(); ++i) {
    auto next = opened(o.files[i]);
    if (!next) return next.error();
    parts.push_back({o.files[i], next->fold_unit()});
    auto combined = ((*all).*apply)(*next);
    if (!combined && combined.error().code == errc::incompatible && merging) {
      const std::uint64_t before = all->fold_unit();
      if (auto alike = fold_alike(*all, *next); !alike) return about(o.files[i], alike.error());
      folded = folded || before != all->fold_unit() || parts.back().size != all->fold_unit();
      combined = all->fold_unit() != before || parts.back().size != before ? all->merge(*next) : combined;
    }
    if (!combined) {
      auto able = merging ? require(all->kind(), &plan_row::can_merge, "be merged")
                          : require(all->kind(), &plan_row::can_intersect, "be intersected");
      if (!able) return about(o.files[0], able.error());
      return between(combined.error(), o.files[0], o.files[i]);
    }
  }
  if (folded) {
    const std::string what = folds(parts, all->fold_unit(), unit_of(*all));
    if (all->health().fill > 0.7) {
      return {errc::incompatible, "merge: sizes differ, and " + what +
                                      ", the union would be full (make the parts with the same -n, of the whole, or "
                                      "larger)"};
    }
    remark(o.outcome.quiet, what);
  }
  if (auto saved = o.output.save(*all, o.outcome.quiet); !saved) return saved.error();
  auto described =
      o.output.path == dash ? result<filter_info>(all->info()) : describe_saved(o.output.path, *all, *open);
  if (!described) return described.error();
  const filter_info& info = *described;
  auto told = o.outcome.tell(
      json::object().add("file", o.output.name()).add("filters", json::array_of(o.files)), info,
      fmt::format("{}: {} keys in a {} filter of {}, rate {}", o.output.name(), key_count(info.keys, info.keys_exact),
                  info.kind, human_bytes(info.bytes), short_number(info.fpr_now)));
  if (!told) return told.error();
  o.output.tell_of_secret(*all, o.filter, o.outcome.quiet);
  return exit_status::yes;
}

action define(option_list& app, operation apply, const char* footer) {
  auto o = std::make_shared<merge_options>();
  o->output.define(app);
  o->output.define_store_secret(app);
  app.values({"filters", "filter files of the same kind, hash and seed", "FILE", need::required}, o->files);
  o->filter.define(app);
  o->outcome.define(app);
  app.footer(footer);
  return [o, apply] { return combine(*o, apply); };
}

}  // namespace

action define_merge(option_list& app) {
  return define(app, &any_filter::merge,
                "The result answers as if it had been given the keys of all of them. Make the parts with the same\n"
                "--capacity (of the whole), --fpr, --hash and --seed. Parts whose sizes differ are folded to one that\n"
                "divides each, where the union is not too much for it.\n"
                "\n"
                "Examples:\n"
                "  seen merge -o week.seen monday.seen tuesday.seen wednesday.seen\n"
                "  seen merge -f -o all.seen all.seen new.seen");
}

action define_intersect(option_list& app) {
  return define(app, &any_filter::intersect,
                "The result claims what all of them claim: every common key, and some others by chance.\n"
                "\n"
                "Example:\n"
                "  seen intersect -o both.seen customers.seen subscribers.seen");
}

}  // namespace seen::cli
