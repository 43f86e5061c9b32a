// seen add: more keys for a filter that exists. The file is replaced in one step when all keys are in.
#include <fmt/core.h>
#include <memory>

#include "feed_in_order.hpp"
#include "key_change.hpp"
#include "remarks.hpp"
#include "verb.hpp"
#include "window_time.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

result<void> tell(const key_change_options& o, std::uint64_t added, const filter_info& info) {
  auto told = o.outcome.tell(json::object().add("file", o.path).add("keys_added", added), info,
                             fmt::format("{}: {} added, holds {}, rate {}", o.path, keys_in_words(added),
                                         key_count(info.keys, info.keys_exact), short_number(info.fpr_now)));
  if (!told || o.outcome.quiet) return told;
  // The count is an estimate: within a few percent of the plan there is nothing to tell. Nor where a kind that grows or
  // forgets took more keys than planned and kept its rate.
  const auto planned = static_cast<double>(info.target.capacity);
  if (planned != 0 && info.keys > 1.05 * planned && info.fpr_now > 1.1 * info.target.fpr) {
    warn(false, fmt::format("{}: planned for {} at {}; build a larger one", o.path, keys_in_words(info.target.capacity),
                            short_number(info.target.fpr)));
  }
  return {};
}

error no_room(const key_change_options& o, double before, const filter_info& info) {
  return {errc::full, o.path + ": full" + how_full(info, before) + "; the file is unchanged. " +
                          advice_on_equal_keys(info) + "build a larger one (-n)"};
}

result<exit_status> add(const key_change_options& o) {
  auto change = key_change::begin(o, &plan_row::can_add, "take more keys");
  if (!change) return change.error();
  auto now = parse_time(o.now);
  if (!now) return now.error();
  if (auto told = tell_time(o.path, change->filter, *now); !told) return told.error();
  warn_if_assumed(o.outcome.quiet, o.path, change->filter);
  const double before = change->filter.info().keys;
  auto added = feed_to(change->filter, change->reader, {"adding", !o.outcome.quiet}, [&](auto keys) -> result<void> {
    auto put = change->filter.add_many(keys);
    if (put) return {};
    if (put.error().code == errc::full) return no_room(o, before, change->filter.info());
    return about(o.path, put.error());
  });
  if (!added) return added.error();
  if (auto saved = change->file.save(change->filter); !saved) return saved.error();
  if (o.outcome.quiet && !o.outcome.json) return exit_status::yes;
  if (auto told = tell(o, *added, change->filter.info()); !told) return told.error();
  return exit_status::yes;
}

}  // namespace

action define_add(option_list& app) {
  auto o = std::make_shared<key_change_options>();
  o->define(app, "the filter file; replaced in one step when all keys are in");
  define_now(app, o->now);
  app.footer(
      "Examples:\n"
      "  seen add users.seen new-users.txt\n"
      "  tail -n 1000 access.log | seen add visitors.seen --field 1 -d ' '");
  return [o] { return add(*o); };
}

}  // namespace seen::cli
