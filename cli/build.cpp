// seen build: a filter from keys.
//
//   how many keys?   --capacity            as said
//                    files                 counted by a first pass
//                    a pipe, packed files  their digests kept in memory until the end, then counted
//                    --at-most             unknown: made for so many, folded at the end; nothing is counted or kept
//   or a shape       all fields of the kind: nothing is counted
//   a static kind    its keys are counted as they come, whatever their number (static_build.hpp); a format may be static too
//
// Nothing is written before the filter is complete, and nothing existing is overwritten without -f.
#include <seen/any_filter.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unistd.h>
#include <vector>

#include "abilities.hpp"
#include "feed_in_order.hpp"
#include "key_store.hpp"
#include "options.hpp"
#include "outcome.hpp"
#include "recipe.hpp"
#include "remarks.hpp"
#include "secret_file.hpp"
#include "static_build.hpp"
#include "verb.hpp"
#include "window_time.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

struct build_arguments {
  output_options output;
  key_options keys;
  std::vector<std::string> files;
  recipe_options recipe;
  static_options at_once;
  std::string metadata, now;
  outcome_options outcome;
};

// What --store-secret, --metadata and --new-secret need of the recipe and the output.
result<void> check(const build_arguments& o, const make_options& make, const std::string& checkpoint) {
  if (o.output.store_secret && !make.secret)
    return {errc::invalid_argument, "--store-secret: needs --secret-file or --new-secret"};
  if (!o.metadata.empty()) {
    if (auto fine = check_metadata(make.format); !fine) return fine;
  }
  if (!o.recipe.new_secret.empty()) {
    if (is_same_place(o.recipe.new_secret, o.output.path)) {
      return {errc::invalid_argument, "--new-secret: " + o.recipe.new_secret + " is the output too"};
    }
    for (const std::string& name : {temporary_of(o.output.path), checkpoint}) {
      if (name.empty() || !is_same_place(o.recipe.new_secret, name)) continue;
      return {errc::invalid_argument,
              "--new-secret: " + o.recipe.new_secret + " is a file beside the output that is removed"};
    }
  }
  return {};
}

// How keys are read: all that the ways of filling have in common.
struct filling {
  key_reader& reader;
  std::optional<std::uint64_t> now;
  bool show_progress;

  [[nodiscard]] feeding how(const char* label) const { return {label, show_progress}; }
};

// A kind that keeps every key it is given, equal ones too, may have no room for them; it could not remove otherwise.
template <class Keys>
result<void> put(any_filter& filter, std::span<const Keys> keys) {
  auto added = filter.add_many(keys);
  if (added || added.error().code != errc::full) return added;
  const filter_info info = filter.info();
  return {errc::full, "the " + info.kind + " filter is full" + how_full(info, 0) + "; nothing is written. " +
                          advice_on_equal_keys(info) + "give a larger -n"};
}

// How many keys there are, and what was kept of them where they are not read again.
struct counted {
  std::uint64_t keys = 0;
  std::optional<kept_keys> text;
  std::optional<kept_digests> digests;
};

// Files are read twice, since that takes no memory. What is packed is read once, as a pipe is, up to so many keys: those of 1 GiB.
constexpr std::uint64_t most_kept = std::uint64_t{1} << 27;

// `like` hashes as the filter will.
result<counted> count(const filling& from, const any_filter& like) {
  counted all;
  result<std::uint64_t> keys = std::uint64_t{0};
  const bool again = from.reader.can_rewind();
  if (takes_digests(like) && !(again && from.reader.is_plain())) {
    all.digests.emplace();
    std::uint64_t kept = 0;
    keys = feed_digests(from.reader, from.how("reading"), like, [&](std::span<const digest> some) -> result<void> {
      kept += some.size();
      if (again && kept > most_kept) all.digests.reset();
      if (all.digests) all.digests->keep(some);
      return {};
    });
  } else if (again) {
    struct nothing {};
    keys = feed_in_order<nothing>(
        from.reader, from.how("counting"),
        [](const key_batch&, const key_reader&, nothing&) -> result<void> { return {}; },
        [](nothing&) -> result<void> { return {}; });
  } else {
    all.text.emplace();
    keys = feed(from.reader, "reading", from.show_progress, [&](const key_batch& batch) -> result<void> {
      all.text->keep(batch.keys);
      return {};
    });
  }
  if (!keys) return keys.error();
  all.keys = *keys;
  if (all.text || all.digests) return all;
  if (auto begun = from.reader.rewind(); !begun) return begun.error();
  return all;
}

