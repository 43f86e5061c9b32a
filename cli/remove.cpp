// seen remove: takes keys out of a filter whose kind can do that. The file is replaced in one step at the end.
//
// A filter knows its keys by their traces only. A key that was never added but tests present leaves with the trace of
// another key, which is then lost: remove what was added, once for each time, and nothing else.
#include <fmt/core.h>
#include <memory>

#include "feed.hpp"
#include "key_change.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

result<exit_status> remove(const key_change_options& o) {
  auto change = key_change::begin(o, &plan_row::can_remove, "remove keys");
  if (!change) return change.error();
  std::uint64_t removed = 0;
  auto asked = feed(change->reader, "removing", !o.outcome.quiet, [&](const key_batch& batch) -> result<void> {
    for (const bytes_view key : batch.keys) {
      auto gone = change->filter.remove(key);
      if (!gone) return about(o.path, gone.error());
      removed += *gone;
    }
    return {};
  });
  if (!asked) return asked.error();
  const std::uint64_t missing = *asked - removed;
  if (removed != 0) {
    if (auto saved = change->save(o.outcome.quiet); !saved) return saved.error();
  }
  if (removed != 0 || o.outcome.json) {
    const filter_info info = change->filter.info();
    auto told = o.outcome.tell(
        json::object().add("file", o.path).add("keys_removed", removed).add("keys_missing", missing), info,
        fmt::format("{}: {} removed, holds {}, rate {}", o.path, keys_in_words(removed),
                    key_count(info.keys, info.keys_exact), short_number(info.fpr_now)));
    if (!told) return told.error();
  }
  if (*asked == 0) {
    remark(o.outcome.quiet, fmt::format("{}: no keys were given; the file is unchanged", o.path));
  } else if (missing != 0) {
    remark(o.outcome.quiet, fmt::format("{}: {} of {} {} not there{}", o.path, grouped(missing), keys_in_words(*asked),
                                        missing == 1 ? "was" : "were", removed == 0 ? "; the file is unchanged" : ""));
  }
  return removed != 0 ? exit_status::yes : exit_status::no;
}

}  // namespace

action define_remove(option_list& app) {
  auto o = std::make_shared<key_change_options>();
  o->define(app, "the filter file; replaced in one step when all keys are out");
  app.footer(
      "Remove only keys that were added, once for each time: a key that was never added and tests present takes\n"
      "another key with it. Kinds that can remove: seen plan -n 1e6 --remove. Exit status: 0 a key was removed,\n"
      "1 none was there, 2 error.\n"
      "\n"
      "Examples:\n"
      "  seen remove users.seen gone.txt\n"
      "  echo alice | seen remove users.seen");
  return [o] { return remove(*o); };
}

}  // namespace seen::cli
