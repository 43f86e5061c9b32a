// seen merge, seen intersect: one filter from several of one shape and hash.
#include <seen/any_filter.hpp>

#include <fmt/core.h>
#include <memory>

#include "abilities.hpp"
#include "filter_file.hpp"
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

result<exit_status> combine(const merge_options& o, operation apply) {
  auto open = o.filter.read();
  if (!open) return open.error();
  if (auto apart = o.outcome.check(o.output.path); !apart) return apart.error();
  if (auto writable = o.output.check(o.filter.secrets(), o.files); !writable) return writable.error();
  const bool merging = apply == &any_filter::merge;
  const auto opened = [&](const std::string& path) -> result<any_filter> {
    auto filter = open_filter(path, *open, opening::checked);
    if (!filter) return filter;
    if (auto known = filter->check_change(merging ? "merge" : "intersect"); !known) return about(path, known.error());
    return filter;
  };
  auto all = opened(o.files[0]);
  if (!all) return all.error();
  for (std::size_t i = 1; i < o.files.size(); ++i) {
    auto next = opened(o.files[i]);
    if (!next) return next.error();
    if (auto combined = ((*all).*apply)(*next); !combined) {
      auto able = merging ? require(all->kind(), &plan_row::can_merge, "be merged")
                          : require(all->kind(), &plan_row::can_intersect, "be intersected");
      if (!able) return about(o.files[0], able.error());
      error why = combined.error().prefixed(o.files[i] + ": ");
      why.detail += " (here is " + o.files[0] + ")";
      return why;
    }
  }
  if (auto saved = o.output.save(*all); !saved) return saved.error();
  const filter_info info = all->info();
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
  app.values({"filters", "filter files of the same kind, shape, hash and seed", "FILE", need::required}, o->files);
  o->filter.define(app);
  o->outcome.define(app);
  app.footer(footer);
  return [o, apply] { return combine(*o, apply); };
}

}  // namespace

action define_merge(option_list& app) {
  return define(app, &any_filter::merge,
                "The result answers as if it had been given the keys of all of them. Make the parts with the same\n"
                "--capacity (of the whole), --fpr, --hash and --seed.\n"
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