// An empty filter, told the time where there is one to tell.
result<any_filter> make_at(const make_options& make, std::optional<std::uint64_t> now) {
  auto filter = any_filter::make(make);
  if (!filter) return filter;
  if (auto told = tell_time("--now", *filter, now); !told) return told.error();
  return filter;
}

result<built> fill_planned(const make_options& make, const filling& from) {
  auto filter = make_at(make, from.now);
  if (!filter) return filter.error();
  auto keys = feed_to(*filter, from.reader, from.how("building"), [&](auto some) { return put(*filter, some); });
  if (!keys) return keys.error();
  return built{std::move(*filter), *keys};
}

result<built> fill_counted(make_options make, const filling& from) {
  // A wrong hash or time should be told before an hour of counting: try a small filter first.
  make.target.capacity = trial_capacity(make);
  auto tried = make_at(make, from.now);
  if (!tried) return tried.error();
  auto all = count(from, *tried);
  if (!all) return all.error();
  make.target.capacity = std::max<std::uint64_t>(1, all->keys);
  if (!all->text && !all->digests) return fill_planned(make, from);
  auto filter = make_at(make, from.now);
  if (!filter) return filter.error();
  const auto put_in = [&](auto keys) { return put(*filter, keys); };
  auto added = all->digests ? all->digests->replay(put_in) : all->text->replay(put_in);
  if (!added) return added.error();
  return built{std::move(*filter), all->keys};
}

result<built> fill_and_fold(make_options make, const filling& from) {
  auto made = fill_planned(make, from);
  if (!made) return made.error();
  if (made->keys == 0) {  // nothing to size it by
    make.target.capacity = 1;
    make.foldable = false;
    auto smallest = any_filter::make(make);
    if (!smallest) return smallest.error();
    return built{std::move(*smallest), 0};
  }
  auto folded = made->filter.shrink_to_fpr(make.target.fpr);
  // Unsupported: as many keys came as were expected, or nearly, and no smaller size will do.
  if (!folded && folded.error().code != errc::unsupported) return folded.error();
  return made;
}

result<built> fill(const recipe& recipe, const filling& from) {
  switch (recipe.size) {
    case size_from::count:
      return fill_counted(recipe.make, from);
    case size_from::limit:
      return fill_and_fold(recipe.make, from);
    case size_from::plan:
    case size_from::shape:
      break;
  }
  return fill_planned(recipe.make, from);
}

// The secret must be safe before the filter is there: without it the filter is worthless.
result<void> save_with_secret(const build_arguments& o, const make_options& make, const any_filter& filter) {
  if (o.recipe.new_secret.empty()) return o.output.save(filter, o.outcome.quiet);
  if (auto written = write_secret(o.recipe.new_secret, *make.secret); !written) return written;
  auto saved = o.output.save(filter, o.outcome.quiet);
  if (!saved) ::unlink(o.recipe.new_secret.c_str());
  return saved;
}

// A static kind drops keys that are equal, and counts the rest. The others tell by their fill, which is off by a few of a hundred
// keys: what differs by a fifth is no chance.
std::string different(std::uint64_t keys, bool is_static, const filter_info& info) {
  if (!(info.keys < 0x1p60)) return "";
  const auto held = static_cast<std::uint64_t>(std::llround(info.keys));
  if (is_static)
    return info.keys_exact && held < keys ? fmt::format(", {} of them different,", grouped(held)) : std::string();
  const bool are_equal = !info.keys_exact && keys >= 100 && info.keys < 0.8 * static_cast<double>(keys);
  if (!are_equal || info.saturated || kind_can(info.kind, &plan_row::can_forget)) return "";
  return fmt::format(", about {} of them different,", grouped(held));
}

// One that was sized by counting equal keys is larger than it need be.
void tell_of_equal_keys(const std::string& name, std::uint64_t keys, size_from size, const filter_info& info) {
  if (size != size_from::count || kind_can(info.kind, &plan_row::can_grow)) return;
  if (2 * info.keys > static_cast<double>(keys)) return;
  warn(false, fmt::format("{}: made for {}, most of them equal; -n {} makes it {:.1f} times smaller", name,
                          keys_in_words(keys), static_cast<std::uint64_t>(std::llround(info.keys)),
                          static_cast<double>(keys) / info.keys));
}

