// seen add: more keys for a filter that exists. The file is replaced in one step when all keys are in.
#include <fmt/format.h>
#include <memory>

#include "change.hpp"
#include "feed.hpp"
#include "options.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

struct add_options {
  std::string path;
  std::vector<std::string> files;
  filter_options filter;
  key_options keys;
  bool quiet = false;
};

void tell(const add_options& o, std::uint64_t added, const filter_info& info) {
  if (o.quiet) return;
  remark(false, fmt::format("{}: {} added, holds {}, rate {}", o.path, keys_in_words(added),
                            key_count(info.keys, info.keys_exact), short_number(info.fpr_now)));
  // The count is an estimate: within a few percent of the plan there is nothing to tell.
  const auto planned = static_cast<double>(info.asked.capacity);
  if (planned != 0 && info.keys > 1.05 * planned) {
    remark(false, fmt::format("seen: {}: planned for {} at {}; build a larger one", o.path,
                              keys_in_words(info.asked.capacity), short_number(info.asked.fpr)));
  }
}

result<exit_status> add(const add_options& o) {
  auto format = o.keys.read();
  if (!format) return format.error();
  auto open = o.filter.read();
  if (!open) return open.error();
  auto locked = locked_file::lock(o.path);
  if (!locked) return locked.error();
  auto filter = locked->open(*open);
  if (!filter) return filter.error();
  auto reader = key_reader::open(files_or_stdin(o.files), *format);
  if (!reader) return reader.error();
  auto added = feed(*reader, "adding", !o.quiet, [&](const key_batch& batch) -> result<void> {
    if (auto put = filter->add_many(batch.keys); !put) return about(o.path, put.error());
    return {};
  });
  if (!added) return added.error();
  if (auto saved = locked->save(*filter); !saved) return saved.error();
  tell(o, *added, filter->info());
  return exit_status::yes;
}

}  // namespace

action define_add(CLI::App& app) {
  auto o = std::make_shared<add_options>();
  app.add_option("filter", o->path, "the filter file; replaced in one step when all keys are in")
      ->type_name("FILE")
      ->required();
  app.add_option("files", o->files, "lists of keys, one a line; .gz and .zst too; standard input (-) if there are none")
      ->type_name("FILE");
  o->filter.define(app);
  define_quiet(app, o->quiet);
  o->keys.define(app);
  app.footer(
      "Examples:\n"
      "  seen add users.seen new-users.txt\n"
      "  tail -n 1000 access.log | seen add visitors.seen --field 1 -d ' '");
  return [o] { return add(*o); };
}

}  // namespace seen::cli
