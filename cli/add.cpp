// seen add: more keys for a filter that exists. The file is replaced in one step when all keys are in, or, where few keys
// come to a large file whose bits only go up, changed where it lies (key_change.hpp).
#include <fmt/core.h>
#include <memory>
#include <span>
#include <vector>

#include "feed_in_order.hpp"
#include "filter_file.hpp"
#include "key_change.hpp"
#include "key_store.hpp"
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

// Whether an add may find no room. Where bits only go up it always finds some, and to ask how many keys are in would be to
// count them all.
bool can_be_full(const any_filter& filter) {
  const auto kind = find_kind(filter.kind());
  return !kind || (*kind)->map_writable == nullptr;
}

// Keys on their way into a filter: kept while they are few enough to be added where the file lies, then added at once.
class adding {
 public:
  adding(const key_change_options& o, key_change& change)
      : options_(o), change_(change), before_(can_be_full(change.filter) ? change.filter.info().keys : 0) {}

  [[nodiscard]] result<void> take(std::span<const digest> keys) { return put(keys); }
  [[nodiscard]] result<void> take(std::span<const bytes_view> keys) {
    if (!change_.filter.is_writable_map()) return put(keys);
    kept_.keep(keys);
    kept_count_ += keys.size();
    if (change_.stays_in_place(kept_count_)) return {};
    if (auto loaded = change_.load(options_); !loaded) return loaded;
    auto added = kept_.replay([&](std::span<const bytes_view> some) { return put(some); });
    kept_ = kept_keys();
    kept_count_ = 0;
    return added;
  }
  /// In one call: every page is checked before the first bit is set.
  [[nodiscard]] result<void> finish() {
    std::vector<bytes_view> all;
    auto gathered = kept_.replay([&](std::span<const bytes_view> some) -> result<void> {
      all.insert(all.end(), some.begin(), some.end());
      return {};
    });
    if (!gathered || all.empty()) return gathered;
    return put(std::span<const bytes_view>(all));
  }

 private:
  template <class Key>
  [[nodiscard]] result<void> put(std::span<const Key> keys) {
    auto added = change_.filter.add_many(keys);
    if (added) return added;
    if (added.error().code == errc::full) return no_room(options_, before_, change_.filter.info());
    return about(options_.path, added.error());
  }

  const key_change_options& options_;
  key_change& change_;
  double before_;
  kept_keys kept_;
  std::uint64_t kept_count_ = 0;
};

result<exit_status> add(const key_change_options& o) {
  auto change = key_change::begin(o, &plan_row::can_add, "take more keys");
  if (!change) return change.error();
  auto now = parse_time(o.now);
  if (!now) return now.error();
  if (auto told = tell_time(o.path, change->filter, *now); !told) return told.error();
  warn_if_assumed(o.outcome.quiet, o.path, change->filter);
  adding keys(o, *change);
  const feeding how{"adding", !o.outcome.quiet};
  const auto take = [&](auto some) { return keys.take(some); };
  // A filter that is changed where it lies may turn out to be loaded instead, which threads that ask it for digests would see.
  auto added = change->filter.is_writable_map() ? feed(change->reader, how.label, how.show_progress,
                                                       [&](const key_batch& batch) { return take(batch.keys); })
                                                : feed_to(change->filter, change->reader, how, take);
  if (!added) return added.error();
  if (auto done = keys.finish(); !done) return done.error();
  if (auto saved = change->save(o.outcome.quiet); !saved) return saved.error();
  if (o.outcome.quiet && !o.outcome.json) return exit_status::yes;
  auto info = describe_saved(o.path, change->filter, change->open);
  if (!info) return info.error();
  if (auto told = tell(o, *added, *info); !told) return told.error();
  return exit_status::yes;
}

}  // namespace

action define_add(option_list& app) {
  auto o = std::make_shared<key_change_options>();
  o->define(app, "the filter file; replaced in one step when all keys are in, or changed in place if it is large");
  define_now(app, o->now);
  app.footer(
      "Examples:\n"
      "  seen add users.seen new-users.txt\n"
      "  tail -n 1000 access.log | seen add visitors.seen --field 1 -d ' '");
  return [o] { return add(*o); };
}

}  // namespace seen::cli