result<void> tell(const build_arguments& o, std::uint64_t keys, bool is_static, size_from size,
                  const filter_info& info) {
  const std::string name = o.output.name();
  const std::string equal = different(keys, is_static, info);
  auto told = o.outcome.tell(json::object().add("file", name).add("keys_read", keys), info,
                             fmt::format("{}: {}{} in a {} filter of {}, rate {}", name, keys_in_words(keys), equal,
                                         info.kind, human_bytes(info.bytes), short_number(info.fpr_now)));
  if (!told || o.outcome.quiet) return told;
  if (!is_static && !equal.empty()) tell_of_equal_keys(name, keys, size, info);
  // A kind that grows or forgets keeps its rate, and a static one was built for its keys.
  if (!is_static && info.target.capacity != 0 && keys > info.target.capacity && info.fpr_now > info.target.fpr) {
    warn(false, fmt::format("{}: planned for {}; with {} the rate is {} instead of {}", name,
                            keys_in_words(info.target.capacity), grouped(keys), short_number(info.fpr_now),
                            short_number(info.target.fpr)));
  }
  return {};
}

result<exit_status> build(const build_arguments& o) {
  auto format = o.keys.read(o.outcome.quiet);
  if (!format) return format.error();
  auto recipe = o.recipe.read();
  if (!recipe) return recipe.error();
  const bool is_static = recipe->is_static();
  const std::string checkpoint = is_static && recipe->foreign == nullptr ? checkpoint_of(o.output.path) : std::string();
  if (auto fine = check(o, recipe->make, checkpoint); !fine) return fine.error();
  if (auto apart = o.outcome.check(o.output.path); !apart) return apart.error();
  std::vector<std::string> kept = files_or_stdin(o.files);
  if (!o.recipe.secret_file.empty()) kept.push_back(o.recipe.secret_file);
  if (auto writable = o.output.check(kept, {}, checkpoint); !writable) return writable.error();
  format->accepts = recipe->accepts;
  auto reader = key_reader::open(files_or_stdin(o.files), *format);
  if (!reader) return reader.error();
  auto now = parse_time(o.now);
  if (!now) return now.error();
  if (is_static && *now) {
    return error{errc::unsupported, "a " + recipe->name() +
                                        " filter cannot be told the time (--now); kinds that can: " +
                                        kinds_that_can(&plan_row::can_forget)};
  }
  auto how = o.at_once.read(*recipe);
  if (!how) return how.error();
  how->checkpoint = checkpoint;
  if (!o.keys.threads.empty()) how->threads = format->threads;
  auto made = is_static ? build_static(recipe->make, *how, *reader, {"reading", !o.outcome.quiet}, o.output.overwrite)
                        : fill(*recipe, {*reader, *now, !o.outcome.quiet});
  if (!made) return made.error();
  if (!o.metadata.empty()) made->filter.set_metadata(o.metadata);
  auto saved = save_with_secret(o, recipe->make, made->filter);
  if (is_static && is_sharded(made->filter)) drop_checkpoint(how->checkpoint);
  if (!saved) return saved.error();
  if (o.outcome.quiet && !o.outcome.json) return exit_status::yes;
  if (auto told = tell(o, made->keys, is_static, recipe->size, made->filter.info()); !told) return told.error();
  return exit_status::yes;
}

}  // namespace

action define_build(option_list& app) {
  auto o = std::make_shared<build_arguments>();
  o->output.define(app);
  app.values({"files", lists_help, "FILE"}, o->files);
  o->recipe.define(app);
  app.value({"--metadata", "a note kept in the file, at most 64 KiB", "TEXT"}, o->metadata);
  define_now(app, o->now);
  o->outcome.define(app);
  option_list at_once = app.in_group("Static kinds and formats (built from all keys at once)");
  o->at_once.define(at_once);
  option_list hash = app.in_group("Hash");
  o->recipe.define_hash(hash);
  o->output.define_store_secret(hash);
  o->keys.define(app);
  app.footer(
      "Examples:\n"
      "  seen build -o users.seen users.txt                          counts the keys, then builds\n"
      "  seen build -o urls.seen -p 2^-10 urls-1.gz urls-2.zst\n"
      "  zcat *.gz | seen build -o all.seen -n 1e9 -                 -n: nothing is kept in memory but the filter\n"
      "  zcat *.gz | seen build -o all.seen --at-most 1e9 -          the same, where the number is not known\n"
      "  seen build -o set.seen --kind ribbon --memory 2G -j 2 huge.zst\n"
      "  seen build -o ids.seen --field 2 -d , table.csv\n"
      "  seen build -o ids.bin --format xorfilter-go ids.txt         for a program in Go; `seen formats` lists others\n"
      "  seen build -o safe.seen --hash siphash-1-3 --new-secret safe.secret users.txt");
  return [o] { return build(*o); };
}

}  // namespace seen::cli
